"""Answers read from files of Label Studio, Prodigy, doccano, Potato and brat, or from any table."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from core.data.exchange.brat import standoff_rows
from core.data.exchange.table import (
    ANSWER,
    FIRST,
    ITEM,
    NAMED_LABEL,
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
from core.data.timelines import raw, tables
from core.errors import InputError
from core.files import read_tables
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

_VALUES: Final = ("choices", "rating", "text", "number", "selected", "taxonomy", "datetime")
_PLACES: Final = frozenset({"start", "end", "x", "points"})  # of spans and boxes
_UNNAMED: Final = re.compile(r"scale_\w+|text_?box|slider|selection|\w*response|number|")


def _json(cell: Any) -> Any:
    try:
        return json.loads(cell) if isinstance(cell, str) and cell[:1] in ("[", "{") else cell
    except ValueError:
        return cell


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_plain, value)))
    if isinstance(value, dict):
        return next((_plain(value[name]) for name in _VALUES if name in value), "")
    return clean_line(raw.cell_text(value) or "")


def _who(value: Any) -> str:
    if not isinstance(value, dict):
        return _plain(value)
    names = " ".join(filter(None, (_plain(value.get(name)) for name in ("first_name", "last_name"))))
    return _plain(value.get("email")) or names or _plain(value.get("id"))


def iso_time(value: str) -> str:
    """A time, also in seconds since 1970, in ISO 8601; "" for any other text."""
    try:
        at = datetime.fromtimestamp(int(value), UTC) if value.isdecimal() else datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return ""
    return at.isoformat()


def _results(record: Record) -> Given:
    given, regions = dict[str, list[str]](), record.get("result")
    for region in regions if isinstance(regions, list) else ():
        value = region.get("value") if isinstance(region, dict) else None
        if isinstance(value, dict) and not _PLACES & value.keys():
            name = _plain(region.get("from_name")) or ANSWER
            if name == WHO or not record.get("was_cancelled"):
                given.setdefault(name, []).append(_plain(value))
    return {name: ", ".join(filter(None, values)) for name, values in given.items()}


def _after_the_id(record: Record) -> Given:
    names = list(record)
    answers = names[names.index("id") + 1 :] if "id" in names else []
    return {name: _plain(_json(record[name])) for name in answers}


def _choice(record: Record) -> Given:
    verdict, field = record.get(ANSWER), str(record.get("field_id", "user_input"))
    if verdict == "ignore" or (verdict == "reject" and record.keys() & {"options", "accept"}):
        return {}
    if "accept" in record:
        return _labels({"label": record["accept"]})
    return {ANSWER if field == "user_input" else field: _plain(record.get(field, verdict))}


def _labels(record: Record) -> Given:
    labels = _json(record.get("label"))
    flat = labels if isinstance(labels, list) else []
    texts = [_plain(label) for label in flat if not isinstance(label, list)]
    pairs = [NAMED_LABEL.fullmatch(text) for text in texts]
    if texts and all(pairs):
        return {pair[1]: pair[2] for pair in pairs if pair}
    return {ANSWER: ", ".join(texts)} if texts else {}


def _schemas(record: Record) -> Given:
    schemas, answers = _json(record.get("label_annotations") or record.get("labels")), {}
    for name, labels in schemas.items() if isinstance(schemas, dict) else ():
        given = labels if isinstance(labels, dict) else {name: labels}
        parts = [_label(name, label, _plain(value)) for label, value in given.items()]
        answers[str(name)] = ", ".join(filter(None, parts))
    return answers


def _label(schema: str, label: str, value: str) -> str:
    """A button has its number or "true" for a value; a scale or a field has its own name for a label."""
    marked = value in (label, "true", "on") or (value.isdigit() and not _UNNAMED.fullmatch(label))
    return clean_line(label) if marked and label != schema else value


_ANSWERS: Final[Mapping[str, Callable[[Record], Given]]] = {
    "results": _results,
    "after_the_id": _after_the_id,
    "choice": _choice,
    "labels": _labels,
    "schemas": _schemas,
}


class Tool(msgspec.Struct, frozen=True):
    """Where the files of a tool say what (reader.toml)."""

    title: str
    signs: tuple[str, ...]
    person: tuple[str, ...]
    answers: str
    listed: str = ""
    many: str = ""
    item: str = "id"
    text: str = TEXT
    facts: str = ""
    time: str = ""
    aside: tuple[str, ...] = ()


_TOOLS: Final = msgspec.convert(read_tables(__file__)["tools"], tuple[Tool, ...])


def read_answers(data: bytes, filename: str) -> AnswerTable:
    """The answers in a file of one of the tools, or any other table as it is."""
    rows, title = standoff_rows(data, filename), "brat"
    filename, stem = filename[:80], PurePath(filename).name.partition(".")[0]
    if not rows:
        cells = tables.whole_table(data, filename).cells
        cells.columns = [str(column) for column in cells.columns]
        signed = (tool for tool in _TOOLS if set(tool.signs) <= set(cells))
        made = (
            tool for tool in signed if not tool.listed or set(cells[tool.listed].dropna().str[:1]) <= {"["}
        )
        if (tool := next(made, None)) is None:
            return AnswerTable(cells, {})
        title = tool.title
        try:
            rows = [_row(tool, record, stem) for record in _records(tool, cells)]
        except RecursionError:
            raise InputError(f"{filename} is nested too deeply.", hint="Export it again.") from None
    if not any(any(answers.values()) for _, answers in rows):
        message = f"{filename} holds no choice, rating, number or text that somebody gave in {title}."
        raise InputError(message, hint="Export what was annotated; spans and boxes are not read.")
    questions = dict.fromkeys((name for _, answers in rows for name in answers), ())
    read = make_answers([facts | answers for facts, answers in rows], questions)
    texts = read.cells.groupby(ITEM)[TEXT].nunique()
    if (twice := "" if texts.max() == 1 else str(texts.idxmax())) or not all(texts.index):
        what = f"has two texts with the id {twice[:40]!r}" if twice else "has an answer without text and id"
        raise InputError(f"{filename} {what}.", hint="Give each task its own id; nothing was loaded.")
    return read


def _records(tool: Tool, cells: "pd.DataFrame") -> Iterator[Record]:
    for row in cells.to_dict("records"):
        record = {str(name): cell for name, cell in row.items() if cell is not None}
        several = _json(record.pop(tool.many, None)) if tool.many else [{}]
        for answer in several if isinstance(several, list) else ():
            if isinstance(answer, dict):
                yield {**record, **answer, tool.item: record.get(tool.item)} if tool.many else record


def _row(tool: Tool, record: Record, stem: str) -> tuple[Given, Given]:
    given = _ANSWERS[tool.answers](record)
    told = given.pop(WHO, "") if WHO in tool.person else ""
    answers = {_free(name): value for name, value in given.items() if name not in tool.aside}
    known = {tool.item, tool.text, tool.time, *tool.person, *tool.aside, *answers}
    left = {name: value for name, value in record.items() if name not in known}
    facts = _json(record.get(tool.facts)) if tool.facts else left
    own = {str(name): _plain(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
    item = own.pop(ITEM, "") or _plain(record.get(tool.item))
    text = _plain(record.get(tool.text)) or own.pop(TEXT, "")
    pair = [own.get(name) or _plain(record.get(name)) for name in (FIRST, SECOND)]
    both = all(pair) and text in ("", " ".join(pair))
    sides = {FIRST: pair[0], SECOND: pair[1]} if both else {}
    text = " | ".join(pair) if sides else text or " | ".join(filter(None, own.values()))
    who = told or next(filter(None, (_who(_json(record.get(name))) for name in tool.person)), stem)
    own = {_free(name, answers): value for name, value in (own | sides).items()}
    task = {ITEM: item or text, TEXT: text, PERSON: who, TIME: iso_time(_plain(record.get(tool.time)))}
    return own | task, answers


def _free(name: str, taken: Collection[str] = ()) -> str:
    return f"{name}_" if name in OWN_COLUMNS or name in taken else name
