"""Labels and groups with their probabilities, from people who are weighed by how far they can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.assembly import merge_annotators, pairs_together
from core.data.timelines.timeline import Timeline
from core.groups.quality import quality
from core.people.agreement import COLUMNS, MEASURES, GroupAgreement, at_headlines
from core.people.votes import pair_alphas
from core.results.table import Table
from core.runtime import igraph_seeded
from core.statistics.bootstrap import Figure, draws

Bools = npt.NDArray[np.bool_]
_LEAST: Final = 1e-10  # no probability is below it, as in crowd-kit
_ITERATIONS: Final = 100
_TOLERANCE: Final = 1e-5
TRUST: Final = 4.0
"""Answers that each person is taken to have given as all others do, before their own count: a few answers
make nobody perfect."""
RIGHT: Final = 1.0  # right answers to each label that are taken to have been given, so that people know it
RESAMPLES: Final = 100
_REDRAWN: Final = 200  # times, of events and people at once
MOST_UNSEEN: Final = 0.9  # of the items of one kind
_AGAIN: Final = 10  # rounds of EM in a resample, from where the data themselves lead


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What each of n items is, and how each of m people answers."""

    labels: FloatArray  # probability of each answer, float64 [n, answers]
    confusions: FloatArray  # share of what is answered where an answer is right, float64 [m, right, answered]
    accuracy: FloatArray  # expected share of right answers, float64 [m]; NaN for nobody's


def posterior(
    codes: IntArray,
    answers: int,
    *,
    weights: FloatArray | None = None,
    trust: float = TRUST,
    right: float = RIGHT,
    unseen: bool = False,
    start: FloatArray | None = None,
    iterations: int = _ITERATIONS,
    tolerance: float = _TOLERANCE,
) -> Posterior:
    """What n items are by what m people answered, int64 [n, m], -1 for none, by EM; items may have weights.

    Without anything taken for given (`trust` and `right` are 0) it is what crowd-kit finds. Where items to
    which everybody answers 0 are `unseen`, as many are added as the others let expect.

    Source: Dawid and Skene (1979).
    """
    from scipy.sparse import csr_array

    n, m = codes.shape
    weights = np.ones(n) if weights is None else weights
    items, people = np.nonzero(codes >= 0)
    columns = people * answers + codes[items, people]
    given = csr_array((np.ones(len(items)), (items, columns)), shape=(n, m * answers))
    asked = csr_array((np.ones(len(items)), (items, people)), shape=(n, m))
    if start is None:
        counts = given @ np.tile(np.eye(answers), (m, 1)) + _LEAST
        start = counts / counts.sum(axis=1, keepdims=True)
    labels, before, extra = start, -np.inf, np.zeros((n, answers))
    for _ in range(iterations):
        weighted = labels * weights[:, None]
        shares = (weighted + extra).sum(axis=0) + right
        shares = np.maximum(shares / shares.sum(), _LEAST)
        table = (given.T @ weighted).reshape(m, answers, answers).transpose(0, 2, 1)
        if unseen:
            table[:, :, 0] += asked.T @ extra
        alike = table.sum(axis=0) + right * np.eye(answers)
        alike /= np.maximum(alike.sum(axis=1, keepdims=True), _LEAST)
        confusions = np.maximum(table + trust * alike, _LEAST)
        confusions /= confusions.sum(axis=2, keepdims=True)
        logs = given @ np.log(confusions).transpose(0, 2, 1).reshape(m * answers, answers)
        logs += np.log(shares)
        top = logs.max(axis=1, keepdims=True)
        likely = np.exp(logs - top)
        labels = likely / likely.sum(axis=1, keepdims=True)
        now = float(weights @ (top[:, 0] + np.log(likely.sum(axis=1))))
        if unseen:
            none = np.minimum(np.exp(asked @ np.log(confusions[:, :, 0])), MOST_UNSEEN)
            extra = labels * weights[:, None] * none / (1 - none)
            now -= float(weights @ np.log(1 - none @ shares))
        if abs(now - before) < tolerance:
            break
        before = now
    with np.errstate(invalid="ignore"):
        accuracy = np.einsum("mrr->m", table) / table.sum(axis=(1, 2))
    return Posterior(labels, confusions, accuracy)


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
    return GoldLabels(
        chosen,
        _figures(fit.labels[rows, chosen], chances, len(codes), "items"),
        _figures(fit.accuracy, people, len(codes), "items"),
    )


def _figures(values: FloatArray, drawn: list[FloatArray], units: int, unit: str) -> tuple[Figure, ...]:
    columns = np.stack(drawn, axis=1) if drawn else np.empty((len(values), 0))
    return tuple(
        Figure.resampled(None if np.isnan(value) else float(value), column, units=units, unit=unit)
        for value, column in zip(values, columns, strict=True)
    )


ENOUGH: Final = 0.99
"""Probability of a label from which on its item is not asked any more."""
FEWEST: Final = 2  # answers without which no item is settled: nobody decides alone


def information(labels: FloatArray, confusion: FloatArray) -> FloatArray:
    """Bits that one person's answer is expected to tell of each item's label, float64 [n].

    It is the mutual information of label and answer: `labels` are the probabilities, float64 [n, answers],
    `confusion` what the person answers where each is right, float64 [right, answered].
    """
    from scipy.special import entr

    answered = labels @ confusion
    unsure = labels @ entr(confusion).sum(axis=1)
    return np.asarray((entr(answered).sum(axis=1) - unsure) / np.log(2))


def telling(codes: IntArray, answers: int, person: int) -> list[int]:
    """The items that a person should be asked, what their answer tells most of first.

    `codes` are the answers so far, int64 [n, m], -1 for none. Items that the person answered are left out, as
    are those that at least `FEWEST` people answered and of which one answer is likely `ENOUGH`.
    """
    fit = posterior(codes, answers)
    bits = information(fit.labels, fit.confusions[person])
    settled = (fit.labels.max(axis=1) >= ENOUGH) & ((codes >= 0).sum(axis=1) >= FEWEST)
    order = np.argsort(-bits, kind="stable").tolist()
    left = (codes[:, person] < 0) & ~settled
    return [row for row in order if left[row]]


PAIR_TRUST: Final = 100.0
PAIR_RIGHT: Final = 20.0
"""As `TRUST` and `RIGHT`, for the pairs of headlines, whose answers hang together: a person who merges two
events errs on many pairs at once."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldGroups:
    """The groups that have the highest expected F1 of pairs."""

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
    return GoldGroups(
        groups,
        _figures(own, chances, units, "groups"),
        _figures(_expected_f1(joined, seen, pairs, np.ones(len(left))), people, units, "groups"),
        left,
        right,
        pairs,
    )


def _pair_items(annotators: IntArray) -> tuple[IntArray, IntArray, Bools, Bools, Callable[..., Any]]:
    """The pairs that somebody joined by their ends; who joined and who placed both; and what fits them.

    That takes how often each pair counts, and gives the posterior and the labels of the pairs.
    """
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
    """The headlines that a person should be asked to place, those of which this tells most first.

    It tells what it tells of the headline's pairs in doubt, those whose other headline the person has yet to
    place by half: see `gold_groups` and `information`. Headlines without doubtful pairs are left out once two
    people have placed them with every other: pairs that nobody could join are in no doubt.
    """
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


def best_groups(n: int, left: IntArray, right: IntArray, pairs: FloatArray) -> tuple[IntArray, float]:
    """The groups of n headlines whose pairs have the highest expected F1, int64 [n], and that F1.

    F1 is twice the expected right pairs by the pairs joined and those expected in all. A pair that is joined
    raises it where it is likelier than F1 / 2 (Dinkelbach 1967): for rising F1, Leiden's method (Traag et al.
    2019) finds the groups whose pairs gain most above that. A pair that is not given is apart.
    """
    import igraph

    graph = igraph.Graph(n=n, edges=np.stack([left, right], axis=1))
    total, best, value, bar = float(pairs.sum()), np.arange(n), 0.0, 0.25
    while True:
        gains = {"objective_function": "CPM", "weights": pairs.tolist(), "resolution": bar}
        with igraph_seeded(0):
            groups = np.array(graph.community_leiden(**gains, n_iterations=-1).membership, dtype=np.int64)
        inside, sizes = groups[left] == groups[right], np.bincount(groups)
        joined = float((sizes * (sizes - 1) // 2).sum())
        f1 = 2 * float(pairs[inside].sum()) / max(joined + total, 1e-10)
        if f1 <= value + 1e-12:
            break
        best, value, bar = groups, f1, f1 / 2
    first: dict[int, int] = {}
    return np.array([first.setdefault(group, len(first)) for group in best.tolist()], dtype=np.int64), value


def _expected_f1(joined: Bools, seen: Bools, pairs: FloatArray, counts: FloatArray) -> FloatArray:
    likely = pairs * counts
    with np.errstate(invalid="ignore"):
        return np.asarray(2 * (likely @ joined) / (counts @ joined + likely @ seen), dtype=np.float64)


def exactly(groups: IntArray, left: IntArray, right: IntArray, pairs: FloatArray) -> FloatArray:
    """The probability that each group is exactly right, float64 [groups]; see `gold_groups`."""
    n, sizes = len(groups), np.bincount(groups)
    # how well each headline fits each group: the mean of its pairs with the others of that group
    rows, near = np.concatenate([left, right]), groups[np.concatenate([right, left])]
    keys, at = np.unique(rows * len(sizes) + near, return_inverse=True)
    row, group = keys // max(len(sizes), 1), keys % max(len(sizes), 1)
    own = groups[row] == group
    fit = np.bincount(at, weights=np.tile(pairs, 2), minlength=len(keys)) / np.maximum(sizes[group] - own, 1)
    fits = np.where(sizes[groups] > 1, 0.0, 1.0)
    fits[row[own]] = fit[own]
    worst, nearest = np.ones(len(sizes)), np.zeros(len(sizes))
    np.minimum.at(worst, groups, fits[:n])
    np.maximum.at(nearest, group[~own], fit[~own])
    return np.asarray(worst * (1 - nearest), dtype=np.float64)


def likely_groups_table(timeline: Timeline, gold: GoldGroups) -> Table:
    """The groups that have the highest expected F1 of pairs, the least sure first."""
    note = (
        "How likely a group is exactly right, by who joined its headlines and how far they can be trusted. "
        "Brackets: 95 % intervals over events."
    )
    order = np.argsort(timeline.days, kind="stable")
    firsts = {int(gold.groups[row]): timeline.texts[row] for row in order[::-1].tolist()}
    sizes = np.bincount(gold.groups)
    sure = [(group, chance) for group, chance in enumerate(gold.chances) if chance.value is not None]
    sure.sort(key=lambda entry: entry[1].value or 0.0)
    rows = tuple((chance, int(sizes[group]), firsts[group]) for group, chance in sure)
    return Table(columns=COLUMNS["groups"], rows=rows, title="Groups with their probability", notes=(note,))


def with_intervals(agreement: GroupAgreement, *, seed: int = 0) -> dict[str, Figure]:
    """The means of AMI, ARI and pair F1, and alpha, with intervals that hold for other events and people.

    Merged groups are drawn as wholes, as are people, of whom two at least are different: two are always the
    same two. AMI and the like compare each drawn person with the groups merged from all others.
    """
    annotators, merged = agreement.annotators, agreement.merged
    k = annotators.shape[1]
    others = [merge_annotators(np.delete(annotators, at, axis=1), seed=seed) for at in range(k)]
    generator = np.random.default_rng(seed)
    units = int(merged.max()) + 1
    drawn: dict[str, list[float]] = {name: [] for name in (*MEASURES, "alpha")}
    for _ in range(_REDRAWN):
        times = np.bincount(generator.integers(0, units, units), minlength=units)[merged]
        who = np.zeros(k, dtype=np.int64)
        while (who > 0).sum() < 2:
            who = np.bincount(generator.integers(0, k, k), minlength=k)
        rows = np.repeat(np.arange(len(merged)), times)
        copies = np.concatenate([np.arange(count) for count in times]) * len(merged)
        scores = {}
        for person in np.flatnonzero(who).tolist():
            own = annotators[rows, person] >= 0
            sides = [groups[rows[own]] + copies[own] for groups in (annotators[:, person], others[person])]
            scores[person] = quality(sides[0], sides[1].tolist()).scores
        for name in MEASURES:
            values = [scores[person][name].value for person in scores]
            drawn[name].append(float(np.average(np.array(values, dtype=np.float64), weights=who[who > 0])))
        alpha = pair_alphas(annotators, times[None].astype(np.float64), who.astype(np.float64))[0]
        drawn["alpha"].append(float(alpha))
    figures = {}
    for name, column in drawn.items():
        value = agreement.means[name].value
        moved = np.array(column)
        # Groups that were mixed up come apart where only one is drawn: the draws lie too high as a whole.
        if value is not None and not np.isnan(moved).all():
            moved = np.minimum(moved - np.nanmean(moved) + value, 1.0)
        figures[name] = Figure.resampled(value, moved, units=units, unit="groups")
    return figures
