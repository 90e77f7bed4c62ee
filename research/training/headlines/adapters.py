"""What trainers of headlines share, and language models that learn to write them through low-rank updates."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import numpy as np

from core.data.articles.articles import Articles, articles_of
from core.errors import InputError
from core.headlines.generator import GenerationOptions, Generator
from core.headlines.hub import FlanT5Adapter, base_network, prefix_of
from core.headlines.metrics import MetricInput
from core.headlines.metrics.lexical import Rouge
from core.models.language_models.causal import AdapterConfig
from core.models.language_models.language_model import (
    BEFORE,
    END,
    Length,
    after_text,
    has_number,
    is_question,
    language_models,
    length_of,
)
from core.models.networks import flan_t5
from core.models.networks.batches import in_half
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.text.language import language_of
from core.text.normalise import without_dateline
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from core.headlines.hub import EncoderDecoder
    from research.season import HeadlineLesson


E = TypeVar("E")

VALIDATION_SHARE: Final = 0.1
"""Share of the training articles that watches training where the data names no validation part."""


def ready_articles(sets: Sequence[Articles]) -> tuple[Articles, list[str]]:
    """Training and validation articles with headlines, and a sentence on each thing that was left out.

    Test articles are taken away, and so is every article whose text one of them shares. Where nothing is
    marked as validation, a tenth is drawn by a hash of the text, the same at any time.
    """
    joined = _joined(sets)
    held_out = {text for text, part in zip(joined.texts, joined.parts, strict=True) if part is Part.TEST}
    kept: list[int] = []
    seen: set[str] = set()
    bare = copies = 0
    for row, text in enumerate(joined.texts):
        if text in held_out:
            continue
        if not text.strip() or not any(headline.strip() for headline in joined.references[row]):
            bare += 1
        elif text in seen:
            copies += 1
        else:
            seen.add(text)
            kept.append(row)
    found = joined.at(kept)
    if Part.VALIDATION not in found.parts:
        found = replace(found, parts=tuple(map(_drawn, found.texts)))
    if Part.TRAIN not in found.parts:
        raise InputError(
            "There is no article with a headline to train on.",
            hint="Give a table with the columns text and headline, or a set with a training part.",
        )
    notes = []
    if bare:
        notes.append(f"{bare:,} articles without text or headline were left out.")
    if copies:
        notes.append(f"{copies:,} articles with the text of another one were left out.")
    return found, notes


def _joined(sets: Sequence[Articles]) -> Articles:
    if len(sets) == 1:
        return sets[0]
    return articles_of(
        "+".join(dataset.name for dataset in sets),
        [text for dataset in sets for text in dataset.texts],
        ids=[f"{dataset.name}/{name}" for dataset in sets for name in dataset.ids],
        references=[headlines for dataset in sets for headlines in dataset.references],
        parts=[part for dataset in sets for part in dataset.parts],
        clusters=[f"{dataset.name}/{name}" if name else "" for dataset in sets for name in dataset.clusters],
        numbers=[number for dataset in sets for number in dataset.numbers],
        operations=[operation for dataset in sets for operation in dataset.operations],
    )


def _drawn(text: str) -> Part:
    place = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    return Part.VALIDATION if place < VALIDATION_SHARE * 2**32 else Part.TRAIN


def teach(
    trainer: Any,
    model: Any,
    examples: Sequence[E],
    *,
    watched: Sequence[E],
    run: RunFolder,
    runtime: Runtime,
    summed: Callable[[Sequence[E]], tuple[Tensor, int]],
    length: Callable[[E], int],
    perplexity: bool = False,
) -> dict[str, float | None]:
    """Trains what of a loaded model is not frozen, by a token's mean loss; the least on validation counts.

    `summed` gives the sum of the losses of a batch's tokens, a scalar, and how many tokens there are; batches
    are sorted by `length`. Gives what was measured on the watched articles in the end.
    """

    def loss(batch: Sequence[E]) -> Tensor:
        total, tokens = summed(batch)
        return total / tokens

    def validate() -> dict[str, float | None]:
        found = mean_loss(watched[: trainer.watched], trainer.batch_size, summed)
        return {**found, "perplexity": math.exp(found["loss"])} if found and perplexity else {**found}

    trained = sum(value.numel() for value in model.parameters() if value.requires_grad)
    run.record(trained_weights=trained, training_articles=len(examples), half=str(model.dtype))
    plan = Plan(
        epochs=trainer.epochs,
        learning_rate=trainer.learning_rate,
        warmup_steps=trainer.warmup_steps,
        validations=trainer.validations,
        clip=1.0,
    )
    task = TrainingTask(
        module=model,
        batches=lambda epoch: batches_of(examples, length, trainer.batch_size, [runtime.seed, epoch]),
        loss=loss,
        validate=validate,
        best_by="loss",
        lower_is_better=True,
    )
    fit(task, plan, run, runtime)
    model.eval()
    return validate()


def batches_of(
    examples: Sequence[E], length: Callable[[E], int], size: int, seed: Sequence[int]
) -> list[list[E]]:
    """Examples of like length in batches, in a random order."""
    from research.neural.batches import shuffled

    rows = shuffled(list(map(length, examples)), size, np.random.default_rng(seed))
    return [[examples[row] for row in batch] for batch in rows]


def mean_loss(
    examples: Sequence[E], size: int, summed: Callable[[Sequence[E]], tuple[Tensor, int]]
) -> dict[str, float]:
    """`loss`: the mean negative log-likelihood a token of some headlines, in nats; empty for no headlines."""
    import torch

    total, tokens = 0.0, 0
    with torch.no_grad():
        for start in range(0, len(examples), size):
            loss, count = summed(examples[start : start + size])
            total, tokens = total + float(loss), tokens + count
    return {"loss": total / tokens} if tokens else {}


def rouge_of(generator: Generator, articles: Articles, *, language: str = "") -> dict[str, float | None]:
    """ROUGE of the headlines that a generator writes for articles with references; empty for no articles."""
    if not len(articles):
        return {}
    runtime = Runtime()
    found = generator.write(articles.texts, GenerationOptions(), runtime)
    rouge = Rouge()
    written = MetricInput(
        headlines=[candidates[0].text for candidates in found],
        references=articles.references,
        articles=articles.texts,
        language=language or language_of(articles.texts[0]),
    )
    values = rouge.values(rouge.statistics(written, runtime).sum(axis=0))
    return {column.name: float(value) for column, value in zip(rouge.columns, values, strict=True)}


BASE: Final = "smollm2.v1"
HEADLINE_TOKENS: Final = 40
ALPHA: Final = 2.0  # the update's scale alpha / rank
TOLD: Final = 0.5
"""Share of the headlines with a number that are told to hold one, and of those whose length and form FLAN-T5
is told: so the models write with and without being told."""

LETTERS_A_TOKEN: Final = 12
"""More letters than tokens have on average: articles are cut there before they are read."""


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

    epochs: int = number(1, 1, 100, "passes over the articles")
    batch_size: int = number(16, 1, 1024, "articles of one step")
    learning_rate: float = number(1e-3, 1e-7, 1.0, "highest rate", step=1e-4)
    warmup_steps: int = number(30, 0, 100_000, "steps in which the rate rises")
    rank: int = number(16, 1, 256, "rank of the low-rank updates")
    first_block: int = number(10, 0, 1000, "blocks before this one stay as they are")
    article_tokens: int = number(160, 8, 2000, "tokens of an article that are read")
    watched: int = number(150, 1, 100_000, "validation articles that are watched")
    validations: int = number(2, 1, 100, "validations an epoch")

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
        train, watched = (
            self._examples(articles.part(part), tokenizer, runtime.seed)
            for part in (Part.TRAIN, Part.VALIDATION)
        )
        measured = teach(
            self,
            model,
            train,
            watched=watched,
            run=run,
            runtime=runtime,
            summed=lambda some: _causal_loss(model, some),
            length=lambda example: len(example[0]),
            perplexity=True,
        )
        write_adapter(model, run.model)
        config = AdapterConfig(
            base=self.base,
            rank=self.rank,
            alpha=ALPHA * self.rank,
            first_block=self.first_block,
            article_tokens=self.article_tokens,
            headline_tokens=HEADLINE_TOKENS,
            before=BEFORE,
            end=END,
        )
        config.write(run.model)
        run.record(validation=measured)

    def _examples(self, articles: Articles, tokenizer: Any, seed: int) -> list[tuple[list[int], int]]:
        """Tokens of an article with its frame, and how many of the last are the headline with its end."""

        def tokens(text: str, *, plain: bool = False) -> list[int]:
            ids: list[int] = tokenizer(text, add_special_tokens=False, split_special_tokens=plain)[
                "input_ids"
            ]
            return ids

        random = np.random.default_rng(seed)
        found = []
        for text, references in zip(articles.texts, articles.references, strict=True):
            told = bool(random.random() < TOLD)
            if not references or not text.strip():
                continue
            headline = " ".join(references[0].split())
            cut = without_dateline(text)[: self.article_tokens * LETTERS_A_TOKEN]
            after = after_text(
                length_of(headline), question=is_question(headline), number=told and has_number(headline)
            )
            read = [*tokens(BEFORE), *tokens(cut, plain=True)[: self.article_tokens], *tokens(after)]
            written = [*tokens(headline, plain=True)[:HEADLINE_TOKENS], *tokens(END)]
            found.append(([*read, *written], len(written)))
        return found


def _causal_loss(model: Any, batch: Sequence[tuple[list[int], int]]) -> tuple[torch.Tensor, int]:
    import torch

    ids = torch.zeros(len(batch), max(len(tokens) for tokens, _ in batch), dtype=torch.int64)
    rows: list[int] = []
    columns: list[int] = []
    for row, (tokens, written) in enumerate(batch):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        rows += [row] * written
        columns += range(len(tokens) - written - 1, len(tokens) - 1)
    ids = ids.to(model.device)
    # Padding stands on the right, where no token that counts can see it.
    hidden = model.model(input_ids=ids, use_cache=False).last_hidden_state[rows, columns]
    targets = ids[rows, [column + 1 for column in columns]]
    logits = model.lm_head(hidden).float()
    return torch.nn.functional.cross_entropy(logits, targets, reduction="sum"), len(rows)


@trainers.register("flan_t5.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Trainer(Trainer[Articles]):
    """Teaches the small FLAN-T5 to write headlines; only low-rank updates of its layers are trained.

    The model reads the beginning of an article, with its date where it has one. Half of the headlines are
    said to be short, long or a question before it reads. The loss is that of the headline's tokens. The
    weights with the lowest loss on validation articles are kept.

    Source: Chung et al. 2022 (model); Hu et al. 2022 (updates); Huang et al. 2023 (what is read).
    """

    summary: ClassVar[str] = "Teaches the small FLAN-T5 through low-rank updates"
    kind: ClassVar[str] = "headlines"
    result: ClassVar[str] = "flan_t5_headlines.v1"

    epochs: int = number(2, 1, 100, "passes over the articles")
    batch_size: int = number(16, 1, 1024, "articles of one step")
    learning_rate: float = number(2e-3, 1e-7, 1.0, "highest rate", step=1e-4)
    warmup_steps: int = number(30, 0, 100_000, "steps in which the rate rises")
    rank: int = number(16, 1, 256, "rank of the low-rank updates")
    article_tokens: int = number(200, 8, 2000, "tokens of an article that are read")
    watched: int = number(160, 1, 100_000, "validation articles that are watched")
    validations: int = number(3, 1, 100, "validations an epoch")

    def check(self, articles: Articles) -> None:
        flan_t5.flan_t5_folder()

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        from core.models.networks.low_rank import add_low_rank, t5_layers, write_adapter

        network = base_network(device=runtime.device, half=in_half(runtime))
        # The loaded model is shared with whoever writes in this process.
        network = dataclasses.replace(network, model=copy.deepcopy(network.model))
        model: Any = network.model
        add_low_rank(model, t5_layers(model), rank=self.rank, scale=ALPHA, seed=runtime.seed)
        train, watched = (
            self._lessons(network, articles.part(part), runtime.seed)
            for part in (Part.TRAIN, Part.VALIDATION)
        )
        measured = teach(
            self,
            model,
            train,
            watched=watched,
            run=run,
            runtime=runtime,
            summed=lambda some: _encoder_decoder_loss(network, some),
            length=lambda lesson: len(lesson.read),
        )
        write_adapter(model, run.model, small=True)
        adapter = FlanT5Adapter(
            base=flan_t5.NAME,
            rank=self.rank,
            alpha=ALPHA * self.rank,
            article_tokens=self.article_tokens,
            headline_tokens=HEADLINE_TOKENS,
        )
        adapter.write(run.model)
        run.record(validation=measured)

    def _lessons(self, network: EncoderDecoder, articles: Articles, seed: int) -> list[HeadlineLesson]:
        from core.headlines.hub_writing import WholeArticle
        from research.season import HeadlineLesson, headline_tokens

        random = np.random.default_rng(seed)
        headlines = [" ".join(references[0].split()) for references in articles.references]
        read: list[tuple[int, ...]] = []
        for text, headline in zip(articles.texts, headlines, strict=True):
            told = bool(random.random() < TOLD)
            prefix = prefix_of(
                length_of(headline) if told else Length.USUAL, question=told and is_question(headline)
            )
            read.append(tuple(WholeArticle(network, prefix, self.article_tokens).tokens([text])[0]))
        written = headline_tokens(network, headlines, HEADLINE_TOKENS)
        return [HeadlineLesson(one, own) for one, own in zip(read, written, strict=True)]


def _encoder_decoder_loss(
    network: EncoderDecoder, lessons: Sequence[HeadlineLesson]
) -> tuple[torch.Tensor, int]:
    import torch

    from core.headlines.hub_writing import IGNORED, labels_of, padded

    model = network.model
    ids, present = padded([lesson.read for lesson in lessons], network.pad, model.device)
    labels = labels_of([lesson.written for lesson in lessons], model.device)
    hidden = model.get_encoder()(input_ids=ids, attention_mask=present).last_hidden_state
    start = torch.full_like(labels[:, :1], network.start)
    before = torch.cat([start, labels[:, :-1].masked_fill(labels[:, :-1] == IGNORED, network.pad)], dim=1)
    states = model.get_decoder()(
        input_ids=before, encoder_hidden_states=hidden, encoder_attention_mask=present, use_cache=False
    ).last_hidden_state
    kept = labels != IGNORED
    # The layer over the vocabulary is half of the decoder's work: only where there is a token to guess.
    logits = model.lm_head(states[kept]).float()
    return torch.nn.functional.cross_entropy(logits, labels[kept], reduction="sum"), int(kept.sum())
