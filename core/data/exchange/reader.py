"""Answers read from files of tools and crowds (reader.toml), of brat, WebAnno and forms, or any table."""

import fnmatch
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from core.data.exchange.brat import standoff_rows
from core.data.exchange.form_grids import grid_rows
from core.data.exchange.question_columns import (
    QuestionColumns,
    answered,
    columns_beside_facts,
    question_columns,
)
from core.data.exchange.table import (
    BY_LABEL,
    FIRST,
    ITEM,
    OWN_COLUMNS,
    PERSON,
    SECOND,
    TEXT,
    TIME,
    WHO,
    AnswerTable,
    Given,
    Record,
    make_answers,
)
from core.data.exchange.webanno import token_rows
from core.data.exchange.written_answers import ANSWERS, as_list, parsed, plain
from core.data.timelines import tables
from core.data.timelines.column_names import key
from core.data.timelines.decode import decode
from core.errors import InputError
from core.files import read_tables

if TYPE_CHECKING:
    import pandas as pd

_NO_JSON: Final = b"\xef\xbb\xbf \t\r\n"  # before it
_KNOWN: Final = read_tables(__file__)
USUAL_COLUMNS: Final[Mapping[str, Sequence[str]]] = _KNOWN["usual"]
"""Names of columns for the person and the answer in tables of no known tool, the likeliest first."""
_Rows = list[tuple[Given, Given]]  # facts and answers of each record


class Tool(msgspec.Struct, frozen=True):
    """Where the files of a tool say what (reader.toml)."""

    title: str
    signs: tuple[str, ...]
    person: tuple[str, ...]
    answers: str
    listed: str = ""
    many: str = ""
    by_item: str = ""
    packed: str = ""
    prefix: str = ""
    separator: str = ""
    item: str = "id"
    text: str = TEXT
    facts: str = ""
    shown: str = ""
    time: str = ""
    aside: tuple[str, ...] = ()

    def wrote(self, records: Sequence[Record], columns: Collection[str]) -> bool:
        lists = (parsed(record.get(self.listed, [])) for record in records if self.listed)
        return bool(
            all(fnmatch.filter(columns, sign) for sign in self.signs)
            and (self.person or set(USUAL_COLUMNS["person"]).isdisjoint(map(key, columns)))
            and all(isinstance(cell, list) for cell in lists if cell is not None)
        )


TOOLS: Final = msgspec.convert(_KNOWN["tools"], tuple[Tool, ...])


def read_answers(data: bytes, filename: str) -> AnswerTable:
    """The answers in a file of one of the tools, or any other table as it is."""
    rows, title, notes = standoff_rows(data, filename), "brat", tuple[str, ...]()
    filename, stem = filename[:80], PurePath(filename).name.partition(".")[0]
    if not rows and (rows := token_rows(data, filename)):
        title, notes = "WebAnno or INCEpTION", (BY_LABEL.format(filename),)
    if not rows:
        tool, records, cells = tool_of(data, filename)
        if tool is None and (rows := grid_rows(records, [] if cells is None else [*map(str, cells)])):
            title = "a form"
        elif tool is None:
            return AnswerTable(tables.whole_table(data, filename).cells if cells is None else cells, {})
        else:
            title = tool.title
            try:
                rows, notes = _rows(tool, records, filename, stem)
            except RecursionError:
                raise InputError(f"{filename} is nested too deeply.", hint="Export it again.") from None
    if not any(any(answers.values()) for _, answers in rows):
        message = f"{filename} holds no choice, rating, number or text that somebody gave in {title}."
        raise InputError(message, hint="Export what was annotated; spans and boxes need labels.")
    names = dict.fromkeys(name for _, answers in rows for name, answer in answers.items() if answer)
    read = make_answers([facts | answers for facts, answers in rows], dict.fromkeys(names, ()))
    texts = read.cells.groupby(ITEM)[TEXT].nunique()
    if (twice := "" if texts.max() == 1 else str(texts.idxmax())) or not all(texts.index):
        what = f"has two texts with the id {twice[:40]!r}" if twice else "has an answer without text and id"
        raise InputError(f"{filename} {what}.", hint="Give each task its own id; nothing was loaded.")
    return read._replace(notes=notes)


def tool_of(data: bytes, filename: str) -> tuple[Tool | None, list[Record], "pd.DataFrame | None"]:
    """The tool that wrote a file, its records, and the cells where these are not the objects of JSON."""
    records, cells = _json_records(data, filename), None
    if not records:
        cells = tables.whole_table(data, filename).cells.rename(columns=str)
        records = cast("list[Record]", cells.to_dict("records"))
    columns = _columns(records) if cells is None else [*map(str, cells)]
    return next((tool for tool in TOOLS if tool.wrote(records, columns)), None), records, cells


def _columns(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(str(name) for record in records for name in record))


def _json_records(data: bytes, filename: str) -> list[Record]:
    """The objects in a file of JSON or JSON Lines, whatever they hold; none where it is anything else."""
    data, _ = tables.unpacked_file(data, filename)
    text = decode(data).text.lstrip() if data.lstrip(_NO_JSON)[:1] in (b"[", b"{") else ""
    whole: Any = []
    for texts in ([text], text.splitlines()):
        try:
            whole = [json.loads(part) for part in texts if part.strip()]
            break
        except (ValueError, RecursionError):
            continue
    whole = whole[0] if len(whole) == 1 else whole
    if isinstance(whole, dict):
        for tool in TOOLS:
            if isinstance(whole.get(tool.by_item), dict):
                return list(_items(tool, whole))
    return [record for record in as_list(whole) if isinstance(record, dict)]


def _items(tool: Tool, whole: Record) -> Iterator[Record]:
    """A record an item, of a file that holds pairs of a label (its schema and name) and a value of each."""
    people = {name: whole.get(name) for name in tool.person}
    for item, given in whole[tool.by_item].items():
        labels = given if isinstance(given, dict) else dict[str, dict[str, Any]]()
        for pair in given if isinstance(given, list) else ():
            if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], dict):
                labels.setdefault(str(pair[0].get("schema")), {})[str(pair[0].get("name"))] = pair[1]
        yield {**people, tool.item: item, "labels": labels}


def _records(tool: Tool, cells: Sequence[Record]) -> Iterator[Record]:
    for row in cells:
        record = {str(name): cell for name, cell in row.items() if cell is not None}
        for question in as_list(parsed(record.pop(tool.packed, []))):
            for name, labels in question.items() if isinstance(question, dict) else ():
                values = labels if isinstance(labels, dict) else {"": labels}
                record |= {f"{tool.prefix}{name}.{label}".rstrip("."): values[label] for label in values}
        several = parsed(record.pop(tool.many, None)) if tool.many else [{}]
        for answer in several if isinstance(several, list) else ():
            if isinstance(answer, dict):
                yield {**record, **answer, tool.item: record.get(tool.item)} if tool.many else record


def _rows(tool: Tool, cells: Sequence[Record], filename: str, stem: str) -> tuple[_Rows, tuple[str, ...]]:
    """What each record says; of spans and boxes the labels, where nothing else was answered."""
    records = list(_records(tool, cells))
    columns, written = _columns(records), ANSWERS.get(tool.answers)
    questions: QuestionColumns = {}
    if tool.answers == "columns":
        questions = question_columns(records, columns, tool.prefix, tool.separator)
    elif tool.answers == "columns_beside_facts" and tool.item in columns:
        known = (tool.item, tool.text, tool.time, *tool.person, *tool.aside)
        questions = columns_beside_facts(records, columns, known, tool.item)
    used = {column.name for columns in questions.values() for column in columns}
    for spans in (False, True):
        rows = _Rows()
        for record in records:
            given = written(record, spans) if written else answered(record, questions, spans=spans)
            facts = {name: value for name, value in record.items() if name not in used}
            rows.append(_row(tool, facts, given, stem))
        if any(any(answers.values()) for _, answers in rows):
            break
    return rows, (BY_LABEL.format(filename),) * spans


def _row(tool: Tool, record: Record, given: Given, stem: str) -> tuple[Given, Given]:
    told = given.pop(WHO, "") if WHO in tool.person else ""
    answers = {_free(name): value for name, value in given.items() if name not in tool.aside}
    known = {tool.item, tool.text, tool.time, *tool.person, *tool.aside, *answers}
    left = {name: value for name, value in record.items() if tool.shown or name not in known}
    facts = parsed(record.get(tool.facts)) if tool.facts else left
    own = {str(name): plain(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
    named = own.pop(ITEM, "") or plain(record.get(tool.item))
    text = plain(record.get(tool.text)) or own.pop(TEXT, "")
    pair = [own.get(name) or plain(record.get(name)) for name in (FIRST, SECOND)]
    both = all(pair) and text in ("", " ".join(pair))
    sides = {FIRST: pair[0], SECOND: pair[1]} if both else {}
    shown = " | ".join(value for name, value in own.items() if value and name.startswith(tool.shown))
    text = " | ".join(pair) if sides else text or shown
    item = text or named if tool.shown else named or text
    who = told or next(filter(None, (_who(parsed(record.get(name))) for name in tool.person)), stem)
    own = {_free(name, answers): value for name, value in (own | sides).items()}
    task = {ITEM: item, TEXT: text, PERSON: who, TIME: iso_time(plain(record.get(tool.time)))}
    return own | task, answers


def _free(name: str, taken: Collection[str] = ()) -> str:
    return f"{name}_" if name in OWN_COLUMNS or name in taken else name


def _who(value: Any) -> str:
    if not isinstance(value, dict):
        return plain(value)
    names = " ".join(filter(None, (plain(value.get(name)) for name in ("first_name", "last_name"))))
    return plain(value.get("email")) or names or plain(value.get("id"))


def iso_time(value: str) -> str:
    """A time, also in seconds since 1970, in ISO 8601; "" for any other text."""
    try:
        at = datetime.fromtimestamp(int(value), UTC) if value.isdecimal() else datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return ""
    return at.isoformat()
