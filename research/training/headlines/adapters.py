"""Trainers of low-rank updates, by which small language models learn to write headlines."""

import copy
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core.data.articles.articles import Articles
from core.errors import InputError
from core.headlines.hub import EncoderDecoder, FlanT5Adapter, prefix_of
from core.models.language_models import language_model as prompts
from core.models.language_models.causal import AdapterConfig
from core.models.language_models.recipe import language_models
from core.models.networks import flan_t5
from core.models.networks.precision import in_half
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.text.desk_marks import without_dateline
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.teaching import E, teach

if TYPE_CHECKING:
    import torch

    from research.season import HeadlineLesson

HEADLINE_TOKENS: Final = 40
ALPHA: Final = 2.0  # the update's scale alpha / rank
TOLD: Final = 0.5
"""Share of the headlines with a number that are told to hold one, and of those whose length and form FLAN-T5
is told: so the models write with and without being told."""
LETTERS_A_TOKEN: Final = 12  # more than tokens have on average: articles are cut there before they are read


@trainers.register("language_model.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LanguageModelAdapter(Trainer[Articles]):
    """Teaches the small language model to write headlines; only low-rank updates of its layers are trained.

    The model reads the beginning of an article and is told how long the headline is, whether it is a
    question and, for half of those with one, that it holds a number.
    """

    summary: ClassVar[str] = "Teaches the small language model through low-rank updates"
    kind: ClassVar[str] = "headlines"
    result: ClassVar[str] = "smollm2_headlines.v1"
    base: ClassVar[str] = "smollm2.v1"

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
        from core.models.networks.low_rank import llama_layers

        language_model: Any = language_models.parse(self.base).build(runtime)
        # The loaded model is shared with whoever scores or writes in this process.
        model, tokenizer = copy.deepcopy(language_model.model), language_model.tokenizer
        blocks = len(model.model.layers)
        if self.first_block >= blocks:
            hint = f"Set `first_block` below {blocks}."
            raise InputError(f"The language model has {blocks} blocks, so none is left to train.", hint=hint)
        config: dict[str, Any] = {"base": self.base, "first_block": self.first_block}
        _teach_updates(
            self,
            model,
            llama_layers(model, self.first_block),
            lambda some: self._examples(some, tokenizer, runtime.seed),
            articles,
            run=run,
            runtime=runtime,
            config=partial(AdapterConfig, **config, before=prompts.BEFORE, end=prompts.END),
            summed=lambda some: _causal_loss(model, some),
            length=lambda example: len(example[0]),
            perplexity=True,
        )

    def _examples(self, articles: Articles, tokenizer: Any, seed: int) -> list[tuple[list[int], int]]:
        def tokens(text: str, *, plain: bool = False) -> list[int]:
            read = tokenizer(text, add_special_tokens=False, split_special_tokens=plain)
            return list(read["input_ids"])

        random = np.random.default_rng(seed)
        examples = []
        for text, references in zip(articles.texts, articles.references, strict=True):
            number = bool(random.random() < TOLD)
            if not references or not text.strip():
                continue
            headline = " ".join(references[0].split())
            cut = without_dateline(text)[: self.article_tokens * LETTERS_A_TOKEN]
            number, question = number and prompts.has_number(headline), prompts.is_question(headline)
            after = prompts.after_text(prompts.length_of(headline), question=question, number=number)
            read = [*tokens(prompts.BEFORE), *tokens(cut, plain=True)[: self.article_tokens], *tokens(after)]
            written = [*tokens(headline, plain=True)[:HEADLINE_TOKENS], *tokens(prompts.END)]
            examples.append(([*read, *written], len(written)))
        return examples


def _causal_loss(model: Any, batch: Sequence[tuple[list[int], int]]) -> "tuple[torch.Tensor, int]":
    import torch

    # Padding stands on the right, where no token that counts can see it.
    rows = [torch.tensor(tokens, device=model.device) for tokens, _ in batch]
    ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
    before = torch.zeros_like(ids, dtype=torch.bool)
    for row, (tokens, written) in enumerate(batch):
        before[row, len(tokens) - written - 1 : len(tokens) - 1] = True
    hidden = model.model(input_ids=ids, use_cache=False).last_hidden_state[before]
    targets = ids[before.roll(1, dims=1)]
    logits = model.lm_head(hidden).float()
    return torch.nn.functional.cross_entropy(logits, targets, reduction="sum"), len(targets)


@trainers.register("flan_t5.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Trainer(Trainer[Articles]):
    """Teaches the small FLAN-T5 to write headlines; only low-rank updates of its layers are trained.

    The model reads the beginning of an article, with its date where it has one. Half of the headlines are
    said to be short, long or a question before it reads.

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
        from core.headlines.hub_writing import WholeArticle
        from core.models.networks.low_rank import t5_layers
        from research.season import summed_loss

        base = flan_t5.flan_t5(device=runtime.device, half=in_half(runtime))
        network = EncoderDecoder(flan_t5.flan_t5_folder(), *base)
        # The loaded model is shared with whoever writes in this process.
        network = dataclasses.replace(network, model=copy.deepcopy(network.model))
        reader = WholeArticle(network, "", self.article_tokens)
        _teach_updates(
            self,
            network.model,
            t5_layers(network.model),
            lambda some: self._lessons(network, some, runtime.seed),
            articles,
            run=run,
            runtime=runtime,
            config=partial(FlanT5Adapter, base=flan_t5.NAME),
            small=True,
            summed=lambda some: summed_loss(reader, some),
            length=lambda lesson: len(lesson.read),
        )

    def _lessons(self, network: EncoderDecoder, articles: Articles, seed: int) -> "list[HeadlineLesson]":
        from core.headlines.hub_writing import WholeArticle
        from research.season import HeadlineLesson, headline_tokens

        random = np.random.default_rng(seed)
        headlines = [" ".join(references[0].split()) for references in articles.references]
        written = headline_tokens(network, headlines, HEADLINE_TOKENS)
        lessons = []
        for text, headline, tokens in zip(articles.texts, headlines, written, strict=True):
            named = bool(random.random() < TOLD)
            length = prompts.length_of(headline) if named else prompts.Length.USUAL
            prefix = prefix_of(length, question=named and prompts.is_question(headline))
            read = WholeArticle(network, prefix, self.article_tokens).tokens([text])[0]
            lessons.append(HeadlineLesson(tuple(read), tokens))
        return lessons


def _teach_updates(
    trainer: Any,
    model: Any,
    layers: Sequence[str],
    examples: Callable[[Articles], Sequence[E]],
    articles: Articles,
    *,
    run: RunFolder,
    runtime: Runtime,
    config: Callable[..., Any],
    small: bool = False,
    **how: Any,
) -> None:
    from core.models.networks.low_rank import add_low_rank, write_adapter

    add_low_rank(model, layers, rank=trainer.rank, scale=ALPHA, seed=runtime.seed)
    learned, watched = (examples(articles.part(part)) for part in (Part.TRAIN, Part.VALIDATION))
    run.record(half=str(model.dtype))
    measured = teach(trainer, model, learned, watched, run=run, runtime=runtime, clip=1.0, **how)
    write_adapter(model, run.model, small=small)
    sizes = {"rank": trainer.rank, "alpha": ALPHA * trainer.rank, "article_tokens": trainer.article_tokens}
    config(**sizes, headline_tokens=HEADLINE_TOKENS).write(run.model)
    run.record(validation=measured)
