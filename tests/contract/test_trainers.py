"""What every registered trainer keeps: it stops when asked, and leaves a model that a scorer runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.catalogue.catalogue import summary_of
from core.catalogue.training import Order, carry_out, created, model_signature, order_of, ready_for
from core.data.pair_sets.pair_set import pair_sources
from core.errors import Cancelled
from core.models.training.run_folder import RunFolder, State
from core.pairs.scorer import pair_scorers
from core.pairs.scoring.sets import score_pairs
from core.pairs.training.trainer import trainers
from core.parts import Part
from core.runtime import Runtime

QUICK = {
    "catboost_pairs.v1": "trees:20",
    "cross_encoder.v1": "max_pairs:64|epochs:1",
    "event_blend.v1": "timelines:1",
    "siamese.v1": "steps:5",
}
"""Settings that let each trainer end in seconds; a new trainer is added here."""

DATA = ("allsides|most_positives:20",)


@pytest.fixture(scope="module", autouse=True)
def at_hand() -> None:
    if pair_sources.parse(DATA[0]).find() is None:
        pytest.skip("AllSides does not ship and is not on this machine")


def test_the_trainers_are_these() -> None:
    assert set(trainers.names()) == set(QUICK)


@pytest.fixture(scope="module", params=sorted(QUICK))
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    order = Order(kind="pair", trainer=f"{request.param}|{QUICK[request.param]}", data=DATA, seed=1)
    run = created(order, tmp_path_factory.mktemp("runs") / "run")
    carry_out(run, Runtime())
    return run


def test_the_order_comes_back_and_the_run_has_finished(trained: RunFolder) -> None:
    recipe = trainers.parse(order_of(trained).trainer)
    assert trainers.parse(trainers.signature(recipe)) == recipe
    assert summary_of(recipe)
    assert trained.state() is State.FINISHED
    assert (trained.model / "README.md").read_text(encoding="utf-8").startswith("---\n")


def test_the_model_scores_with_the_scorer_that_is_named(trained: RunFolder) -> None:
    signature = model_signature(trained)
    assert signature is not None
    scorer = pair_scorers.parse(signature)
    validation = ready_for(order_of(trained)).data.part(Part.VALIDATION)
    scores = score_pairs(validation, scorer, Runtime()).scores
    assert len(scores) == len(validation) > 0
    assert ((scores >= scorer.scale.low) & (scores <= scorer.scale.high)).all()
    assert len(np.unique(scores)) > 1
    assert scorer.threshold == pytest.approx(trained.about()["threshold"]["value"], abs=1e-6)


def test_weights_are_nothing_that_runs_when_it_is_read(trained: RunFolder) -> None:
    allowed = {".json", ".safetensors", ".cbm", ".md", ".txt"}
    assert {path.suffix for path in trained.model.rglob("*") if path.is_file()} <= allowed


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_request_to_stop_is_heard(name: str, tmp_path: Path) -> None:
    run = created(Order(kind="pair", trainer=f"{name}|{QUICK[name]}", data=DATA), tmp_path / "run")
    runtime = Runtime()
    runtime.stop.set()
    with pytest.raises(Cancelled):
        carry_out(run, runtime)
    assert run.state() is State.STOPPED
