"""How far people agree in their votes and groups."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.annotated import pairs_together
from core.people.votes import VoteTable
from core.statistics.bootstrap import Figure, draws
from core.statistics.krippendorff import Scale, alpha_of


def alpha(votes: VoteTable, scale: Scale = Scale.NOMINAL, *, interval: bool = True) -> Figure:
    """How far the people agree beyond chance; see `alpha_of`."""
    return alpha_of(votes.values(scale), scale, interval=interval)


def pair_alpha(annotators: IntArray, *, resamples: int = 0, seed: int = 0) -> Figure:
    """Krippendorff's nominal alpha of the groups of annotators, int64 [n, m], -1 for none.

    Its items are all pairs of headlines, "same group" or not; headlines are drawn anew with all their pairs.

    Source: Krippendorff (2018), Content Analysis, chapter 12.
    """
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
    """That alpha where headlines count so often each, float64 [resamples, n], as do people, float64 [m].

    Nobody is compared with himself, however often he counts.
    """
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


def equal_pairs(votes: VoteTable) -> tuple[IntArray, IntArray]:
    """How many of the ordered pairs of answers to each item are the same, and how many pairs there are."""
    counts = (votes.codes[..., None] == np.arange(len(votes.answers))).sum(axis=1)
    total = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1), total * (total - 1)


def raw_agreement(votes: VoteTable) -> float | None:
    """Share of the pairs of answers to one item that are the same, 0–1; None where no item has two."""
    equal, pairs = (int(counts.sum()) for counts in equal_pairs(votes))
    return equal / pairs if pairs else None
