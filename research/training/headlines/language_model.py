"""A causal language model that learns to write headlines through low-rank updates."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core.data.articles.articles import Articles
from core.errors import InputError
from core.models.language_models.adapters import AdapterConfig
from core.models.language_models.language_model import (
    BEFORE,
    END,
    after_text,
    has_number,
    is_question,
    language_models,
    length_of,
)
from core.parts import Part
from core.runtime import Runtime
from core.text.normalise import without_dateline
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.lessons import mean_loss, teach

if TYPE_CHECKING:
    import torch

BASE: Final = "smollm2.v1"
HEADLINE_TOKENS: Final = 40
ALPHA: Final = 2.0
"""The update's scale alpha / rank."""

TOLD_NUMBER: Final = 0.5
"""Share of the headlines with a number that are told to hold one: so the model writes with and without
being told."""

LETTERS_A_TOKEN: Final = 12
"""More letters than tokens have on average: articles are cut there before they are read."""


@dataclass(frozen=True, slots=True)
class TokenExample:
    """Tokens of an article with its frame, and how many of the last ones are the headline with its end."""

    tokens: tuple[int, ...]
    written: int


@trainers.register("language_model.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LanguageModelAdapter(Trainer[Articles]):
    """Teaches the small language model to write headlines; only low-rank updates of its layers are trained.

    The model reads the beginning of an article and is told how long the headline is, whether it is a
    question and, for half of those with one, that it holds a number. The loss is that of the headline's
    tokens. The weights with the lowest loss on validation articles are kept.
    """

    summary: ClassVar[str] = "Teaches the small language model through low-rank updates"
    kind: ClassVar[str] = "headlines"
    result: ClassVar[str] = "smollm2_headlines.v1"
    base: ClassVar[str] = BASE

    epochs: int = field(default=1, metadata={"low": 1, "high": 100, "help": "passes over the articles"})
    batch_size: int = field(default=16, metadata={"low": 1, "high": 1024, "help": "articles of one step"})
    learning_rate: float = field(
        default=1e-3, metadata={"low": 1e-7, "high": 1.0, "step": 1e-4, "help": "highest rate"}
    )
    warmup_steps: int = field(
        default=30, metadata={"low": 0, "high": 100_000, "help": "steps in which the rate rises"}
    )
    rank: int = field(default=16, metadata={"low": 1, "high": 256, "help": "rank of the low-rank updates"})
    first_block: int = field(
        default=10, metadata={"low": 0, "high": 1000, "help": "blocks before this one stay as they are"}
    )
    article_tokens: int = field(
        default=160, metadata={"low": 8, "high": 2000, "help": "tokens of an article that are read"}
    )
    watched: int = field(
        default=150, metadata={"low": 1, "high": 100_000, "help": "validation articles that are watched"}
    )
    validations: int = field(default=2, metadata={"low": 1, "high": 100, "help": "validations an epoch"})

    def check(self, articles: Articles) -> None:
        language_models.parse(self.base).check()

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter

        language_model: Any = language_models.parse(self.base).build(runtime)
        # The loaded model is shared with whoever scores or writes in this process.
        model, tokenizer = copy.deepcopy(language_model.model), language_model.tokenizer
        blocks = len(model.model.layers)
        if self.first_block >= blocks:
            raise InputError(
                f"The language model has {blocks} blocks, so none is left to train.",
                hint=f"Set `first_block` below {blocks}.",
            )
        layers = llama_layers(model, self.first_block)
        add_low_rank(model, layers, rank=self.rank, scale=ALPHA, seed=runtime.seed)
        train = self._examples(articles.part(Part.TRAIN), tokenizer, runtime.seed)
        watched = self._examples(articles.part(Part.VALIDATION), tokenizer, runtime.seed)[: self.watched]

        def summed(some: Sequence[TokenExample]) -> tuple[torch.Tensor, int]:
            return _summed(model, some)

        def validate() -> dict[str, float | None]:
            found = mean_loss(watched, self.batch_size, summed)
            return {**found, "perplexity": math.exp(found["loss"])} if found else {}

        teach(
            self,
            model,
            train,
            run,
            runtime,
            summed=summed,
            validate=validate,
            length=lambda example: len(example.tokens),
        )
        write_adapter(model, run.model)
        self.config.write(run.model)
        run.record(validation=validate())

    @property
    def config(self) -> AdapterConfig:
        return AdapterConfig(
            base=self.base,
            rank=self.rank,
            alpha=ALPHA * self.rank,
            first_block=self.first_block,
            article_tokens=self.article_tokens,
            headline_tokens=HEADLINE_TOKENS,
            before=BEFORE,
            end=END,
        )

    def _examples(self, articles: Articles, tokenizer: Any, seed: int) -> list[TokenExample]:
        random = np.random.default_rng(seed)
        found = []
        for text, references in zip(articles.texts, articles.references, strict=True):
            told = bool(random.random() < TOLD_NUMBER)
            if not references or not text.strip():
                continue
            headline = " ".join(references[0].split())
            cut = without_dateline(text)[: self.article_tokens * LETTERS_A_TOKEN]
            after = after_text(
                length_of(headline), question=is_question(headline), number=told and has_number(headline)
            )
            read = [
                *_tokens(tokenizer, BEFORE),
                *_tokens(tokenizer, cut, plain=True)[: self.article_tokens],
                *_tokens(tokenizer, after),
            ]
            written = [*_tokens(tokenizer, headline, plain=True)[:HEADLINE_TOKENS], *_tokens(tokenizer, END)]
            found.append(TokenExample((*read, *written), len(written)))
        return found


def _tokens(tokenizer: Any, text: str, *, plain: bool = False) -> list[int]:
    ids: list[int] = tokenizer(text, add_special_tokens=False, split_special_tokens=plain)["input_ids"]
    return ids


def _summed(model: Any, batch: Sequence[TokenExample]) -> tuple[torch.Tensor, int]:
    import torch

    width = max(len(example.tokens) for example in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.int64)
    rows: list[int] = []
    columns: list[int] = []
    for row, example in enumerate(batch):
        ids[row, : len(example.tokens)] = torch.tensor(example.tokens)
        first = len(example.tokens) - example.written
        rows += [row] * example.written
        columns += range(first - 1, len(example.tokens) - 1)
    ids = ids.to(model.device)
    # Padding stands on the right, where no token that counts can see it.
    hidden = model.model(input_ids=ids, use_cache=False).last_hidden_state[rows, columns]
    targets = ids[rows, [column + 1 for column in columns]]
    logits = model.lm_head(hidden).float()
    return torch.nn.functional.cross_entropy(logits, targets, reduction="sum"), len(rows)
