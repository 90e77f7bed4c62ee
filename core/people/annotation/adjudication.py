"""What adjudicators decide of headlines on which annotators differ, and the gold groups that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.answers import Answers
from core.data.timelines.timeline import Timeline
from core.journal.entry import Entry
from core.journal.journal import the_journal
from core.people.ratings import judge_key
from core.results.text import count_words

IntArray = npt.NDArray[np.int64]

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
