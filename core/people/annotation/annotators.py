"""People's groups as columns of a timeline, and the file in which HLGD released them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from core.data.answers import FoundAgain
from core.data.timelines.timeline import Field, Timeline
from core.journal.entry import Entry
from core.people.annotation.adjudication import adjudicated, shown_for
from core.people.annotation.grouping import everybody, grouping_task

if TYPE_CHECKING:
    import pandas as pd

IntArray = npt.NDArray[np.int64]

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
