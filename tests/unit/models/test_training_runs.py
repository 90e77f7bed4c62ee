"""The list of runs, and what a server refuses to start."""

from __future__ import annotations

import io
import json
import time
import zipfile
from pathlib import Path

import pytest

from core import limits
from core.errors import InputError
from research.catalogue import training_runs
from research.catalogue.training import TrainingOrder, order_of
from research.catalogue.training_kinds import KINDS
from research.catalogue.training_runs import remember, remove, resume, runs, start, zipped
from research.runs.run_folder import RunFolder, RunState

ORDER = TrainingOrder(trainer="cross_encoder", data=("hlgd_sample",), seed=3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of runs."""
    monkeypatch.setenv(training_runs.RUNS, str(tmp_path / "runs"))
    return tmp_path / "runs"


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders whose process would have been started."""
    started: list[Path] = []
    monkeypatch.setattr(training_runs, "_launch", lambda run: started.append(run.path))
    return started


def test_no_folder_yet(folder: Path) -> None:
    assert runs() == []
    assert not folder.exists()


def test_a_started_run_knows_its_whole_order(folder: Path, launched: list[Path]) -> None:
    run = start(ORDER)
    assert launched == [run.path]
    assert run.path.parent == folder
    assert order_of(run).trainer.startswith("cross_encoder.v1|base:minilm|")
    assert (order_of(run).data, order_of(run).seed) == (("hlgd_sample",), 3)
    assert [(one.name, one.state, one.busy) for one in runs()] == [(run.path.name, RunState.WAITING, True)]


def test_only_so_many_are_trained_at_once(
    folder: Path, launched: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_run_that_never_began_is_not_busy_for_ever(folder: Path, launched: list[Path]) -> None:
    run = start(ORDER)
    run.record(created=time.time() - 3600)
    assert not runs()[0].busy
    resume(run)
    assert runs()[0].busy


def test_only_so_many_are_kept(folder: Path, launched: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_RUNS.variable, "1")
    run = start(ORDER)
    run.end(RunState.FINISHED)
    with pytest.raises(InputError, match="no more than 1 are kept"):
        start(ORDER)
    run.remove()
    start(ORDER)


def test_a_wrong_order_leaves_nothing(folder: Path, launched: list[Path]) -> None:
    with pytest.raises(InputError):
        start(TrainingOrder(trainer="cross_encoder|epochs:0", data=("uci",)))
    assert runs() == []
    assert launched == []


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": "headline-lab-run", "version": 1, "state": "sad"}']
)
def test_what_is_no_run_is_not_listed(folder: Path, launched: list[Path], content: str) -> None:
    start(ORDER)
    (folder / "foreign").mkdir()
    (folder / "foreign" / "run.json").write_text(content)
    (folder / "file").write_text("x")
    assert len(runs()) == 1


def test_newest_first(folder: Path, launched: list[Path]) -> None:
    for name, created in (("old", 100), ("new", 300), ("middle", 200)):
        run = RunFolder(folder / name)
        run.create({})
        run.record(created=created)
    assert [run.name for run in runs()] == ["new", "middle", "old"]


def test_the_model_as_a_zip(folder: Path, launched: list[Path]) -> None:
    run = start(ORDER)
    run.model.mkdir()
    (run.model / "pair_model.json").write_text(json.dumps({"threshold": 0.5}))
    with zipfile.ZipFile(io.BytesIO(zipped(run))) as archive:
        assert archive.namelist() == [f"{run.path.name}/pair_model.json"]


def test_sets_that_can_be_trained_on_ship_and_iss_is_none_of_them() -> None:
    names = KINDS["pair"].trainable()
    assert {"uci", "hlgd_sample"} <= set(names)
    assert "iss" not in names


def test_a_run_that_lies_elsewhere_is_listed_and_only_taken_off(folder: Path, tmp_path: Path) -> None:
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


def test_a_run_whose_folder_is_gone_is_not_listed(folder: Path, tmp_path: Path) -> None:
    made = RunFolder(tmp_path / "run")
    made.create({})
    remember(made)
    made.remove()
    assert runs() == []
