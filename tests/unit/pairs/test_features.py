"""Features of a pair, the tokenizer of the default model, the tree around a pair, the level of a timeline."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from core.pairs.features.additive import USUAL_SHARE, Linkage, level_of, log_odds, probability
from core.pairs.features.families import EXCHANGED, FARTHEST, days_between, informative, numerals, swapped
from core.pairs.features.word_pieces import WordPieces
from core.pairs.scorers import static_embeddings
from core.pairs.selection import PairList, Tile
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


def test_numbers_as_the_comparison_of_two_headlines_finds_them():
    found = {name: value.copy() for name, value in numerals(READINGS)(PairList(LEFT, RIGHT))}
    for place, (left, right) in enumerate(ALL_PAIRS):
        differences = compare_readings(READINGS[left], READINGS[right])
        assert found["numbers agree"][place] == bool(differences.shared_numbers), (left, right)
        assert found["numbers conflict"][place] == bool(differences.number_conflicts), (left, right)
    assert found["numbers conflict"].sum() >= 2
    assert found["numbers agree"].sum() >= 2


def test_days():
    family = days_between(np.array([10.0, 10, 12, 500, np.nan]))
    apart = PairList(np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    found = {name: value.tolist() for name, value in family(apart)}
    assert found["another day"] == [0, 1, 1, 0.5]
    assert found["days apart"] == pytest.approx([0, math.log(3), math.log(1 + FARTHEST), math.log(2)])
    assert found["weeks apart"] == pytest.approx([0, 2 / 7, FARTHEST / 7, 1 / 7])
    assert found["date missing"] == [0, 0, 0, 1]


def test_days_are_no_evidence_where_most_pairs_are_of_one_day():
    spread, one_day = np.arange(30.0) // 3, np.r_[np.ones(24), 9.0, np.nan]
    np.testing.assert_array_equal(informative(spread), spread)
    assert np.isnan(informative(one_day)).all()
    np.testing.assert_array_equal(informative(np.ones(3)), np.ones(3))
    assert informative(np.array([])).size == 0


@pytest.mark.parametrize(
    ("one", "other", "exchanged"),
    [
        ("Storm Ada shuts Leeds airport for two days", "Storm Ada shuts York airport for two days", True),
        ("Storm Ada shuts Leeds airport", "Leeds airport shut by storm Ada", False),
        ("Ferry brings three tourists to Dover", "Ferry brings seven tourists to Dover", True),
        ("Ferry brings three tourists to Dover", "Ferry brings 3 tourists to Dover", False),
        ("Train arrives in Oslo with tourists", "Train departs in Oslo with tourists", True),
        ("Dover ferry company names Ada as head", "Dover ferry company names Dover as head", True),
    ],
)
def test_the_exchange_of_one_fact_is_seen_in_both_orders(one, other, exchanged):
    found = swapped([read(one), read(other)])
    for pair in (([0], [1]), ([1], [0])):
        ((name, values),) = found(PairList(np.array(pair[0]), np.array(pair[1])))
        assert (name, values.tolist()) == (EXCHANGED, [float(exchanged)])


ODD = [
    "", " ", "a  b", " a", "▁", "a▁b", "▁ a", "<s> of </s>", "a<unk>b", "日本 語", "\t", "a\nb c",
    "é\u0301 🙂",
]  # fmt: skip
odd_words = st.text(st.sampled_from("ab▁<>/s '-é日\u00a0\n"), max_size=12) | st.sampled_from(ODD)


@given(st.lists(st.lists(odd_words, max_size=5).map(" ".join), max_size=80))
@settings(deadline=None, max_examples=60)
def test_pieces_of_any_texts_are_the_tokenizer_s(texts):
    tokens: WordPieces = static_embeddings._model("")[0]
    ids, ends = tokens.of(texts)
    found = [ids[low:high].tolist() for low, high in itertools.pairwise(ends)]
    assert found == [tokens.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]


@settings(max_examples=40)
@given(n=st.integers(2, 40), seed=st.integers(0, 999), steps=st.sampled_from([3, 1000]))
def test_as_scipy_has_it(n, seed, steps):
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(0, steps + 1, (n, n)) / steps, 1)  # few steps make ties
    matrix = (upper + upper.T + np.eye(n)).astype(np.float32)
    distances = squareform(1.0 - matrix.astype(np.float64), checks=False)
    wanted = 1.0 - squareform(cophenet(linkage(distances, "average")))
    found = Linkage.of(matrix).at(Tile(slice(0, n), slice(0, n)))
    np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("share", [0.003, 0.03, 0.3])
def test_the_share_of_a_timeline_is_found(share):
    """From log likelihood ratios of two normal populations whose ratio is exact."""
    random, spread = np.random.default_rng(3), 4.0
    centre = np.where(random.random(200_000) < share, 0.5, -0.5) * spread**2
    given = np.asarray(centre + spread * random.normal(size=200_000), dtype=np.float32)
    found = float(probability(given + np.float32(level_of(given))).mean())
    assert share / 1.5 < found < share * 1.5


def test_a_single_pair_is_read_at_about_the_usual_share():
    assert level_of(np.empty(0, np.float32)) == pytest.approx(log_odds(USUAL_SHARE))
    for ratio in (-6.0, -1.0, 2.0, 6.0):
        assert level_of(np.float32([ratio])) == pytest.approx(log_odds(USUAL_SHARE), abs=0.6)


def test_ratios_that_are_not_finite_in_a_float_still_give_a_level():
    assert np.isfinite(level_of(np.float32([-1e30, 1e30, 0.0])))
