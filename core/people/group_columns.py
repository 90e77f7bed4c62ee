"""The groups of annotators as columns of a timeline, and as other tools have them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.data.answers import FoundAgain
from core.data.exchange.reader import iso_time, read_answers
from core.data.exchange.table import ITEM, PERSON, TEXT, AnswerTable, make_answers
from core.data.identity import HeadlineIndex, HeadlineKey
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.people.grouping import everybody, grouping_task

PREFIX: Final = "annotator_"  # of the columns of a timeline that hold one annotator's groups each
GROUP: Final = "group"  # the question that groups answer in other tools
_FACTS: Final = {"date": Field.PUBLISHED, "publisher": Field.PUBLISHER, "url": Field.URL}


def with_people(timeline: Timeline, people: Mapping[str, IntArray]) -> Timeline:
    """The timeline with further annotators' groups by name, int64 [n], -1 where there is none."""
    table = timeline.table.copy()
    for name, groups in people.items():
        column = f"{PREFIX}{name}"
        while column in table:  # a person may be called as a column of the file is
            column += "'"
        cells = [None if group < 0 else str(group) for group in groups.tolist()]
        table[column] = np.array(cells, dtype=object)
    return replace(timeline, table=table)


def with_stored(timeline: Timeline) -> tuple[Timeline, FoundAgain]:
    """The timeline with those who grouped its headlines under Annotate, and how many were found."""
    task = grouping_task(timeline)
    answers = task.answers
    people = everybody(task, answers.read())
    return with_people(timeline, {name: made.numbers for name, made in people.items()}), answers.found_again()


def group_answers(timeline: Timeline) -> AnswerTable:
    """The annotators' groups as other tools have them; headlines alone where nobody grouped them."""
    import pandas as pd

    table = timeline.table
    days = table[Field.PUBLISHED].dt.strftime("%Y-%m-%d")
    known = {name: days if name == "date" else table[field] for name, field in _FACTS.items()}
    rows = []
    for row, text in enumerate(timeline.texts):
        facts = {name: str(column[row]) for name, column in known.items() if pd.notna(column[row])}
        task = {ITEM: timeline.index.ids[row], TEXT: text, **facts}
        given = {name: table[name][row] for name in timeline.annotators if pd.notna(table[name][row])}
        people = [{PERSON: name.removeprefix(PREFIX), GROUP: str(group)} for name, group in given.items()]
        rows += [task | answer for answer in people or [{}]]
    return make_answers(rows, {GROUP: ()})


def with_answers(timeline: Timeline, data: bytes, filename: str) -> tuple[Timeline, str]:
    """The timeline with the groups of another tool's file, and how many of its headlines were found."""
    read, filename = read_answers(data, filename), filename[:80]
    question = read.question(filename)
    cells = read.cells[read.cells[question] != ""]
    twice = cells[cells.duplicated([ITEM, PERSON])]
    if len(twice):
        who, text = twice.iloc[0][[PERSON, TEXT]]
        said = f"In {filename} {who[:40]} gives two groups to {text[:60]!r}."
        raise InputError(said, hint="Take one of them out; nothing was loaded.")
    heads = cells.drop_duplicates(ITEM).set_index(ITEM)
    texts = heads["headline"] if "headline" in heads else heads[TEXT]
    dates, *known = (heads[name] if name in heads else [""] * len(heads) for name in _FACTS)
    days = (iso_time(date)[:10] for date in dates)
    keys = HeadlineIndex(map(HeadlineKey, texts, days, *known)).keys
    places = timeline.index.rows_of(keys)
    if not places:
        said = f"{filename} is about other headlines."
        raise InputError(said, hint="Open the timeline that was annotated there.")
    rows = {item: places[key] for item, key in zip(heads.index, keys, strict=True) if key in places}
    people = {}
    for who, own in cells[cells[ITEM].isin(list(rows))].groupby(PERSON, sort=False):
        people[str(who)] = groups = np.full(len(timeline), -1, dtype=np.int64)
        groups[[rows[item] for item in own[ITEM]]] = own[question].factorize()[0]
    said = f"{len(places):,} of {len(keys):,} grouped headlines of {filename} are in this timeline."
    return with_people(timeline, people), said
