"""The cells that a timeline is made of: repaired, and empty where they say that there is no value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field
from core.text.repair import is_missing, repaired

Texts = list[str | None]
_WORDS = frozenset({Field.HEADLINE, Field.PUBLISHER, Field.AUTHORS, Field.BODY})
"""Fields that hold writing; addresses and group labels stay as they are."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The mapped columns of a table as they were meant.

    Attributes:
        columns: Texts of each mapped column; None where the cell has no value. A headline that says that
            there is none stays, so that its row can be rejected by what stands there.
        notes: Sentences that count what was repaired and what was taken for empty.
    """

    columns: Mapping[str, Texts]
    notes: tuple[str, ...]


def repaired_cells(table: RawTable, mapping: Mapping[Field, tuple[str, ...]]) -> Cells:
    """The cells of every column that has a meaning."""
    columns: dict[str, Texts] = {}
    references = letters = missing = 0
    for field, names in mapping.items():
        for name in names:
            texts = table.column(name)
            for row, text in enumerate(texts):
                if not text:
                    continue
                if is_missing(text):
                    missing += 1
                    texts[row] = text if field is Field.HEADLINE else None
                elif field in _WORDS:
                    found = repaired(text)
                    texts[row] = found.text
                    references += found.references
                    letters += found.letters
            columns[name] = texts
    notes = (
        *_note(references, "HTML codes such as &mdash; were decoded in"),
        *_note(letters, "Garbled letters such as Ã© for é were repaired in"),
        *_note(missing, "“n/a”, “-” or the like was taken for missing in"),
    )
    return Cells(columns, notes)


def _note(count: int, what: str) -> tuple[str, ...]:
    return (f"{what} {count:,} {'cell' if count == 1 else 'cells'}.",) if count else ()
