"""What of a pair set is measured, and what is left out and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import InputError
from core.parts import Part
from research.benchmark.pairs.sets import POOL, measured, open_set, pool, sampled, sampled_places
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


def test_contradictory_copies_are_left_out_and_said() -> None:
    pairs = world()
    # The first pair once more, the other way round and with the other label.
    doubled = replace(
        pairs,
        left=np.append(pairs.left, pairs.right[0]),
        right=np.append(pairs.right, pairs.left[0]),
        labels=np.append(pairs.labels, 1 - pairs.labels[0]),
    )
    found = measured(doubled)
    assert len(found.pairs) == len(pairs) - 1
    assert found.facts.notes == ("2 pairs that occur with both labels are left out.",)


def test_other_labels_are_refused() -> None:
    pairs = world()
    with pytest.raises(InputError, match="labels other than 0 and 1"):
        measured(replace(pairs, labels=pairs.labels + 1))


def test_a_test_part_of_one_kind_cannot_be_measured() -> None:
    pairs = world()
    labels = np.where(pairs.pair_parts == Part.TEST, 0, pairs.labels)
    facts = measured(replace(pairs, labels=labels)).facts
    assert facts.why_not.endswith(
        "test pairs are labelled different events, so no scorer can be measured on them."
    )


def test_a_set_without_test_pairs_says_so() -> None:
    pairs = world()
    parts = np.where(pairs.parts == Part.TEST, Part.TRAIN.value, pairs.parts)
    assert measured(replace(pairs, parts=parts)).facts.why_not == "It has no labelled test pairs."


def test_the_fifteen_pairs_are_measured_whole() -> None:
    found = open_set("hlgd_sample")
    assert (len(found.test), found.facts.positives["test"]) == (15, 2)
    assert found.facts.notes[-1].startswith("All 15 pairs are measured")


def test_a_smaller_sample_lies_inside_a_larger_one() -> None:
    pairs = world()
    small, large = (set(sampled_places(len(pairs), cap, seed=3).tolist()) for cap in (20, 90))
    assert len(small) == 20
    assert small < large
    assert sampled(pairs, 20, seed=3).texts == pairs.texts
    assert np.array_equal(sampled(pairs, 10**6, seed=3).left, pairs.left)


def test_iss_never_chooses_a_threshold() -> None:
    assert not any(name.startswith("iss") for name in POOL)
    assert "iss" not in {pairs.name for pairs in pool()}
    assert all(Part.TEST.value not in pairs.parts for pairs in pool())
