"""How far annotators agree on pairs of headlines: Krippendorff's alpha, from their groups."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.annotated import pairs_together
from core.statistics.bootstrap import Figure, draws


def pair_alpha(annotators: IntArray, *, resamples: int = 0, seed: int = 0) -> Figure:
    """Krippendorff's nominal alpha (2018, chapter 12) over pairs, from groups int64 [n, m], -1 for none."""
    annotators = annotators[(annotators >= 0).sum(axis=1) >= 2]
    if not len(annotators):
        return Figure(None, "no headline was grouped by two")
    value = float(pair_alphas(annotators, np.ones((1, len(annotators))))[0])
    if np.isnan(value):
        return Figure(None, "all pairs have the same answer, so chance alone agrees in full")
    if not resamples:
        return Figure(value)
    cells = len(pairs_together(annotators)[0])
    blocks = draws(len(annotators), resamples=resamples, seed=seed, cells=cells)
    drawn = np.concatenate([pair_alphas(annotators, block.astype(np.float64)) for block in blocks])
    return Figure.resampled(value, drawn, units=len(annotators), unit="headlines")


def pair_alphas(annotators: IntArray, drawn: FloatArray, people: FloatArray | None = None) -> FloatArray:
    """That alpha where headlines count so often each, float64 [resamples, n], as do people, float64 [m]."""
    people = np.ones(annotators.shape[1]) if people is None else people
    given = annotators >= 0
    left, right, _, _ = pairs_together(annotators)
    seen = given[left] & given[right]
    yes = (seen & (annotators[left] == annotators[right])) @ people
    both, own = seen @ people, seen @ people**2
    counted = both**2 > own
    left, right, yes, both, own = left[counted], right[counted], yes[counted], both[counted], own[counted]
    differing = 2 * yes * (both - yes) * both / (both**2 - own)
    patterns, which = np.unique(given, axis=0, return_inverse=True)
    shared = (patterns * people) @ patterns.T
    shared[(patterns * (people > 0)).astype(np.int64) @ patterns.T < 2] = 0
    member = np.eye(len(patterns))[which.ravel()]  # pattern of each headline
    times, weights = drawn @ member, drawn[:, left] * drawn[:, right]
    said = ((times @ shared * times).sum(axis=1) - (drawn**2 @ member) @ np.diag(shared)) / 2
    agreed = weights @ yes
    expected = 2 * agreed * (said - agreed) / np.maximum(said - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - weights @ differing / expected, np.nan)
