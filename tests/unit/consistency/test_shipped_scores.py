"""The scores that ship with the first sample."""

from __future__ import annotations

import numpy as np
import pytest

from core.consistency.studies import scoring
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.subject import subject_of_timeline
from core.data.timelines.load import load_sample
from core.runtime import Runtime


def test_the_sample_is_not_scored_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_scores", lambda *_: pytest.fail("the sample was scored"))
    found = score_both_orders(subject_of_timeline(load_sample()), Scoring(), Runtime())
    assert len(found.scores) == 47


@pytest.mark.slow
def test_the_shipped_scores_are_those_of_the_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = subject_of_timeline(load_sample())
    shipped = score_both_orders(subject, Scoring(), Runtime())
    monkeypatch.setattr(scoring, "shipped_scores", lambda _: None)
    again = score_both_orders(subject, Scoring(), Runtime(half=False))
    assert np.allclose(shipped.scores.probabilities, again.scores.probabilities, atol=1e-3)
    assert shipped.signature == again.signature
