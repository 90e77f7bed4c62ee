"""Trains the trees that tell by words which numeral belongs at a place, and how its number came about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from core.models.boosted_trees import BoostedTrees
from core.numerals.attachment import WAYS
from core.numerals.derivations.operands import FloatArray
from core.numerals.wording.features import wording_of
from core.numerals.wording.model import LexicalModel, way_row
from core.runtime import Runtime
from research.runs.growing import TreeTraining, grow
from research.runs.run_folder import RunFolder
from research.training.numerals.lessons import BlankLesson

STEP: Final = "Reading words around numbers"


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
        [wording_of(one.question) for one in runtime.track(some, STEP)] for some in (learned, watched)
    )
    pools = (_numeral_pool(told, learned), _numeral_pool(seen, watched))
    scorer = grow("QuerySoftMax", *pools, numerals, runtime, run=run)
    rows = [np.array([way_row(read, scorer.predict(read)) for read in some]) for some in (told, seen)]
    chosen = (_grow_way(way, rows, (learned, watched), ways, runtime) for way in range(len(WAYS)))
    return LexicalModel(scorer, tuple(chosen))


def _numeral_pool(told: Sequence[FloatArray], lessons: Sequence[BlankLesson]) -> Any:
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
    lessons: tuple[Sequence[BlankLesson], Sequence[BlankLesson]],
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
    return BoostedTrees(
        np.zeros((1, 1), np.int64), np.full((1, 1), np.inf, np.float32), np.zeros((1, 2)), odds
    )
