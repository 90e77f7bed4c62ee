"""What of a pair set is measured, and what is left out and said."""

from __future__ import annotations

from dataclasses import replace

from core.parts import Part
from research.benchmark.pairs.sets import POOL, measured, pool
from tests.unit.pairs.pair_worlds import world


def test_facts_count_what_is_there() -> None:
    pairs = world()
    facts = measured(pairs).facts
    for part in Part:
        inside = pairs.pair_parts == part
        assert facts.pairs[part] == inside.sum()
        assert facts.positives[part] == pairs.labels[inside].sum()
    assert (facts.dated, facts.bodies, facts.unit, facts.units) == (1.0, 0.0, "groups", 8)


def test_pairs_without_a_label_are_left_out_and_said() -> None:
    pairs = world()
    labels = pairs.labels.copy()
    labels[:4] = -1
    found = measured(replace(pairs, labels=labels))
    assert len(found.pairs) == len(pairs) - 4
    assert found.facts.notes == ("4 pairs without a label are left out.",)


def test_iss_never_chooses_a_threshold() -> None:
    assert not any(name.startswith("iss") for name in POOL)
    assert "iss" not in {pairs.name for pairs in pool()}
    assert all(Part.TEST.value not in pairs.parts for pairs in pool())
