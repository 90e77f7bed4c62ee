"""Trainers of networks that learn to write headlines from scratch: a base, and a class for each network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core.data.articles.articles import Articles
from core.errors import InputError
from core.models.networks.precision import in_half
from core.parts import Part
from core.runtime import Runtime
from research.neural.config import LARGEST
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.lessons import lessons_of, rouge_of

if TYPE_CHECKING:
    from research.neural.model import HeadlineModel

BEAM_SIZE: Final = 5
"""Of the headlines that are measured when training is over."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralTrainer(Trainer[Articles]):
    """Trains a network of `research.neural` on articles with headlines.

    Vocabulary, capitals and the way numbers are written are learned from the training part. First come
    epochs over exercises made of the training articles alone (`research.neural.words.exercise`), then
    epochs over their headlines. The weights with the best mean of ROUGE-1, ROUGE-2 and ROUGE-L on watched
    validation articles are kept.

    Attributes:
        architecture: A name in `research.neural.model.ARCHITECTURES`, and that of the generator.
        warmup: Steps in which Adam's rate rises.
    """

    kind: ClassVar[str] = "headlines"
    architecture: ClassVar[str]
    warmup: ClassVar[int] = 50

    epochs: int = field(default=8, metadata={"low": 0, "high": 1000, "help": "passes over the headlines"})
    pretraining_epochs: int = field(
        default=0,
        metadata={"low": 0, "high": 1000, "help": "passes over exercises made of the articles, before"},
    )
    start_from: str = field(
        default="",
        metadata={
            "help": "folder of a headline model whose words and weights are taken over; empty for none"
        },
    )
    batch_size: int = field(default=64, metadata={"low": 1, "high": 1024, "help": "articles of one step"})
    learning_rate: float = field(
        default=0.15, metadata={"low": 1e-6, "high": 10.0, "step": 1e-3, "help": "highest rate"}
    )
    optimizer: str = field(
        default="adagrad",
        metadata={
            "choices": ("adagrad", "adam"),
            "help": "Adagrad keeps the rate, Adam lowers it to a tenth",
        },
    )
    clip: float = field(
        default=2.0, metadata={"low": 0.0, "high": 100.0, "help": "largest norm of the gradients; 0 for any"}
    )
    words_read: int = field(
        default=500, metadata={"low": 8, "high": 2000, "help": "words of an article that are read"}
    )
    vocabulary: int = field(
        default=10_000, metadata={"low": 100, "high": 100_000, "help": "words that can be written uncopied"}
    )
    embeddings: str = field(
        default="wordllama",
        metadata={"choices": ("wordllama", "random"), "help": "where the words' embeddings start"},
    )
    dropout: float = field(default=0.0, metadata={"low": 0.0, "high": 0.9, "help": "share left out"})
    patience: int = field(
        default=0, metadata={"low": 0, "high": 100, "help": "epochs without a better ROUGE; 0 for never"}
    )
    watched: int = field(
        default=200, metadata={"low": 1, "high": 100_000, "help": "validation articles that are watched"}
    )

    @property
    def result(self) -> str:
        return f"{self.architecture}.v1"

    def settings(self) -> Mapping[str, int | float | bool | str]:
        return {"dropout": self.dropout}

    def check(self, articles: Articles) -> None:
        if not self.epochs + self.pretraining_epochs:
            raise InputError("There is no epoch to train.", hint="Set epochs to 1 or more.")
        if self.start_from:
            from research.neural.config import read_config

            read_config(Path(self.start_from))
        elif self.embeddings == "wordllama":
            from core.models.weights.locate import locate

            locate("wordllama")

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        import torch

        from research.neural.batches import batch_of
        from research.neural.model import write_model

        torch.manual_seed(runtime.seed)
        lessons = lessons_of(
            articles.part(Part.TRAIN), self, seed=runtime.seed, trained=_provenance(articles)
        )
        model = lessons.model
        model.module.to(runtime.device)
        validation = articles.part(Part.VALIDATION)
        watched = validation.at(range(min(self.watched, len(validation))))
        half, adam = in_half(runtime), self.optimizer == "adam"
        run.record(
            half=half,
            trained_weights=sum(value.numel() for value in model.module.parameters()),
            training_articles=len(lessons.articles),
            taken_over=lessons.taken_over,
        )
        fit(
            TrainingTask(
                module=model.module,
                batches=lessons.batches,
                loss=lambda some: model.network.loss(batch_of(some, model.vocabulary).to(runtime.device)),
                validate=lambda: _measured(model, watched),
                best_by="rouge_mean",
            ),
            Plan(
                epochs=self.pretraining_epochs + self.epochs,
                learning_rate=self.learning_rate,
                warmup_steps=self.warmup if adam else 0,
                patience=self.patience,
                half=half,
                optimizer=self.optimizer,
                clip=self.clip,
                constant=not adam,
            ),
            run,
            runtime,
        )
        model.module.eval()
        write_model(run.model, model, small=True)
        run.record(validation=_measured(model, validation, beam_size=BEAM_SIZE))


def with_default(trainer: type[NeuralTrainer], name: str, value: Any) -> Any:
    """A field of a trainer with another default, for one that is derived from it."""
    return field(default=value, metadata=trainer.__dataclass_fields__[name].metadata)


def _provenance(articles: Articles) -> Mapping[str, Any]:
    train = articles.part(Part.TRAIN)
    return {"articles": articles.name, "fingerprint": train.fingerprint, "number": len(train)}


def _measured(model: HeadlineModel, articles: Articles, *, beam_size: int = 1) -> dict[str, float | None]:
    from research.neural.model import BeamSearchSettings, NeuralWriter

    writer = NeuralWriter(model, BeamSearchSettings(beam_size=beam_size))
    return rouge_of(writer, articles, language=model.config.language)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecurrentTrainer(NeuralTrainer):
    """Base of trainers of LSTM cells; see `research.neural.recurrent`.

    The defaults are the paper's: 256 LSTM cells, embeddings of 128, Adagrad at 0.15, gradients clipped at 2,
    500 words read, no dropout. Embeddings start from WordLlama's, because thousands of articles are too few
    for words to get a meaning; the paper had a hundred thousand, and pretrained embeddings did not help it.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive", section 3.
    """

    embedding: int = field(
        default=128, metadata={"low": 4, "high": 1024, "help": "numbers of a word's embedding"}
    )
    cells: int = field(
        default=256,
        metadata={"low": 4, "high": 4096, "step": 2, "help": "LSTM cells; half of them in each direction"},
    )

    def settings(self) -> Mapping[str, int | float | bool | str]:
        return {"embedding": self.embedding, "hidden": self.cells, "dropout": self.dropout}


@trainers.register("s2s.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SequenceToSequenceTrainer(RecurrentTrainer):
    """Sequence to sequence with attention; words of the vocabulary only. Source: see `RecurrentTrainer`."""

    summary: ClassVar[str] = "Sequence to sequence with attention, without copying"
    architecture: ClassVar[str] = "s2s"


@trainers.register("pointer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PointerTrainer(RecurrentTrainer):
    """A pointer-generator network: writes words or copies them.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019, section 3.
    """

    summary: ClassVar[str] = "Pointer-generator network: writes words or copies them"
    architecture: ClassVar[str] = "pointer"


@trainers.register("pointer_coverage.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CoverageTrainer(RecurrentTrainer):
    """A pointer-generator network that avoids going over the same words.

    See et al. add coverage to a trained pointer-generator for a short while; `start_from` does the same.

    Source: See et al. 2017, "Get To The Point"; Cafagna et al. 2019, section 3.
    """

    summary: ClassVar[str] = "Pointer-generator network with coverage"
    architecture: ClassVar[str] = "pointer_coverage"


@trainers.register("pointer_grammemes.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GrammemeTrainer(RecurrentTrainer):
    """A pointer-generator network over stems, endings and grammemes.

    Russian is read with pymorphy3; other languages with a Snowball stemmer and what spelling shows.

    Source: the Burning Headlines team in Malykh and Kalaidin 2019, "Headline Generation Shared Task on
    Dialogue'2019", section 6.3.
    """

    summary: ClassVar[str] = "Pointer-generator network over stems, endings and grammemes"
    architecture: ClassVar[str] = "pointer_grammemes"


@trainers.register("copynet.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CopyNetTrainer(RecurrentTrainer):
    """CopyNet, as the Black and Yellow team of Dialogue 2019 used it: writing and copying compete.

    Source: Gu et al. 2016; Malykh and Kalaidin 2019, section 6.2.
    """

    summary: ClassVar[str] = "CopyNet: writing and copying compete for every word"
    architecture: ClassVar[str] = "copynet"


@trainers.register("transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransformerTrainer(NeuralTrainer):
    """A small Transformer from the first sentence, or the article's beginning, to the headline.

    Thousands of articles are few for a Transformer. So exercises come first, one head of the last layer is
    shown where the article has the next word of a headline, and words begin with WordLlama's embeddings.

    Source: Malykh and Kalaidin 2019 (NMT baseline); see `research.neural.transformer`.
    """

    summary: ClassVar[str] = "Encoder-decoder Transformer from scratch"
    architecture: ClassVar[str] = "transformer"
    warmup: ClassVar[int] = 200
    """A Transformer needs longer than recurrent networks (Vaswani et al. 2017)."""

    epochs: int = with_default(NeuralTrainer, "epochs", 12)
    pretraining_epochs: int = with_default(NeuralTrainer, "pretraining_epochs", 6)
    learning_rate: float = with_default(NeuralTrainer, "learning_rate", 2e-3)
    optimizer: str = with_default(NeuralTrainer, "optimizer", "adam")
    clip: float = with_default(NeuralTrainer, "clip", 1.0)
    words_read: int = with_default(NeuralTrainer, "words_read", 64)
    vocabulary: int = with_default(NeuralTrainer, "vocabulary", 6_000)
    dropout: float = with_default(NeuralTrainer, "dropout", 0.1)
    source: str = field(
        default="first_sentence",
        metadata={"choices": ("first_sentence", "article"), "help": "what of an article is read"},
    )
    width: int = field(default=192, metadata={"low": 8, "high": 1024, "help": "of the vectors"})
    phrases: str = field(
        default="1 1 1 1", metadata={"help": "words that each head looks at together, one number a head"}
    )
    layers: int = field(default=2, metadata={"low": 1, "high": 12, "help": "of encoder and decoder each"})
    hidden: int = field(default=384, metadata={"low": 8, "high": 4096, "help": "width between layers"})
    smoothing: float = field(
        default=0.1, metadata={"low": 0.0, "high": 0.5, "help": "probability spread over all words"}
    )
    guidance: float = field(
        default=0.5, metadata={"low": 0.0, "high": 10.0, "help": "weight of showing where words stand"}
    )

    def settings(self) -> Mapping[str, int | float | bool | str]:
        return {
            "width": self.width,
            "phrases": self.phrases,
            "layers": self.layers,
            "hidden": self.hidden,
            "dropout": self.dropout,
            "smoothing": self.smoothing,
            "guidance": self.guidance,
            "first_sentence": self.source == "first_sentence",
        }

    def check(self, articles: Articles) -> None:
        heads = self.phrases.split()
        fit = all(part.isascii() and part.isdigit() and 1 <= int(part) <= LARGEST for part in heads)
        if not heads or not fit or self.width % (2 * len(heads)):
            raise InputError(
                f"A width of {self.width} cannot have heads over {self.phrases!r} words.",
                hint="Give one number a head, such as '1 1 2 2', and a width that twice their count divides.",
            )
        # Slots make a class anew, which super() without arguments does not know.
        NeuralTrainer.check(self, articles)


@trainers.register("phrase_transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PhraseTransformerTrainer(TransformerTrainer):
    """The Transformer with two heads over words and two over pairs of words in every attention.

    Source: Nguyen and Joty 2018; Sokolov 2019.
    """

    summary: ClassVar[str] = "Transformer with phrase-based attention from scratch"
    architecture: ClassVar[str] = "phrase_transformer"

    phrases: str = with_default(TransformerTrainer, "phrases", "1 1 2 2")
