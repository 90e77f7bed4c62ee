"""How agreement changes over time, by version of the instructions."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.journal.entries import Entry
from core.people.agreement_tables import COLUMNS
from core.people.grouping import GroupingTask, everybody
from core.people.store import dated
from core.people.vote_agreement import pair_alpha
from core.people.votes import VoteTable
from core.results.number_forms import footnotes
from core.results.table import Row, Table
from core.statistics.bootstrap import ENOUGH, RESAMPLES, Figure
from core.statistics.krippendorff import Scale, alpha_of


def over_time(codes: IntArray, given: npt.NDArray[np.object_], figure: Callable[[IntArray], Figure]) -> Table:
    """Answers a day and alpha by period; below, by version of the instructions where there are several.

    `codes` are people's answers to items, int64 [n, m], -1 for none, `given` is version and day of each, text
    [n, m, 2]. Alpha is that of the answers given in a period alone: days of one version are joined until ten
    items have two answers.
    """
    versions, days = given[..., 0], given[..., 1]
    known = (codes >= 0) & (days != "")

    def within(version: str, held: Sequence[str]) -> IntArray:
        return np.where(known & (versions == version) & np.isin(days, held), codes, -1)

    def twice(own: IntArray) -> int:
        return int(((own >= 0).sum(axis=1) >= 2).sum())

    def line(version: str, held: Sequence[str]) -> Row:
        own = within(version, held)
        answers = int((own >= 0).sum())
        return version, held[0], held[-1], figure(own), answers, Figure(answers / len(held)), twice(own)

    rows, below = list[Row](), list[Row]()
    days_of = {str(name): sorted(set(days[known & (versions == name)])) for name in set(versions[known])}
    for version, every in sorted(days_of.items(), key=lambda item: (item[1][0], item[0])):
        periods: list[list[str]] = [[]]
        for day in every:
            if twice(within(version, periods[-1])) >= ENOUGH:
                periods.append([])
            periods[-1].append(day)
        if len(periods) > 1 and twice(within(version, periods[-1])) < ENOUGH:
            last = periods.pop()
            periods[-1] += last
        rows += [line(version, held) for held in periods]
        below.append(line(version, every))
    warnings = (row[3].warning for row in rows if isinstance(row[3], Figure))
    table = Table(
        columns=COLUMNS["over_time"],
        rows=tuple(rows),
        below=tuple(below) if len(below) > 1 else (),
        title="Agreement over time",
        notes=("Alpha of the answers of these days alone; days with few are joined.", *footnotes(warnings)),
    )
    return table if any(days_of) else table.only(*range(1, len(table.columns)))


def voted_over_time(votes: VoteTable, scale: Scale = Scale.NOMINAL) -> Table | None:
    """Alpha of votes over time; None where no vote has a day."""
    if votes.dated is None:
        return None
    values = votes.values(scale)
    return over_time(
        votes.codes, votes.dated, lambda own: alpha_of(np.where(own >= 0, values, np.nan), scale)
    )


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
    return over_time(codes, given, partial(pair_alpha, resamples=RESAMPLES))
