"""The scorers over pair models, and which words drove a score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.pairs.scorer import Need, PairContext
from core.pairs.scorers.pair_models import (
    FineTuned,
    FineTunedContent,
    FineTunedDayPrefix,
    FineTunedTime,
    MrpcZeroShot,
    PairClassifier,
)
from core.runtime import Runtime
from tests.unit.pairs.cross_encoder.conftest import context

SCORERS = (MrpcZeroShot, FineTuned, FineTunedContent, FineTunedTime, FineTunedDayPrefix, PairClassifier)
ALL = (slice(0, 8), slice(0, 8))


@pytest.fixture(params=SCORERS, ids=lambda scorer: scorer.__name__)
def scorer(request: pytest.FixtureRequest, trained):
    """Each scorer over a tiny random model of its kind."""
    reads = request.param.reads
    folder = trained(input=reads.input, time=reads.time, adapter="lora", threshold=0.375)
    return request.param(model=str(folder))


def test_threshold_and_needs_are_those_of_the_model(scorer) -> None:
    assert scorer.threshold == 0.375
    wanted = {Need.BODIES} if "Content" in type(scorer).__name__ else set()
    wanted |= {Need.DATES} if "Time" in type(scorer).__name__ or "Day" in type(scorer).__name__ else set()
    assert scorer.needs == wanted


def test_a_missing_date_joins_nothing(scorer) -> None:
    given = context()
    days = given.days.copy()
    days[3] = np.nan
    with_all = scorer.prepare(given, Runtime(half=False)).block(*ALL)
    without = scorer.prepare(replace(given, days=days), Runtime(half=False)).block(*ALL)
    if Need.DATES in scorer.needs:
        assert np.all(without[3] == 0)
        assert np.all(without[:, 3] == 0)
        with_all[3] = with_all[:, 3] = 0
    np.testing.assert_allclose(without, with_all, atol=1e-5)


def test_words_are_left_out_one_by_one(scorer) -> None:
    given = context()
    found = scorer.words(given, 1, 4, Runtime(half=False))
    texts = given.bodies if Need.BODIES in scorer.needs else given.texts
    assert [[part.name for part in side] for side in found] == [texts[1].split(), texts[4].split()]

    def both_orders(change: PairContext) -> float:
        ready = scorer.prepare(change, Runtime(half=False))
        return float(ready.pairs(np.array([1, 4]), np.array([4, 1])).mean())

    for row, parts in zip((1, 4), found, strict=True):
        words = texts[row].split()
        if len(words) < 2:
            continue
        place = len(words) // 2
        changed = [*texts]
        changed[row] = " ".join([*words[:place], *words[place + 1 :]])
        kind = {"bodies": changed} if Need.BODIES in scorer.needs else {"texts": changed}
        without = both_orders(replace(given, **kind))
        assert parts[place].value == pytest.approx(both_orders(given) - without, abs=1e-5)
