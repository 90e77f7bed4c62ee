"""What a trainer is, and the list of all of them."""

from __future__ import annotations

from typing import ClassVar, Protocol

from core.data.pair_sets.pair_set import PairSet
from core.models.training.run_folder import RunFolder
from core.registry import Registry
from core.runtime import Runtime


class Trainer(Protocol):
    """A frozen dataclass that trains a pair model; its fields are the hyper-parameters."""

    summary: ClassVar[str]

    def check(self, pairs: PairSet) -> None:
        """Says at once what would fail later; called before a run's folder is made.

        Raises:
            InputError: The pairs lack what this trainer needs (dates, bodies, …).
        """
        ...

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        """Learns from the training part, watches the validation part, and never sees the test part.

        Writes the model to `run.model` (a folder with `pair_model.json`), a line to `run.report` as it
        goes on, and what it measured on the validation part to `run.record(validation={...})`. Looks at
        `run.stop_requested` and `runtime.stop` between steps. Takes everything random from
        `runtime.seed`. A run that has a checkpoint goes on from it.

        Args:
            pairs: Training and validation pairs with labels 0 and 1, and their headlines.
            run: A run that was started; `run.model` does not exist yet.
            runtime: Device, precision, seed, stop.

        Raises:
            Cancelled: It was asked to stop; a trainer with checkpoints left one.
            CoreError: Training cannot go on, with the reason.
        """
        ...


trainers: Registry[Trainer] = Registry("trainer", "core.pairs.training")
