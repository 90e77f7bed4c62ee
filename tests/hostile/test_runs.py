"""Damaged training runs, forged boards and hostile files for training: exit code 2 and one clear sentence."""

import json
import shutil
import sys

import pytest
from safetensors.numpy import load_file, save_file

from cli.main import main
from research.runs.run_folder import RunFolder
from tests.hostile.corpus import SHAPES
from tests.hostile.sentences import faults_of_stderr
from tests.hostile.test_boards_commands_and_names import TELLING
from tests.hostile.test_models import FILES, WORDS, nothing_in_it, truncated_weights, weights
from tests.tiny_models import save_encoder


def rewritten(name, **changed):
    def spoil(run):
        told = json.loads((run / name).read_text())
        (run / name).write_text(json.dumps({**told, **changed}))

    return spoil


def ordered(**changed):
    def spoil(run):
        rewritten("run.json", order={**json.loads((run / "run.json").read_text())["order"], **changed})(run)

    return spoil


def replaced(name, content):
    def spoil(run):
        (run / name).write_bytes(content)

    return spoil


def tensors(change):
    def spoil(run):
        file = weights(run / "checkpoint")
        save_file(change(load_file(file)), file)

    return spoil


ARTICLES = ("articles", "headlines", "answers")
"""Shapes that hold articles with headlines, so that training on them only takes its time."""
RUNS = {
    "nothing in it": nothing_in_it,
    "no JSON": replaced("run.json", b"{"),
    "nested": replaced("run.json", b'{"a":' * 100_000),
    "of another version": rewritten("run.json", version=99),
    "a state that is none": rewritten("run.json", state="dancing"),
    "no trainer": ordered(trainer="telepathy.v1"),
    "no data": ordered(data=["/nowhere/pairs.json"]),
    "a seed that is text": ordered(seed="x"),
    "no order": rewritten("run.json", order=None),
    "a checkpoint that is no JSON": replaced("checkpoint/state.json", b"{"),
    "a checkpoint elsewhere": rewritten("checkpoint/state.json", tensors="../../x"),
    "a step that is text": rewritten("checkpoint/state.json", step="x"),
    "a measure that is text": rewritten("checkpoint/state.json", best="x"),
    "no tensors": lambda run: weights(run / "checkpoint").unlink(),
    "tensors cut off": lambda run: truncated_weights(run / "checkpoint"),
    "no random numbers": tensors(lambda all: {k: v for k, v in all.items() if not k.startswith("random")}),
    "no optimizer": tensors(lambda all: {k: v for k, v in all.items() if not k.startswith("optimizer")}),
    "an optimizer of other shapes": tensors(
        lambda all: {k: v.reshape(-1)[:1].copy() if k.startswith("optimizer") else v for k, v in all.items()}
    ),
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("bert"), "bert", WORDS, num_hidden_layers=1)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory, tiny):
    folder = tmp_path_factory.mktemp("stopped")
    (folder / "pairs.csv").write_text(FILES["pairs.csv"])
    report = RunFolder.report

    def stopping(self, line):
        report(self, line)
        if line.get("step") == 5:
            self.ask_to_stop()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "report", stopping)
        run_of(folder / "pairs.csv", folder / "run", tiny)
    return folder / "run"


def run_of(data, out, tiny):
    words = f"--out {out} --base {tiny} --adapter full --batch-size 8 --epochs 9 --no-half --quiet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["headline-lab", "train", "pair", str(data), *words.split()])
        with pytest.raises(SystemExit):
            main()


def test_a_damaged_run_is_one_sentence(stopped, command, tmp_path):
    assert (stopped / "checkpoint/state.json").is_file()
    wrong = {}
    for name, spoil in RUNS.items():
        run = tmp_path / name
        shutil.copytree(stopped, run)
        spoil(run)
        code, _, err = command("train", "pair", "--resume", "--out", run, "--quiet")
        if found := faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.parametrize("kind", ["pair", "headlines"])
def test_hostile_files_to_train_on(kind, command, tmp_path, tiny):
    wrong = {}
    for place, (name, file) in enumerate(list((TELLING | SHAPES).items())[kind == "pair" :: 4]):
        if kind == "headlines" and name.startswith(ARTICLES):
            continue
        folder = tmp_path / str(place)
        folder.mkdir()
        more = ("--base", tiny) if kind == "pair" else ()
        code, _, err = command("train", kind, file.written(folder), "--out", folder / "run", "--quiet", *more)
        found = faults_of_stderr(err) if code == 2 else [f"exit code {code}", err]
        if (folder / "run").exists():
            found.append("it left a run")
        if found:
            wrong[name] = found
    assert wrong == {}
