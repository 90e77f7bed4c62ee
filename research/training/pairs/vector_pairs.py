"""What trainers of models over vectors share: encoding, the threshold, what is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.errors import Cancelled
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.metrics import best_threshold, pair_intervals, pair_quality, units_of
from core.pairs.scorer import PairContext
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import few_units, interval_over
from research.runs.trainer import Trainer

EDGE: Final = 1e-3
"""Thresholds stay this far away from 0 and 1, where every pair would get the same answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorTrainer(Trainer[PairSet]):
    """Base of trainers of pair models over the vectors of an encoder."""

    kind: ClassVar[str] = "pair"

    encoder: str = field(
        default="minilm.v1",
        metadata={
            "help": "name or signature of the encoder whose vectors are read; the model needs the same one"
        },
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoder", encoders.signature(encoders.parse(self.encoder)))

    def context(self, pairs: PairSet, runtime: Runtime) -> PairContext:
        """All headlines of a pair set with their vectors, in its order."""
        vectors = encode_cached(pairs.texts, encoders.parse(self.encoder), runtime)
        if runtime.stop.is_set():
            raise Cancelled("Training")
        return PairContext(list(pairs.texts), pairs.days, vectors)


def by_timeline(
    pairs: PairSet, context: PairContext, ask: Callable[[PairContext, IntArray, IntArray], Float32Array]
) -> Float32Array:
    """Features or scores of each pair, computed beside the headlines of its own part and timeline.

    Names are learnt from a timeline, so training, validation and use have to look at the same headlines.

    Args:
        pairs: m pairs.
        context: All headlines of the set.
        ask: (headlines of a timeline, left, right) to float32 [k] or [k, f].

    Returns:
        float32 [m] or [m, f].
    """
    keys = np.unique(
        np.stack([pairs.timelines, pairs.parts == Part.TRAIN.value]), axis=1, return_inverse=True
    )
    unit = keys[1].ravel()
    found: dict[int, Float32Array] = {}
    places: list[IntArray] = []
    for number in np.unique(unit[pairs.left]).tolist():
        rows = np.flatnonzero(unit == number).astype(np.int64)
        inside = np.flatnonzero(unit[pairs.left] == number).astype(np.int64)
        left, right = (np.searchsorted(rows, side[inside]) for side in (pairs.left, pairs.right))
        found[number] = ask(context.reordered(rows), left, right)
        places.append(inside)
    joined = np.concatenate(list(found.values()))
    result = np.empty_like(joined)
    result[np.concatenate(places)] = joined
    return result


def threshold_and_measures(pairs: PairSet, scores: Float32Array) -> tuple[float, dict[str, Any]]:
    """The threshold with the best F1 on the validation part, and what is measured there.

    On training pairs a model that was fitted to them is surer than on others, so their threshold would be
    too high. Where the validation part has one class only, the training part has to do.

    Args:
        pairs: Training and validation pairs.
        scores: float32 [m].

    Returns:
        The threshold, and what goes into run.json.
    """
    inside = pairs.pair_parts == Part.VALIDATION.value
    held_out = len(np.unique(pairs.labels[inside])) == 2
    chosen = inside if held_out else ~inside
    best = best_threshold(pairs.labels[chosen], scores[chosen])
    threshold = float(np.clip(best, EDGE, 1 - EDGE))
    about: dict[str, Any] = {
        "threshold": {"chosen_on": "validation" if held_out else "train", "value": threshold},
        "training_pairs": int(np.sum(~inside)),
    }
    if held_out:
        about["validation_own_threshold"] = measured(pairs.part(Part.VALIDATION), scores[inside], threshold)
    return threshold, about


MEASURES = ("f1", "precision", "recall", "average_precision")


def measured(pairs: PairSet, scores: npt.ArrayLike, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 and average precision of scores.

    Args:
        pairs: m labelled pairs.
        scores: Their scores, [m].
        threshold: Score from which a pair is called the same event.

    Returns:
        `pairs`, `threshold`, `resampled` (what the intervals draw), `warning` (why there are no intervals or
        why not to rely on them, "" otherwise), and each measure as a list of value
        and both ends of its 95 % interval; None where undefined.
    """
    quality = pair_quality(pairs.labels, scores, threshold)
    units = units_of(pairs.left, pairs.right, pairs.groups)
    found = pair_intervals(pairs.labels, scores, threshold, units)
    intervals = {name: interval_over(span, units.count, units.name)[0] for name, span in found.items()}
    return {
        "pairs": len(pairs),
        "threshold": threshold,
        "resampled": units.name,
        "warning": few_units(units.count, units.name),
        **{name: [quality[name].value, *intervals[name]] for name in MEASURES},
    }
