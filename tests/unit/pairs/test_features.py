"""Features against plain counting, headline by headline; the tree around a pair; the level of a timeline."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from core.files import ROOT
from core.pairs.features.additive import (
    USUAL_SHARE,
    Linkage,
    bent,
    level_of,
    log_odds,
    pieces,
    probability,
    whole,
)
from core.pairs.features.families import (
    EXCHANGED,
    FARTHEST,
    Family,
    days_between,
    informative,
    numerals,
    shared_names,
    shared_words,
    swapped,
)
from core.pairs.features.overlap import WordPieces, headline_words, word_counts
from core.pairs.scorer import PairList, Tile
from core.pairs.scorers import cosine
from core.text.differences import compare_readings, learn_names, read

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


@pytest.mark.parametrize(
    ("one", "other", "exchanged"),
    [
        ("Storm Ada shuts Leeds airport for two days", "Storm Ada shuts York airport for two days", True),
        ("Bank raises rates to 3 percent in Norway", "Bank raises rates to 5 percent in Norway", True),
        ("Union agrees to pay offer in Dover", "Union not agrees to pay offer in Dover", True),
        ("Storm Ada shuts Leeds airport", "Leeds airport shut by storm Ada", False),
        ("Ferry brings three tourists to Dover", "Ferry brings seven tourists to Dover", True),
        ("Ferry brings three tourists to Dover", "Ferry brings 3 tourists to Dover", False),
        ("Train arrives in Oslo with tourists", "Train departs in Oslo with tourists", True),
        ("Dover ferry company names Ada as head", "Dover ferry company names Dover as head", True),
    ],
)
def test_the_exchange_of_one_fact_is_seen_in_both_orders(one: str, other: str, exchanged: bool) -> None:
    found = swapped([read(one), read(other)])
    for pair in (([0], [1]), ([1], [0])):
        ((name, values),) = found(PairList(np.array(pair[0]), np.array(pair[1])))
        assert (name, values.tolist()) == (EXCHANGED, [float(exchanged)])


ODD = [
    "",
    " ",
    "a  b",
    " a",
    "a ",
    "▁",
    "a▁b",
    "▁ a",
    "<s> of </s>",
    "a<unk>b",
    "< s>",
    "日本 語",
    "\t",
    "a\nb c",
    "é\u0301 🙂",
]
TITLES = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)["TITLE"].tolist()
odd_words = st.text(st.sampled_from("ab▁<>/s '-é日\u00a0\n"), max_size=12) | st.sampled_from(ODD)


@given(st.lists(st.lists(odd_words, max_size=5).map(" ".join), max_size=80))
@settings(deadline=None, max_examples=60)
def test_pieces_of_any_texts_are_the_tokenizer_s(texts: list[str]) -> None:
    tokens: WordPieces = cosine._model("")[0]
    ids, ends = tokens.of(texts)
    found = [ids[low:high].tolist() for low, high in itertools.pairwise(ends)]
    assert found == [tokens.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]


@given(st.lists(st.text("aB.'- ıΣ\n", max_size=20) | st.sampled_from(TITLES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_words_of_many_headlines_are_those_of_each(texts: list[str]) -> None:
    counts = word_counts(texts)
    found: list[Counter[str]] = [Counter() for _ in texts]
    for row, word, times in zip(counts.row, counts.word, counts.times, strict=True):
        found[row][counts.words[word]] = times
    assert [list(one.items()) for one in found] == [list(headline_words(text).items()) for text in texts]
    assert sorted(counts.words) == sorted(set().union(*found))


def similarities(n: int, seed: int, steps: int) -> np.ndarray:
    """Symmetric, 0 to 1; few steps make ties."""
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(0, steps + 1, (n, n)) / steps, 1)
    return (upper + upper.T + np.eye(n)).astype(np.float32)


@settings(max_examples=40)
@given(n=st.integers(2, 40), seed=st.integers(0, 999), steps=st.sampled_from([3, 1000]))
def test_as_scipy_has_it(n: int, seed: int, steps: int) -> None:
    matrix = similarities(n, seed, steps)
    distances = squareform(1.0 - matrix.astype(np.float64), checks=False)
    wanted = 1.0 - squareform(cophenet(linkage(distances, "average")))
    found = Linkage.of(matrix).at(Tile(slice(0, n), slice(0, n)))
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_one_headline_is_united_with_itself() -> None:
    alone = Linkage.of(np.ones((1, 1), dtype=np.float32))
    assert alone.at(Tile(slice(0, 1), slice(0, 1))).tolist() == [[1.0]]


def ratios(pairs: int, share: float, spread: float, seed: int) -> np.ndarray:
    """Log likelihood ratios of two normal populations whose ratio is exact."""
    random = np.random.default_rng(seed)
    same = random.random(pairs) < share
    centre = np.where(same, 0.5, -0.5) * spread**2
    return np.asarray(centre + spread * random.normal(size=pairs), dtype=np.float32)


@pytest.mark.parametrize("share", [0.003, 0.03, 0.3])
def test_the_share_of_a_timeline_is_found(share: float) -> None:
    given = ratios(200_000, share, 4.0, 3)
    found = float(probability(given + np.float32(level_of(given))).mean())
    assert share / 1.5 < found < share * 1.5


def test_a_single_pair_is_read_at_about_the_usual_share() -> None:
    assert level_of(np.empty(0, np.float32)) == pytest.approx(log_odds(USUAL_SHARE))
    for ratio in (-6.0, -1.0, 2.0, 6.0):
        assert level_of(np.float32([ratio])) == pytest.approx(log_odds(USUAL_SHARE), abs=0.6)


def test_ratios_that_are_not_finite_in_a_float_still_give_a_level() -> None:
    assert np.isfinite(level_of(np.float32([-1e30, 1e30, 0.0])))
