"""The trainer of the learned scorer: what it draws, what it fits, and that weights keep their signs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data.pair_sets.assembly import from_groups
from core.data.pair_sets.drawing import WINDOW_DAYS, Sampling
from core.data.pair_sets.pair_set import SAME, PairSet, undrawn
from core.errors import InputError
from core.pairs.features.bends import pieces
from core.pairs.scorers.event_blend import BENDS, GROUP_BENDS
from core.parts import Part
from core.runtime import Runtime
from core.text.tokens import word_list
from research.training.pairs.drawn_timelines import MOST_IN_STORY, PENALTY, SIZES, Pool, fit_additive, usable
from research.training.pairs.event_blend import (
    CANDIDATES,
    DIRECT,
    GROUPED,
    EventBlendTrainer,
    Seen,
    best_mean_threshold,
    draw,
    fit,
    mean_f1,
    pair_weights,
    score_all,
    scored_by_others,
)

PLACES = [
    "Oslo",
    "Lima",
    "Cairo",
    "Quito",
    "Perth",
    "Leeds",
    "Turin",
    "Seoul",
    "Kyiv",
    "Minsk",
    "Accra",
    "Hanoi",
]
THINGS = word_list("storm strike vote fire quake summit trial flood march crash")
WAYS = (
    "{thing} in {place} goes on",
    "{place} {thing} worries people",
    "what we know of the {thing} in {place}",
)


def stories(*, stamped: bool = False) -> tuple[PairSet, np.ndarray]:
    """Sixty stories of three headlines over a year, and vectors of which like stories have like ones."""
    random = np.random.default_rng(7)
    texts, days, groups, vectors = [], [], [], []
    places, things = random.normal(size=(12, 16)), random.normal(size=(10, 16))
    for number in range(60):
        place, thing = number % 12, number // 6
        start = float(random.integers(0, 365))
        for way in WAYS:
            texts.append(way.format(place=PLACES[place], thing=THINGS[thing]) + f" {number % 7}")
            days.append(start + (0 if stamped else random.integers(0, 2)))
            groups.append(number)
            vectors.append(places[place] + things[thing] + random.normal(0, 0.5, 16))
    parts = np.where(
        np.array(groups) % 5 < 3, "train", np.where(np.array(groups) % 5 < 4, "validation", "test")
    )
    headlines = undrawn(
        texts=texts,
        days=np.array(days),
        timelines=np.unique(parts, return_inverse=True)[1].astype(np.int64),
        parts=parts,
        groups=np.array(groups, dtype=np.int64),
    )
    pairs = from_groups("stories", headlines, Sampling())
    whole = np.array(vectors, dtype=np.float32)
    whole /= np.linalg.norm(whole, axis=1, keepdims=True)
    return pairs, whole[[texts.index(text) for text in pairs.texts]]


@pytest.fixture(scope="module")
def drawn() -> list[list[object]]:
    pairs, vectors = stories()
    return draw(pairs, vectors, 8, Runtime())  # type: ignore[return-value]


def pool(*, stamped: bool = False) -> Pool:
    pairs, vectors = stories(stamped=stamped)
    rows = np.flatnonzero(pairs.parts == Part.TRAIN.value)
    return Pool.of(pairs, vectors, rows, np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_timeline_is_like_those_of_the_paper(seed: int) -> None:
    stock, random = pool(), np.random.default_rng(seed)
    one = stock.draw(random)
    if not usable(one):
        pytest.skip("one class only")
    story = dict(zip(stock.texts, stock.stories.tolist(), strict=True))
    of = np.array([story[text] for text in one.context.texts])
    assert len(one.context) <= SIZES[1] + MOST_IN_STORY
    np.testing.assert_array_equal(of, one.stories)
    np.testing.assert_array_equal(of[one.left] == of[one.right], one.labels == SAME)
    gap = np.abs(one.context.days[one.left] - one.context.days[one.right])
    assert not np.any(gap[one.labels != SAME] > WINDOW_DAYS)


def test_the_same_seed_draws_the_same() -> None:
    first, second = (pool().draw(np.random.default_rng(3)) for _ in range(2))
    assert list(first.context.texts) == list(second.context.texts)
    np.testing.assert_array_equal(first.left, second.left)


def test_a_storys_own_stamp_does_not_tell_the_story() -> None:
    stock = pool(stamped=True)
    same = [len(set(stock.days[stock.stories == story])) == 1 for story in np.unique(stock.stories)]
    assert np.mean(same) < 0.5
    pairs, _ = stories(stamped=True)
    moved = np.abs(stock.days - pairs.days[pairs.parts == Part.TRAIN.value])
    assert moved.max() <= 2


def test_real_delays_stay() -> None:
    pairs, _ = stories()
    np.testing.assert_array_equal(pool().days, pairs.days[pairs.parts == Part.TRAIN.value])


def test_what_is_fitted_finds_the_stories(drawn: list[list[object]]) -> None:
    runtime = Runtime()
    model = fit(drawn, runtime)  # type: ignore[arg-type]
    signs_of = (pieces(DIRECT, BENDS), pieces(GROUPED, GROUP_BENDS))
    for signs, weights in zip(signs_of, (model.direct.weights, model.grouped.weights), strict=True):
        assert list(weights) == list(signs)
        assert all(weights[name] * sign >= 0 for name, sign in signs.items())
    pairs, vectors = stories()
    exchange = {"train": "validation", "validation": "train", "test": "test"}
    others = replace(pairs, parts=np.array([exchange[part] for part in pairs.parts.tolist()]))
    held_out = draw(others, vectors, 8, runtime)
    assert mean_f1([score_all(model, one, runtime) for one in held_out], 0.5) > 0.7


def test_each_set_is_scored_by_weights_of_the_others(drawn: list[list[object]]) -> None:
    runtime = Runtime()
    (only,) = drawn
    half = [only[:4], only[4:]]
    found = scored_by_others(half, runtime)  # type: ignore[arg-type]
    wanted = score_all(fit(half[1:], runtime), half[0], runtime)  # type: ignore[arg-type]
    for (labels, scores), (known, expected) in zip(found[0], wanted, strict=True):
        np.testing.assert_array_equal(labels, known)
        np.testing.assert_array_equal(scores, expected)


def test_the_threshold_is_the_best_of_those_tried() -> None:
    random = np.random.default_rng(1)
    sets = [
        [(random.integers(0, 2, 60), random.random(60).astype(np.float32)) for _ in range(3)]
        for _ in range(2)
    ]
    best = mean_f1(sets, best_mean_threshold(sets))
    assert best == max(mean_f1(sets, float(cut)) for cut in CANDIDATES)


def test_sets_without_groups_are_refused() -> None:
    pairs, _ = stories()
    with pytest.raises(InputError, match="no gold groups"):
        EventBlendTrainer().check(replace(pairs, groups=np.full(len(pairs.texts), -1)))


def known_fit(
    values: np.ndarray, labels: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Weights, spreads and constant of scikit-learn's logistic regression on the same standardised rows."""
    from sklearn.linear_model import LogisticRegression

    half = np.where(labels, weights / weights[labels].sum(), weights / weights[~labels].sum()) / 2
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2)
    share = weights / (2 * weights[labels].sum())
    # scikit-learn's loss is C x sum of losses + half the squared weights.
    known = LogisticRegression(C=1 / (2 * PENALTY), tol=1e-8, max_iter=1000)
    known.fit((values - mean) / spread, labels, sample_weight=share)
    return known.coef_[0] / spread, spread, float(known.intercept_[0])


def test_without_signs_it_is_logistic_regression() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(400, 3)).astype(np.float32) * np.array([1, 5, 0.1], dtype=np.float32)
    labels = values @ np.array([1.0, -0.3, 4.0]) + random.normal(size=400) > 0.4
    weights = random.uniform(0.5, 2, 400)
    found = fit_additive(dict.fromkeys("abc", 0), values, labels, weights, np.zeros(400))
    expected, _, constant = known_fit(values, labels, weights)
    np.testing.assert_allclose(list(found.weights.values()), expected, rtol=2e-3)
    assert found.bias == pytest.approx(constant, abs=2e-3)


def test_known_odds_are_no_part_of_the_sum() -> None:
    """Where all rows have the same offset, the constant alone makes up for it."""
    random = np.random.default_rng(2)
    values = random.normal(size=(400, 2)).astype(np.float32)
    labels = values @ np.array([1.0, -0.5]) + random.normal(size=400) > 1.0
    plain = fit_additive({"a": 0, "b": 0}, values, labels, np.ones(400), np.zeros(400))
    offset = fit_additive({"a": 0, "b": 0}, values, labels, np.ones(400), np.full(400, -3.0))
    np.testing.assert_allclose(list(offset.weights.values()), list(plain.weights.values()), rtol=1e-3)
    assert offset.bias == pytest.approx(plain.bias + 3.0, abs=2e-3)


def test_a_wrong_sign_is_held_at_nothing() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(300, 2)).astype(np.float32)
    labels = values @ np.array([2.0, -2.0]) > 0
    found = fit_additive({"a": 1, "b": 1}, values, labels, np.ones(300), np.zeros(300))
    assert found.weights["a"] > 0
    assert found.weights["b"] == 0


def test_pairs_stand_for_all_pairs_of_their_timeline(drawn: list[list[object]]) -> None:
    for one in drawn[0]:
        assert isinstance(one, Seen)
        pairs = len(one.timeline.places) * (len(one.timeline.places) - 1) / 2
        assert one.stands_for.sum() == pytest.approx(pairs)
        assert one.stands_for[one.same].sum() == pytest.approx(one.share * pairs)
        weights = pair_weights(one)
        assert weights[one.same].sum() <= 1.0 + 1e-9
        assert weights[0] / one.stands_for[0] == pytest.approx(weights[-1] / one.stands_for[-1])
