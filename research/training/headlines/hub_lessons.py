"""A pre-trained encoder-decoder that learns: what it reads and writes as lessons, its loss, its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from torch import Tensor, nn

from core import files
from core.data.articles.articles import Articles
from core.headlines.generator import Wishes
from core.headlines.hub.opening import EncoderDecoder
from core.headlines.hub.writing import FirstToken, HubSearchSettings, Reader, WholeArticle, writer_of
from core.headlines.metrics.lexical import rouge_pairs
from core.runtime import Runtime
from core.text.language import language_of
from research.hub.season import (
    HeadlineLesson,
    MarkedSentences,
    brio_loss,
    degree_of,
    guide,
    headline_tokens,
    new_salience,
    season_loss,
    unguide,
    write_salience,
    writing_loss,
)
from research.neural.batches import shuffled
from research.runs.run_folder import RunFolder
from research.training.headlines.lessons import mean_loss

if TYPE_CHECKING:
    from research.training.headlines.hub_seq2seq import HubSeq2Seq

CANDIDATES: Final = "candidates.json"
"""In a run's folder: what BRIO's base wrote, so that a run that goes on need not write it again."""

ENCODER: Final = "encoder"


@dataclass(slots=True, eq=False)
class Student:
    trainer: HubSeq2Seq
    reader: Reader
    module: nn.Module
    wrapped: Any = field(default=None)

    @property
    def network(self) -> EncoderDecoder:
        return self.reader.network

    def lessons(self, articles: Articles, run: RunFolder | None, runtime: Runtime) -> list[HeadlineLesson]:
        """Articles with their first references; of BRIO with candidates where there is a run to keep them."""
        headlines = [references[0] for references in articles.references]
        read = self.reader.tokens(articles.texts)
        written = headline_tokens(self.network, headlines, self.trainer.headline_tokens)
        degrees: Sequence[tuple[int, ...]] = [()] * len(articles)
        ranked: Sequence[tuple[tuple[int, ...], ...]] = [()] * len(articles)
        if isinstance(self.reader, MarkedSentences):
            degrees = [
                salient(self.reader.sentences(text)[1], headline)
                for text, headline in zip(articles.texts, headlines, strict=True)
            ]
        if self.trainer.system == "brio" and run is not None:
            ranked = self._candidates(articles, headlines, run, runtime)
        return [
            HeadlineLesson(tuple(one), own, degree, others)
            for one, own, degree, others in zip(read, written, degrees, ranked, strict=True)
        ]

    def _candidates(
        self, articles: Articles, headlines: Sequence[str], run: RunFolder, runtime: Runtime
    ) -> list[tuple[tuple[int, ...], ...]]:
        path = run.path / CANDIDATES
        if not path.is_file():
            count = self.trainer.candidates
            search = HubSearchSettings(beams=count, pool=count, most_tokens=self.trainer.headline_tokens)
            writer = writer_of(self.reader, search)
            found = writer.write(articles.texts, Wishes(candidates=count), runtime)
            texts = [[one.text for one in row if one.text] for row in found]
            files.write(path, json.dumps(texts, ensure_ascii=False).encode())
        written: list[list[str]] = json.loads(path.read_text(encoding="utf-8"))
        ordered = []
        for own, headline in zip(written, headlines, strict=True):
            scores = rouge_pairs(own, [headline] * len(own), language=language_of(headline))
            order = np.argsort(-scores.f1.mean(axis=1), kind="stable")
            best = [own[place] for place in order.tolist()]
            ordered.append(tuple(headline_tokens(self.network, best, self.trainer.headline_tokens)))
        return ordered

    def batches(
        self, lessons: Sequence[HeadlineLesson], size: int, seed: Sequence[int]
    ) -> list[list[HeadlineLesson]]:
        """Lessons of like length in batches, in a random order."""
        rows = shuffled([len(lesson.read) for lesson in lessons], size, np.random.default_rng(seed))
        return [[lessons[row] for row in batch] for batch in rows]

    def loss(self, lessons: Sequence[HeadlineLesson]) -> Tensor:
        if isinstance(self.reader, MarkedSentences):
            return season_loss(self.reader, lessons, self.trainer.smoothing)
        if self.trainer.system == "brio":
            return brio_loss(self.reader, lessons, self.trainer.rank_penalty)
        return writing_loss(self.reader, lessons, self.trainer.smoothing)

    def watch(self, lessons: Sequence[HeadlineLesson], size: int) -> Mapping[str, float | None]:
        """Mean negative log-likelihood a token of the headlines, in nats; empty for no lessons."""
        training = self.module.training
        self.module.eval()

        def summed(some: Sequence[HeadlineLesson]) -> tuple[Tensor, int]:
            count = sum(len(lesson.written) for lesson in some)
            return writing_loss(self.reader, some, 0.0) * count, count

        found = mean_loss(lessons, size, summed)
        self.module.train(training)
        return found

    def merge(self) -> None:
        """Adds low-rank updates to the weights, and takes away what guided the decoder."""
        self.module.eval()
        if self.wrapped is not None:
            self.wrapped.merge_and_unload()
            self.wrapped = None
        if isinstance(self.reader, MarkedSentences):
            unguide(self.network.model)

    def write(self, folder: Path) -> None:
        """Writes the model as transformers does, and what its generator needs beside it."""
        network = self.network
        network.model.save_pretrained(folder)
        network.tokenizer.save_pretrained(folder)
        if isinstance(self.reader, MarkedSentences):
            write_salience(self.reader.salience, folder)
        if isinstance(self.reader, FirstToken):
            network.model.get_encoder().save_pretrained(folder / ENCODER)
            network.tokenizer.save_pretrained(folder / ENCODER)


def student_of(trainer: HubSeq2Seq, network: EncoderDecoder) -> Student:
    """A model ready to learn; everything random is drawn by torch's generator, which the caller seeds."""
    model = network.model
    for name, part in model.named_parameters():
        # Pegasus' places are sinusoids.
        part.requires_grad_(not (model.config.model_type == "pegasus" and "embed_positions" in name))
    reader: Reader
    added: list[nn.Module] = []
    if trainer.system == "season":
        salience = new_salience(network)
        guide(model, salience)
        added.append(salience)
        reader = MarkedSentences(network, salience, trainer.article_tokens)
    elif trainer.system == "ttgen_bottleneck":
        reader = FirstToken(network, "", trainer.article_tokens)
    else:
        reader = WholeArticle(
            network, trainer.prefix if trainer.system == "t5" else "", trainer.article_tokens
        )
    wrapped = _adapted(model, trainer.rank) if trainer.adapter == "lora" else None
    return Student(trainer, reader, nn.ModuleList([wrapped or model, *added]), wrapped)


def _adapted(model: Any, rank: int) -> Any:
    from peft import LoraConfig, get_peft_model

    last = model.get_output_embeddings()
    wanted = [
        name for name, layer in model.named_modules() if isinstance(layer, nn.Linear) and layer is not last
    ]
    return get_peft_model(model, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=wanted))


def salient(sentences: Sequence[str], headline: str) -> tuple[int, ...]:
    """The degree of salience of each sentence, by its ROUGE-L with the headline."""
    scores = rouge_pairs(list(sentences), [headline] * len(sentences), language=language_of(headline))
    return tuple(degree_of(float(value)) for value in scores.f1[:, 2])
