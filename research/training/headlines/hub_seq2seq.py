"""Pre-trained encoder-decoders of the hub, fine-tuned on articles with headlines."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from torch import Tensor, nn

from core import files
from core.data.articles.articles import Articles
from core.errors import InputError
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.hub import EncoderDecoder
from core.headlines.hub_writing import HubSearchSettings, WholeArticle, writer_of
from core.headlines.metrics.lexical import rouge_pairs
from core.models.networks.precision import in_half
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.tensor_files import write_tensors
from core.text.language import language_of
from research import hub, season
from research.generators import LANGUAGE
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.season import FirstToken, HeadlineLesson, MarkedSentences
from research.training.headlines.teaching import rouge_of, teach

CANDIDATES: Final = "candidates.json"  # in a run's folder: what BRIO's base wrote, for a run that goes on
SYSTEMS: Final = ("bart", "t5", "pegasus", "brio", "season", "mbart", "rubert_seq2seq", "ttgen_bottleneck")


class Student(NamedTuple):
    trainer: "HubSeq2Seq"
    reader: WholeArticle
    module: nn.Module
    wrapped: Any  # the model with low-rank updates, None where every weight is trained

    @property
    def network(self) -> EncoderDecoder:
        return self.reader.network

    def lessons(self, articles: Articles, run: RunFolder | None, runtime: Runtime) -> list[HeadlineLesson]:
        """Articles with their first references; of BRIO with candidates where there is a run to keep them."""
        headlines = [references[0] for references in articles.references]
        rows = map(tuple, self.reader.tokens(articles.texts))
        written = season.headline_tokens(self.network, headlines, self.trainer.headline_tokens)
        lessons = list(map(HeadlineLesson, rows, written))
        if isinstance(self.reader, MarkedSentences):
            sentences = (self.reader.sentences(text)[1] for text in articles.texts)
            degrees = map(season.salient, sentences, headlines)
            return [replace(lesson, degrees=degree) for lesson, degree in zip(lessons, degrees, strict=True)]
        if self.trainer.system == "brio" and run is not None:
            ranked = self._candidates(articles, headlines, run, runtime)
            return [replace(lesson, candidates=own) for lesson, own in zip(lessons, ranked, strict=True)]
        return lessons

    def _candidates(
        self, articles: Articles, headlines: Sequence[str], run: RunFolder, runtime: Runtime
    ) -> list[tuple[tuple[int, ...], ...]]:
        path = run.path / CANDIDATES
        if not path.is_file():
            count = self.trainer.candidates
            search = HubSearchSettings(beams=count, pool=count, most_tokens=self.trainer.headline_tokens)
            options = GenerationOptions(candidates=count)
            rows = writer_of(self.reader, search).write(articles.texts, options, runtime)
            texts = [[candidate.text for candidate in row if candidate.text] for row in rows]
            files.write(path, json.dumps(texts, ensure_ascii=False).encode())
        written: list[list[str]] = json.loads(path.read_text(encoding="utf-8"))
        ordered = []
        for own, headline in zip(written, headlines, strict=True):
            scores = rouge_pairs(own, [headline] * len(own), language=language_of(headline))
            order = np.argsort(-scores.f1.mean(axis=1), kind="stable")
            best = [own[place] for place in order.tolist()]
            ordered.append(tuple(season.headline_tokens(self.network, best, self.trainer.headline_tokens)))
        return ordered

    def loss(self, lessons: Sequence[HeadlineLesson]) -> Tensor:
        if isinstance(self.reader, MarkedSentences):
            return season.season_loss(self.reader, lessons, self.trainer.smoothing)
        if self.trainer.system == "brio":
            return season.brio_loss(self.reader, lessons, self.trainer.rank_penalty)
        return season.writing_loss(self.reader, lessons, self.trainer.smoothing)

    def write(self, folder: Path) -> None:
        """Low-rank updates are added to the weights."""
        network = self.network
        if self.wrapped is not None:
            self.wrapped.merge_and_unload()
        if isinstance(self.reader, MarkedSentences):
            season.unguide(network.model)
        network.model.save_pretrained(folder)
        network.tokenizer.save_pretrained(folder)
        if isinstance(self.reader, MarkedSentences):
            write_tensors(folder / season.FILE, self.reader.salience.state_dict())
        if isinstance(self.reader, FirstToken):
            network.model.get_encoder().save_pretrained(folder / "encoder")
            network.tokenizer.save_pretrained(folder / "encoder")


def student_of(trainer: "HubSeq2Seq", network: EncoderDecoder) -> Student:
    """A model ready to learn; everything random is drawn by torch's generator, which the caller seeds."""
    model = network.model
    for name, part in model.named_parameters():
        # Pegasus' places are sinusoids.
        part.requires_grad_(not (model.config.model_type == "pegasus" and "embed_positions" in name))
    given = network, hub.before_articles(network, trainer.prefix), trainer.article_tokens
    added: list[Any] = []
    if trainer.system == "season":
        added.append(season.new_salience(network))
        season.guide(model, *added)
    kinds: dict[str, Any] = {"season": MarkedSentences, "ttgen_bottleneck": FirstToken}
    reader = kinds.get(trainer.system, WholeArticle)(*given, *added)
    wrapped = None
    if trainer.adapter == "lora":
        from peft import LoraConfig, get_peft_model

        last, layers = model.get_output_embeddings(), dict(model.named_modules())
        wanted = [name for name, part in layers.items() if isinstance(part, nn.Linear) and part is not last]
        rank = trainer.rank
        wrapped = get_peft_model(model, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=wanted))
    return Student(trainer, reader, nn.ModuleList([wrapped or model, *added]), wrapped)


@trainers.register("hub_seq2seq.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HubSeq2Seq(Trainer[Articles]):
    """Fine-tunes any pre-trained encoder-decoder to write headlines; "Models of the hub" in docs/training.md.

    Rate, epochs, batch and beams are NumHG's (Huang et al. 2023, section 4).

    Source: see the generators; Hu et al. 2022 for the low-rank updates.
    """

    summary: ClassVar[str] = "Fine-tunes a pre-trained encoder-decoder: BART, T5, Pegasus, BRIO, SEASON, …"
    kind: ClassVar[str] = "headlines"

    system: str = told("bart", "how it reads and learns", choices=SYSTEMS)
    base: str = told("facebook/bart-large", "folder or hub id of the model to start from", label="Base model")
    adapter: str = told(
        "lora", "low-rank updates or every weight", choices=("lora", "full"), label="What is trained"
    )
    rank: int = number(16, 1, 256, "rank of the low-rank updates")
    epochs: int = number(15, 1, 1000, "passes over the articles")
    batch_size: int = number(16, 1, 1024, "articles of one step")
    learning_rate: float = number(5e-5, 1e-7, 1.0, "highest rate", step=1e-5)
    warmup_steps: int = number(0, 0, 100_000, "steps in which the rate rises")
    smoothing: float = number(0.0, 0.0, 0.5, "probability spread over all tokens")
    patience: int = number(3, 0, 100, "epochs without a lower loss; 0 for never")
    article_tokens: int = field(default=512, metadata=hub.ARTICLE_TOKENS)
    headline_tokens: int = field(default=40, metadata=hub.HEADLINE_TOKENS)
    prefix: str = told("", "T5's: stands before every article; empty for the base's")
    language: str = told(LANGUAGE, "mBART's: code of the language")
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
        hub.find(self.base, self._recipe.kinds)

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        import torch

        # Loaded anew: training changes it. Weights stay in float32.
        network = hub.load(hub.find(self.base, self._recipe.kinds), device=runtime.device, half=False)
        if self.system == "mbart":
            hub.speak(network, self.language)
        torch.manual_seed(runtime.seed)
        student = student_of(self, network)
        validation, half = articles.part(Part.VALIDATION), in_half(runtime)
        watched = validation.at(range(min(self.watched, len(validation))))
        run.record(half=half)
        measured = teach(
            self,
            student.module,
            student.lessons(articles.part(Part.TRAIN), run, runtime),
            student.lessons(watched, None, runtime),
            run=run,
            runtime=runtime,
            summed=lambda some: season.summed_loss(student.reader, some),
            length=lambda lesson: len(lesson.read),
            loss=student.loss,
            half=half,
        )
        student.write(run.model)
        own = {"prefix": student.reader.prefix} if network.model.config.model_type in hub.T5 else {}
        own |= {"language": self.language} if self.system == "mbart" else {}
        hub.write_note(run.model, system=self.system, **own)
        sizes = {"article_tokens": self.article_tokens, "headline_tokens": self.headline_tokens}
        generator = self._recipe(model=str(run.model), **sizes).build(runtime)
        run.record(validation=measured | rouge_of(generator, watched))

    @property
    def _recipe(self) -> Any:
        return headline_generators.get(self.result)
