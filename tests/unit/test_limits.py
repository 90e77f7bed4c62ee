"""What happens past the limits of computing: each is obeyed, and each says so."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from core import limits
from core.data.timelines.load import load, load_sample
from core.data.timelines.readers import delimited
from core.data.timelines.timeline import Timeline
from core.errors import CoreError, InputError
from core.events.grouping import Prepared, Settings, prepare
from core.groups.quality.metrics import quality
from core.pairs.candidates import FLOOR
from core.runtime import Runtime

METHODS = {
    "connected_components": 1.0,
    "leiden": 1.0,
    "louvain": 1.0,
    "dbscan": 1.0,
    "birch": 1.0,
    # Pairs below the floor are gone: these two look at far pairs as well and may differ a little.
    "average_linkage": 0.97,
    "hdbscan": 0.95,
}
"""Least pair F1 of the groups from a sparse matrix against those from a full one."""


def dense_and_sparse(
    timeline: Timeline, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> tuple[Prepared, Prepared]:
    full = prepare(timeline, settings, Runtime())
    with monkeypatch.context() as patch:
        patch.setenv(limits.DENSE_HEADLINES.variable, str(len(timeline) - 1))
        thin = prepare(timeline, settings, Runtime())
    assert isinstance(full.similarities.matrix, np.ndarray)
    assert sparse.issparse(thin.similarities.matrix)
    return full, thin


@pytest.mark.parametrize("scorer", ["cosine_time", "event_similarity"])
@pytest.mark.parametrize(("method", "agreement"), METHODS.items())
def test_past_dense_headlines_the_groups_stay(
    method: str, agreement: float, scorer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    iss = load_sample("iss")
    full, thin = dense_and_sparse(iss, Settings(method=method, scorer=scorer), monkeypatch)
    kept = thin.similarities.matrix.toarray()
    both = np.asarray(full.similarities.matrix)
    np.testing.assert_allclose(kept, np.where(both >= FLOOR, both, 0), atol=2e-6)
    for granularity in (0.3, 0.4, 0.5, 0.6, 0.7):
        one, other = full.hierarchy.cut(granularity), thin.hierarchy.cut(granularity)
        if agreement == 1.0:
            np.testing.assert_array_equal(one, other)
        else:
            found = quality(other.tolist(), [str(group) for group in one])
            assert found["pair_f1"].value >= agreement, granularity
    if method == "average_linkage":  # the others' curves on 47 headlines are flat: the floor moves the top
        assert abs(full.start.granularity - thin.start.granularity) < 0.055


def test_past_step_seconds_grouping_says_which_step(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 10_000, 700))
    monkeypatch.setattr(
        "core.runtime.time", type("Clock", (), {"monotonic": staticmethod(lambda: next(times))})
    )
    with pytest.raises(CoreError, match=r"took longer than 600 seconds.*HEADLINE_LAB_STEP_SECONDS"):
        prepare(load_sample("iss"), Settings(), Runtime())


@pytest.mark.parametrize("wrong", ["0", "many", "", "٣", "9" * 5_000])
@pytest.mark.parametrize(
    "limit", [limits.FILE_MEGABYTES, limits.DENSE_HEADLINES], ids=lambda limit: limit.name
)  # fmt: skip
def test_a_limit_that_is_no_number_is_one_sentence_at_work(
    limit: limits.Limit, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(limit.variable, wrong)
    with pytest.raises(InputError, match=limit.variable) as refused:
        prepare(load(b"headline\nStorm closes airport\nBank raises rates\n", "a.csv"), Settings(), Runtime())
    assert len(str(refused.value)) < 400
    assert re.search(r"Unset it", refused.value.hint)


def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "news.csv"
    path.write_text("headline,date\nStorm hits coast,2024-05-01")
    assert len(next(delimited.portions_of(path, 9))) == 1
    monkeypatch.setenv(limits.LINE_CHARACTERS.variable, "20")
    with pytest.raises(InputError, match="20 characters") as refused:
        next(delimited.portions_of(path, 9))
    assert limits.LINE_CHARACTERS.variable in refused.value.hint


def test_the_end_of_a_long_quoted_cell_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'headline,date\n"Storm hits\nthe coast\nat night",2024-05-01\nBank cuts rates,2024-05-02\n'
    assert len(load(data, "news.csv").report.rejected) == 0
    monkeypatch.setenv(limits.QUOTED_CHARACTERS.variable, "5")
    timeline = load(data, "news.csv")
    assert "never closed" in timeline.report.rejected[0].reason
    assert timeline.report.rejected[0].line == 2
    assert "Bank cuts rates" in timeline.texts
