"""Which row names the columns, if any does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, mode

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
_GENERIC = frozenset({"name", "nom", "nome", "nombre"})  # names that say nothing without their group
_FEW_CELLS = 4  # in a row of more, one may be without a name
_CODE = re.compile(r"[A-Za-z]{1,12}[_.-]?\d{1,4}(?:[_.]\d{1,3})?")
_FEW_CODES = 3
_NAME_WORDS = 4  # a cell of more words names no column


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns rather than being data."""
    first = [cell.strip() for cell in rows[0]]
    # The day of the rows below, by itself, is no name.
    if max(map(len, first), default=0) > LONGEST_NAME or (len(first) > 1 and is_date("".join(first))):
        return False
    rest = rows[1:]
    columns = [[row[place] for row in rest if place < len(row)] for place in range(len(first))]
    names = [place for place, cell in enumerate(first) if _is_name(cell)]
    if any(_differs(first[place], columns[place]) for place in names):
        return True
    typed = [cells for cell, cells in zip(first, columns, strict=True) if cell and _typed([cell], least=1)]
    if any(len(cells) < 1 or _words(cells) < 2 for cells in typed):  # but days over columns of headlines
        return False
    if any(_is_plain(first[place]) and first[place] not in columns[place] for place in names):
        return True
    corner = (
        len(first) > 1 and not first[0] and sum(map(bool, first)) == len(first) - 1
    )  # above days, beside names of outlets
    if any((cell or corner) and _typed(cells) for cell, cells in zip(first, columns, strict=True)):
        return True  # a word above dates, numbers or addresses names them
    long = any(len(cell.split()) > _NAME_WORDS for cell in first)
    if len(names) > 1 or (names and not any(map(any, columns))):
        return not long
    for cell, cells in zip(first, columns, strict=True):
        if len(cell.split()) >= 3 and cells and _words(cells) >= 3 and not _typed([cell], least=1):
            return False  # words above words: the first row is one of the rows
    if len(first) == 1:  # a lone unknown line of words is a headline, a lone short word names a column
        return len(first[0].split()) < 3
    return not long


def _is_name(cell: str) -> bool:
    """Whether a cell may name a column: a known word, and not more words than names have."""
    return 0 < len(cell.split()) <= _NAME_WORDS and (_is_plain(cell) or is_known(cell))


def _is_plain(cell: str) -> bool:
    """Whether a name means nothing else, as "news", "media" or "story" may."""
    words = column_names.key(cell).split("_")
    return len(words) <= _NAME_WORDS and not column_names.PLAIN.isdisjoint(words)


def _differs(name: str, cells: Sequence[str]) -> bool:
    """Whether what stands below a name is of another kind: dates, numbers, addresses, sentences."""
    below = [cell.strip() for cell in cells if cell.strip()]
    if not below or name.casefold() in {cell.casefold() for cell in below}:
        return False
    return _typed(below, least=1) or _words(below) >= max(_NAME_WORDS, len(name.split()) + 2)


def _words(cells: Sequence[str]) -> float:
    return float(np.median([len(cell.split()) for cell in cells]))


def _typed(cells: Sequence[str], least: int = 2) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    typed = (WEB_ADDRESS.fullmatch(cell) or cell.isdigit() or is_date(cell) for cell in filled)
    return len(filled) >= least and all(typed)


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
    group: Cells = ()
    if place is not None and wanted is None:
        if _names_more(rows[place : place + 2]):
            group, place = rows[place], place + 1
        elif place and sum(map(bool, rows[place - 1])) > 1 and _names_more(rows[place - 1 : place + 1]):
            group = rows[place - 1]
    if place is None:
        names = tuple(f"column_{number}" for number in range(1, width + 1))
        return Header(names, 0, 0, ("There is no header, so the columns were numbered.",))
    named, renamed = unique_names(_with_groups(group, rows[place]) if group else rows[place])
    first = place + 1
    for below, row in enumerate(rows[place + 1 : place + 3], place + 1):
        if _is_imported(row):  # the questions stand between
            named, renamed = unique_names(rows[below - 1])
            first = below + 1
        elif below == first and _are_codes(row) != _are_codes(rows[place]) and _names_as_well(row):
            named, renamed = (named, renamed) if _are_codes(row) else unique_names(row)
            first = below + 1
    above = [clean_line(" ".join(cell for cell in row if cell))[:_SHOWN] for row in rows[:place]]
    notes = []
    if above:
        notes.append(
            f"The names of the columns stand in line {lines[place]:,}; above it "
            f"{'was' if len(above) == 1 else 'were'} left out: {listing(above, most=3)}."
        )
    if first > place + 1:
        notes.append(f"The names of the columns go on to line {lines[first - 1]:,}.")
    return Header(tuple(named), lines[place], first, (*notes, *renamed))


def _are_codes(row: Cells) -> bool:
    """Whether a row has the short names of variables alone: v01, Q5_1."""
    filled = [cell.strip() for cell in row if cell and cell.strip()]
    codes = sum(map(bool, map(_CODE.fullmatch, filled)))
    return len({*filled}) == len(filled) and codes >= max(_FEW_CODES, 0.7 * len(filled))


def _names_as_well(row: Cells) -> bool:
    """Whether a row beside one of codes names columns: codes, or words of which some are known."""
    filled = [cell for cell in row if cell and len(cell) <= LONGEST_NAME]
    known = [column_names.field_of(cell) or any(map(column_names.field_of, cell.split())) for cell in filled]
    return _are_codes(row) or (
        sum(map(bool, known)) > 1 and not any(_typed([cell], least=1) for cell in filled)
    )


def _is_imported(row: Cells) -> bool:
    """Whether a row says how a program for surveys names its columns."""
    filled = [cell for cell in row if cell and cell.strip()]
    return len(filled) > 1 and all('"ImportId"' in cell for cell in filled)


def _names_more(rows: Sequence[Cells]) -> bool:
    """Whether the second row names the columns, and the first only groups of them, in cells over several."""
    if len(rows) < 2:
        return False
    above, below = ([(cell or "").strip() for cell in row] for row in rows)
    names = sum(_is_name(cell) or column_names.key(cell) in _GENERIC for cell in below)
    plain = not any(
        WEB_ADDRESS.fullmatch(cell) or is_date(cell) or len(cell.split()) > _NAME_WORDS for cell in below
    )
    return (
        plain
        and names >= 2
        and sum(map(bool, above)) < sum(map(bool, below))
        and names >= sum(map(_is_name, above))
    )


def _with_groups(groups: Cells, cells: Cells) -> list[str | None]:
    """The names of the columns; those that stand twice with the name of their group before them."""
    named: list[str | None] = []
    group: str | None = None
    above = [*groups, *[None] * (len(cells) - len(groups))]
    for cell, over in zip(cells, above, strict=False):
        group = over or group
        twice = sum(other == cell for other in cells) > 1 or column_names.key(cell or "") in _GENERIC
        named.append(f"{group} {cell}" if cell and twice and group else cell or over)
    return named


def _given(lines: Sequence[int], wanted: int) -> int | None:
    if not wanted:
        return None
    if wanted not in lines:
        hint = f"Give a line from {lines[0]:,} to {lines[-1]:,}, or 0 where no line names them."
        raise InputError(f"Line {wanted:,} is empty or not there, so it cannot name the columns.", hint=hint)
    return list(lines).index(wanted)


def _recognised(rows: Sequence[Cells]) -> int | None:
    """The row that names the columns: of those above the first full one, which has most known names."""
    texts = [[(cell or "").strip() for cell in row] for row in rows]
    filled = [sum(map(bool, row)) for row in texts]
    usual = mode([count for count in filled if count > 2] or [median(filled)])
    half = next((at for at, count in enumerate(filled) if 2 * count > usual), 0)
    full = next((at for at, row in enumerate(texts) if _is_full(row, usual)), half)
    named = [at for at in range(half, full + 1) if known_names(texts[at]) > 1]
    for at in dict.fromkeys((*named[:1], full, half, 0)):
        if has_header(texts[at : at + 5]):
            return at
    return None


def _is_full(row: Sequence[str], usual: float) -> bool:
    """Whether a row has as many cells as rows usually have, the first of which may have no name."""
    count = sum(map(bool, row))
    return count + (count > 1 and not row[0]) >= usual - (usual > _FEW_CELLS)
