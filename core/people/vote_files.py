"""Votes read from any table, a row a vote or a column a person, and written for other tools."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from core.data.exchange import table as answer_table
from core.data.exchange.reader import USUAL_COLUMNS, read_answers
from core.data.exchange.written_answers import parsed, plain
from core.data.timelines.column_names import key
from core.data.timelines.raw import listing
from core.digests import digest
from core.errors import InputError
from core.people.study_answers import study_votes
from core.people.votes import (
    ANSWER_COLUMN,
    DAY_COLUMN,
    ITEM_COLUMN,
    PERSON_COLUMN,
    VERSION_COLUMN,
    VoteTable,
    finite_number,
    vote_rows,
    vote_table,
)
from core.text.normalise import clean_line, is_missing

if TYPE_CHECKING:
    import pandas as pd

_GROUPED: Final = re.compile(r"(^|_)(group|cluster)s?$", re.IGNORECASE)
_PREFIX: Final = re.compile(r"^assignment:", re.IGNORECASE)


def read_votes(
    data: bytes,
    name: str,
    *,
    items: Sequence[str] = (),
    person: str = "",
    answer: str = "",
    day: str = "",
    version: str = "",
    groups: bool = False,
) -> VoteTable:
    """Votes from a table: a row a vote, or, where `person` names several columns (* for any), a person each.

    Columns that are not named are found by usual names, such as worker_id and label; the rest names the item.
    `day` and `version` name those with the time of a vote and the version of the instructions, if any.
    Answers that are numbers of groups are refused unless `groups` says that they may be. Of a study's own
    answers those count that the study counts; see `study_votes`.
    """
    import pandas as pd

    read = read_answers(data, name)
    table, study = read.cells.astype(object), study_votes(read.cells, name, answer)
    if study is not None:
        table, items, person = study.cells.astype(object), items or study.items, person or study.person
        answer = answer if answer in table else study.answer
    pair = list(items)
    if read.questions:  # the file of another tool, which says itself what is what
        pair = pair or [side for side in (answer_table.FIRST, answer_table.SECOND) if side in table]
        items, person = items or (answer_table.NAME,), person or answer_table.PERSON
        answer = answer or (next(iter(read.questions)) if len(read.questions) == 1 else "")
        day = day or (answer_table.TIME if table[answer_table.TIME].any() else "")
    columns = list(table.columns)
    for wanted in filter(None, (*items, answer, day, version)):
        known_column(wanted, columns, name)
    free = [column for column in columns if column not in {*items, answer, day, version}]
    people = matching_columns(person, free, name) if person else [_usual("person", free, name)]
    if len(people) > 1:
        return _people_in_columns(table, people, items, name, groups=groups)
    others = [column for column in columns if column not in people]
    answered = answer or _usual("answer", list(read.questions) or others, name)
    keys = list(items) or [column for column in free if column not in {people[0], answered}]
    if not keys:
        raise InputError(f"{name[:80]} has no column for the item.", hint="Name it (--item).")
    votes = pd.DataFrame(
        {ITEM_COLUMN: _items(table, keys), PERSON_COLUMN: table[people[0]], ANSWER_COLUMN: table[answered]}
    )
    votes[PERSON_COLUMN] = votes[PERSON_COLUMN].map(_text)
    notes: tuple[str, ...] = ()
    if read.questions:  # read by the tool's own rules
        votes[ANSWER_COLUMN] = votes[ANSWER_COLUMN].map(_text)
    else:
        votes[ANSWER_COLUMN], notes = _answers(votes[ANSWER_COLUMN], name)
    _refuse_groups([] if groups else [answered], votes[ANSWER_COLUMN], name)
    pair = pair if read.questions else keys
    both = table[pair].map(_text).to_numpy().tolist() if len(pair) == 2 else []
    if day:
        votes[VERSION_COLUMN] = table[version].map(_text) if version else ""
        votes[DAY_COLUMN] = table[day].map(_text).map(_day)
    sides = {item: tuple(texts) for item, texts in zip(votes[ITEM_COLUMN], both, strict=False) if all(texts)}
    left_out = () if study is None or not study.left_out else (study.left_out,)
    return replace(vote_table(votes, name), left_out=(*left_out, *read.notes, *notes), sides=sides)


def _people_in_columns(
    table: "pd.DataFrame", people: Sequence[str], items: Sequence[str], name: str, *, groups: bool
) -> VoteTable:
    numbers = [str(row) for row in range(1, len(table) + 1)]
    if items:  # the number of the row keeps two items of one name apart
        numbers = [f"{text} ({row})" for text, row in zip(_items(table, items), numbers, strict=True)]
    answers, notes = _answers(table[[*people]].to_numpy().ravel(), name)
    _refuse_groups([] if groups else people, answers, name)
    told = zip((number for number in numbers for _ in people), [*people] * len(table), answers, strict=True)
    return replace(vote_table([*told], name), left_out=notes)


def _answers(cells: Iterable[object], name: str) -> tuple[list[str], tuple[str, ...]]:
    answers, by_label = list[str](), False
    for cell in cells:
        value = parsed(cell)
        is_text = not isinstance(value, (dict, list))
        answers.append(_text(cell) if is_text else plain(value) or plain(value, spans=True))
        by_label |= not is_text and bool(answers[-1]) and not plain(value)
    return answers, (answer_table.BY_LABEL.format(name[:80]),) * by_label


def _refuse_groups(columns: Sequence[str], answers: Iterable[str], name: str) -> None:
    if columns and all(map(_GROUPED.search, columns)) and all(map(str.isdecimal, filter(None, answers))):
        said = f"The answers in {name[:80]} are numbers of groups, which differ from person to person."
        hint = "Compare them with headline-lab agreement groups, or as groups under Agreement."
        raise InputError(said, hint=hint)


def _items(table: "pd.DataFrame", columns: Sequence[str]) -> list[str]:
    return [clean_line(" | ".join(map(_text, cells))) for cells in table[[*columns]].to_numpy()]


def _day(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat() if text else ""
    except ValueError:
        hint = "Write days as 2026-05-04 and times as ISO 8601."
        raise InputError(f"{text[:40]!r} is no time of an answer.", hint=hint) from None


def _text(cell: object) -> str:
    text = "" if cell is None else clean_line(str(cell))
    if is_missing(text):
        return ""
    number = finite_number(text)
    return f"{number:g}" if number is not None else text


def _usual(what: str, columns: Sequence[str], name: str) -> str:
    by_key = {key(_PREFIX.sub("", column)): column for column in reversed(columns)}
    if not (usual := [by_key[wanted] for wanted in USUAL_COLUMNS[what] if wanted in by_key]):
        said = f"{name[:80]} has no column that is known to hold the {what}."
        raise InputError(said, hint=f"It has {listing(columns)}; name it with --{what}.")
    return usual[0]


def column_texts(cells: "pd.DataFrame", column: str, name: str) -> list[str]:
    known_column(column, [*map(str, cells.columns)], name)
    lines = ["" if cell is None else clean_line(str(cell)) for cell in cells[column]]
    return ["" if is_missing(line) else line for line in lines]


def known_column(wanted: str, columns: Sequence[str], name: str) -> str:
    if wanted not in columns:
        hint = f"It has {listing(columns)}; name one of these."
        raise InputError(f"{name[:80]} has no column {wanted[:60]!r}.", hint=hint)
    return wanted


def matching_columns(wanted: str, columns: Sequence[str], name: str) -> list[str]:
    chosen: list[str] = []
    for pattern in filter(None, map(str.strip, wanted.split(","))):
        matches = [column for column in columns if fnmatchcase(column, pattern)] if "*" in pattern else []
        chosen += matches or [known_column(pattern, columns, name)]
    return list(dict.fromkeys(chosen))


def vote_answers(votes: VoteTable) -> answer_table.AnswerTable:
    names = {
        ITEM_COLUMN: answer_table.TEXT,
        PERSON_COLUMN: answer_table.PERSON,
        ANSWER_COLUMN: answer_table.ANSWER,
    }
    table = vote_rows(votes)[[*names]].rename(columns=names)
    table[answer_table.ITEM] = [digest(text)[:12] for text in table[answer_table.TEXT]]
    sides = _sides(votes)
    table[[answer_table.FIRST, answer_table.SECOND]] = [
        sides.get(text, ("", "")) for text in table[answer_table.TEXT]
    ]
    return answer_table.make_answers(table.to_dict("records"), {answer_table.ANSWER: votes.answers})


def _sides(votes: VoteTable) -> Mapping[str, tuple[str, ...]]:
    sides = votes.sides or {item: tuple(item.split(" | ")) for item in votes.items}
    if not all(len(both) == 2 and all(both) for both in sides.values()):
        return {}
    columns = zip(*sides.values(), strict=True)  # of which the name or number of an item is no headline
    return sides if all(any(" " in text or not text.isascii() for text in side) for side in columns) else {}
