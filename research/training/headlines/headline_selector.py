"""Trains a headline selector on judged pairs: CatBoost with PairLogit, stored as plain tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.data.selection_sets import SelectionSet, Verdict
from core.errors import InputError
from core.headlines.selection import (
    NAMES,
    Choices,
    SelectorConfig,
    SelectorModel,
    feature_names,
    features,
    write_model,
)
from core.headlines.selection_study import as_markdown, best_margin, measure
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, TreeTraining, grow, trainers

PATIENCE: Final = 100  # trees without a better validation loss after which growing ends


@trainers.register("headline_selector.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineSelectorTrainer(Trainer[SelectionSet]):
    """Gradient-boosted trees over the headlines of an event, grown on which of two people preferred.

    The validation pairs say when to stop and how wide a draw is; the test files are measured once, for the
    card.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.2; Prokhorenkova et al. 2018 for CatBoost.
    """

    summary: ClassVar[str] = "Grows trees that choose the headline of a group (CatBoost)"
    kind: ClassVar[str] = "selector"
    result: ClassVar[str] = "catboost.v1"

    encoder: str = field(
        default="e5_small.v1", metadata={"help": "encoder that says how close headlines are"}
    )
    directions: int = number(
        0, 0, 256, "directions of the encoder's vectors to weigh; 0 for a model that works with any encoder"
    )
    trees: int = number(300, 1, 10_000, "trees at most")
    depth: int = number(4, 1, 10, "questions of a tree")
    learning_rate: float = number(0.03, 1e-4, 1.0, "what each tree counts")
    l2: float = number(5.0, 0.0, 1000.0, "penalty of the leaves")

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    def check(self, data: SelectionSet) -> None:
        if not _won(data, Part.TRAIN):
            raise InputError(
                "There is no training pair in which one headline is better.",
                hint="Give documents of 25 May 2020, the day that the task learns from.",
            )

    def train(self, data: SelectionSet, run: RunFolder, runtime: Runtime) -> None:
        model = self.learn(data, runtime, run)
        write_model(run.model, model)
        run.record(training_pairs=len(_won(data, Part.TRAIN)), steps=len(model.trees.values))
        trained = f"{self.result}|model:{run.model}"
        table = as_markdown(
            measure(data, runtime, selectors=("medoid.v1", "longest.v1", trained)), paper=False
        )
        run.record(
            measured=[
                table.replace(f"model:{run.model}", "model:RUN/model").strip(),
                f"A draw is called up to a difference of {model.config.margin:.3f}, from validation pairs.",
                "What was not measured: headlines in other languages than Russian"
                + (", and headlines with their capitals and signs." if data.pseudo.any() else "."),
            ]
        )

    def learn(self, data: SelectionSet, runtime: Runtime, run: RunFolder | None = None) -> SelectorModel:
        vectors = encode_cached(data.texts, encoders.parse(self.encoder), runtime)
        directions = _directions(data, vectors, self.directions)
        columns = _columns(data, vectors, directions)
        how = TreeTraining(
            trees=self.trees,
            depth=self.depth,
            learning_rate=self.learning_rate,
            l2=self.l2,
            patience=PATIENCE,
        )
        pools = (_pool(data, columns, Part.TRAIN), _pool(data, columns, Part.VALIDATION))
        trees = grow("PairLogit", *pools, how, runtime, run=run)
        config = SelectorConfig(
            encoder=self.encoder if self.directions else "",
            dimensions=len(directions),
            margin=best_margin(data, trees.predict(columns)),
            features=feature_names(directions.shape[1]),
        )
        return SelectorModel(config, trees, directions)


def _directions(given: SelectionSet, vectors: Float32Array, wanted: int) -> Float32Array:
    if not wanted:
        return np.zeros((0, 0), dtype=np.float32)
    rows = given.pairs(parts=[Part.TRAIN])
    mine = np.unique(np.append(given.left[rows], given.right[rows]))
    centred = vectors[mine].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, _, basis = np.linalg.svd(centred, full_matrices=False)
    chosen = basis[: min(wanted, len(basis))].T
    # The sign of a direction is arbitrary: the largest weight is made positive.
    signs = np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    return np.ascontiguousarray(chosen * signs, dtype=np.float32)


def _columns(given: SelectionSet, vectors: Float32Array, directions: Float32Array) -> FloatArray:
    values = np.zeros((len(given.texts), len(NAMES)))
    for rows in given.members():
        choices = Choices([given.texts[row] for row in rows], given.days[rows], vectors[rows])
        values[rows] = features(choices).values
    if not directions.size:
        return values
    return np.column_stack([values, (vectors @ directions).astype(np.float64)])


def _pool(given: SelectionSet, columns: FloatArray, part: Part) -> Any:
    from catboost import Pool

    won = _won(given, part)
    if not won:
        return None
    sides = [
        (given.left[row], given.right[row])
        if given.verdicts[row] is Verdict.LEFT
        else (given.right[row], given.left[row])
        for row in won
    ]
    used = np.unique(np.array(sides))
    used = used[np.argsort(given.groups[used], kind="stable")]
    place = {row: number for number, row in enumerate(used.tolist())}
    return Pool(
        columns[used],
        label=np.zeros(len(used)),
        group_id=given.groups[used],
        pairs=[(place[int(best)], place[int(other)]) for best, other in sides],
    )


def _won(given: SelectionSet, part: Part) -> list[int]:
    return [
        row
        for row in given.pairs(parts=[part]).tolist()
        if given.verdicts[row] in (Verdict.LEFT, Verdict.RIGHT)
    ]
