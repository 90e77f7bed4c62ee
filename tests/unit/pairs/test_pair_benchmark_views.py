"""Slices, error lists, tags and people agree with plain counting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from core.data.pair_sets.pair_set import PairSet
from core.parts import Part
from core.runtime import Runtime
from research.benchmark.pairs.errors import (
    Mistake,
    TagStore,
    fingerprints,
    slice_quality,
    slices,
    tag_slices,
    worst,
)
from research.benchmark.pairs.evaluate import Evaluated, PairSettings
from research.benchmark.pairs.rows import row
from research.benchmark.pairs.run import evaluate_row, people_on_set, people_on_votes, read_votes
from research.benchmark.pairs.sets import measured
from tests.unit.pairs.pair_worlds import world

SETTINGS = PairSettings(resamples=200)


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(cache=tmp_path)


def decided(pairs: PairSet, key: str, runtime: Runtime) -> Evaluated:
    return evaluate_row(measured(pairs), row(key), (), runtime, SETTINGS)


def test_slices_hold_the_pairs_that_they_name(runtime: Runtime) -> None:
    test = world().part(Part.TEST)
    tagged = tag_slices(test, {0: ("pun",), 7: ("pun", "mine")})
    found = {one.name: one.pairs for one in (*slices(test, runtime), *tagged)}
    assert found["all pairs"].all()
    apart = np.abs(np.floor(test.days[test.left]) - np.floor(test.days[test.right]))
    assert np.array_equal(found["same day"], apart == 0)
    assert np.array_equal(found["same day, different events"], (apart == 0) & (test.labels == 0))
    assert np.array_equal(found["2 to 3 days apart"], (apart == 2) | (apart == 3))
    thirds = [
        found[f"{amount} shared words"]
        for amount in ("few", "some", "many")
        if f"{amount} shared words" in found
    ]
    assert np.array_equal(sum(third.astype(int) for third in thirds), np.ones(len(test)))
    assert np.flatnonzero(found["pun"]).tolist() == [0, 7]
    assert np.flatnonzero(found["mine"]).tolist() == [7]
    assert "a date is missing" not in found


def test_a_slice_is_measured_like_its_pairs_alone(runtime: Runtime) -> None:
    pairs = world()
    found, test = decided(pairs, "levenshtein", runtime), pairs.part(Part.TEST)
    for part in slices(test, runtime):
        figure = slice_quality(test, part, found.places, found.called)
        inside = part.pairs[found.places]
        labels, called = test.labels[found.places][inside], found.called[inside]
        assert figure.pairs == len(labels)
        if labels.any():
            assert figure.f1.value == pytest.approx(metrics.f1_score(labels, called))
            assert figure.recall.value == pytest.approx(metrics.recall_score(labels, called))
        if (labels == 0).any():
            assert figure.false_alarms.value == pytest.approx(called[labels == 0].mean())
        else:
            assert figure.false_alarms.reason == "no pair of the slice is of different events"


def test_the_worst_mistakes_come_first(runtime: Runtime) -> None:
    pairs = world()
    found, test = decided(pairs, "levenshtein", runtime), pairs.part(Part.TEST)
    score = dict(zip(found.places.tolist(), found.scores.tolist(), strict=True))
    for mistake, label, sign in ((Mistake.FALSE_POSITIVE, 0, -1), (Mistake.FALSE_NEGATIVE, 1, 1)):
        places = worst(test, found, mistake).tolist()
        assert len(places) == found.cell.counts["fp" if label == 0 else "fn"]
        assert (test.labels[places] == label).all()
        assert [sign * score[place] for place in places] == sorted(sign * score[place] for place in places)


def test_tags_are_kept_by_pair_in_either_order(tmp_path: Path) -> None:
    store, test = TagStore(tmp_path / "deep" / "tags.json"), world().part(Part.TEST)
    assert store.of(test) == {}
    assert store.set(fingerprints(test)[3], [" pun ", "too   broad", "pun", ""]) == ("pun", "too broad")
    swapped = replace(test, left=test.right, right=test.left)
    assert store.of(test) == store.of(swapped) == {3: ("pun", "too broad")}
    store.set(fingerprints(test)[3], [])
    assert store.all() == {}
    assert len(set(fingerprints(test))) == len(test)


def test_people_are_measured_by_their_own_groups() -> None:
    pairs = world()
    rng = np.random.default_rng(0)
    people = np.column_stack(
        [np.where(rng.random(len(pairs.groups)) < 0.8, pairs.groups, 999) for _ in range(3)]
    )
    people[4, 1] = -1
    data = measured(replace(pairs, annotators=people))
    found = people_on_set(data, row("human"), SETTINGS)
    labels, said = [], []
    for person in range(3):
        groups = data.test.annotators[:, person]
        for left, right, label in zip(data.test.left, data.test.right, data.test.labels, strict=True):
            if groups[left] >= 0 and groups[right] >= 0:
                labels.append(label)
                said.append(groups[left] == groups[right])
    assert found.cell.figures["f1"].value == pytest.approx(metrics.f1_score(labels, said))
    assert found.cell.figures["average_precision"].value is None
    assert len(found.places) == len(data.test)


HEADER = "INPUT:first_url\tINPUT:second_url\tOUTPUT:quality\tGOLDEN:quality\tASSIGNMENT:worker_id\n"


def test_votes_are_held_against_the_others(tmp_path: Path) -> None:
    file = tmp_path / "votes.tsv"
    votes = [
        *(("a", "b", "OK", worker) for worker in "123"),  # all say the same event
        ("b", "a", "BAD", "4"),  # one does not, and saw the pair the other way round
        ("c", "d", "OK", "1"),
        ("c", "d", "BAD", "1"),  # the later vote counts
        ("c", "d", "BAD", "2"),
        ("e", "f", "OK", "1"),  # nobody else voted
    ]
    file.write_text(HEADER + "".join(f"{a}\t{b}\t{said}\t\t{worker}\n" for a, b, said, worker in votes))
    found = read_votes(file)
    assert (found.workers, found.pairs, found.tied) == (4, 3, 1)
    assert sorted(zip(found.said.tolist(), found.others.tolist(), strict=True)) == [
        (0, 0),
        (0, 0),
        (0, 1),
        (1, 1),
        (1, 1),
        (1, 1),
    ]
    facts, cell = people_on_votes(found, row("human"), SETTINGS)
    assert cell.counts == {"tp": 3, "fp": 0, "fn": 1, "tn": 2}
    assert facts.notes[0].startswith("Labels only")
