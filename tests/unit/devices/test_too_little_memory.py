import os
import sys
import threading

import click
import numpy as np
import pytest
import torch

from cli import main as entry
from components.server import queue
from components.server.queue import JobQueue
from core.errors import CoreError
from core.models.networks.batches import each_batch
from core.runtime import DEVICE, Runtime, out_of_memory, where_it_fits


def too_much():
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def test_a_batch_that_does_not_fit_is_halved_until_it_does():
    done: list[list[int]] = []

    def work(batch):
        if len(batch) > 3:
            raise too_much()
        done.append(batch.tolist())

    each_batch([np.arange(10), np.arange(10, 12)], work, "cuda", Runtime(), step="Working")
    assert [row for part in done for row in part] == list(range(12))
    assert max(map(len, done)) == 3


def test_what_was_raised_from_it_counts():
    raised = CoreError("The model cannot be loaded.", hint="Copy it again.")
    raised.__cause__ = too_much()
    assert out_of_memory(raised)
    assert out_of_memory(RuntimeError("MPS backend out of memory (MPS allocated: 8.00 GB)"))
    assert not out_of_memory(MemoryError("no"))


def test_work_goes_on_on_the_cpu():
    told: list[str] = []

    def work(at):
        if at.device == "cuda":
            raise too_much()
        return at.device

    assert where_it_fits(work, Runtime(device="cuda"), lambda: told.append("moved")) == "cpu"
    assert told == ["moved"]
    with pytest.raises(ZeroDivisionError):
        where_it_fits(lambda at: 1 // 0, Runtime(device="cuda"), lambda: told.append("again"))
    assert told == ["moved"]


def test_a_job_says_that_it_moved(monkeypatch):
    monkeypatch.setattr(queue, "detect_device", lambda: "cuda")
    gate = threading.Event()

    def work(at):
        gate.wait(5)
        if at.device == "cuda":
            raise too_much()
        return at.device

    jobs = JobQueue(lambda session: True)
    try:
        job = jobs.ask("key", work, session="a")
        gate.set()
        assert job.future.result(10) == "cpu"
        assert job.moved
    finally:
        jobs.close()


@pytest.mark.parametrize(
    ("words", "again"),
    [(["group", "news.csv"], True), (["numerals", "check", "-"], False), (["train"], False)],
)
def test_a_command_is_run_again_on_the_cpu_unless_it_cannot_be(words, again, monkeypatch, capsys):
    devices: list[str | None] = []

    def once(**_):
        devices.append(os.environ.get(DEVICE))
        if len(devices) == 1:
            raise too_much()
        click.echo("done")

    monkeypatch.setenv(DEVICE, "")
    monkeypatch.setattr(entry, "headline_lab", once)
    monkeypatch.setattr(sys, "argv", ["headline-lab", *words])
    if again:
        entry.main()
        assert devices == ["", "cpu"]
    else:
        with pytest.raises(SystemExit) as ended:
            entry.main()
        assert ended.value.code == entry.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith("The GPU's memory is not enough")
    assert (f"{DEVICE}=cpu" in said) is not again
