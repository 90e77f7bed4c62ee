"""A group as a reader sees it: its best headline, its reports, what the others add, its neighbours."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.duplicates import has_label
from core.errors import UnknownNameError
from core.similarities import Similarities
from core.text.differences import Differences, compare_readings
from core.text.facts import read_counted
from core.text.timeline_reading import TimelineReading

_FEW_SHARED = 0.2
_FAR_DAYS = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class GroupedHeadlines:
    """A grouped timeline, as plain columns of n headlines."""

    similarities: Similarities  # of the n headlines, time included
    labels: IntArray  # group of each headline, int64 [n]; any numbers
    reading: TimelineReading
    days: FloatArray  # publication time in days, float64 [n]; NaN where there is none
    publishers: Sequence[str | None]  # name of the outlet, None where it is not known
    copy_of: IntArray | None = None  # which headlines are copies of one another: equal numbers, int64 [n]
    outdated: Collection[int] = ()  # rows that their outlet edited since: none stands for its group

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """One line of the list of groups."""

    group: int  # its label
    rows: tuple[int, ...]  # its headlines by time, then by row; those without a date last
    reports: tuple[tuple[int, ...], ...]  # the rows again, each original with its copies, by time
    representative: int  # row of the original most similar to the others on average; none with a desk's label
    first: int | None  # row of the first dated report; None where no date is known
    last: int | None  # row of the last one
    publishers: tuple[str, ...]  # each once, in order of appearance

    @property
    def size(self) -> int:
        """Number of headlines, copies counted, at least 1."""
        return len(self.rows)

    def copies(self, row: int) -> tuple[int, ...]:
        """The copies of an original, by time; () where it has none."""
        return next((report[1:] for report in self.reports if report[0] == row), ())


class Apart(StrEnum):
    """The main reason why a neighbour is not in the group."""

    NUMBERS = "the numbers differ"
    OPPOSED = "they may contradict each other"
    TIME = "too far apart in time"
    WORDS = "few words in common"
    CLOSE = "alike, but not enough"
    THRESHOLD = "close enough, but the method keeps them apart"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A group, or a single headline, that nearly joined."""

    group: int  # its label
    row: int  # the headline meant: the neighbour group's most similar one
    similarity: float  # mean similarity to the group's members, 0 to 1
    gap: float | None  # what it lacks to the threshold, 1 - granularity - similarity
    days: float | None  # days between the two, 0 where they overlap in time; None where not known
    reason: Apart  # why it is apart, told by comparing `row` with the representative
    differences: Differences  # that comparison, the representative on the left


@dataclass(frozen=True, slots=True)
class GroupCard:
    """Everything about one group."""

    summary: GroupSummary  # its line in the list
    differences: tuple[tuple[int, Differences], ...]  # each other original, the representative on the left
    groups: tuple[Neighbour, ...]  # nearest other groups, the nearest first
    headlines: tuple[Neighbour, ...]  # nearest single headlines of other groups, the nearest first


def cards(grouped: GroupedHeadlines) -> list[GroupSummary]:
    """The list of groups, the largest first, equal ones by their first row; [] for no headlines."""
    return sorted(_summaries(grouped, np.arange(len(grouped))), key=lambda s: (-s.size, min(s.rows)))


def _summaries(grouped: GroupedHeadlines, rows: IntArray) -> list[GroupSummary]:
    if not len(rows):
        return []
    texts = grouped.reading.texts
    dates = np.where(np.isnan(grouped.days), np.inf, grouped.days)
    by_time = rows[np.lexsort((rows, dates[rows], grouped.labels[rows]))]
    _, starts = np.unique(grouped.labels[by_time], return_index=True)
    groups = np.split(by_time, starts[1:])
    folded = [fold_reports(members.tolist(), grouped.copy_of, texts) for members in groups]
    originals = np.array([report[0] for reports in folded for report in reports])
    lengths = np.array([len(texts[row]) for row in originals])
    labelled = np.array([row in grouped.outdated or has_label(texts[row]) for row in originals])
    of_labels, close = grouped.labels[originals], _closeness(grouped, originals)
    order = np.lexsort((originals, lengths, dates[originals], -close, labelled, of_labels))
    _, places = np.unique(of_labels[order], return_index=True)
    medoids = originals[order][places].tolist()
    return [_summary(grouped, members, medoid) for members, medoid in zip(groups, medoids, strict=True)]


def card(
    grouped: GroupedHeadlines, group: int, *, granularity: float | None = None, nearest: int = 5
) -> GroupCard:
    """The card of one group."""
    rows = np.flatnonzero(grouped.labels == group)
    if not len(rows):
        raise UnknownNameError(f"There is no group {group}.", hint="Choose one from the list of groups.")
    (line,) = _summaries(grouped, rows)
    reading = grouped.reading
    texts, languages = reading.texts, reading.languages
    read = partial(read_counted, known=reading.names, language=reading.language)
    representative = read(texts[line.representative])
    compared_texts: dict[str, Differences] = {}

    def compared(row: int) -> Differences:
        text = texts[row]
        if text not in compared_texts:
            across = languages[row] != languages[line.representative]
            compared_texts[text] = compare_readings(representative, read(text), across=across)
        return compared_texts[text]

    def neighbour(other: int, row: int, similarity: float, others: IntArray) -> Neighbour:
        days = _days_between(grouped.days[rows], grouped.days[others])
        gap = None if granularity is None else 1.0 - granularity - similarity
        differences = compared(row)
        return Neighbour(other, row, similarity, gap, days, _reason(gap, days, differences), differences)

    to_group = _mean_rows(grouped.similarities, rows)
    near_groups = _nearest_groups(grouped.labels, to_group, group, nearest)
    outside = np.where(grouped.labels == group, -np.inf, to_group)
    near_rows = np.argsort(-outside, kind="stable")[: max(0, min(nearest, len(grouped) - len(rows)))]
    return GroupCard(
        summary=line,
        differences=tuple(
            (row, compared(row).corrected() if row in grouped.outdated else compared(row))
            for row, *_ in line.reports
            if row != line.representative
        ),
        groups=tuple(
            neighbour(other, row, similarity, np.flatnonzero(grouped.labels == other))
            for other, row, similarity in near_groups
        ),
        headlines=tuple(
            neighbour(int(grouped.labels[row]), int(row), float(to_group[row]), np.array([row]))
            for row in near_rows
        ),
    )


def narrow(grouped: GroupedHeadlines, line: GroupSummary, rows: Sequence[int]) -> GroupSummary:
    """A group's line told by some of its headlines; number and representative stay."""
    if not rows:
        return replace(line, rows=(), reports=(), first=None, last=None, publishers=())
    return _summary(grouped, np.asarray(rows), line.representative)


def _closeness(grouped: GroupedHeadlines, rows: IntArray) -> FloatArray:
    """Mean similarity of headlines to the others of them in their group, float64 [len(rows)]; 0 alone."""
    n = len(rows)
    _, inverse, counts = np.unique(grouped.labels[rows], return_inverse=True, return_counts=True)
    sums = np.zeros(n)
    matrix = grouped.similarities.matrix
    if isinstance(matrix, np.ndarray):
        order = np.argsort(inverse, kind="stable")
        for places in np.split(order, np.cumsum(counts)[:-1]):
            if len(places) == 1:
                continue
            members = rows[places]
            for part in np.array_split(places, -(-len(places) // 1024)):  # a block, not a copy of it all
                sums[part] = matrix[np.ix_(rows[part], members)].sum(axis=1, dtype=np.float64)
            sums[places] -= matrix[members, members]
    else:
        from scipy import sparse

        entries = sparse.coo_matrix(matrix[rows])
        place = np.full(len(grouped), -1)
        place[rows] = np.arange(n)
        left, right = entries.row, place[entries.col]
        inside = (right >= 0) & (left != right)
        inside[inside] = inverse[left[inside]] == inverse[right[inside]]
        sums += np.bincount(left[inside], weights=entries.data[inside], minlength=n)
    return np.asarray(np.round(sums / np.maximum(counts[inverse] - 1, 1), 6), dtype=np.float64)


def closeness(similarities: Similarities, rows: IntArray) -> FloatArray:
    """Mean similarity of each of some headlines to the others of them, rounded for ties; 0 for one."""
    sums = _mean_rows(similarities, rows)[rows] * len(rows)
    own = np.array([similarities.of(int(row), int(row)) for row in rows])
    return np.asarray(np.round((sums - own) / max(1, len(rows) - 1), 6), dtype=np.float64)


def fold_reports(
    rows: Sequence[int], copy_of: IntArray | None, texts: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """The rows of one group, which come by time, each original with its copies; those with a label last."""
    if copy_of is None:
        return tuple((int(row),) for row in rows)
    reports: dict[int, list[int]] = {}
    for row in rows:
        reports.setdefault(int(copy_of[row]), []).append(int(row))
    return tuple(tuple(sorted(same, key=lambda row: has_label(texts[row]))) for same in reports.values())


def _summary(grouped: GroupedHeadlines, rows: IntArray, representative: int) -> GroupSummary:
    days = grouped.days[rows]
    dated = rows[~np.isnan(days)]
    first, last = (int(dated[0]), int(dated[-1])) if len(dated) else (None, None)
    members = tuple(int(row) for row in rows)
    known = (grouped.publishers[row] for row in members)
    return GroupSummary(
        group=int(grouped.labels[representative]),
        rows=members,
        reports=fold_reports(rows.tolist(), grouped.copy_of, grouped.reading.texts),
        representative=representative,
        first=first,
        last=last,
        publishers=tuple(dict.fromkeys(name for name in known if name)),
    )


def _mean_rows(similarities: Similarities, rows: IntArray) -> FloatArray:
    if isinstance(similarities.matrix, np.ndarray):
        sums = np.zeros(len(similarities))
        for part in np.array_split(rows, -(-len(rows) // 1024)):
            sums += similarities.matrix[part].sum(axis=0, dtype=np.float64)
    else:
        sums = np.asarray(similarities.matrix[rows].sum(axis=0, dtype=np.float64)).ravel()
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
    """The first that applies: a conflict in numbers, in words, far in time, few shared words."""
    if differences.number_conflicts:
        return Apart.NUMBERS
    if differences.opposed:
        return Apart.OPPOSED
    if days is not None and days >= _FAR_DAYS:
        return Apart.TIME
    if differences.overlap < _FEW_SHARED:
        return Apart.WORDS
    return Apart.THRESHOLD if gap is not None and gap < 0 else Apart.CLOSE
