"""What trains a headline generator, and the list of all of them."""

from __future__ import annotations

from typing import ClassVar, Protocol

from core.data.articles.articles import Articles
from core.models.training.run_folder import RunFolder
from core.registry import Registry
from core.runtime import Runtime


class HeadlineTrainer(Protocol):
    """A frozen dataclass that trains a generator; its fields are the hyper-parameters.

    Attributes:
        summary: What it trains, in one line.
    """

    summary: ClassVar[str]

    @property
    def generator(self) -> str:
        """Qualified name of the generator that runs the result, with a field `model` for its folder."""
        ...

    def check(self, articles: Articles) -> None:
        """Says at once what would fail later; called before a run's folder is made.

        Raises:
            CoreError: The articles, or a model to start from, are not fit.
        """
        ...

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        """Learns from the training part, watches the validation part, and never sees the test part.

        Writes the model to `run.model` (safetensors and JSON), progress to `run.report`, and what it
        measured on the validation part to `run.record(validation={...})`. Takes everything random from
        `runtime.seed`. A run that has a checkpoint goes on from it.

        Args:
            articles: Training and validation articles with references.
            run: A run that was started; `run.model` does not exist yet.
            runtime: Device, precision, seed, stop.

        Raises:
            Cancelled: It was asked to stop; a checkpoint is left.
            CoreError: Training cannot go on, with the reason.
        """
        ...


headline_trainers: Registry[HeadlineTrainer] = Registry("headline trainer", "core.headlines.training")
