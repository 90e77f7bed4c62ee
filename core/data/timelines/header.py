"""Which row names the columns, if any does."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from core.data.timelines import column_names
from core.data.timelines.addresses import WEB_ADDRESS
from core.data.timelines.column_names import LONGEST_NAME, is_known
from core.data.timelines.moments import is_date
from core.data.timelines.raw import listing, unique_names
from core.errors import InputError
from core.text.normalise import clean_line

Cells = Sequence[str | None]
_LOOKED_AT = 30  # filled rows at the top among which the names of the columns are looked for
_SHOWN = 120


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns rather than being data."""
    first = [cell.strip() for cell in rows[0]]
    if max(map(len, first), default=0) > LONGEST_NAME:
        return False
    if any(is_known(cell) for cell in first if cell):
        return True
    if any(WEB_ADDRESS.fullmatch(cell) or cell.isdigit() or is_date(cell) for cell in first if cell):
        return False
    if any(_names_something(cell) for cell in first):
        return True
    rest = rows[1:]
    if any(
        cell and _typed([row[place] for row in rest if place < len(row)]) for place, cell in enumerate(first)
    ):
        return True  # a word above dates, numbers or addresses names them
    for place, cell in enumerate(first):
        below = [len(row[place].split()) for row in rest if place < len(row)]
        if len(cell.split()) >= 3 and below and float(np.median(below)) >= 3:
            return False  # words above words: the first row is one of the rows
    if len(first) == 1:  # a lone unknown line of words is a headline, a lone short word names a column
        return len(first[0].split()) < 3
    return not any(len(cell.split()) > 6 for cell in first)


def _typed(cells: Sequence[str]) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    typed = (WEB_ADDRESS.fullmatch(cell) or cell.isdigit() or is_date(cell) for cell in filled)
    return len(filled) > 1 and all(typed)


def _names_something(cell: str) -> bool:
    words = column_names.key(cell).split("_")
    return len(words) <= 4 and not column_names.PLAIN.isdisjoint(words)


def known_names(names: Sequence[str]) -> int:
    return sum(is_known(name) for name in names if name.strip())


@dataclass(frozen=True, slots=True)
class Header:
    names: tuple[str, ...]
    line: int
    first: int
    notes: tuple[str, ...]


def find_header(
    rows: Sequence[Cells], lines: Sequence[int], *, width: int, wanted: int | None = None
) -> Header:
    place = _recognised(rows[:_LOOKED_AT]) if wanted is None else _given(lines, wanted)
    if place is None:
        names = tuple(f"column_{number}" for number in range(1, width + 1))
        return Header(names, 0, 0, ("There is no header, so the columns were numbered.",))
    named, renamed = unique_names(rows[place])
    above = [clean_line(" ".join(cell for cell in row if cell))[:_SHOWN] for row in rows[:place]]
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
        hint = f"Give a line from {lines[0]:,} to {lines[-1]:,}, or 0 where no line names them."
        raise InputError(f"Line {wanted:,} is empty or not there, so it cannot name the columns.", hint=hint)
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
