"""What a trainer is, and the list of all of them."""

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any, ClassVar, Generic, TypeVar

from core.registry import Registry
from core.runtime import Runtime
from research.runs.run_folder import RunFolder

D = TypeVar("D")


class Trainer(ABC, Generic[D]):
    """Base of trainers: frozen dataclasses that learn from data of type D by their fields."""

    summary: ClassVar[str]
    kind: ClassVar[str]  # a name in `research.catalogue.training_kinds.KINDS`: which data it gets

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


def settings_of(kind: Any, trainer: Any, **others: Any) -> Any:
    """A dataclass of settings, of the trainer's fields with its fields' names, and of others."""
    names = (own.name for own in fields(kind) if hasattr(trainer, own.name))
    return kind(**{name: getattr(trainer, name) for name in names} | others)
