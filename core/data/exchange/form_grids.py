"""Answers of forms with a row a person and a column an item, as `How clear is it? [Ferry sinks]`."""

import re
from collections.abc import Sequence
from typing import Final

from core.data.exchange.table import ITEM, PERSON, TEXT, TIME, Given, Record
from core.data.timelines.column_names import key
from core.data.timelines.moments import parse
from core.files import read_tables
from core.text.normalise import clean_line

_CELL: Final = re.compile(r"(?P<question>.*\S)?\s*\[(?P<item>[^\[\]]*\w[^\[\]]*)\]", re.DOTALL)
_FORMS: Final = read_tables(__file__, "reader")["forms"]
_FEWEST: Final = 2  # columns of one question that are a grid


def grid_rows(records: Sequence[Record], columns: Sequence[str]) -> list[tuple[Given, Given]]:
    """A task and its answers for each person and item; none of a table without such columns."""
    found = {column: match for column in columns if (match := _CELL.fullmatch(column))}
    asked = [match["question"] or "" for match in found.values()]
    grid = {name: match for name, match in found.items() if asked.count(match["question"] or "") >= _FEWEST}
    who, when = (next((name for word in _FORMS[part] for name in columns if key(name) == word), "")
                 for part in ("person", "time"))  # fmt: skip
    rows: list[tuple[Given, Given]] = []
    for number, record in enumerate(records, start=1):
        moment = parse(str(record.get(when) or ""))
        told = clean_line(str(record.get(who) or "")) or f"row {number}"
        person = {PERSON: told, TIME: moment.when.isoformat() if moment else ""}
        given: dict[str, Given] = {}
        for name, match in grid.items():
            answer = clean_line(str(record.get(name) or ""))
            given.setdefault(clean_line(match["item"]), {})[clean_line(match["question"] or "answer")] = (
                answer
            )
        rows += [({ITEM: item, TEXT: item, **person}, answers) for item, answers in given.items()]
    return rows
