"""Agreement over time: of the answers of some days, under one version of the instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.journal.journal import Entry
from core.people.grouping import GroupingTask, everybody
from core.people.store import dated
from core.people.votes import RESAMPLES, Scale, VoteTable, alpha, pair_alpha
from core.results.table import WARNED, Row, Table, TableColumn, decimals, footnotes, whole
from core.statistics.bootstrap import ENOUGH, Figure


def over_time(
    codes: IntArray, given: npt.NDArray[np.object_], figure: Callable[[IntArray], Figure], what: str
) -> Table:
    """Answers a day and alpha by period; below, by version of the instructions where there are several.

    `codes` are people's answers to items, int64 [n, m], -1 for none, `given` is version and day of each, text
    [n, m, 2]. Alpha is that of the answers given in a period alone: days of one version are joined until ten
    items have two answers.
    """
    versions, days = given[..., 0], given[..., 1]
    known = (codes >= 0) & (days != "")
    first = {str(version): min(days[known & (versions == version)]) for version in set(versions[known])}

    def line(version: str, held: Sequence[str], enough: int = 0) -> Row | None:
        own = np.where(known & (versions == version) & np.isin(days, held), codes, -1)
        counts = (own >= 0).sum(axis=1)
        twice, answers = int((counts >= 2).sum()), int(counts.sum())
        if twice < enough:
            return None
        return version, held[0], held[-1], answers, Figure(answers / len(held)), twice, figure(own)

    rows: list[Row] = []
    below: list[Row | None] = []
    for version in sorted(first, key=lambda name: (first[name], name)):
        periods: list[list[str]] = [[]]
        every = sorted(set(days[known & (versions == version)]))
        for day in every:
            periods[-1].append(day)
            if line(version, periods[-1], ENOUGH) is not None:
                periods.append([])
        last = periods.pop()
        if periods and last:
            periods[-1] += last
        elif last:
            periods.append(last)
        rows += filter(None, (line(version, held) for held in periods))
        below.append(line(version, every))
    columns = (
        TableColumn("Instructions", key="version"),
        TableColumn("From", key="from"),
        TableColumn("To", key="to"),
        TableColumn("Answers", key="answers", form=whole),
        TableColumn("A day", key="answers_a_day", form=decimals(1)),
        TableColumn(f"{what} with two answers", key="twice", form=whole),
        TableColumn("Alpha", key="alpha", parts=WARNED),
    )
    warnings = (row[-1].warning for row in rows if isinstance(row[-1], Figure))
    notes = (
        "Alpha of the answers of these days alone; days with few are joined.",
        *footnotes(warnings),
    )
    return Table(
        columns=columns,
        rows=tuple(rows),
        below=tuple(filter(None, below)) if len(below) > 1 else (),
        title="Agreement over time",
        notes=notes,
    )


def voted_over_time(votes: VoteTable, scale: Scale = Scale.NOMINAL) -> Table | None:
    """Alpha of votes over time; None where no vote has a day."""

    def figure(codes: IntArray) -> Figure:
        return alpha(VoteTable(votes.items, votes.people, votes.answers, codes), scale)

    return None if votes.dated is None else over_time(votes.codes, votes.dated, figure, "Items")


def grouped_over_time(task: GroupingTask, entries: Sequence[Entry]) -> Table | None:
    """Alpha of pairs over time, of those who grouped a timeline here; None where fewer than two did."""
    people = everybody(task, entries)
    if len(people) < 2:
        return None
    codes = np.stack([made.numbers for made in people.values()], axis=1)
    given = np.full((*codes.shape, 2), "", dtype=object)
    when = {entry.id: dated(entry) for entry in entries}
    for at, made in enumerate(people.values()):
        for row, placed in made.placed.items():
            given[row, at] = when[placed.entry]
    return over_time(codes, given, partial(pair_alpha, resamples=RESAMPLES), "Headlines")
