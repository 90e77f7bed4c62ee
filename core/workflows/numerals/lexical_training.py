"""Trains the trees that tell by words which numeral belongs at a place, and how its number came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.boosted_trees import BoostedTrees
from core.numerals.attachment import WAYS, Attachment
from core.numerals.derivations.operands import BoolArray, FloatArray
from core.numerals.wording.features import wording_of
from core.numerals.wording.model import LexicalModel, way_row, write_model
from core.runtime import Runtime
from core.workflows.growing import TreeTraining, grow
from core.workflows.numerals.lessons import Lesson

STEP: Final = "Reading words around numbers"
RESAMPLES: Final = 1_000
"""Draws of questions behind an interval."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LexicalTraining:
    """How it is trained.

    Attributes:
        numerals: Of the trees that score numerals.
        ways: Of the trees for each way.
    """

    numerals: TreeTraining = field(
        default_factory=lambda: TreeTraining(trees=700, depth=6, learning_rate=0.08, l2=8.0, patience=60)
    )
    ways: TreeTraining = field(
        default_factory=lambda: TreeTraining(trees=150, depth=4, learning_rate=0.1, l2=8.0, patience=30)
    )


def train_lexical(
    learned: Sequence[Lesson], watched: Sequence[Lesson], how: LexicalTraining, runtime: Runtime
) -> LexicalModel:
    """Grows the trees: the softmax over an article's numerals gives those that the annotation names the most.

    Args:
        learned: What is learned from, one or more.
        watched: They say when to stop, one or more.
        how: See `LexicalTraining`.
        runtime: Progress, stop, seed.

    Raises:
        Cancelled: Somebody asked to stop.
    """
    told, seen = (
        [wording_of(one.question) for one in runtime.track(some, STEP)] for some in (learned, watched)
    )
    pools = (_numeral_pool(told, learned), _numeral_pool(seen, watched))
    numerals = grow("QuerySoftMax", *pools, how.numerals, runtime)
    rows = [np.array([way_row(read, numerals.predict(read)) for read in some]) for some in (told, seen)]
    ways = tuple(_grow_way(way, rows, (learned, watched), how.ways, runtime) for way in range(len(WAYS)))
    return LexicalModel(numerals, ways)


def _numeral_pool(told: Sequence[FloatArray], lessons: Sequence[Lesson]) -> Any:
    from catboost import Pool

    labels = [np.isin(np.arange(len(read)), one.targets) for read, one in zip(told, lessons, strict=True)]
    return Pool(
        np.concatenate(told),
        label=np.concatenate(labels).astype(np.float64),
        group_id=np.repeat(np.arange(len(told)), [len(read) for read in told]),
    )


def _grow_way(
    way: int,
    rows: Sequence[FloatArray],
    lessons: tuple[Sequence[Lesson], Sequence[Lesson]],
    how: TreeTraining,
    runtime: Runtime,
) -> BoostedTrees:
    from catboost import Pool

    labels = [np.array([one.way == way for one in some], dtype=np.float64) for some in lessons]
    share = (labels[0].sum() + 0.5) / (len(labels[0]) + 1)
    if labels[0].min() == labels[0].max():
        return _constant(float(np.log(share / (1 - share))))
    return grow("Logloss", Pool(rows[0], labels[0]), Pool(rows[1], labels[1]), how, runtime)


def _constant(odds: float) -> BoostedTrees:
    """A tree that says the same of all rows: where every lesson has a way, or none has it."""
    return BoostedTrees(
        np.zeros((1, 1), np.int64), np.full((1, 1), np.inf, np.float32), np.zeros((1, 2)), odds
    )


@dataclass(frozen=True, slots=True)
class LexicalFigures:
    """How well numerals and ways are told, each 0–1 with the ends of a 95 % interval over questions.

    Attributes:
        questions: How many there are.
        first: The best-scored numeral is one that the annotation names.
        third: One that it names is among the three best.
        way: The likeliest way is the annotated one.
    """

    questions: int
    first: tuple[float, float, float]
    third: tuple[float, float, float]
    way: tuple[float, float, float]


def measure_lexical(
    attached: Sequence[Attachment], lessons: Sequence[Lesson], *, seed: int
) -> LexicalFigures:
    """Figures of any attacher on annotated headlines, one or more."""
    ranks = np.array([_rank(one, lesson) for one, lesson in zip(attached, lessons, strict=True)])
    ways = np.array([one.ways.argmax() == lesson.way for one, lesson in zip(attached, lessons, strict=True)])
    return LexicalFigures(
        len(lessons), _interval(ranks == 0, seed), _interval(ranks < 3, seed), _interval(ways, seed)
    )


def _rank(attachment: Attachment, lesson: Lesson) -> int:
    order = np.argsort(-attachment.numerals, kind="stable")
    return int(np.flatnonzero(np.isin(order, lesson.targets))[0])


def _interval(right: BoolArray, seed: int) -> tuple[float, float, float]:
    drawn = np.random.default_rng(seed).integers(0, len(right), (RESAMPLES, len(right)))
    low, high = np.quantile(right[drawn].mean(axis=1), (0.025, 0.975))
    return float(right.mean()), float(low), float(high)


def lexical_card(
    figures: dict[str, LexicalFigures], model: LexicalModel, how: LexicalTraining, *, seed: int
) -> str:
    """The README.md of a model.

    Args:
        figures: By the name of what was measured on.
        model: The result.
        how: How it was trained.
        seed: Of the trees.
    """
    rows = [
        f"| {name} | {told.questions:,} | {_shown(told.first)} | {_shown(told.third)} | {_shown(told.way)} |"
        for name, told in figures.items()
    ]
    parts = (
        "# Numerals by words",
        "Says which numeral of an article belongs at a place of a headline, and in which way the number "
        "there came about; `lexical.v1` uses it. Trees weigh shared words, kinds, units, magnitudes and "
        "positions; no word is known to them.",
        "## Data",
        "The annotated rows of NumHG (Huang et al. 2023, CC BY-SA 4.0): four fifths of its training part. A "
        "fifth is kept back for what weighs the scores, the validation part says when to stop, and the test "
        "part was not learned from. No text is in the model.",
        "## Training",
        f"```\nheadline-lab train numerals --attacher lexical --out FOLDER --seed {seed}\n```",
        f"CatBoost, a softmax over the numerals of an article, depth {how.numerals.depth}, learning rate "
        f"{how.numerals.learning_rate:g}, L2 {how.numerals.l2:g}; {len(model.numerals.values)} trees were "
        f"kept by the validation loss. For each way {how.ways.trees} trees at most of depth "
        f"{how.ways.depth}.",
        "## Measured",
        "\n".join(
            (
                "| part | questions | named numeral first | among the first three | way |",
                "| --- | --- | --- | --- | --- |",
                *rows,
            )
        ),
        "Percent with 95 % intervals over questions. What was not measured: languages other than English.",
        "## Licence",
        "Apache-2.0, as the program.",
    )
    return "\n\n".join(parts) + "\n"


def _shown(figure: tuple[float, float, float]) -> str:
    return "{:.1f} [{:.1f}, {:.1f}]".format(*(100 * part for part in figure))


def write_lexical(model: LexicalModel, folder: Path) -> LexicalModel:
    """Writes the model and gives it as it is read back: leaves are kept in 32 bits."""
    from core.numerals.wording.model import read_model

    write_model(folder, model)
    return read_model(folder)
