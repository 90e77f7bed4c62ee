"""Which headlines divide annotators, and on whose side a model is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import pairs_together


@dataclass(frozen=True, slots=True)
class Companion:
    """A row that some annotators put together with another, and some did not, by their places."""

    row: int
    together: tuple[int, ...]
    apart: tuple[int, ...]
    model: bool | None


def companions(annotators: IntArray, row: int, model: IntArray | None = None) -> tuple[Companion, ...]:
    """The headlines that somebody put together with one, those on which people differ most first.

    `annotators` are the group numbers of k people, int64 [n, k], -1 for none; `model` those of a model, int64
    [n].
    """
    given = (annotators >= 0) & (annotators[row] >= 0)
    together = given & (annotators == annotators[row])
    found = []
    for other in np.flatnonzero(together.any(axis=1)).tolist():
        if other != row:
            same = np.flatnonzero(together[other])
            apart = np.flatnonzero(given[other] & ~together[other])
            sided = None if model is None else bool(model[other] == model[row])
            found.append(Companion(other, tuple(same.tolist()), tuple(apart.tolist()), sided))
    return tuple(sorted(found, key=lambda one: (-min(len(one.together), len(one.apart)), one.row)))


def with_model(annotators: IntArray, model: IntArray) -> FloatArray:
    """How many people are on the model's side where people differ.

    Of the answers to each headline's pairs on which people differ, the share that says what the model says,
    float64 [n], 0–1; NaN where they do not differ. `annotators`: int64 [n, k], -1 for none; `model`: int64
    [n].
    """
    left, right, together, both = pairs_together(annotators)
    split = together < both
    left, right, together, both = left[split], right[split], together[split], both[split]
    sided = np.where(model[left] == model[right], together, both - together)
    ends = np.concatenate([left, right])
    n = len(annotators)
    agreeing = np.bincount(ends, weights=np.concatenate([sided, sided]), minlength=n)
    asked = np.bincount(ends, weights=np.concatenate([both, both]), minlength=n)
    with np.errstate(invalid="ignore"):
        return np.asarray(agreeing / asked, dtype=np.float64)
