"""Trains what checks numerals and fills blanks: a network or trees, then trees over what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.data.articles.sets import Blanks
from core.models.boosted_trees import BoostedTrees
from core.models.networks.batches import in_half, plan
from core.models.weights import locate
from core.numerals.alignment import Blend, Lexical, PointerAligner
from core.numerals.checking import Weights, write_weights
from core.numerals.operators import OPERATORS
from core.numerals.question import POINTER_BASE, WAYS, AlignerRecipe
from core.numerals.wording import LexicalModel, way_row, wording_of, write_model
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, TreeTraining, grow, trainers
from research.training.numerals.lessons import (
    BlankLesson,
    blank_exercises,
    constants_of,
    filled_rightly,
    grow_ranking,
    is_judged,
    lessons_of,
    number_exercises,
)

if TYPE_CHECKING:
    import torch

    from core.numerals.pointing import PointerNetwork, QuestionRow

    _Step = tuple[list[QuestionRow], list[BlankLesson]]

TOKENS: Final = 4_096
"""Padded tokens of a step: about 14 articles."""
WAY_WEIGHT: Final = 0.3
"""Of the loss of the ways beside that of the numerals."""
STEP: Final = "Reading words around numbers"


def train_pointer(
    learned: Sequence[BlankLesson],
    watched: Sequence[BlankLesson],
    run: RunFolder,
    runtime: Runtime,
    *,
    epochs: int,
    learning_rate: float,
    rank: int,
) -> PointerNetwork:
    """Trains it in a run folder; the weights that point best on the watched lessons are kept."""
    import torch

    from core.numerals.pointing import PointerNetwork

    network = PointerNetwork(locate(POINTER_BASE), rank=rank, seed=runtime.seed)
    rows = network.tokenizer.rows([lesson.question for lesson in learned])
    watch = _steps(network.tokenizer.rows([lesson.question for lesson in watched]), watched, seed=None)

    def loss(step: _Step) -> torch.Tensor:
        losses = []
        for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
            shares = torch.log_softmax(scores, dim=0)
            losses.append(-torch.logsumexp(shares[torch.from_numpy(lesson.targets)], dim=0))
            losses.append(-WAY_WEIGHT * torch.log_softmax(ways, dim=0)[lesson.way])
        return torch.stack(losses).sum() / len(step[0])

    def validate() -> Mapping[str, float | None]:
        pointed, told = [], []
        for step in watch:
            for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
                pointed.append(int(scores.argmax()) in lesson.targets)
                told.append(int(ways.argmax()) == lesson.way)
        return {"pointed": float(np.mean(pointed)), "ways": float(np.mean(told))}

    task = TrainingTask(
        module=network,
        batches=lambda epoch: _steps(rows, learned, seed=runtime.seed + epoch),
        loss=loss,
        validate=validate,
        best_by="pointed",
    )
    half = in_half(runtime)
    run.record(half=half, trained_weights=sum(part.numel() for part in network.trained().values()))
    schedule = Plan(
        epochs=epochs,
        learning_rate=learning_rate,
        warmup_steps=100,
        validations=2,
        half=half,
        clip=1.0,
    )
    fit(task, schedule, run, runtime)
    return network


def write_pointer(network: PointerNetwork, folder: Path) -> None:
    """Writes what was trained, in half precision."""
    import torch

    files.make_folder(folder)
    ready = {name: part.to("cpu", torch.float16) for name, part in network.trained().items()}
    write_tensors(folder / "pointer.safetensors", ready)


def _steps(rows: Sequence[QuestionRow], lessons: Sequence[BlankLesson], *, seed: int | None) -> list[_Step]:
    lengths = np.array([len(row.ids) for row in rows], dtype=np.float64)
    if seed is not None:
        # Noise mixes neighbours, so that the same articles do not always meet.
        lengths = lengths + np.random.default_rng(seed).uniform(0, 24, len(lengths))
    batches = plan(lengths.astype(np.int64), TOKENS)
    if seed is not None:
        np.random.default_rng(seed).shuffle(batches)
    return [([rows[k] for k in batch], [lessons[k] for k in batch]) for batch in batches]


_NUMERALS: Final = TreeTraining(trees=700, depth=6, learning_rate=0.08, l2=8.0, patience=60)
_WAYS: Final = TreeTraining(trees=150, depth=4, learning_rate=0.1, l2=8.0, patience=30)


def train_lexical(
    learned: Sequence[BlankLesson],
    watched: Sequence[BlankLesson],
    runtime: Runtime,
    *,
    numerals: TreeTraining = _NUMERALS,
    ways: TreeTraining = _WAYS,
    run: RunFolder | None = None,
) -> LexicalModel:
    """Grows the trees: the softmax over an article's numerals gives those that are annotated the most."""
    told, seen = (
        [wording_of(lesson.question) for lesson in runtime.track(some, STEP)] for some in (learned, watched)
    )
    pools = (_numeral_pool(told, learned), _numeral_pool(seen, watched))
    scorer = grow("QuerySoftMax", *pools, numerals, runtime, run=run)
    rows = [np.array([way_row(read, scorer.predict(read)) for read in some]) for some in (told, seen)]
    chosen = (_grow_way(way, rows, (learned, watched), ways, runtime) for way in range(len(WAYS)))
    return LexicalModel(scorer, tuple(chosen))


def _numeral_pool(told: Sequence[FloatArray], lessons: Sequence[BlankLesson]) -> Any:
    from catboost import Pool

    labels = [
        np.isin(np.arange(len(read)), lesson.targets) for read, lesson in zip(told, lessons, strict=True)
    ]
    return Pool(
        np.concatenate(told),
        label=np.concatenate(labels).astype(np.float64),
        group_id=np.repeat(np.arange(len(told)), [len(read) for read in told]),
    )


def _grow_way(
    way: int,
    rows: Sequence[FloatArray],
    lessons: tuple[Sequence[BlankLesson], Sequence[BlankLesson]],
    how: TreeTraining,
    runtime: Runtime,
) -> BoostedTrees:
    from catboost import Pool

    labels = [np.array([one.way == way for one in some], dtype=np.float64) for some in lessons]
    share = (labels[0].sum() + 0.5) / (len(labels[0]) + 1)
    if labels[0].min() == labels[0].max():
        odds = float(np.log(share / (1 - share)))
        return BoostedTrees(
            np.zeros((1, 1), np.int64), np.full((1, 1), np.inf, np.float32), np.zeros((1, 2)), odds
        )
    return grow("Logloss", Pool(rows[0], labels[0]), Pool(rows[1], labels[1]), how, runtime)


_RECIPES: Final[dict[str, Callable[..., AlignerRecipe]]] = {
    "blend": Blend,
    "lexical": Lexical,
    "pointer": PointerAligner,
}
_CALCULATED: Final = tuple(name for name, operator in OPERATORS.items() if operator.combines)


@trainers.register("numeral_aligner.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralAlignerTrainer(Trainer[Blanks]):
    """What says which numbers belong where, and the trees that weigh what it says.

    The aligner learns from four fifths of the training part, the trees from the rest, on which its scores
    are what they are on unseen articles. The validation part says when to stop and fits the constants.

    Source: ours; see the aligners `pointer.v1`, `lexical.v1` and `blend.v1`.
    """

    summary: ClassVar[str] = (
        "Trains what checks numerals and fills blanks: a network or trees, and their weights"
    )
    kind: ClassVar[str] = "numerals"

    aligner: str = field(
        default="pointer",
        metadata={
            "choices": ("pointer", "lexical", "blend"),
            "help": "a network, trees over words, or what weighs the two as they ship",
        },
    )
    epochs: int = number(4, 1, 100, "of the network")
    learning_rate: float = number(1e-3, 1e-7, 1.0, "highest rate of the network", step=1e-4)
    rank: int = number(32, 1, 256, "rank of the network's low-rank updates")
    trees: int = number(600, 1, 10_000, "trees of an ensemble at most")
    depth: int = number(5, 1, 10, "questions of a tree")

    @property
    def result(self) -> str:
        return f"{self.aligner}.v1"

    def check(self, data: Blanks) -> None:
        if self.aligner == "blend":
            Blend().check()
        elif self.aligner == "pointer":
            locate(POINTER_BASE)

    def train(self, data: Blanks, run: RunFolder, runtime: Runtime) -> None:
        given = data.part(Part.TRAIN)
        run.record(training_rows=len(given))
        if self.aligner != "blend":
            learned = lessons_of(given.at(_rows(given, lambda text: not is_judged(text))), runtime)
            watched = lessons_of(data.part(Part.VALIDATION), runtime)
            if self.aligner == "lexical":
                write_model(run.model, train_lexical(learned, watched, runtime, run=run))
            else:
                network = train_pointer(
                    learned,
                    watched,
                    run,
                    runtime,
                    epochs=self.epochs,
                    learning_rate=self.learning_rate,
                    rank=self.rank,
                )
                write_pointer(network, run.model)
        weights, right = self.weigh(_RECIPES[self.aligner](model=str(run.model)), data, runtime, run)
        write_weights(run.model, weights)
        run.record(validation={"blanks_filled_rightly": right, **asdict(weights.constants)})

    def weigh(
        self, recipe: AlignerRecipe, blanks: Blanks, runtime: Runtime, run: RunFolder | None = None
    ) -> tuple[Weights, float]:
        """Grows the trees of any aligner and fits their constants."""
        how = TreeTraining(trees=self.trees, depth=self.depth)
        aligner = recipe.build(runtime)
        given, watched = blanks.part(Part.TRAIN), blanks.part(Part.VALIDATION)
        learned = given.at(_rows(given, is_judged))
        fillings = blank_exercises(watched, aligner, runtime)
        answers = grow_ranking(blank_exercises(learned, aligner, runtime), fillings, how, runtime, run=run)
        # Of arithmetic there are too few rows to learn from; the aligner has seen these.
        summed = given.at(_rows(given, is_judged, arithmetic=True))
        numbers = number_exercises(summed, aligner, runtime)
        held = number_exercises(watched, aligner, runtime)
        derivations = grow_ranking(numbers, held, how, runtime, run=run)
        constants = constants_of(answers, fillings, watched, runtime)
        right = filled_rightly(answers, constants.sharpness, fillings, watched)
        return Weights(derivations, answers, constants), right


def _rows(blanks: Blanks, wanted: Callable[[str], bool], *, arithmetic: bool = False) -> list[int]:
    return [
        row
        for row, text in enumerate(blanks.texts)
        if wanted(text) or (arithmetic and blanks.annotations[row].lstrip().startswith(_CALCULATED))
    ]
