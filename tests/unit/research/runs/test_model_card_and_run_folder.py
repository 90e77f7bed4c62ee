import subprocess
import sys
from dataclasses import asdict

import psutil
import pytest
import yaml

from core.errors import DataSourceError, InputError
from research.catalogue.training import model_card
from research.catalogue.training_kinds import KINDS
from research.runs.run_folder import Process, RunFolder, RunState, is_alive, this_process

ABOUT = {
    "data": [
        {"name": "uci", "fingerprint": "0123", "train": 6000, "validation": 600, "licence": "CC BY 4.0"}
    ],
    "validation": {
        "pairs": 600, "threshold": 0.41234, "resampled": "groups", "warning": "",
        "f1": [0.8123, 0.75, 0.86], "precision": [None, None, None], "recall": [0.5, None, None],
        "average_precision": [0.9, 0.8, 1.0],
    },
}  # fmt: skip


def test_everything_that_made_the_model_is_there():
    text = model_card(
        KINDS["pair"],
        ABOUT,
        title="Cross encoder trained on uci",
        base="minilm",
        command="headline-lab train pair uci --out RUN",
        settings={"seed": 0, "trainer": "cross_encoder.v1|base:minilm"},
        use="finetuned.v1|model:RUN/model",
    )
    assert "| uci | 0123 | 6,000 | 600 | CC BY 4.0 |" in text
    assert "headline-lab train pair uci --out RUN" in text
    assert "--scorer 'finetuned.v1|model:RUN/model'" in text
    assert "| F1 | 0.812 | 0.750 to 0.860 |" in text
    assert "training pairs (0.4123), 600 validation pairs" in text
    assert "bootstrapped over groups" in text
    head = yaml.safe_load(text.split("---")[1])
    (result,) = head["model-index"][0]["results"]
    assert result["dataset"]["name"] == "uci"
    assert {one["type"]: one["value"] for one in result["metrics"]} == {
        "f1": 0.8123, "recall": 0.5, "average_precision": 0.9,
    }  # fmt: skip
    assert "| trainer | cross_encoder.v1\\|base:minilm |" in text, "a bar would end the cell"


@pytest.fixture
def run(tmp_path):
    run = RunFolder(tmp_path / "deep" / "run")
    run.create({"kind": "pair", "seed": 3})
    return run


def test_states_in_the_order_of_a_life(run):
    assert run.state() is RunState.WAITING
    run.ask_to_stop()
    run.start()
    assert run.state() is RunState.RUNNING
    assert run.stop_requested, "who asks while it waits is heard"
    run.end(RunState.STOPPED)
    run.start()
    assert not run.stop_requested, "an old request must not stop a new start"
    run.end(RunState.FAILED, "The loss is not a number.")
    about = run.about()
    assert run.state() is RunState.FAILED
    assert about["format"] == "headline-lab-run"
    assert (about["seed"], about["message"]) == (3, "The loss is not a number.")


def test_a_killed_process_is_recognised(run):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        born = psutil.Process(child.pid).create_time()
        process = Process(child.pid, born, this_process().host)
        run.record(state=RunState.RUNNING, process=asdict(process))
        assert run.state() is RunState.RUNNING
        with pytest.raises(InputError, match="another process"):
            run.start()
        child.kill()
    assert run.state() is RunState.STOPPED
    run.start()
    assert run.state() is RunState.RUNNING


def test_a_number_that_another_process_has_now_is_not_the_old_process():
    mine = this_process()
    assert is_alive(mine)
    assert not is_alive(Process(mine.pid, mine.born - 60, mine.host))
    assert is_alive(Process(mine.pid, mine.born - 60, "elsewhere")), "other machines cannot be seen"


def test_a_folder_that_holds_something_is_refused(run, tmp_path):
    with pytest.raises(InputError, match=r"already holds a training run.*--resume"):
        run.create({})
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="already holds something else"):
        RunFolder(tmp_path).create({})
    with pytest.raises(InputError, match="already holds something else"):
        RunFolder(tmp_path / "notes.txt").create({})
    with pytest.raises(DataSourceError, match="cannot be made"):
        RunFolder(tmp_path / "notes.txt" / "run").create({})


def test_progress_survives_half_a_line_and_forgets_steps_to_be_trained_again(run):
    assert run.progress() == []
    for step in range(1, 5):
        run.report({"step": step, "loss": 1 / step})
    with (run.path / "progress.jsonl").open("a") as file:
        file.write('{"step": 5, "lo')
    assert [line["step"] for line in run.progress()] == [1, 2, 3, 4]
    run.forget_progress_after(2)
    assert [line["step"] for line in run.progress()] == [1, 2]
    assert all(line["time"] > 0 for line in run.progress())


def test_a_run_that_is_trained_is_not_deleted(run):
    run.start()
    with pytest.raises(InputError, match="is being trained"):
        run.remove()
    run.end(RunState.STOPPED)
    run.remove()
    assert not run.path.exists()
