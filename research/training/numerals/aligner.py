"""Trains what checks numerals and fills blanks: a network or trees, then trees over what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.data.articles.blanks import Blanks
from core.models.boosted_trees import BoostedTrees
from core.models.networks import batches
from core.models.networks.precision import in_half
from core.models.weights import locate
from core.numerals.lexical import LexicalModel, way_row, write_model
from core.numerals.operators import OPERATORS
from core.numerals.question import WAYS, source_aligners
from core.numerals.weighing import Weights, write_weights
from core.numerals.wording import wording_of
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.tensor_files import write_tensors
from research.aligners import POINTER_BASE, Blend
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.runs.trees import TreeTraining, grow
from research.training.numerals.lessons import (
    BlankLesson,
    Exercise,
    candidate_pool,
    constants_of,
    exercises_of,
    is_judged,
    lessons_of,
    ranking_pool,
)

if TYPE_CHECKING:
    import torch

    from research.pointing import PointerNetwork
    from research.pointing_rows import QuestionRow

    _Step = tuple[list[QuestionRow], list[BlankLesson]]

TOKENS: Final = 4_096  # padded tokens of a step: about 14 articles
WAY_WEIGHT: Final = 0.3  # of the loss of the ways beside that of the numerals
_NUMERALS: Final = TreeTraining(trees=700, depth=6, learning_rate=0.08, l2=8.0, patience=60)
_WAYS: Final = TreeTraining(trees=150, depth=4, learning_rate=0.1, l2=8.0, patience=30)
_ALIGNERS: Final = "a network, trees over words, or what weighs the two as they ship"
_CALCULATED: Final = tuple(name for name, operator in OPERATORS.items() if operator.combines)


def train_pointer(
    how: NumeralAlignerTrainer,
    learned: Sequence[BlankLesson],
    watched: Sequence[BlankLesson],
    run: RunFolder,
    runtime: Runtime,
) -> PointerNetwork:
    import torch

    from research.pointing import PointerNetwork

    network = PointerNetwork(locate(POINTER_BASE), rank=how.rank, seed=runtime.seed)
    rows = network.tokenizer.rows([lesson.question for lesson in learned])
    watch = _steps(network.tokenizer.rows([lesson.question for lesson in watched]), watched)

    def loss(step: _Step) -> torch.Tensor:
        losses = []
        for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
            shares = torch.log_softmax(scores, dim=0)
            losses.append(-torch.logsumexp(shares[torch.from_numpy(lesson.targets)], dim=0))
            losses.append(-WAY_WEIGHT * torch.log_softmax(ways, dim=0)[lesson.way])
        return torch.stack(losses).sum() / len(step[0])

    def validate() -> Mapping[str, float | None]:
        pointed, classified = [], []
        for step in watch:
            for lesson, (scores, ways) in zip(step[1], network(step[0]), strict=True):
                pointed.append(int(scores.argmax()) in lesson.targets)
                classified.append(int(ways.argmax()) == lesson.way)
        return {"pointed": float(np.mean(pointed)), "ways": float(np.mean(classified))}

    def steps(epoch: int) -> list[_Step]:
        return _steps(rows, learned, runtime.seed + epoch)

    task = TrainingTask(network, steps, loss, validate, best_by="pointed")
    plan = settings_of(Plan, how, warmup_steps=100, validations=2, half=in_half(runtime), clip=1.0)
    run.record(half=plan.half)
    fit(task, plan, run, runtime)
    return network


def write_pointer(network: PointerNetwork, folder: Path) -> None:
    import torch

    files.make_folder(folder)
    ready = {name: part.to("cpu", torch.float16) for name, part in network.trained().items()}
    write_tensors(folder / "pointer.safetensors", ready)


def _steps(
    rows: Sequence[QuestionRow], lessons: Sequence[BlankLesson], seed: int | None = None
) -> list[_Step]:
    lengths = np.array([len(row.ids) for row in rows], dtype=np.float64)
    if seed is not None:
        # Noise mixes neighbours, so that the same articles do not always meet.
        lengths += np.random.default_rng(seed).uniform(0, 24, len(lengths))
    planned = batches.plan(lengths.astype(np.int64), TOKENS)
    if seed is not None:
        np.random.default_rng(seed).shuffle(planned)
    return [([rows[k] for k in batch], [lessons[k] for k in batch]) for batch in planned]


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
    from catboost import Pool

    wordings, seen = (
        [wording_of(lesson.question) for lesson in runtime.track(some, "Reading words around numbers")]
        for some in (learned, watched)
    )

    def pool(read: Sequence[FloatArray], lessons: Sequence[BlankLesson]) -> Any:
        right = (np.isin(np.arange(len(own)), of.targets) for own, of in zip(read, lessons, strict=True))
        return ranking_pool(zip(read, (each.astype(np.float64) for each in right), strict=True))

    scorer = grow("QuerySoftMax", (pool(wordings, learned), pool(seen, watched)), numerals, runtime, run)
    rows = [np.array([way_row(read, scorer.predict(read)) for read in some]) for some in (wordings, seen)]

    def way_trees(way: int) -> BoostedTrees:
        labels = [np.array([lesson.way == way for lesson in some], float) for some in (learned, watched)]
        if labels[0].min() < labels[0].max():
            return grow("Logloss", tuple(map(Pool, rows, labels)), ways, runtime)
        share = (labels[0].sum() + 0.5) / (len(labels[0]) + 1)
        odds, splits = float(np.log(share / (1 - share))), np.full((1, 1), np.inf, np.float32)
        return BoostedTrees(np.zeros((1, 1), np.int64), splits, np.zeros((1, 2)), odds)

    return LexicalModel(scorer, tuple(map(way_trees, range(len(WAYS)))))


@trainers.register("numeral_aligner.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralAlignerTrainer(Trainer[Blanks]):
    """What says which numbers belong where, and the trees that weigh what it says.

    The aligner learns from four fifths of the training part, the trees from the rest, on which its scores
    are what they are on unseen articles. The validation part says when to stop and fits the constants.

    Source: ours; see the aligners `pointer.v1`, `lexical.v1` and `blend.v1`.
    """

    summary: ClassVar[str] = "Trains what checks numerals and fills blanks: a network or trees, their weights"
    kind: ClassVar[str] = "numerals"

    aligner: str = told("pointer", _ALIGNERS, choices=("pointer", "lexical", "blend"))
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
                write_pointer(train_pointer(self, learned, watched, run, runtime), run.model)
        aligner = source_aligners.get(self.result)(model=str(run.model)).build(runtime)
        how, held = TreeTraining(trees=self.trees, depth=self.depth), data.part(Part.VALIDATION)

        def ranking(learned: Blanks, watched: list[Exercise], *, filled: bool) -> BoostedTrees:
            exercises = exercises_of(learned, aligner, runtime, filled=filled)
            pools = candidate_pool(exercises), candidate_pool(watched)
            return grow("QuerySoftMax", pools, how, runtime, run)

        fillings = exercises_of(held, aligner, runtime, filled=False)
        answers = ranking(given.at(_rows(given, is_judged)), fillings, filled=False)
        # Of arithmetic there are too few rows to learn from; the aligner has seen these.
        summed = given.at(_rows(given, is_judged, arithmetic=True))
        derivations = ranking(summed, exercises_of(held, aligner, runtime, filled=True), filled=True)
        constants, right = constants_of(answers, fillings, held, runtime)
        write_weights(run.model, Weights(derivations, answers, constants))
        run.record(validation={"blanks_filled_rightly": right, **asdict(constants)})


def _rows(blanks: Blanks, wanted: Callable[[str], bool], *, arithmetic: bool = False) -> list[int]:
    return [
        row
        for row, text in enumerate(blanks.texts)
        if wanted(text) or (arithmetic and blanks.annotations[row].lstrip().startswith(_CALCULATED))
    ]
