"""The groups of a timeline as lines of a list, and how headlines of a group fold."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.timelines.duplicates import has_label
from core.similarities import Similarities
from core.text.timeline_reading import TimelineReading


@dataclass(frozen=True, slots=True, eq=False)
class GroupedHeadlines:
    similarities: Similarities  # of the n headlines, time included
    labels: IntArray  # group of each headline, int64 [n]; any numbers
    reading: TimelineReading
    days: FloatArray  # publication time in days, float64 [n]; NaN where there is none
    publishers: Sequence[str | None]  # name of the outlet, None where it is not known
    copy_of: IntArray | None = None  # which headlines are copies of one another: equal numbers, int64 [n]
    outdated: Collection[int] = ()  # rows edited or overtaken since: none stands for its group
    foreign: Collection[int] = ()  # rows in another language than titles: next to others none is a title
    newest: Mapping[int, int] = field(default_factory=dict)  # how well a row states the newest numbers

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class GroupSummary:
    group: int  # its label
    rows: tuple[int, ...]  # its headlines by time, then by row; those without a date last
    reports: tuple[tuple[int, ...], ...]  # the rows again, each original with its copies, by time
    representative: int  # row of the original with the newest numbers, most similar to the others on average
    first: int | None  # row of the first dated report; None where no date is known
    last: int | None  # row of the last one
    publishers: tuple[str, ...]  # each once, in order of appearance

    @property
    def size(self) -> int:
        return len(self.rows)

    def copies(self, row: int) -> tuple[int, ...]:
        """The copies of an original, by time; () where it has none."""
        return next((report[1:] for report in self.reports if report[0] == row), ())


def summarize_groups(grouped: GroupedHeadlines, rows: IntArray | None = None) -> list[GroupSummary]:
    """The groups of all or of some rows, the largest first, equal ones by their first row; [] for no rows."""
    rows = np.arange(len(grouped)) if rows is None else rows
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
    outdated = np.array([row in grouped.outdated for row in originals.tolist()])
    labelled = np.array([has_label(texts[row]) for row in originals.tolist()])
    foreign = np.array([row in grouped.foreign for row in originals.tolist()])
    newest = np.array([grouped.newest.get(row, 0) for row in originals.tolist()])
    of_labels = grouped.labels[originals]
    close = closeness(grouped.similarities, originals, of_labels)
    keys = (originals, lengths, dates[originals], -close, labelled, -newest, foreign, outdated, of_labels)
    order = np.lexsort(keys)
    _, places = np.unique(of_labels[order], return_index=True)
    medoids = originals[order][places].tolist()
    lines = [_summary(grouped, members, medoid) for members, medoid in zip(groups, medoids, strict=True)]
    return sorted(lines, key=lambda line: (-line.size, min(line.rows)))


def narrow_summary(grouped: GroupedHeadlines, summary: GroupSummary, rows: Sequence[int]) -> GroupSummary:
    """A group's line told by some of its headlines; number and representative stay."""
    if not rows:
        return replace(summary, rows=(), reports=(), first=None, last=None, publishers=())
    return _summary(grouped, np.asarray(rows), summary.representative)


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


def closeness(similarities: Similarities, rows: IntArray, labels: IntArray) -> FloatArray:
    """Mean similarity of rows to others of their label, float64 [len(rows)], rounded for ties; 0 for one."""
    n = len(rows)
    _, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = np.zeros(n)
    matrix = similarities.matrix
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
        place = np.full(len(similarities), -1)
        place[rows] = np.arange(n)
        left, right = entries.row, place[entries.col]
        inside = (right >= 0) & (left != right)
        inside[inside] = inverse[left[inside]] == inverse[right[inside]]
        sums += np.bincount(left[inside], weights=entries.data[inside], minlength=n)
    return np.asarray(np.round(sums / np.maximum(counts[inverse] - 1, 1), 6), dtype=np.float64)


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
