"""Training on a few made-up rows: it learns what can be learned, stops, goes on, and can be read back."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from core.data.articles.sets import Blanks, numhg_blanks
from core.errors import Cancelled
from core.numerals.attachments.lexical import Lexical
from core.numerals.checking import Checker
from core.numerals.claims.weights import names_with, read_claim_weights
from core.numerals.provenance import Status
from core.numerals.weighing.weights import SUPPORT_NAMES, read_weights, write_weights
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.training.numerals import tree_training
from research.training.numerals.corruptions import blank_exercises, number_exercises
from research.training.numerals.lessons import lessons_of
from research.training.numerals.pointer_training import train_pointer
from research.training.numerals.training import NumeralAttacherTrainer
from research.training.numerals.tree_training import RIGHT, weights_of
from tests.training_data import numhg_file

ROWS = 120


@pytest.fixture(scope="module")
def blanks(tmp_path_factory: pytest.TempPathFactory) -> Blanks:
    return numhg_blanks(numhg_file(tmp_path_factory.mktemp("data"), ROWS))


def test_the_network_overfits_a_batch_and_resumes(blanks: Blanks, tmp_path: Path) -> None:
    lessons = [one for one in lessons_of(blanks, Runtime()) if one.way == 0]
    how = {"epochs": 12, "learning_rate": 5e-3, "rank": 4}
    run = RunFolder(tmp_path / "run")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other take minutes where other work is done
    run.create({})
    run.start()
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        train_pointer(lessons[:8], lessons[:8], run, Runtime(stop=stop), **how)
    train_pointer(lessons[:8], lessons[:8], run, Runtime(), **how)
    torch.set_num_threads(threads)
    pointed = [line["validation"]["pointed"] for line in run.progress() if "validation" in line]
    assert max(pointed) >= 0.9, "of two numbers, the verb tells which"


def test_exercises_are_right_and_wrong(blanks: Blanks) -> None:
    attacher = Lexical().build(Runtime())
    few = blanks.at(range(6))
    fillings = blank_exercises(few, attacher, Runtime())
    assert all(one.right.max() == 1 for one in fillings)
    numbers = number_exercises(few, attacher, Runtime(), seeds=[1])
    originals = [one for one in numbers if one.corruption is None]
    assert len(originals) == 6
    assert all(one.right.max() == 1 for one in originals)
    wrong = [one for one in numbers if one.corruption is not None]
    assert wrong
    assert not any(one.right.any() for one in wrong)
    weights = weights_of(numbers)
    right = np.array([one.corruption is None for one in numbers])
    assert weights.mean() == pytest.approx(1)
    assert weights[right].sum() / weights.sum() == pytest.approx(RIGHT)


def test_what_weighs_is_grown_written_and_read(
    blanks: Blanks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_training, "is_there", lambda: False)  # half a second a row
    how = NumeralAttacherTrainer(trees=300, depth=3, draws=1)
    weights, right = how.weigh(Lexical(), blanks, Runtime())
    assert right > 0.5
    assert weights.constants.language_model == 0
    assert 0 < weights.constants.threshold < 1
    write_weights(tmp_path, weights)
    read = read_weights(tmp_path)
    assert read.constants == weights.constants
    rows = np.random.default_rng(0).normal(size=(50, weights.support.columns.max() + 1))
    np.testing.assert_allclose(read.support.predict(rows), weights.support.predict(rows), atol=1e-4)
    claims = read_claim_weights(names_with(SUPPORT_NAMES))
    checker = Checker(Lexical().build(Runtime()), read, claims, "made")
    text = "A fire in Hull street a killed 21 people. It hurt 77 others."
    right, wrong = checker.check(
        ["Hull Fire Kills 21 People", "Hull Fire Kills 26 People"], [text] * 2, Runtime()
    )
    assert right.numerals[0].status is Status.COPIED
    assert wrong.numerals[0].support < right.numerals[0].support
