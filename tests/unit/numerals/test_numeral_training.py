"""Training on a few made-up rows: it learns what can be learned, stops, goes on, and can be read back."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import torch

from core.data.articles.sets import Blanks, numhg_blanks
from core.errors import Cancelled
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.training.numerals.attacher import train_pointer
from research.training.numerals.lessons import lessons_of
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
