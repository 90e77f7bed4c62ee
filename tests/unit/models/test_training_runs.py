from pathlib import Path

import pytest

from core import limits
from core.errors import InputError
from core.runtime import RUNS
from research.catalogue import training_runs
from research.catalogue.training import TrainingOrder, order_of
from research.catalogue.training_runs import remember, remove, resume, runs, start
from research.runs.run_folder import RunFolder, RunState

ORDER = TrainingOrder(trainer="cross_encoder", data=("hlgd_sample",), seed=3)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(RUNS, str(tmp_path / "runs"))
    return tmp_path / "runs"


@pytest.fixture
def launched(monkeypatch):
    started: list[Path] = []
    monkeypatch.setattr(training_runs, "_launch", lambda run: started.append(run.path))
    return started


def test_a_started_run_knows_its_whole_order(folder, launched):
    run = start(ORDER)
    assert launched == [run.path]
    assert run.path.parent == folder
    assert order_of(run).trainer.startswith("cross_encoder.v1|base:minilm|")
    assert (order_of(run).data, order_of(run).seed) == (("hlgd_sample",), 3)
    assert [(one.name, one.state, one.busy) for one in runs()] == [(run.path.name, RunState.WAITING, True)]


def test_only_so_many_are_trained_at_once(folder, launched, monkeypatch):
    first = start(ORDER)
    with pytest.raises(InputError, match="is being trained"):
        start(ORDER)
    first.start()
    with pytest.raises(InputError, match="is being trained"):
        start(ORDER)
    monkeypatch.setenv(limits.TRAININGS_AT_ONCE.variable, "2")
    second = start(ORDER)
    assert second.path != first.path
    with pytest.raises(InputError, match="is being trained"):
        resume(first)
    first.end(RunState.STOPPED)
    resume(first)
    assert launched == [first.path, second.path, first.path]


def test_a_run_that_lies_elsewhere_is_listed_and_only_taken_off(folder, tmp_path):
    for place in ("a", "b"):
        made = RunFolder(tmp_path / place / "run")
        made.create({})
        remember(made)
        remember(made)
    assert sorted(one.name for one in runs()) == ["run", "run_2"]
    assert {one.folder.path for one in runs()} == {tmp_path / "a/run", tmp_path / "b/run"}
    remove(runs()[0])
    assert len(runs()) == 1
    assert all((tmp_path / place / "run/run.json").exists() for place in ("a", "b"))
