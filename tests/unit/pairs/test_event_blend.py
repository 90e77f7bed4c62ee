"""The scorer that finds the level: what it promises beyond the contract of all scorers, and its trainer."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.errors import InputError, ModelUnavailableError
from core.pairs.context import PairContext
from core.pairs.features.additive import pieces, probability
from core.pairs.metrics import f1
from core.pairs.scorers import event_blend
from core.pairs.scorers.event_blend import BENDS, GROUP_BENDS, EventBlend, weigh
from core.runtime import Runtime
from research.training.pairs import event_blend_trainer
from tests.unit.pairs.pair_worlds import vectors_of, world

TEXTS = [
    "Storm Ada shuts Leeds airport", "Leeds airport shut by storm Ada", "Storm shuts airport at Leeds",
    "Bank raises rates to 3 %", "Central bank lifts rates to 3 %", "Central bank lifts rates to 5 %",
    "Minister resigns over letter", "Rocket starts from Kourou", "Storm Ada shuts Leeds airport",
    "Museum opens new wing",
]  # fmt: skip


def context():
    """Vectors that follow the words, so that like headlines have like vectors."""
    words = sorted({word for text in TEXTS for word in text.lower().split()})
    vectors = np.array([[word in text.lower().split() for word in words] for text in TEXTS], dtype=np.float32)
    vectors += 0.05
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = np.array([18_000, 18_000, 18_001, 18_002, 18_002, 18_002, np.nan, 18_030, 18_000, 18_001.0])
    return PairContext(TEXTS, days, vectors)


def scores(given):
    every = slice(0, len(given))
    return EventBlend().prepare(given, Runtime()).block(every, every)


def test_the_same_event_is_above_the_threshold_and_others_below():
    found, threshold = scores(context()), EventBlend().threshold
    assert found[0, 1] >= threshold
    assert found[0, 8] >= threshold
    assert found[3, 4] > found[3, 5], "a number that conflicts lowers the score"
    assert found[[0, 3, 6, 7], [3, 6, 7, 9]].max() < threshold


def test_parts_sum_up_to_the_score():
    given, found = context(), scores(context())
    for left, right in ((0, 1), (3, 5), (6, 7)):
        parts = EventBlend().parts(given, left, right, float(found[left, right]))
        odds = np.float32(sum(part.value for part in parts))
        assert probability(odds) == pytest.approx(found[left, right], abs=1e-5)
        assert not any(part.multiplies for part in parts)


def test_a_timeline_that_is_too_long_is_scored_by_the_pair_alone(monkeypatch):
    grouped = scores(context())
    monkeypatch.setattr(event_blend, "LINKED_HEADLINES", 5)
    alone = scores(context())
    assert np.abs(grouped - alone).max() > 0.01
    assert alone[0, 1] > alone[0, 3]


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
def test_a_wrong_model_is_named(tmp_path, told, message):
    (tmp_path / "pair_model.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ModelUnavailableError, match=message):
        EventBlend(model=str(tmp_path)).prepare(context(), Runtime())


def test_what_is_fitted_finds_the_stories():
    runtime, pairs = Runtime(), world(groups=20)
    vectors = vectors_of(pairs)
    model = event_blend_trainer.fit(event_blend_trainer.draw(pairs, vectors, 8, runtime), runtime)
    signs_of = (pieces(event_blend_trainer.DIRECT, BENDS), pieces(event_blend_trainer.GROUPED, GROUP_BENDS))
    for signs, weights in zip(signs_of, (model.direct.weights, model.grouped.weights), strict=True):
        assert list(weights) == list(signs)
        assert all(weights[name] * sign >= 0 for name, sign in signs.items())
    exchange = {"train": "validation", "validation": "train", "test": "test"}
    others = replace(pairs, parts=np.array([exchange[part] for part in pairs.parts.tolist()]))
    held_out = event_blend_trainer.draw(others, vectors, 8, runtime)
    scored = [
        (seen.same, weigh(model, seen.timeline, runtime).score(seen.pairs) >= 0.5)
        for timelines in held_out
        for seen in timelines
    ]
    assert np.mean([f1(same, called) or 0.0 for same, called in scored]) > 0.7


def test_the_threshold_is_the_best_mean_over_sets_and_not_over_pairs():
    few = (np.array([1, 0]), np.array([0.9, 0.6], dtype=np.float32))
    many = (np.array([1, 1, 0] * 50), np.array([0.5, 0.5, 0.3] * 50, dtype=np.float32))
    assert 0.3 < event_blend_trainer.best_mean_threshold([many]) <= 0.5
    both = event_blend_trainer.best_mean_threshold([few, many])
    assert event_blend_trainer.mean_f1([few, many], both) == max(
        event_blend_trainer.mean_f1([few, many], cut) for cut in (0.31, 0.45, 0.55, 0.7)
    )


def test_sets_without_groups_are_refused():
    pairs = world()
    with pytest.raises(InputError, match="no gold groups"):
        event_blend_trainer.EventBlendTrainer().check(replace(pairs, groups=np.full(len(pairs.texts), -1)))
