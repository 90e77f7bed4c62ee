"""What adjudicators decide of headlines on which annotators differ, and the gold groups that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import IntArray
from core.data.answers import Answers, FoundAgain
from core.data.timelines.timeline import Field, Timeline
from core.journal.entry import Entry
from core.journal.journal import the_journal
from core.people.annotation.grouping import everybody, grouping_task
from core.people.ratings import judge_key
from core.results.render import count_words

if TYPE_CHECKING:
    import pandas as pd


DECIDED, TAKEN_BACK, SHOWN = "decided", "taken back", "shown"
ALONE: Final = -1
"""A headline that belongs with no other."""
BLIND, OPEN = "blind", "open"
"""What was shown of annotators, model and others' decisions before somebody decided: nothing, or all."""


def adjudication(timeline: Timeline, *, simulated: bool = False) -> Answers:
    """What adjudicators did with a timeline; with simulated annotators it is apart from that with people."""
    return Answers(the_journal(), "simulated" if simulated else "adjudication", timeline.index)


def shown_to(entries: Iterable[Entry], who: str) -> str:
    """What a person was shown of a timeline: `OPEN` once it was asked for, however long ago."""
    asked = {judge_key(entry.who) for entry in entries if entry.kind == SHOWN}
    return OPEN if judge_key(who) in asked else BLIND


def decisions(entries: Iterable[Entry], rows: int) -> dict[int, Entry]:
    """What adjudicators decided last of each headline and did not take back, in the order decided."""
    entries = list(entries)
    undone = {(entry.body.get("of"), judge_key(entry.who)) for entry in entries if entry.kind == TAKEN_BACK}
    found: dict[int, Entry] = {}
    for entry in entries:
        row, other = entry.body.get("row"), entry.body.get("with")
        # Whole numbers alone: True is one to isinstance.
        if entry.kind != DECIDED or type(row) is not int or type(other) is not int or row == other:
            continue
        if not entry.who or (entry.id, judge_key(entry.who)) in undone:
            continue
        if 0 <= row < rows and ALONE <= other < rows:
            found.pop(row, None)
            found[row] = entry
    return found


def shown_for(decision: Entry) -> str:
    """What was shown before a decision: `BLIND` where that is certain, else `OPEN`."""
    return BLIND if decision.body.get("shown") == BLIND else OPEN


def said_of(decided: Mapping[int, Entry]) -> str:
    """For people: how much was decided, and what holds it; "" where nothing was."""
    if not decided:
        return ""
    blind = sum(shown_for(entry) == BLIND for entry in decided.values())
    return (
        f"{count_words(len(decided), 'decision', 'decisions')} of adjudicators, {blind:,} of them blind: the "
        "annotated timeline holds them, the table of agreement does not."
    )


def adjudicated(merged: IntArray, decided: Mapping[int, Entry]) -> IntArray:
    """The global groups with what adjudicators decided, in the order in which they did.

    Args:
        merged: Global groups, int64 [n].
        decided: See `decisions`.

    Returns:
        int64 [n], numbered from 0 in the order of first appearance.
    """
    groups = merged.copy()
    for row, entry in decided.items():
        other = entry.body["with"]
        groups[row] = groups.max() + 1 if other == ALONE else groups[other]
    _, first, numbers = np.unique(groups, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[numbers], dtype=np.int64)


PREFIX: Final = "annotator_"
"""Of the columns of a timeline that hold one annotator's groups each."""


def with_people(timeline: Timeline, people: Mapping[str, IntArray]) -> Timeline:
    """The timeline with further annotators after those of its file.

    Args:
        timeline: The headlines.
        people: Number of each headline's group by name of the annotator, int64 [n]; -1 where there is none.
    """
    table = timeline.table.copy()
    for name, groups in people.items():
        column = f"{PREFIX}{name}"
        while column in table:  # a person may be called as a column of the file is
            column += "'"
        cells = [None if group < 0 else str(group) for group in groups.tolist()]
        table[column] = np.array(cells, dtype=object)
    return replace(timeline, table=table)


def with_stored(timeline: Timeline) -> tuple[Timeline, FoundAgain]:
    """The timeline with those who grouped its headlines on the Annotate page, and how many were found."""
    task = grouping_task(timeline)
    answers = task.answers
    people = everybody(task, answers.read())
    return with_people(timeline, {name: made.numbers for name, made in people.items()}), answers.found_again()


def released_format(timeline: Timeline, merged: IntArray, decided: Mapping[int, Entry]) -> pd.DataFrame:
    """A timeline as HLGD was released: url, headline, date, annot_1_group and so on, global_group.

    Args:
        timeline: With annotators' columns.
        merged: Group of each headline as merged from the annotators, int64 [n], from 0.
        decided: What adjudicators decided (`decisions`); it is in the global group. Where there is any, a
            last column `adjudicated` says of each such headline what was shown before.

    Returns:
        One row a headline in the order of time; a headline that an annotator left out has an empty cell, and
        so has the global group of one that nobody grouped.
    """
    import pandas as pd

    order = np.argsort(timeline.days, kind="stable")
    table = timeline.table
    grouped = table[timeline.annotators].notna().any(axis=1)
    numbers = pd.factorize(pd.Series(adjudicated(merged, decided)).where(grouped))[0] + 1
    found = pd.DataFrame(
        {
            "url": table[Field.URL],
            "headline": table[Field.HEADLINE],
            "date": table[Field.PUBLISHED].dt.strftime("%Y-%m-%d"),
            **{f"annot_{at}_group": table[name] for at, name in enumerate(timeline.annotators, 1)},
            "global_group": pd.Series(numbers, dtype="Int64").where(grouped),
        }
    )
    if decided:
        found["adjudicated"] = pd.Series({row: shown_for(entry) for row, entry in decided.items()})
    return found.iloc[order].reset_index(drop=True)
