"""Which line of a sheet or text file names the columns, and what stands above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.data.timelines.columns import has_header
from core.data.timelines.raw import listing, unique_names
from core.errors import InputError
from core.text.normalise import clean_line

Cells = Sequence[str | None]
_LOOKED_AT = 30
"""Filled rows at the top among which the names of the columns are looked for."""
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Header:
    """The names of the columns.

    Attributes:
        names: One a column, clean, filled and unique.
        line: Line of the file that holds them; 0 where they are numbers of ours.
        first: Place of the first row below them.
        notes: Sentences on what was decided.
    """

    names: tuple[str, ...]
    line: int
    first: int
    notes: tuple[str, ...]


def find_header(
    rows: Sequence[Cells], lines: Sequence[int], *, width: int, wanted: int | None = None
) -> Header:
    """The line that names the columns, and the names."""
    place = _recognised(rows[:_LOOKED_AT]) if wanted is None else _given(lines, wanted)
    if place is None:
        names = tuple(f"column_{number}" for number in range(1, width + 1))
        return Header(names, 0, 0, ("There is no header, so the columns were numbered.",))
    named, renamed = unique_names(rows[place])
    above = [_words(row) for row in rows[:place]]
    notes = []
    if above:
        notes.append(
            f"The names of the columns stand in line {lines[place]:,}; above it "
            f"{'was' if len(above) == 1 else 'were'} left out: {listing(above, most=3)}."
        )
    return Header(tuple(named), lines[place], place + 1, (*notes, *renamed))


def _given(lines: Sequence[int], wanted: int) -> int | None:
    if not wanted:
        return None
    if wanted not in lines:
        raise InputError(
            f"Line {wanted:,} is empty or not there, so it cannot name the columns.",
            hint=f"Give a line from {lines[0]:,} to {lines[-1]:,}, or 0 where no line names them.",
        )
    return list(lines).index(wanted)


def _recognised(rows: Sequence[Cells]) -> int | None:
    """The first row that is at least half as full as rows usually are, where it is a header."""
    texts = [[cell or "" for cell in row] for row in rows]
    filled = [sum(bool(cell.strip()) for cell in row) for row in texts]
    usual = median(filled)
    place = next((at for at, count in enumerate(filled) if 2 * count > usual), 0)
    for at in dict.fromkeys((place, 0)):
        if has_header(texts[at : at + 5]):
            return at
    return None


def _words(row: Cells) -> str:
    return clean_line(" ".join(cell for cell in row if cell))[:_SHOWN]
