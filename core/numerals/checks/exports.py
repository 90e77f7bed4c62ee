"""Checked and filled tables as files, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.data.timelines.writers import write_table
from core.numerals.checks.tables import (
    COLUMNS,
    CheckedTable,
    FilledTable,
    expression_of,
    numerals_frame,
)

_NAMED_ROWS: Final = 5


def checked_bytes(table: CheckedTable, kind: str) -> bytes:
    """A file with one row for each numeral of each headline, and exactly `COLUMNS`.

    Raises:
        UnknownNameError: `kind` is no table format.
        InputError: A text that XLSX cannot hold.
    """
    import pandas as pd

    frame = numerals_frame(table)
    about = {"signature": table.signature, "fingerprint": table.given.fingerprint}
    columns = {name: frame[name].tolist() for name in COLUMNS}
    return write_table(pd.DataFrame(index=frame.index), columns, kind, about=about, rows="numerals")


def filled_bytes(table: FilledTable, kind: str) -> bytes:
    """A file with all rows and columns of the input, `answer` and `expression`.

    Both are empty where a row has no answer. A column of that name in the input is kept as `answer_input`.

    Raises:
        UnknownNameError: `kind` is no table format.
        InputError: A text that XLSX cannot hold.
    """
    cells = table.given.table
    answers, expressions = [""] * len(cells), [""] * len(cells)
    for place, one in zip(table.given.places, table.filled, strict=True):
        if one is not None:
            answers[place], expressions[place] = one.answer, expression_of(one)
    about = {"signature": table.signature, "fingerprint": table.given.fingerprint}
    extra = {"answer": answers, "expression": expressions}
    return write_table(cells, extra, kind, about=about, rows="headlines")


def checked_object(table: CheckedTable) -> dict[str, Any]:
    """What was found, for programs."""
    counts = table.counts()
    return {
        "headlines": len(table.given),
        "without_numeral": sum(1 for one in table.checked if one is not None and not one.numerals),
        "numerals": sum(counts.values()),
        **{status.value: count for status, count in counts.items()},
        "left_out": _left_out(table.why_not),
        "signature": table.signature,
    }


def filled_object(table: FilledTable) -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "headlines": len(table.given),
        "filled": sum(1 for one in table.filled if one is not None and one.answer),
        "left_out": _left_out(table.why_not),
        "signature": table.signature,
    }


def checked_text(table: CheckedTable) -> str:
    """What was found, for people."""
    told = checked_object(table)
    parts = ", ".join(f"{count:,} {status.value}" for status, count in table.counts().items())
    none = f" ({_count(told['without_numeral'], 'without a number', '')})" if told["without_numeral"] else ""
    return (
        f"{_count(told['headlines'], 'headline')}{none}, {_count(told['numerals'], 'number')}: {parts}\n"
        f"{table.signature}"
    )


def filled_text(table: FilledTable) -> str:
    """What was found, for people."""
    told = filled_object(table)
    return (
        f"{_count(told['headlines'], 'headline')} with a blank, {told['filled']:,} filled\n{table.signature}"
    )


def why_not_text(why_not: Mapping[int, str]) -> str:
    """One sentence on the rows of the input without a result, "" where there is none."""
    if not why_not:
        return ""
    rows: dict[str, list[int]] = {}
    for row, reason in why_not.items():
        rows.setdefault(reason.rstrip("."), []).append(row)
    told = "; ".join(f"{_rows(numbers)} ({reason})" for reason, numbers in rows.items())
    return f"Left out, counting rows from 0: {told}."


def _left_out(why_not: Mapping[int, str]) -> list[dict[str, Any]]:
    return [{"row": row, "reason": reason} for row, reason in why_not.items()]


def _rows(numbers: list[int]) -> str:
    shown = ", ".join(f"{number:,}" for number in numbers[:_NAMED_ROWS])
    more = f" and {len(numbers) - _NAMED_ROWS:,} more" if len(numbers) > _NAMED_ROWS else ""
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _count(number: int, noun: str, ending: str = "s") -> str:
    return f"{number:,} {noun}{ending if number != 1 else ''}"
