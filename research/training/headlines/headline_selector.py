"""The trainer of a headline selector, on judged pairs."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.arrays import Float32Array, FloatArray
from core.data.dialogue2021 import SelectionSet, Verdict
from core.errors import InputError
from core.headlines import selection
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.runs.trees import TreeTraining, grow, signed
from research.training.headlines.selector_accuracy import as_markdown, best_margin, measure


@trainers.register("headline_selector.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineSelectorTrainer(Trainer[SelectionSet]):
    """Gradient-boosted trees over the headlines of an event, grown on which of two people preferred.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.2; Prokhorenkova et al. 2018 for CatBoost.
    """

    summary: ClassVar[str] = "Grows trees that choose the headline of a group (CatBoost)"
    kind: ClassVar[str] = "selector"
    result: ClassVar[str] = "catboost.v1"

    encoder: str = told("e5_small.v1", "encoder that says how close headlines are")
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
            hint = "Give documents of 25 May 2020, the day that the task learns from."
            raise InputError("There is no training pair in which one headline is better.", hint=hint)

    def train(self, data: SelectionSet, run: RunFolder, runtime: Runtime) -> None:
        model = self.learn(data, runtime, run)
        selection.write_model(run.model, model)
        run.record(training_pairs=len(_won(data, Part.TRAIN)), steps=len(model.trees.values))
        trained = f"{self.result}|model:{run.model}"
        table = as_markdown(measure(data, runtime, selectors=("medoid.v1", "longest.v1", trained)))
        told = [
            table.replace(f"model:{run.model}", "model:RUN/model").strip(),
            f"A draw is called up to a difference of {model.config.margin:.3f}, from validation pairs.",
            "What was not measured: headlines in other languages than Russian"
            + (", and headlines with their capitals and signs." if data.pseudo.any() else "."),
        ]
        run.record(measured=told)

    def learn(
        self, data: SelectionSet, runtime: Runtime, run: RunFolder | None = None
    ) -> selection.SelectorModel:
        vectors = encode_cached(data.texts, encoders.parse(self.encoder), runtime)
        directions = _directions(data, vectors, self.directions)
        columns = _columns(data, vectors, directions)
        pools = (_pool(data, columns, Part.TRAIN), _pool(data, columns, Part.VALIDATION))
        how = settings_of(TreeTraining, self, patience=100)
        trees = grow("PairLogit", pools, how, runtime, run)
        config = selection.SelectorConfig(
            encoder=self.encoder if self.directions else "",
            dimensions=len(directions),
            margin=best_margin(data, trees.predict(columns)),
            features=selection.feature_names(directions.shape[1]),
        )
        return selection.SelectorModel(config, trees, directions)


def _directions(given: SelectionSet, vectors: Float32Array, wanted: int) -> Float32Array:
    if not wanted:
        return np.zeros((0, 0), dtype=np.float32)
    rows = given.pairs(parts=[Part.TRAIN])
    mine = np.unique(np.append(given.left[rows], given.right[rows]))
    centred = vectors[mine].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, _, basis = np.linalg.svd(centred, full_matrices=False)
    return np.ascontiguousarray(signed(basis[:wanted].T), dtype=np.float32)


def _columns(given: SelectionSet, vectors: Float32Array, directions: Float32Array) -> FloatArray:
    values = np.zeros((len(given.texts), len(selection.NAMES)))
    for rows in given.members():
        choices = selection.Choices([given.texts[row] for row in rows], given.days[rows], vectors[rows])
        values[rows] = selection.features(choices).values
    return np.column_stack([values, (vectors @ directions).astype(np.float64)]) if directions.size else values


def _pool(given: SelectionSet, columns: FloatArray, part: Part) -> Any:
    from catboost import Pool

    won = _won(given, part)
    if not won:
        return None
    left = np.array([given.verdicts[row] is Verdict.LEFT for row in won])
    sides = np.stack([given.left[won], given.right[won]], axis=1)
    sides[~left] = sides[~left, ::-1]
    used = np.unique(sides)
    used = used[np.argsort(given.groups[used], kind="stable")]
    places = np.argsort(used)[np.searchsorted(np.sort(used), sides)]
    groups = given.groups[used]
    return Pool(columns[used], label=np.zeros(len(used)), group_id=groups, pairs=places.tolist())


def _won(given: SelectionSet, part: Part) -> list[int]:
    decided = (Verdict.LEFT, Verdict.RIGHT)
    return [row for row in given.pairs(parts=[part]).tolist() if given.verdicts[row] in decided]
