"""Labels and groups with their probabilities, from people who are weighed by how far they can be trusted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.annotated import merge_annotators, pairs_together
from core.data.pair_sets.pair_alpha import pair_alphas
from core.groups.quality import best_groups, exactly, quality
from core.people.agreement import MEASURES, GroupAgreement, at_headlines
from core.statistics.bootstrap import Figure, draws
from core.statistics.dawid_skene import Posterior, information, posterior

Bools = npt.NDArray[np.bool_]
RESAMPLES: Final = 100
_REDRAWN: Final = 200  # times, of events and people at once
_AGAIN: Final = 10  # rounds of EM in a resample, from where the data themselves lead
ENOUGH: Final = 0.99
"""Probability of a label from which on its item is not asked any more."""
FEWEST: Final = 2  # answers without which no item is settled: nobody decides alone
PAIR_TRUST: Final = 100.0
PAIR_RIGHT: Final = 20.0
"""As `TRUST` and `RIGHT`, for the pairs of headlines, whose answers hang together: a person who merges two
events errs on many pairs at once."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldLabels:
    chosen: IntArray  # the likeliest answer of each item, int64 [n]
    chances: tuple[Figure, ...]  # its probability
    people: tuple[Figure, ...]  # each person's expected share of right answers


def gold_labels(codes: IntArray, answers: int, *, seed: int = 0, resamples: int = RESAMPLES) -> GoldLabels:
    """Labels from votes; intervals say how far figures move where other items show what people are worth."""
    fit = posterior(codes, answers)
    chosen = fit.labels.argmax(axis=1)
    rows = np.arange(len(codes))
    chances, people = [], []
    for drawn in draws(len(codes), resamples=resamples, seed=seed):
        for weights in drawn.astype(np.float64):
            again = posterior(codes, answers, weights=weights, start=fit.labels, iterations=_AGAIN)
            chances.append(again.labels[rows, chosen])
            people.append(again.accuracy)
    sure = _figures(fit.labels[rows, chosen], chances, len(codes), "items")
    return GoldLabels(chosen, sure, _figures(fit.accuracy, people, len(codes), "items"))


def _figures(values: FloatArray, drawn: list[FloatArray], units: int, unit: str) -> tuple[Figure, ...]:
    columns = np.stack(drawn, axis=1) if drawn else np.empty((len(values), 0))
    return tuple(
        Figure.resampled(None if np.isnan(value) else float(value), column, units=units, unit=unit)
        for value, column in zip(values, columns, strict=True)
    )


def telling(codes: IntArray, answers: int, person: int) -> list[int]:
    """The items to ask a person, the most telling first, without their own and those all but settled."""
    fit = posterior(codes, answers)
    bits = information(fit.labels, fit.confusions[person])
    settled = (fit.labels.max(axis=1) >= ENOUGH) & ((codes >= 0).sum(axis=1) >= FEWEST)
    order = np.argsort(-bits, kind="stable").tolist()
    left = (codes[:, person] < 0) & ~settled
    return [row for row in order if left[row]]


@dataclass(frozen=True, slots=True, eq=False)
class GoldGroups:
    groups: IntArray  # int64 [n], from 0 in order of first appearance
    chances: tuple[Figure, ...]  # of each group, the probability that it is exactly right
    people: tuple[Figure, ...]  # each annotator's expected F1 of pairs
    left: IntArray
    right: IntArray
    pairs: FloatArray  # probability of each pair that somebody joined, float64 [pairs], by its ends


def gold_groups(annotators: IntArray, *, seed: int = 0, resamples: int = RESAMPLES) -> GoldGroups:
    """Groups from those that each of k people gave, int64 [n, k], -1 for none.

    An item is a pair of headlines that somebody joined, "same event" or not; pairs as doubtful as these that
    nobody joined are added as expected, and all others are apart. Pairs of one headline hang together, so a
    headline counts once however many it has. A headline fits a group as well as its pairs with it are likely
    in the mean. A group is exactly right with the probability that the headline in it that fits least fits,
    times that the headline outside that fits best does not.
    """
    n = len(annotators)
    left, right, joined, seen, fit = _pair_items(annotators)
    first, labels = fit(np.ones(len(left)))
    pairs = labels[:, 1]
    groups, _ = best_groups(n, left, right, pairs)
    grouped = (annotators >= 0).any(axis=1)
    units = int(groups.max(initial=-1)) + 1
    chances, people = [], []
    within = groups[left] == groups[right]
    for drawn in draws(units, resamples=resamples, seed=seed):
        for times in drawn[:, groups].astype(np.float64):  # of the group of each headline
            counts = times[left] * np.where(within, 1, times[right])
            again = fit(counts, start=first.labels, iterations=_AGAIN)[1][:, 1]
            chances.append(exactly(groups, left, right, again))
            people.append(_expected_f1(joined, seen, again, counts))
    own = exactly(groups, left, right, pairs)
    own[~np.isin(np.arange(units), groups[grouped])] = np.nan
    f1 = _expected_f1(joined, seen, pairs, np.ones(len(left)))
    sure, expected = _figures(own, chances, units, "groups"), _figures(f1, people, units, "groups")
    return GoldGroups(groups, sure, expected, left, right, pairs)


def _pair_items(annotators: IntArray) -> tuple[IntArray, IntArray, Bools, Bools, Callable[..., Any]]:
    left, right, _, _ = pairs_together(annotators)
    given = annotators >= 0
    seen = given[left] & given[right]
    joined = seen & (annotators[left] == annotators[right])
    patterns, places = np.unique(np.where(seen, joined, -1), axis=0, return_inverse=True)
    degree = at_headlines(left, right, 1, len(annotators))
    weights = 2 / np.maximum(degree[left] + degree[right], 1)

    def fit(counts: FloatArray, **more: Any) -> tuple[Posterior, FloatArray]:
        own = np.bincount(places, weights=weights * counts, minlength=len(patterns))
        more |= {"weights": own, "trust": PAIR_TRUST, "right": PAIR_RIGHT, "unseen": True}
        result = posterior(patterns, 2, **more)
        return result, result.labels[places]

    return left, right, joined, seen, fit


def telling_headlines(annotators: IntArray, person: int) -> list[int]:
    """The headlines to ask a person to place, the most telling first; see `gold_groups`, `information`."""
    left, right, _, seen, fit = _pair_items(annotators)
    first, labels = fit(np.ones(len(left)))
    given = annotators >= 0
    settled = (labels.max(axis=1) >= ENOUGH) & (seen.sum(axis=1) >= FEWEST)
    bits = np.where(settled | seen[:, person], 0.0, information(labels, first.confusions[person]))
    bits /= 2 - (given[left, person] | given[right, person])
    headline_bits = at_headlines(left, right, bits, len(annotators))
    patterns, which = np.unique(given, axis=0, return_inverse=True)
    both = patterns.astype(np.int64) @ patterns.T  # how many placed the headlines of two patterns
    few = both.min(axis=1, initial=FEWEST)[which.ravel()] < FEWEST
    order = np.argsort(-headline_bits, kind="stable").tolist()
    return [row for row in order if not given[row, person] and (few[row] or headline_bits[row] > 0)]


def _expected_f1(joined: Bools, seen: Bools, pairs: FloatArray, counts: FloatArray) -> FloatArray:
    likely = pairs * counts
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * (likely @ joined) / (counts @ joined + likely @ seen), dtype=np.float64)


def with_intervals(agreement: GroupAgreement, *, seed: int = 0) -> dict[str, Figure]:
    """The means of AMI, ARI and pair F1, and alpha, with intervals for other events and people."""
    annotators, merged = agreement.annotators, agreement.merged
    k = annotators.shape[1]
    others = [merge_annotators(np.delete(annotators, at, axis=1), seed=seed) for at in range(k)]
    generator = np.random.default_rng(seed)
    units = int(merged.max()) + 1
    drawn = []
    for _ in range(_REDRAWN):
        times = np.bincount(generator.integers(0, units, units), minlength=units)[merged]
        who = np.zeros(k, dtype=np.int64)
        while (who > 0).sum() < 2:
            who = np.bincount(generator.integers(0, k, k), minlength=k)
        rows = np.repeat(np.arange(len(merged)), times)
        copies = np.concatenate([np.arange(count) for count in times]) * len(merged)
        scores = []
        for person in np.flatnonzero(who).tolist():
            own = annotators[rows, person] >= 0
            sides = [groups[rows[own]] + copies[own] for groups in (annotators[:, person], others[person])]
            measured = quality(sides[0], sides[1].tolist()).scores
            scores.append([measured[name].value for name in MEASURES])
        means = np.average(np.array(scores, dtype=np.float64), axis=0, weights=who[who > 0])
        alpha = pair_alphas(annotators, times[None].astype(np.float64), who.astype(np.float64))
        drawn.append([*means, *alpha])
    figures = {}
    for (name, figure), column in zip(agreement.means.items(), np.array(drawn).T, strict=True):
        # Groups that were mixed up come apart where only one is drawn: the draws lie too high as a whole.
        known = figure.value is not None and not np.isnan(column).all()
        moved = np.minimum(column - np.nanmean(column) + (figure.value or 0.0), 1.0) if known else column
        figures[name] = Figure.resampled(figure.value, moved, units=units, unit="groups")
    return figures
