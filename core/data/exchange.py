"""Answers in files of Label Studio, Prodigy, doccano and Potato, read and written, and of brat, read."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from core.data.timelines.decode import decode
from core.data.timelines.gz import GZIP, check_unpacked, gunzip
from core.data.timelines.raw import cell_text, listing
from core.data.timelines.whole_tables import whole_table
from core.digests import digest
from core.errors import InputError
from core.files import read_tables
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

ITEM, TEXT, PERSON, TIME, NAME = "item", "text", "annotator", "time", "name"
FIRST, SECOND = "first", "second"  # headlines of a pair, whose text is both
ARTICLE_TEXT: Final = "article_text"  # shown with a pair
WHO: Final = "annotated_by"  # a field of Label Studio for people who have no account there
ANSWER: Final = "answer"  # the question where a file has one and no name for it
_OWN: Final = (ITEM, TEXT, PERSON, TIME, NAME)
_PAIR: Final = re.compile(r"([a-z][a-z0-9_]{0,39})=(.+)", re.DOTALL)  # a label that names its question
_VALUES: Final = ("choices", "rating", "text", "number", "selected", "taxonomy", "datetime")
_PLACES: Final = frozenset({"start", "end", "x", "points"})  # of spans and boxes
_UNNAMED: Final = re.compile(r"scale_\w+|text_?box|slider|selection|\w*response|number|")
Record = Mapping[str, Any]
Given = dict[str, str]  # answers by question, or facts by name
_Row = tuple[int, str, Given, str, Given, Given]
"""Number and name of an item, what is shown of it, the person, what else is known, and answers."""
_FILE = re.compile(r"(?:.*/)?[^./][^/]*\.ann")
_HEADLINE = re.compile(r"^(T\S+)\t\S+ (\d{1,9})[^\t\n]*\t(.+)$", re.MULTILINE)
_RELATION = re.compile(r"^(?:R\S+|\*)\t(\S+) (.+)$", re.MULTILINE)
_JOINING = ("same-event", "same_event", "Equiv")


class AnswerTable(NamedTuple):
    """A row a task and person, all texts; a row without an answer was skipped."""

    cells: pd.DataFrame  # `ITEM`, `TEXT`, `PERSON`, `TIME`, `NAME`, what else is known of the task, questions
    questions: Mapping[str, Sequence[str]]  # with what may be answered, () for anything; {} in a plain table

    def question(self, filename: str) -> str:
        """The only one."""
        if len(self.questions) != 1:
            message = f"{filename[:80]} answers {listing(self.questions) or 'no question that is known'}."
            raise InputError(message, hint="Give a file of another tool with answers to one question.")
        return next(iter(self.questions))

    def tasks(self) -> AnswerTable:
        """What is asked, without people and answers."""
        blank = dict.fromkeys((PERSON, TIME, *self.questions), "")
        return AnswerTable(self.cells.drop_duplicates(ITEM).assign(**blank), self.questions)


def make_answers(rows: Sequence[Mapping[Any, Any]], questions: Mapping[str, Sequence[str]]) -> AnswerTable:
    """A table from rows with any of its columns."""
    import pandas as pd

    columns = dict.fromkeys(name for row in ((*_OWN, *questions), *rows) for name in row)
    cells = pd.DataFrame(
        [[row.get(name, "") for name in columns] for row in rows], columns=[*columns], dtype=object
    )
    names = cells[TEXT].where(cells[TEXT] != "", cells[ITEM])
    several = cells.groupby(names)[ITEM].transform("nunique") > 1
    cells[NAME] = names.where(~several, names + " (" + cells[ITEM] + ")")
    return AnswerTable(cells, questions)


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
    return clean_line(cell_text(value) or "")


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
    pairs = [_PAIR.fullmatch(text) for text in texts]
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
    """Where the files of a tool say what (exchange.toml)."""

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
        cells = whole_table(data, filename).cells
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


def _records(tool: Tool, cells: pd.DataFrame) -> Iterator[Record]:
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
    sides = (
        dict(zip((FIRST, SECOND), pair, strict=True)) if all(pair) and text in ("", " ".join(pair)) else {}
    )
    text = " | ".join(pair) if sides else text or " | ".join(filter(None, own.values()))
    who = told or next(filter(None, (_who(_json(record.get(name))) for name in tool.person)), stem)
    own = {_free(name, answers): value for name, value in (own | sides).items()}
    task = {ITEM: item or text, TEXT: text, PERSON: who, TIME: iso_time(_plain(record.get(tool.time)))}
    return own | task, answers


def _free(name: str, taken: Collection[str] = ()) -> str:
    return f"{name}_" if name in _OWN or name in taken else name


def _labeller(table: AnswerTable) -> Callable[[Mapping[str, str]], list[str]]:
    """Makes labels, which name their question where there are several, or one could seem to."""
    texts = [text for name, options in table.questions.items() for text in (*table.cells[name], *options)]
    plain = len(table.questions) == 1 and not any(map(_PAIR.fullmatch, texts))
    return lambda answers: [value if plain else f"{name}={value}" for name, value in answers.items()]


def shown_fields(table: AnswerTable) -> list[str]:
    """What a tool shows of a task: a text, or both headlines of a pair and its article."""
    cells = table.cells
    pairs = int((cells[FIRST] != "").sum()) if FIRST in cells else 0
    names = [] if pairs == len(cells) > 0 else [TEXT]
    return [*names, *(name for name in (FIRST, SECOND, ARTICLE_TEXT) if pairs and name in cells)]


def _label_studio(table: AnswerTable, rows: Sequence[_Row]) -> Sequence[Record]:
    tasks, fields = dict[str, dict[str, Any]](), shown_fields(table)
    for number, item, shown, person, facts, answers in rows:
        data = {**facts, **dict.fromkeys(fields, ""), **shown, ITEM: item}
        task = tasks.setdefault(item, {"id": number, "data": data})
        results = []
        # Its importer refuses people without an account there: who answered is an answer, too.
        for name, value in ({WHO: person} | answers if person else {}).items():
            kind, key = ("choices", "choices") if table.questions.get(name) else ("textarea", "text")
            where = {"id": f"{item}-{name}", "from_name": name, "to_name": fields[0], "type": kind}
            results.append({**where, "value": {key: [value]}})
        if person:
            said = {"was_cancelled": not answers, "result": results}
            task.setdefault("annotations", []).append(said)
    return list(tasks.values())


def _prodigy(table: AnswerTable, rows: Sequence[_Row]) -> Iterator[Record]:
    asked, labelled = table.questions, _labeller(table)
    options = [{name: value} for name, values in asked.items() for value in values]
    labels = [label for option in options for label in labelled(option)]
    choice: dict[str, Any] = {"field_id": next(iter(asked))}
    if labels:
        choice = {"options": [{"id": label, "text": label} for label in labels]}
        choice |= {"config": {"choice_style": "multiple"}} if len(asked) > 1 else {}
    for _, item, shown, person, facts, answers in rows:
        line: dict[str, Any] = {**shown, "meta": {**facts, ITEM: item}} | choice
        if person:
            number = int(digest(item)[:7], 16)
            line |= {"accept": labelled(answers)} if labels else answers
            line |= {ANSWER: "accept" if answers else "ignore", "_task_hash": number, "_input_hash": number}
            line |= {"_annotator_id": person, "_session_id": person}
        yield line


def _doccano(table: AnswerTable, rows: Sequence[_Row]) -> Iterator[Record]:
    labelled = _labeller(table)
    for number, item, shown, person, facts, answers in rows:
        # It shows one text: the headlines of a pair stand below each other, and are fields as well.
        line = {
            "id": number,
            TEXT: "\n".join(shown.values()),
            "label": labelled(answers),
            ITEM: item,
            **facts,
        }
        yield line | shown | {TEXT: line[TEXT]} | ({PERSON: person} if person else {})


def _potato(table: AnswerTable, rows: Sequence[_Row]) -> Iterator[Record]:
    blank = dict.fromkeys(shown_fields(table), "")
    for _, item, shown, person, facts, answers in rows:
        said = {name: {value: "true"} for name, value in answers.items()}
        head = {"user_id": person, "instance_id": item}
        head |= {"displayed_text" if name == TEXT else name: text for name, text in shown.items()}
        yield {**head, "label_annotations": said} if person else {"id": item, **blank, **shown, **facts}


TOOLS: Final[Mapping[str, tuple[str, str, Callable[[AnswerTable, Sequence[_Row]], Iterable[Record]]]]] = {
    "label_studio": ("Label Studio", "json", _label_studio),
    "prodigy": ("Prodigy", "jsonl", _prodigy),
    "doccano": ("doccano", "jsonl", _doccano),
    "potato": ("Potato", "jsonl", _potato),
}
"""What a tool is called, how its files end, and what makes their records."""


def write_answers(table: AnswerTable, tool: str) -> bytes:
    """The answers, or tasks, as a file of one of `TOOLS`."""
    _, ending, records = TOOLS[tool]
    rows, numbers = list[_Row](), dict[str, int]()
    for cells in table.cells.drop(columns=[NAME, TIME]).to_dict("records"):
        own = {str(name): str(value) for name, value in cells.items() if value}
        answers = {name: own.pop(name) for name in table.questions if name in own}
        item, text, person = own.pop(ITEM), own.pop(TEXT, ""), own.pop(PERSON, "")
        sides = [name for name in (FIRST, SECOND, ARTICLE_TEXT) if FIRST in own and name in own]
        pair = {name: own.pop(name) for name in sides}
        number = numbers.setdefault(item, len(numbers) + 1)
        rows.append((number, item, pair or {TEXT: text}, person, own, answers))
    lines = [json.dumps(record, ensure_ascii=False) for record in records(table, rows)]
    text = "[" + ",\n".join(lines) + "]" if ending == "json" else "\n".join(lines)
    return f"{text}\n".encode("utf-8", errors="replace")


def standoff_rows(data: bytes, filename: str) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Tasks and answers, none of a file without `.ann`; the folder of a document names its annotator.

    A document of at most two headlines is a pair, answered by the type of a relation; else same-event joins.
    """
    documents = {PurePosixPath(name): decode(text).text for name, text in _documents(data, filename).items()}
    spans = [sorted(_HEADLINE.findall(text), key=lambda span: int(span[1])) for text in documents.values()]
    pairs = max(map(len, spans), default=0) <= 2
    rows = []
    for (path, text), places in zip(documents.items(), spans, strict=True):
        headlines = {name: clean_line(words) for name, _, words in places}
        ends = ((kind, re.split(r"[\s:]+", names)) for kind, names in _RELATION.findall(text))
        links = [(kind, [name for name in names if name in headlines]) for kind, names in ends]
        if pairs:
            kinds = [kind for kind, names in links if len({*names}) == 2] or [""]
            said = [(" | ".join(headlines.values()), {"answer": kind}) for kind in kinds if len(places) == 2]
        else:
            from igraph import Graph

            order = list(headlines)
            joined = (pair for kind, names in links if kind in _JOINING for pair in pairwise(names))
            graph = Graph(len(order), [(order.index(one), order.index(other)) for one, other in joined])
            said = [
                (headlines[order[place]], {"group": f"{path.stem} {at}"})
                for at, places in enumerate(graph.connected_components(), start=1)
                for place in places
            ]
        who = path.parent.name or PurePosixPath(filename).name.partition(".")[0]
        rows += [({"item": item, "text": item, "annotator": who}, answer) for item, answer in said]
    return rows


def _documents(data: bytes, filename: str) -> dict[str, bytes]:
    data = gunzip(data) if data.startswith(GZIP) else data
    try:
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
                begins = {entry.name: (entry.offset_data, entry.size) for entry in tar if entry.isfile()}
            return {
                name: data[at : at + size] for name, (at, size) in begins.items() if _FILE.fullmatch(name)
            }
        if not data.startswith(b"PK"):
            return {}
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = [entry for entry in packed.infolist() if _FILE.fullmatch(entry.filename)]
            check_unpacked(sum(entry.file_size for entry in entries))
            return {entry.filename: packed.read(entry) for entry in entries}
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        hint = "Pack the folder again as zip or tar.gz, without a password."
        raise InputError(f"{filename[:80]} cannot be unpacked.", hint=hint) from None
