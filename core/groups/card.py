"""A group as a reader sees it: its best headline, its reports, what the others add, its neighbours."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import UnknownNameError
from core.groups.summary import GroupedHeadlines, GroupSummary, summarize_groups
from core.similarities import Similarities
from core.text.differences import Differences, compare_readings
from core.text.facts import read_counted

_FEW_SHARED: Final = 0.2  # share of content words that both have
_FAR_DAYS: Final = 4.0  # between the nearest reports of the two


class Apart(StrEnum):
    NUMBERS = "the numbers differ"
    OPPOSED = "they may contradict each other"
    TIME = "too far apart in time"
    WORDS = "few words in common"
    CLOSE = "alike, but not enough"
    THRESHOLD = "close enough, but the method keeps them apart"


@dataclass(frozen=True, slots=True)
class Neighbour:
    group: int  # its label
    row: int  # the headline meant: the neighbour group's most similar one
    similarity: float  # mean similarity to the group's members, 0 to 1
    gap: float | None  # what it lacks to the threshold, 1 - granularity - similarity
    days: float | None  # days between the two, 0 where they overlap in time; None where not known
    reason: Apart  # why it is apart, told by comparing `row` with the representative
    differences: Differences  # that comparison, the representative on the left


@dataclass(frozen=True, slots=True)
class GroupCard:
    summary: GroupSummary  # its line in the list
    differences: tuple[tuple[int, Differences], ...]  # each other original, the representative on the left
    groups: tuple[Neighbour, ...]  # nearest other groups, the nearest first
    headlines: tuple[Neighbour, ...]  # nearest single headlines of other groups, the nearest first


def card(
    grouped: GroupedHeadlines, group: int, *, granularity: float | None = None, nearest: int = 5
) -> GroupCard:
    rows = np.flatnonzero(grouped.labels == group)
    if not len(rows):
        raise UnknownNameError(f"There is no group {group}.", hint="Choose one from the list of groups.")
    (line,) = summarize_groups(grouped, rows)
    shown = line.representative

    def neighbour(other: int, row: int, similarity: float, members: IntArray) -> Neighbour:
        days = _days_between(grouped.days[rows], grouped.days[members])
        gap = None if granularity is None else 1.0 - granularity - similarity
        differences = _compared(grouped, shown, row)
        return Neighbour(other, row, similarity, gap, days, _reason(gap, days, differences), differences)

    to_group = _mean_rows(grouped.similarities, rows)
    near_groups = _nearest_groups(grouped.labels, to_group, group, nearest)
    outside = np.where(grouped.labels == group, -np.inf, to_group)
    near_rows = np.argsort(-outside, kind="stable")[: max(0, min(nearest, len(grouped) - len(rows)))]
    return GroupCard(
        summary=line,
        differences=report_differences(grouped, line),
        groups=tuple(
            neighbour(other, row, similarity, np.flatnonzero(grouped.labels == other))
            for other, row, similarity in near_groups
        ),
        headlines=tuple(
            neighbour(int(grouped.labels[row]), int(row), float(to_group[row]), np.array([row]))
            for row in near_rows
        ),
    )


def report_differences(grouped: GroupedHeadlines, line: GroupSummary) -> tuple[tuple[int, Differences], ...]:
    """Each other original of a group next to its representative, which is on the left."""
    others = [row for row, *_ in line.reports if row != line.representative]
    pairs = ((row, _compared(grouped, line.representative, row)) for row in others)
    return tuple((row, pair.corrected() if row in grouped.outdated else pair) for row, pair in pairs)


def _compared(grouped: GroupedHeadlines, shown: int, row: int) -> Differences:
    reading, days = grouped.reading, grouped.days
    read = partial(read_counted, known=reading.names, language=reading.language)
    across = reading.languages[row] != reading.languages[shown]
    later = float(days[row] - days[shown]) if grouped.labels[row] == grouped.labels[shown] else 0.0
    sides = (read(reading.texts[each]) for each in (shown, row))
    return compare_readings(*sides, across=across, later=later)


def _mean_rows(similarities: Similarities, rows: IntArray) -> FloatArray:
    sums = np.zeros(len(similarities))
    for part in np.array_split(rows, -(-len(rows) // 1024)):
        sums += np.asarray(similarities.matrix[part].sum(axis=0, dtype=np.float64)).ravel()
    return np.asarray(np.round(sums / len(rows), 9), dtype=np.float64)


def _nearest_groups(
    labels: IntArray, to_group: FloatArray, group: int, nearest: int
) -> list[tuple[int, int, float]]:
    names, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, weights=to_group) / counts
    order = [int(at) for at in np.argsort(-means, kind="stable") if names[at] != group][: max(0, nearest)]
    groups = []
    for at in order:
        rows = np.flatnonzero(inverse == at)
        groups.append((int(names[at]), int(rows[np.argmax(to_group[rows])]), float(means[at])))
    return groups


def _days_between(left: FloatArray, right: FloatArray) -> float | None:
    left, right = left[~np.isnan(left)], right[~np.isnan(right)]
    if not len(left) or not len(right):
        return None
    return max(0.0, float(left.min() - right.max()), float(right.min() - left.max()))


def _reason(gap: float | None, days: float | None, differences: Differences) -> Apart:
    if differences.number_conflicts:
        return Apart.NUMBERS
    if differences.opposed:
        return Apart.OPPOSED
    if days is not None and days >= _FAR_DAYS:
        return Apart.TIME
    if differences.overlap < _FEW_SHARED:
        return Apart.WORDS
    return Apart.THRESHOLD if gap is not None and gap < 0 else Apart.CLOSE
