"""The scorer that finds the level: what it promises beyond the contract of all scorers, and its trainer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.pair_sets.assembly import Sampling, from_groups
from core.data.pair_sets.pair_set import SAME, WINDOW_DAYS, PairSet
from core.errors import InputError, ModelUnavailableError
from core.pairs.features.additive import pieces, probability
from core.pairs.metrics import f1
from core.pairs.scorer import PairContext
from core.pairs.scorers import event_blend
from core.pairs.scorers.event_blend import BENDS, GROUP_BENDS, EventBlend, read_model, weigh
from core.parts import Part
from core.runtime import Runtime
from core.text.tokens import word_list
from research.training.pairs.data import MOST_IN_STORY, SIZES, Pool, usable
from research.training.pairs.event_scorers import (
    DIRECT,
    GROUPED,
    EventBlendTrainer,
    best_mean_threshold,
    draw,
    fit,
    mean_f1,
)
from research.training.pairs.vector_pairs import fit_additive

TEXTS = [
    "Storm Ada shuts Leeds airport",
    "Leeds airport shut by storm Ada",
    "Storm shuts airport at Leeds",
    "Bank raises rates to 3 %",
    "Central bank lifts rates to 3 %",
    "Central bank lifts rates to 5 %",
    "Minister resigns over letter",
    "Rocket starts from Kourou",
    "Storm Ada shuts Leeds airport",
    "Museum opens new wing",
]


def context(texts: list[str] = TEXTS) -> PairContext:
    """Vectors that follow the words, so that like headlines have like vectors."""
    words = sorted({word for text in TEXTS for word in text.lower().split()})
    vectors = np.array([[word in text.lower().split() for word in words] for text in texts], dtype=np.float32)
    vectors += 0.05
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = np.array([18_000, 18_000, 18_001, 18_002, 18_002, 18_002, np.nan, 18_030, 18_000, 18_001.0])
    return PairContext(texts, days[: len(texts)], vectors)


def scores(given: PairContext, scorer: EventBlend | None = None) -> np.ndarray:
    left, right = (side.ravel() for side in np.mgrid[0 : len(given), 0 : len(given)])
    found = (scorer or EventBlend()).prepare(given, Runtime()).pairs(left, right)
    return found.reshape(len(given), len(given))


def test_the_order_of_the_file_changes_no_decision_and_hardly_a_score() -> None:
    order = np.random.default_rng(4).permutation(len(TEXTS))
    straight, shuffled = scores(context()), scores(context().reordered(order))
    np.testing.assert_array_equal(shuffled, straight[np.ix_(order, order)])


def test_the_same_event_is_above_the_threshold_and_others_below() -> None:
    found, threshold = scores(context()), EventBlend().threshold
    assert found[0, 1] >= threshold
    assert found[0, 8] >= threshold
    assert found[3, 4] > found[3, 5], "a number that conflicts lowers the score"
    assert found[[0, 3, 6, 7], [3, 6, 7, 9]].max() < threshold


def test_weights_have_the_signs_that_they_should_have() -> None:
    model = read_model("event_blend")
    for name, weight in model.direct.weights.items():
        if name in ("names in one alone", "numbers conflict", "another day", "days apart", "weeks apart"):
            assert weight <= 0, name
        elif name not in ("no names", "date missing"):
            assert weight >= 0, name
    assert min(model.grouped.weights.values()) >= 0


def test_parts_sum_up_to_the_score() -> None:
    given, found = context(), scores(context())
    for left, right in ((0, 1), (3, 5), (6, 7)):
        parts = EventBlend().parts(given, left, right, float(found[left, right]))
        odds = np.float32(sum(part.value for part in parts))
        assert probability(odds) == pytest.approx(found[left, right], abs=1e-5)
        assert not any(part.multiplies for part in parts)


def test_a_timeline_that_is_too_long_is_scored_by_the_pair_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    grouped = scores(context())
    monkeypatch.setattr(event_blend, "LINKED_HEADLINES", 5)
    alone = scores(context())
    assert np.abs(grouped - alone).max() > 0.01
    assert alone[0, 1] > alone[0, 3]


def folder(path: Path, told: object) -> EventBlend:
    path.mkdir(exist_ok=True)
    (path / "pair_model.json").write_text(json.dumps(told), encoding="utf-8")
    return EventBlend(model=str(path))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"kind": "siamese", "threshold": 0.5}, "of the kind .siamese., not .event_blend."),
        ({"kind": "event_blend", "threshold": 0.5}, "damaged"),
        ([], "damaged"),
        (
            {
                "kind": "event_blend",
                "threshold": 0.5,
                "direct": {"weights": {"meaning": float("nan")}, "usual": {"meaning": 0}, "bias": 0},
                "grouped": {"weights": {"pair": 1}, "usual": {"pair": 0}, "bias": 0},
            },
            "damaged",
        ),
    ],
)
def test_a_wrong_model_is_named(tmp_path: Path, told: object, message: str) -> None:
    with pytest.raises(ModelUnavailableError, match=message):
        folder(tmp_path / "model", told).prepare(context(), Runtime())


PLACES = word_list("Oslo Lima Cairo Quito Perth Leeds Turin Seoul Kyiv Minsk Accra Hanoi")
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
    headlines = PairSet(
        name="",
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


@pytest.mark.parametrize("seed", range(3))
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
    scored = [
        (seen.same, weigh(model, seen.timeline, runtime).score(seen.pairs) >= 0.5)
        for timelines in held_out
        for seen in timelines
    ]
    assert np.mean([f1(same, called) or 0.0 for same, called in scored]) > 0.7


def test_the_threshold_is_the_best_mean_over_sets_and_not_over_pairs() -> None:
    few = (np.array([1, 0]), np.array([0.9, 0.6], dtype=np.float32))
    many = (np.array([1, 1, 0] * 50), np.array([0.5, 0.5, 0.3] * 50, dtype=np.float32))
    assert 0.3 < best_mean_threshold([many]) <= 0.5
    both = best_mean_threshold([few, many])
    assert mean_f1([few, many], both) == max(mean_f1([few, many], cut) for cut in (0.31, 0.45, 0.55, 0.7))


def test_sets_without_groups_are_refused() -> None:
    pairs, _ = stories()
    with pytest.raises(InputError, match="no gold groups"):
        EventBlendTrainer().check(replace(pairs, groups=np.full(len(pairs.texts), -1)))


def test_a_wrong_sign_is_held_at_nothing() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(300, 2)).astype(np.float32)
    labels = values @ np.array([2.0, -2.0]) > 0
    found = fit_additive({"a": 1, "b": 1}, values, labels, np.ones(300), np.zeros(300))
    assert found.weights["a"] > 0
    assert found.weights["b"] == 0
