"""Answers written as files of Label Studio, Prodigy, doccano and Potato."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from core.data.exchange.table import (
    ANSWER,
    ARTICLE_TEXT,
    FIRST,
    ITEM,
    NAME,
    NAMED_LABEL,
    PERSON,
    SECOND,
    TEXT,
    TIME,
    WHO,
    AnswerTable,
    Given,
    Record,
)
from core.digests import digest

_Row = tuple[int, str, Given, str, Given, Given]
"""Number and name of an item, what is shown of it, the person, what else is known, and answers."""


def _labeller(table: AnswerTable) -> Callable[[Mapping[str, str]], list[str]]:
    """Makes labels, which name their question where there are several, or one could seem to."""
    texts = [text for name, options in table.questions.items() for text in (*table.cells[name], *options)]
    plain = len(table.questions) == 1 and not any(map(NAMED_LABEL.fullmatch, texts))
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
        line = {"id": number, TEXT: "\n".join(shown.values()), "label": labelled(answers), ITEM: item} | facts
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
