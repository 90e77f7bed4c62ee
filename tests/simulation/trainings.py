"""A training that is killed and taken up again: it ends as one that was not, or says that it was cut off."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

import torch

from core import files, limits
from core.errors import Cancelled
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.catalogue import training
from research.runs import run_folder
from research.runs.checkpoint import read_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import Process, RunFolder, RunState
from tests.simulation.schedule import World, _folder, hold

RESULT = "model.safetensors"


@dataclass(eq=False)
class TrainingWorld(World):
    lives: list[int] = field(default_factory=lambda: [1, 1])  # of each server's process
    ordered: bool = False
    finished: bool = False
    stops: bool = False  # whether somebody asked it to stop

    steps = 16
    stores = False
    at_work: ClassVar[TrainingWorld]  # whose processes are asked for

    @classmethod
    @contextmanager
    def around(cls) -> Iterator[None]:
        order = SimpleNamespace(
            recipe=SimpleNamespace(train=train), kind=None, data=(), shown_data=(), seed=0, half=False
        )
        data = SimpleNamespace(fingerprint="f")
        with (
            mock.patch.object(training, "order_of", return_value=order),
            mock.patch.object(training, "ready_for", return_value=(data, ())),
            mock.patch.object(training, "_write_card"),
            mock.patch.object(run_folder, "this_process", cls.at_work.process),
            mock.patch.object(run_folder, "is_alive", cls.at_work.is_alive),
            mock.patch.dict("os.environ", {limits.CHECKPOINT_SECONDS.variable: "1"}),
            mock.patch("time.monotonic", itertools.count(0, 0.4).__next__),
        ):
            yield

    def __post_init__(self) -> None:
        type(self).at_work = self

    def process(self) -> Process:
        return Process(self.server + 1, float(self.lives[self.server]), "here")

    def is_alive(self, process: Process) -> bool:
        server = process.pid - 1
        return server not in self.dead and process.born == self.lives[server]

    def restart(self, server: int) -> None:
        super().restart(server)
        self.lives[server] += 1

    def actions(self) -> dict[Callable[[], None], int]:
        if not self.ordered:
            return {self.order: 4, self.trouble: 1}
        return {self.train: 6, self.look: 3, self.stop: 1, self.power_cut: 2, self.trouble: 5}

    @property
    def run(self) -> RunFolder:
        return RunFolder(self.folder / "runs" / "a")

    def order(self) -> None:
        self.run.record() if self.run.exists else self.run.create({})  # a kill may have come before a reply
        self.ordered = True

    def train(self) -> None:
        try:
            training.carry_out(self.run, Runtime())
        except Cancelled:
            hold(self.stops, "it stopped, and nobody asked for that")
            hold(self.run.state() is RunState.STOPPED, "a stopped run says something else")
            self.stops = False
            return
        self.finished = True
        self.look()

    def stop(self) -> None:
        if self.run.state() is not RunState.FINISHED:
            self.stops = True
            self.run.ask_to_stop()

    def look(self) -> None:
        """What the page shows: where the run stands, and its lines."""
        state = self.run.state()
        hold(not self.finished or state is RunState.FINISHED, f"a finished run is {state.value}")
        steps = [line["step"] for line in self.run.progress() if "loss" in line]
        hold(steps == sorted(set(steps)), f"steps are listed twice: {steps}")
        if state is RunState.FINISHED:
            result = read_tensors(self.run.model / RESULT)
            hold(torch.equal(result["weight"], reference()), "other weights than those of an undisturbed run")

    def audit(self) -> None:
        if self.ordered:
            self.look()

    def end(self) -> None:
        self.order()
        self.run.forget_stop()
        self.train()
        hold(self.finished, "it does not go on")


def train(_: Any, run: RunFolder, runtime: Runtime) -> None:
    torch.manual_seed(7)
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
    inputs = torch.linspace(-1, 1, 6).reshape(2, 3)

    def loss(batch: int) -> torch.Tensor:
        return (module(inputs) - batch % 4).square().mean()

    def validate() -> Mapping[str, float]:
        return {"f1": float(-(module(inputs) - 1).square().mean())}

    plan = Plan(epochs=3, learning_rate=0.1, warmup_steps=1)
    fit(
        TrainingTask(
            module=module, batches=lambda epoch: range(epoch * 3, epoch * 3 + 3), loss=loss, validate=validate
        ),
        plan,
        run,
        runtime,
    )
    files.make_folder(run.model)
    write_tensors(run.model / RESULT, {"weight": module[0].weight.detach()})


@cache
def reference() -> torch.Tensor:
    """The weights of a run that nothing disturbs."""
    with _folder() as folder, mock.patch.object(files, "SYSTEM", files.System()):
        run = RunFolder(Path(folder) / "run")
        run.create({})
        with mock.patch.object(run_folder, "is_alive", return_value=True):
            train(None, run, Runtime())
        return read_tensors(run.model / RESULT)["weight"]
