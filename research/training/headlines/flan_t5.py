"""The small FLAN-T5 that learns to write headlines through low-rank updates."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core.data.articles.articles import Articles
from core.headlines.hub.opening import FlanT5Adapter, base_network, base_weights, prefix_of
from core.models.language_models.language_model import Length, is_question, length_of
from core.models.networks.flan_t5 import NAME
from core.models.networks.precision import in_half
from core.parts import Part
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.lessons import mean_loss, teach

if TYPE_CHECKING:
    import torch

    from core.headlines.hub.opening import EncoderDecoder
    from research.hub.season import HeadlineLesson

HEADLINE_TOKENS: Final = 40
ALPHA: Final = 2.0
"""The update's scale alpha / rank."""

TOLD: Final = 0.5
"""Share of the headlines whose length and form are told: so the model writes with and without being told."""


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

    epochs: int = field(default=2, metadata={"low": 1, "high": 100, "help": "passes over the articles"})
    batch_size: int = field(default=16, metadata={"low": 1, "high": 1024, "help": "articles of one step"})
    learning_rate: float = field(
        default=2e-3, metadata={"low": 1e-7, "high": 1.0, "step": 1e-4, "help": "highest rate"}
    )
    warmup_steps: int = field(
        default=30, metadata={"low": 0, "high": 100_000, "help": "steps in which the rate rises"}
    )
    rank: int = field(default=16, metadata={"low": 1, "high": 256, "help": "rank of the low-rank updates"})
    article_tokens: int = field(
        default=200, metadata={"low": 8, "high": 2000, "help": "tokens of an article that are read"}
    )
    watched: int = field(
        default=160, metadata={"low": 1, "high": 100_000, "help": "validation articles that are watched"}
    )
    validations: int = field(default=3, metadata={"low": 1, "high": 100, "help": "validations an epoch"})

    def check(self, articles: Articles) -> None:
        base_weights()

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        import dataclasses

        from core.models.networks.low_rank import add_low_rank, t5_layers, write_adapter

        half = in_half(runtime)
        network = base_network(device=runtime.device, half=half)
        # The loaded model is shared with whoever writes in this process.
        network = dataclasses.replace(network, model=copy.deepcopy(network.model))
        model: Any = network.model
        add_low_rank(model, t5_layers(model), rank=self.rank, scale=ALPHA, seed=runtime.seed)
        train = self._lessons(network, articles.part(Part.TRAIN), runtime.seed)
        watched = self._lessons(network, articles.part(Part.VALIDATION), runtime.seed)[: self.watched]

        def summed(some: Sequence[HeadlineLesson]) -> tuple[torch.Tensor, int]:
            return _summed(network, some)

        def validate() -> dict[str, float | None]:
            return {**mean_loss(watched, self.batch_size, summed)}

        teach(
            self,
            model,
            train,
            run,
            runtime,
            summed=summed,
            validate=validate,
            length=lambda lesson: len(lesson.read),
        )
        write_adapter(model, run.model, small=True)
        self.adapter.write(run.model)
        run.record(validation=validate())

    @property
    def adapter(self) -> FlanT5Adapter:
        return FlanT5Adapter(
            base=NAME,
            rank=self.rank,
            alpha=ALPHA * self.rank,
            article_tokens=self.article_tokens,
            headline_tokens=HEADLINE_TOKENS,
        )

    def _lessons(self, network: EncoderDecoder, articles: Articles, seed: int) -> list[HeadlineLesson]:
        from core.headlines.hub.writing import WholeArticle
        from research.hub.season import HeadlineLesson, headline_tokens

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


def _summed(network: EncoderDecoder, lessons: Sequence[HeadlineLesson]) -> tuple[torch.Tensor, int]:
    import torch

    from core.headlines.hub.writing import IGNORED, labels_of, padded

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
