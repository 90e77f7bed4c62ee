"""Pre-trained encoder-decoders of the hub, fine-tuned on articles with headlines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from torch import Tensor, nn

from core import files
from core.data.articles.articles import Articles
from core.errors import InputError
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.hub import (
    ARTICLE_TOKENS,
    HEADLINE_TOKENS,
    EncoderDecoder,
    find,
    load,
    speak,
    write_note,
)
from core.headlines.hub_writing import FirstToken, HubSearchSettings, Reader, WholeArticle, writer_of
from core.headlines.metrics.lexical import rouge_pairs
from core.models.networks.batches import in_half
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.text.language import language_of
from research.generators import LANGUAGE, SUMMARIZE
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.season import (
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
from research.training.headlines.adapters import batches_of, mean_loss, rouge_of

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
            found = writer.write(articles.texts, GenerationOptions(candidates=count), runtime)
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
        self.module.eval()
        if self.wrapped is not None:
            self.wrapped.merge_and_unload()
            self.wrapped = None
        if isinstance(self.reader, MarkedSentences):
            unguide(self.network.model)

    def write(self, folder: Path) -> None:
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
    scores = rouge_pairs(list(sentences), [headline] * len(sentences), language=language_of(headline))
    return tuple(degree_of(float(value)) for value in scores.f1[:, 2])


SYSTEMS: Final = ("bart", "t5", "pegasus", "brio", "season", "mbart", "rubert_seq2seq", "ttgen_bottleneck")


@trainers.register("hub_seq2seq.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HubSeq2Seq(Trainer[Articles]):
    """Fine-tunes any pre-trained encoder-decoder to write headlines, with low-rank updates or whole.

    `system` decides how it reads and what it learns: BRIO first lets the base write candidates for every
    training article, which should be a model that writes headlines already; SEASON learns the salience of
    sentences too; TTGenBottleneck leaves its encoder in the folder `encoder` for grouping. The weights with
    the lowest loss on watched validation articles are kept, and low-rank updates are added to the weights.

    Rate, epochs, batch and beams are NumHG's (Huang et al. 2023, section 4).

    Source: see the generators; Hu et al. 2022 for the low-rank updates.
    """

    summary: ClassVar[str] = "Fine-tunes a pre-trained encoder-decoder: BART, T5, Pegasus, BRIO, SEASON, …"
    kind: ClassVar[str] = "headlines"

    system: str = field(default="bart", metadata={"choices": SYSTEMS, "help": "how it reads and learns"})
    base: str = field(
        default="facebook/bart-large",
        metadata={"label": "Base model", "help": "folder or hub id of the model to start from"},
    )
    adapter: str = field(
        default="lora",
        metadata={
            "choices": ("lora", "full"),
            "label": "What is trained",
            "help": "low-rank updates or every weight",
        },
    )
    rank: int = number(16, 1, 256, "rank of the low-rank updates")
    epochs: int = number(15, 1, 1000, "passes over the articles")
    batch_size: int = number(16, 1, 1024, "articles of one step")
    learning_rate: float = number(5e-5, 1e-7, 1.0, "highest rate", step=1e-5)
    warmup_steps: int = number(0, 0, 100_000, "steps in which the rate rises")
    smoothing: float = number(0.0, 0.0, 0.5, "probability spread over all tokens")
    patience: int = number(3, 0, 100, "epochs without a lower loss; 0 for never")
    article_tokens: int = field(default=512, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=40, metadata=HEADLINE_TOKENS)
    prefix: str = field(default=SUMMARIZE, metadata={"help": "T5's: stands before every article"})
    language: str = field(default=LANGUAGE, metadata={"help": "mBART's: code of the language"})
    candidates: int = number(16, 2, 20, "BRIO's: headlines an article that are ranked")
    rank_penalty: float = number(1.0, 0.0, 5.0, "BRIO's: power of the tokens that a score is divided by")
    watched: int = number(200, 1, 100_000, "validation articles that are watched")

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise InputError(f"system cannot be {self.system!r}.", hint=f"Give one of {', '.join(SYSTEMS)}.")
        if "|" in self.base + self.prefix + self.language:
            raise InputError("Base, prefix and language cannot hold '|'.", hint="Rename the folder.")

    @property
    def result(self) -> str:
        return f"{self.system}.v1"

    def check(self, articles: Articles) -> None:
        find(self.base, self._recipe.kinds)

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        import torch

        # Loaded anew: training changes it. Weights stay in float32.
        network = load(find(self.base, self._recipe.kinds), device=runtime.device, half=False)
        if self.system == "mbart":
            speak(network, self.language)
        torch.manual_seed(runtime.seed)
        student = student_of(self, network)
        lessons = student.lessons(articles.part(Part.TRAIN), run, runtime)
        validation = articles.part(Part.VALIDATION)
        watched = validation.at(range(min(self.watched, len(validation))))
        watched_lessons = student.lessons(watched, None, runtime)
        half = in_half(runtime)
        run.record(
            trained_weights=sum(part.numel() for part in student.module.parameters() if part.requires_grad),
            training_articles=len(lessons),
            half=half,
        )
        fit(
            TrainingTask(
                module=student.module,
                batches=lambda epoch: batches_of(
                    lessons, lambda lesson: len(lesson.read), self.batch_size, [runtime.seed, epoch]
                ),
                loss=student.loss,
                validate=lambda: student.watch(watched_lessons, self.batch_size),
                best_by="loss",
                lower_is_better=True,
            ),
            Plan(
                epochs=self.epochs,
                learning_rate=self.learning_rate,
                warmup_steps=self.warmup_steps,
                patience=self.patience,
                half=half,
            ),
            run,
            runtime,
        )
        measured = dict(student.watch(watched_lessons, self.batch_size))
        student.merge()
        student.write(run.model)
        own = {"t5": {"prefix": self.prefix}, "mbart": {"language": self.language}}
        write_note(run.model, system=self.system, **own.get(self.system, {}))
        generator = self._recipe(
            model=str(run.model), article_tokens=self.article_tokens, headline_tokens=self.headline_tokens
        ).build(runtime)
        run.record(validation=measured | rouge_of(generator, watched))

    @property
    def _recipe(self) -> Any:
        return headline_generators.get(self.result)
