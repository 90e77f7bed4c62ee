"""How tools write what a person answered: from a record to the answer to each question."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from core.data.exchange.table import ANSWER, NAMED_LABEL, WHO, Given, Record
from core.data.timelines import nested, raw
from core.text.normalise import clean_line
from core.text.tokens import word_list

_VALUES: Final = word_list("choices labels label rating number selected taxonomy datetime text")
_PLACES: Final = frozenset(word_list("start end x points startOffset endOffset start_offset end_offset"))
"""Keys of spans and boxes, whose text is the task's and no answer."""
_SPAN_LABELS: Final = re.compile(r"\w*labels?|choices|name")
_ByName = Mapping[str, Callable[[Record, bool], Given]]
UNNAMED: Final = re.compile(r"scale_\w+|text_?box|slider|selection|\w*response|number|")


def parsed(cell: Any) -> Any:
    return nested.parsed(cell) if isinstance(cell, str) else cell


def plain(value: Any, *, spans: bool = False) -> str:
    """A value as text; of spans and boxes nothing or, with `spans`, their different labels in order."""
    if value is None or value == "":
        return ""
    if isinstance(value, list):
        if len(value) == 3 and all(isinstance(at, int) for at in value[:2]) and isinstance(value[2], str):
            return clean_line(value[2]) if spans else ""  # doccano's spans
        parts = list(filter(None, (plain(part, spans=spans) for part in value)))
        return ", ".join(sorted(set(parts)) if spans else parts)
    if isinstance(value, dict):
        names = [name for name in _VALUES if name in value]
        if _PLACES & value.keys():
            names = [name for name in value if spans and _SPAN_LABELS.fullmatch(name)]
        return next((plain(value[name], spans=spans) for name in names), "")
    return clean_line(raw.cell_text(value) or "")


def _results(record: Record, spans: bool) -> Given:
    given, regions = dict[str, list[Any]](), record.get("result")
    for region in regions if isinstance(regions, list) else ():
        value = region.get("value") if isinstance(region, dict) else None
        if isinstance(value, dict) and (spans or not _PLACES & value.keys()):
            name = plain(region.get("from_name")) or ANSWER
            if name == WHO or not record.get("was_cancelled"):
                given.setdefault(name, []).append(value)
    return {name: plain(values, spans=spans) for name, values in given.items()}


def _choice(record: Record, spans: bool) -> Given:
    verdict, field = record.get(ANSWER), str(record.get("field_id", "user_input"))
    if verdict == "ignore" or (verdict == "reject" and record.keys() & {"options", "accept"}):
        return {}
    if "accept" in record:
        return _labels({"label": record["accept"]}, spans)
    if str(record.get("_view_id", "")).endswith("manual"):  # of drawn spans the verdict says only "done"
        return {ANSWER: plain(parsed(record.get("spans")), spans=spans) if verdict == "accept" else ""}
    return {ANSWER if field == "user_input" else field: plain(record.get(field, verdict))}


def _labels(record: Record, spans: bool) -> Given:
    labels = parsed(record.get("label"))
    texts = [text for one in as_list(labels) if (text := plain(one, spans=spans))]
    pairs = [NAMED_LABEL.fullmatch(text) for text in texts]
    if texts and all(pairs):
        return {pair[1]: pair[2] for pair in pairs if pair}
    return {ANSWER: plain(labels if spans else texts, spans=spans)} if texts else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _schemas(record: Record, spans: bool) -> Given:
    schemas = parsed(record.get("label_annotations") or record.get("labels"))
    if spans:
        schemas = parsed(record.get("span_annotations") or record.get("spans"))
        schemas = schemas if isinstance(schemas, dict) else {ANSWER: schemas}
    answers = {}
    for name, labels in schemas.items() if isinstance(schemas, dict) else ():
        given = labels if isinstance(labels, dict) else {name: labels}
        parts = [_label(name, label, plain(value, spans=spans)) for label, value in given.items()]
        answers[str(name)] = ", ".join(filter(None, parts))
    return answers


def _label(schema: str, label: str, value: str) -> str:
    """A button has its number or "true" for a value; a scale or a field has its own name for a label."""
    marked = value in (label, "true", "on") or (value.isdigit() and not UNNAMED.fullmatch(label))
    return clean_line(label) if marked and label != schema else value


ANSWERS: Final[_ByName] = {"results": _results, "choice": _choice, "labels": _labels, "schemas": _schemas}
"""By the name in `reader.toml`, of a record and whether the labels of spans are the answers."""
