"""Pre-trained encoder-decoders of the hub, fine-tuned on articles with headlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from core.data.articles.articles import Articles
from core.errors import InputError
from core.headlines.generator import headline_generators
from core.headlines.hub.opening import ARTICLE_TOKENS, HEADLINE_TOKENS, find, load, speak, write_note
from core.models.networks.batches import in_half
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from research.generators.encoder_decoders import LANGUAGE, SUMMARIZE
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.lessons import batches_of, rouge_of

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

        from research.training.headlines.hub_lessons import student_of

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
