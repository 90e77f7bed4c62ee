"""Cases as files, read and written."""

import csv
import datetime
import io
import json
from collections.abc import Iterable, Mapping

from core import limits
from core.consistency.checks.check import Case, Expected
from core.errors import InputError
from core.results.delimited import delimited, restored
from core.text.normalise import clean_line

COLUMNS = ("check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b")
_TEXTS = ("check", "a", "b", "original_a", "original_b")


def read_suite(data: bytes, filename: str) -> list[Case]:
    try:
        text = data.decode("utf-8-sig")
        rows = json.loads(text) if filename.lower().endswith(".json") else _csv_rows(text)
    except InputError:
        raise
    except (ValueError, RecursionError, csv.Error) as error:
        message = "The suite is neither CSV nor JSON in UTF-8."
        raise InputError(message, hint="Save it as one of the two.") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("The suite is not a list of cases.", hint='Give JSON like [{"check": …, "a": …}].')
    most = limits.SUITE_CASES.value
    if len(rows) > most:
        message = f"The suite has {len(rows):,} cases, and no more than {most:,} are taken."
        raise InputError(message, hint=f"Leave some out, or raise {limits.SUITE_CASES.variable}.")
    return [_case(number, row) for number, row in enumerate(rows, start=1)]


def write_suite(cases: Iterable[Case], filename: str) -> bytes:
    """The cases as CSV, formulas made harmless, or JSON, by the name's ending, for `read_suite`."""
    rows = [{name: _written(getattr(case, name)) for name in COLUMNS} for case in cases]
    if filename.lower().endswith(".json"):
        return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()
    return delimited([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)]).encode()


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value or "")


def _csv_rows(text: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in ("check", "a", "b", "expected") if name not in (reader.fieldnames or ())]
    if missing:
        message = f"The suite has no column {missing[0]!r}."
        raise InputError(message, hint=f"Its columns are: {', '.join(COLUMNS)}.")
    return [
        {name: restored(value) for name, value in row.items() if name is not None and value is not None}
        for row in reader
    ]


def _case(number: int, row: Mapping[str, object]) -> Case:
    texts = {name: clean_line(str(row.get(name) or "")) for name in _TEXTS}
    most = limits.HEADLINE_CHARACTERS.value
    for name, text in texts.items():
        if len(text) > most:
            raise InputError(
                f"Case {number} of the suite has {len(text):,} characters in {name}, more than {most:,}.",
                hint="Give one headline.",
            )
    for name in ("check", "a", "b"):
        if not texts[name]:
            raise InputError(f"Case {number} of the suite has no {name}.", hint="Fill it in.")
    raw = str(row.get("expected") or "").strip().casefold()
    if raw not in set(Expected):
        message = f"Case {number} of the suite expects {raw[:40]!r}."
        raise InputError(message, hint=f"Write one of: {', '.join(Expected)}.")
    expected = Expected(raw)
    if (expected is Expected.UNCHANGED) != bool(texts["original_a"] and texts["original_b"]):
        message = f"Case {number} of the suite expects {raw!r}, and its original pair does not fit that."
        hint = "Give `original_a` and `original_b` where “unchanged” is expected, and only there."
        raise InputError(message, hint=hint)
    date_a, date_b = (_date(number, column, row) for column in ("date_a", "date_b"))
    return Case(**texts, date_a=date_a, date_b=date_b, expected=expected)


def _date(number: int, column: str, row: Mapping[str, object]) -> datetime.date | None:
    raw = str(row.get(column) or "").strip()
    if not raw:
        return None
    try:
        return datetime.date.fromisoformat(raw)
    except ValueError:
        message = f"Case {number} of the suite has the {column} {raw[:40]!r}, which is no date."
        raise InputError(message, hint="Write it as 2024-05-31, or leave it empty.") from None
