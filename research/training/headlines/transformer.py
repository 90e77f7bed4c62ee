"""Trainers of Transformers from scratch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from core.data.articles.articles import Articles
from core.errors import InputError
from research.neural.config import LARGEST
from research.runs.trainer import trainers
from research.training.headlines.neural import NeuralTrainer, with_default


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
