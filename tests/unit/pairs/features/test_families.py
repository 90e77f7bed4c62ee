"""Features against plain counting, headline by headline."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from core.pairs.features.additive import bent, pieces, whole
from core.pairs.features.families import (
    FARTHEST,
    Family,
    days_between,
    informative,
    numerals,
    shared_names,
    shared_words,
)
from core.pairs.scorer import PairList, Tile
from core.text.differences import compare_readings, read
from core.text.names import learn_names

TEXTS = [
    "Quake in Chile kills 14 people, says President Pinera",
    "At least 12 people dead as strong quake shakes Chile",
    "Fourteen people die in Chile quake",
    "Fed raises rates by 0.25 % and Yellen warns of more",
    "The Fed lifts rates, Yellen says",
    "Apple sells $3.2bn of watches",
    "Watches bring Apple $3bn",
    "Apple said to sell $7bn of watches",
    "it is what it is",
    "",
]
KNOWN = learn_names(TEXTS)
READINGS = [read(text, known=KNOWN) for text in TEXTS]
N = len(TEXTS)
ALL_PAIRS = list(itertools.combinations(range(N), 2))
LEFT, RIGHT = np.array(ALL_PAIRS).T


def columns(family: Family) -> dict[str, np.ndarray]:
    return {name: value.copy() for name, value in family(PairList(LEFT, RIGHT))}


def families() -> list[Family]:
    days = np.array([1.0, 1, 2, 9, 9, np.nan, 300, 301, 5, 5])
    return [
        shared_words(TEXTS, READINGS),
        shared_names(READINGS),
        numerals(READINGS),
        days_between(days),
    ]


@pytest.mark.parametrize("family", families(), ids=["words", "names", "numbers", "days"])
def test_a_list_and_a_tile_say_the_same(family: Family) -> None:
    listed = columns(family)
    for name, tile in family(Tile(np.arange(N), slice(0, N))):
        np.testing.assert_allclose(tile[LEFT, RIGHT], listed[name], atol=1e-6)
        np.testing.assert_allclose(tile, tile.T, atol=1e-6)
        assert np.isfinite(tile).all()


def test_numbers_as_the_comparison_of_two_headlines_finds_them() -> None:
    found = columns(numerals(READINGS))
    for place, (left, right) in enumerate(ALL_PAIRS):
        differences = compare_readings(READINGS[left], READINGS[right])
        assert found["numbers agree"][place] == bool(differences.shared_numbers), (left, right)
        assert found["numbers conflict"][place] == bool(differences.number_conflicts), (left, right)
    assert found["numbers conflict"].sum() >= 2
    assert found["numbers agree"].sum() >= 2


def test_nobody_writes_a_number() -> None:
    family = numerals([read("Fed lifts rates"), read("Rates lifted")])
    assert [value.tolist() for _, value in family(PairList(np.array([0]), np.array([1])))] == [
        [0],
        [0],
    ]


def test_words_are_weighed_by_how_few_have_them() -> None:
    found = columns(shared_words(TEXTS, READINGS))["one contains the other"]
    forms = [{token.form for token in (*one.names, *one.words)} for one in READINGS]
    weight = {
        form: math.log((N + 1) / (sum(form in some for some in forms) + 0.5)) for form in set().union(*forms)
    }
    for place, (left, right) in enumerate(ALL_PAIRS):
        shared = sum(weight[form] for form in forms[left] & forms[right])
        shorter = min(sum(map(weight.__getitem__, forms[side])) for side in (left, right))
        assert found[place] == pytest.approx(shared / max(shorter, 1e-3), abs=1e-5)


def test_days() -> None:
    family = days_between(np.array([10.0, 10, 12, 500, np.nan]))
    apart = PairList(np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    found = {name: value.tolist() for name, value in family(apart)}
    assert found["another day"] == [0, 1, 1, 0.5]
    assert found["days apart"] == pytest.approx([0, math.log(3), math.log(1 + FARTHEST), math.log(2)])
    assert found["weeks apart"] == pytest.approx([0, 2 / 7, FARTHEST / 7, 1 / 7])
    assert found["date missing"] == [0, 0, 0, 1]


def test_days_are_no_evidence_where_most_pairs_are_of_one_day() -> None:
    spread, one_day = np.arange(30.0) // 3, np.r_[np.ones(24), 9.0, np.nan]
    np.testing.assert_array_equal(informative(spread), spread)
    assert np.isnan(informative(one_day)).all()
    np.testing.assert_array_equal(informative(np.ones(3)), np.ones(3))
    assert informative(np.array([])).size == 0


BENDS = {"meaning": (0.4, 0.7)}


def test_pieces_sum_up_to_the_feature_and_have_its_sign() -> None:
    given = np.linspace(-1, 1, 41, dtype=np.float32)
    found = dict(bent([("meaning", given), ("days", given)], BENDS))
    assert found.keys() == pieces({"meaning": 1, "days": -1}, BENDS).keys()
    amounts = {name: float(values[30]) for name, values in found.items()}
    assert whole(amounts) == {"meaning": float(np.float32(0.5)), "days": float(np.float32(0.5))}
    parts = [values for name, values in found.items() if name != "days"]
    np.testing.assert_allclose(np.sum(parts, axis=0), given, atol=1e-6)
    assert set(pieces({"meaning": -1}, BENDS).values()) == {-1}
