"""The learned scorer: what it promises beyond the contract of all scorers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.pairs.features.additive import probability
from core.pairs.scorer import PairContext
from core.pairs.scorers import event_blend
from core.pairs.scorers.event_blend import EventBlend, read_model
from core.runtime import Runtime

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
