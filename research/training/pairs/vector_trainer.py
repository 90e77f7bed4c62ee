"""What trainers of pair models over the vectors of an encoder share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.errors import Cancelled
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.context import PairContext
from core.pairs.metrics import best_threshold, pair_intervals, pair_quality, units_of
from core.parts import Part
from core.registry import told
from core.runtime import Runtime
from core.statistics.bootstrap import few_units, interval_over
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer

ENCODER: Final = "name or signature of the encoder whose vectors are read; the model needs the same one"
EDGE: Final = 1e-3  # thresholds stay this far away from 0 and 1, where every pair would get the same answer
MEASURES = ("f1", "precision", "recall", "average_precision")


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorTrainer(Trainer[PairSet]):
    kind: ClassVar[str] = "pair"

    encoder: str = told("minilm.v1", ENCODER)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    def context(self, pairs: PairSet, runtime: Runtime) -> PairContext:
        vectors = encode_cached(pairs.texts, encoders.parse(self.encoder), runtime)
        if runtime.stop.is_set():
            raise Cancelled("Training")
        return PairContext(list(pairs.texts), pairs.days, vectors)


def by_timeline(
    pairs: PairSet, context: PairContext, ask: Callable[[PairContext, IntArray, IntArray], Float32Array]
) -> Float32Array:
    """What `ask` says of each pair beside the headlines of its part and timeline, float32 [m] or [m, f]."""
    # Names are learnt from a timeline, so training, validation and use have to look at the same headlines.
    parts = np.stack([pairs.timelines, pairs.parts == Part.TRAIN.value])
    unit = np.unique(parts, axis=1, return_inverse=True)[1].ravel()
    said: list[Float32Array] = []
    places: list[IntArray] = []
    for own in np.unique(unit[pairs.left]).tolist():
        rows = np.flatnonzero(unit == own).astype(np.int64)
        inside = np.flatnonzero(unit[pairs.left] == own).astype(np.int64)
        left, right = (np.searchsorted(rows, side[inside]) for side in (pairs.left, pairs.right))
        said.append(ask(context.take(rows), left, right))
        places.append(inside)
    return np.concatenate(said)[np.argsort(np.concatenate(places))]


def threshold_of(pairs: PairSet, scores: Float32Array, run: RunFolder) -> float:
    """The threshold with the best F1 on validation pairs, or on training pairs where these have one class."""
    inside = pairs.pair_parts == Part.VALIDATION.value
    held_out = len(np.unique(pairs.labels[inside])) == 2
    chosen = inside if held_out else ~inside
    best = best_threshold(pairs.labels[chosen], scores[chosen])
    threshold = float(np.clip(best, EDGE, 1 - EDGE))
    part = "validation" if held_out else "train"
    run.record(threshold={"chosen_on": part, "value": threshold}, training_pairs=int(np.sum(~inside)))
    if held_out:
        run.record(validation_own_threshold=measured(pairs.part(Part.VALIDATION), scores[inside], threshold))
    return threshold


def measured(pairs: PairSet, scores: npt.ArrayLike, threshold: float) -> dict[str, Any]:
    """Measures with both ends of 95 % intervals, None where undefined; `resampled` and a `warning`."""
    quality = pair_quality(pairs.labels, scores, threshold)
    units = units_of(pairs.left, pairs.right, pairs.groups)
    spans = pair_intervals(pairs.labels, scores, threshold, units)
    intervals = {name: interval_over(span, units.count, units.name)[0] for name, span in spans.items()}
    return {
        "pairs": len(pairs),
        "threshold": threshold,
        "resampled": units.name,
        "warning": few_units(units.count, units.name),
        **{name: [quality[name].value, *intervals[name]] for name in MEASURES},
    }
