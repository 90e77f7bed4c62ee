"""What a trainer is, whatever it trains, and the list of all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from core.registry import Registry
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

D = TypeVar("D")


class Trainer(ABC, Generic[D]):
    """Base of trainers: frozen dataclasses that learn from data of type D; their fields are hyper-parameters.

    Attributes:
        summary: What it trains, in one line.
        kind: What its models do, a name in `research.catalogue.training_kinds.KINDS`; it decides which
            data it gets and which methods run the model.
    """

    summary: ClassVar[str]
    kind: ClassVar[str]

    @property
    @abstractmethod
    def result(self) -> str:
        """Qualified name of the method that runs the model, with a field `model` for its folder."""

    def check(self, data: D) -> None:
        """Finds what would fail later, before a run's folder is made; a `CoreError` says what is missing."""

    @abstractmethod
    def train(self, data: D, run: RunFolder, runtime: Runtime) -> None:
        """Learns from the training part, validates on the validation part, and never sees the test part."""


# Names, not imports: the subjects lie above this package and are imported when somebody asks.
trainers: Registry[Trainer[Any]] = Registry(
    "trainer", "research.training.pairs", "research.training.headlines", "research.training.numerals"
)
