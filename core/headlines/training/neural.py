"""What all networks that learn to write headlines from nothing have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from core.data.articles.articles import Articles
from core.errors import InputError
from core.headlines.training.lessons import lessons_of
from core.headlines.training.watching import watch
from core.models.networks.precision import bfloat16_pays
from core.models.training.loop import Plan, Task, fit
from core.models.training.run_folder import RunFolder
from core.parts import Part
from core.runtime import Runtime

WARMUP_STEPS: Final = 50
BEAM_SIZE: Final = 5
"""Of the headlines that are measured when training is over."""

EPOCHS: Final[dict[str, Any]] = {"low": 0, "high": 1000, "help": "passes over the headlines"}
RATE: Final[dict[str, Any]] = {"low": 1e-6, "high": 10.0, "step": 1e-3, "help": "highest rate"}
CLIP: Final[dict[str, Any]] = {"low": 0.0, "high": 100.0, "help": "largest norm of the gradients; 0 for any"}
WORDS_READ: Final[dict[str, Any]] = {"low": 8, "high": 2000, "help": "words of an article that are read"}
VOCABULARY: Final[dict[str, Any]] = {
    "low": 100,
    "high": 100_000,
    "help": "words that can be written uncopied",
}
DROPOUT: Final[dict[str, Any]] = {"low": 0.0, "high": 0.9, "help": "share left out"}
PRETRAINING: Final[dict[str, Any]] = {
    "low": 0,
    "high": 1000,
    "help": "passes over exercises made of the articles, before",
}
OPTIMIZER: Final[dict[str, Any]] = {
    "choices": ("adagrad", "adam"),
    "help": "Adagrad keeps the rate, Adam lowers it to a tenth",
}
"""What forms and messages say of fields to which architectures give defaults of their own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralTrainer:
    """Trains a network of `core.headlines.neural` on articles with headlines.

    Vocabulary, capitals and the way numbers are written are learned from the training part. First come
    epochs over exercises made of the training articles alone (`core.headlines.neural.self_supervised`), then
    epochs over their headlines. The weights with the best mean of ROUGE-1, ROUGE-2 and ROUGE-L on watched
    validation articles are kept.

    Attributes:
        architecture: A name in `core.headlines.neural.model.ARCHITECTURES`.
    """

    architecture: ClassVar[str]

    epochs: int = field(default=8, metadata=EPOCHS)
    pretraining_epochs: int = field(
        default=0,
        metadata=PRETRAINING,
    )
    start_from: str = field(
        default="",
        metadata={
            "help": "folder of a headline model whose words and weights are taken over; empty for none"
        },
    )
    batch_size: int = field(default=64, metadata={"low": 1, "high": 1024, "help": "articles of one step"})
    learning_rate: float = field(default=0.15, metadata=RATE)
    optimizer: str = field(
        default="adagrad",
        metadata=OPTIMIZER,
    )
    clip: float = field(default=2.0, metadata=CLIP)
    words_read: int = field(default=500, metadata=WORDS_READ)
    vocabulary: int = field(default=10_000, metadata=VOCABULARY)
    embeddings: str = field(
        default="wordllama",
        metadata={"choices": ("wordllama", "random"), "help": "where the words' embeddings start"},
    )
    dropout: float = field(default=0.0, metadata=DROPOUT)
    patience: int = field(
        default=0, metadata={"low": 0, "high": 100, "help": "epochs without a better ROUGE; 0 for never"}
    )
    watched: int = field(
        default=200, metadata={"low": 1, "high": 100_000, "help": "validation articles that are watched"}
    )

    def settings(self) -> Mapping[str, int | float | bool | str]:
        """Settings of the architecture."""
        return {"dropout": self.dropout}

    def check(self, articles: Articles) -> None:
        """See `HeadlineTrainer`."""
        if not self.epochs + self.pretraining_epochs:
            raise InputError("There is no epoch to train.", hint="Set epochs to 1 or more.")
        if self.start_from:
            from core.headlines.neural.config import read_config

            read_config(Path(self.start_from))
        elif self.embeddings == "wordllama":
            from core.models.weights.locate import locate

            locate("wordllama")

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        """See `HeadlineTrainer`."""
        import torch

        from core.headlines.neural.batches import batch_of
        from core.headlines.neural.model import write_model

        torch.manual_seed(runtime.seed)
        lessons = lessons_of(
            articles.part(Part.TRAIN), self, seed=runtime.seed, trained=self._provenance(articles)
        )
        model = lessons.model
        model.module.to(runtime.device)
        validation = articles.part(Part.VALIDATION)
        watched = validation.at(range(min(self.watched, len(validation))))
        half = runtime.half and bfloat16_pays(runtime.device)
        run.record(
            half=half,
            trained_weights=sum(value.numel() for value in model.module.parameters()),
            training_articles=len(lessons),
            taken_over=lessons.taken_over,
        )
        fit(
            Task(
                module=model.module,
                batches=lessons.batches,
                loss=lambda some: model.network.loss(batch_of(some, model.vocabulary).to(runtime.device)),
                validate=lambda: watch(model, watched),
                best_by="rouge_mean",
            ),
            replace(self._plan(), half=half),
            run,
            runtime,
        )
        model.module.eval()
        write_model(run.model, model, small=True)
        run.record(validation=watch(model, validation, beam_size=BEAM_SIZE))

    def _plan(self) -> Plan:
        adam = self.optimizer == "adam"
        return Plan(
            epochs=self.pretraining_epochs + self.epochs,
            learning_rate=self.learning_rate,
            warmup_steps=WARMUP_STEPS if adam else 0,
            patience=self.patience,
            optimizer=self.optimizer,
            clip=self.clip,
            constant=not adam,
        )

    def _provenance(self, articles: Articles) -> Mapping[str, Any]:
        train = articles.part(Part.TRAIN)
        return {"articles": articles.name, "fingerprint": train.fingerprint, "number": len(train)}
