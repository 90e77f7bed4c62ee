"""Which column means what: by its name, then by what stands in it; and whether there is a header."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from typing import Final

import numpy as np

from core import limits
from core.data.timelines import dates
from core.data.timelines import raw as column_names
from core.data.timelines.raw import LONGEST_NAME, NAMES, WEAK, RawTable, listing, unique_names
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.text.normalise import clean_line

Mapped = dict[Field, tuple[str, ...]]
_SAMPLE = 200
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_LONG_TEXT = 300  # characters; a column whose middle value is longer is an article, not a headline


def propose(table: RawTable) -> Mapped:
    """The likely meaning of the columns; what is not recognised is left out."""
    if table.mapping is not None:
        return dict(table.mapping)
    samples = {name: _sample(table.column(name)) for name in table.columns}
    annotators = tuple(filter(column_names.is_annotator, samples))
    mapping: Mapped = {Field.ANNOTATOR: annotators} if annotators else {}
    free = [name for name in samples if name not in annotators]
    named = column_names.find(
        free, NAMES, agrees=lambda field, name, column: name not in WEAK or _agrees(field, samples[column])
    )
    for field, name in named.items():
        mapping[field] = (name,)
        free.remove(name)
    _by_word(mapping, free, samples)
    _by_content(mapping, free, samples)
    return mapping


def check(mapping: Mapping[Field, Sequence[str] | str], columns: Sequence[str]) -> Mapped:
    checked: Mapped = {}
    for raw, chosen in mapping.items():
        if raw not in list(Field):
            message = f"There is no field {str(raw)[:40]!r}."
            raise InputError(message, hint=f"Choose one of: {listing(f.value for f in Field)}.")
        field = Field(raw)
        names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        names = tuple(name for name in names if name)
        for name in names:
            if name not in columns:
                message = f"There is no column {name[:80]!r} for the {field.value}."
                raise InputError(message, hint=f"The columns are: {listing(columns)}.")
        if len(names) > 1 and field != Field.ANNOTATOR:
            message = f"The {field.value} takes one column, not {len(names)}."
            raise InputError(message, hint="Choose one of them.")
        if names:
            checked[field] = names
    if Field.HEADLINE not in checked:
        message = f"No headline column was found among: {listing(columns)}."
        raise InputError(message, hint="Choose the column that holds the headlines, or call it `headline`.")
    return checked


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns rather than being data."""
    first = [cell.strip() for cell in rows[0]]
    if max(map(len, first), default=0) > LONGEST_NAME:
        return False
    if any(column_names.is_known(cell) for cell in first if cell):
        return True
    if any(_URL.fullmatch(cell) or cell.isdigit() or dates.is_date(cell) for cell in first if cell):
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
    return len(filled) > 1 and all(
        _URL.fullmatch(cell) or cell.isdigit() or dates.is_date(cell) for cell in filled
    )


def _names_something(cell: str) -> bool:
    words = column_names.key(cell).split("_")
    return len(words) <= 4 and not column_names.PLAIN.isdisjoint(words)


def _sample(values: Sequence[str | None]) -> list[str]:
    filled = [value.strip() for value in values if value and value.strip()]
    step = max(1, len(filled) // _SAMPLE)
    return filled[::step][:_SAMPLE]


def _share_of_dates(sample: Sequence[str]) -> float:
    read = dates.parse_column(sample, now=datetime.max.replace(tzinfo=UTC, year=9000))
    return 1.0 - float(read.unreadable.mean()) if sample else 0.0


def _middle(sample: Sequence[str]) -> float:
    return float(np.median([len(text) for text in sample])) if sample else 0.0


def _agrees(field: Field, sample: Sequence[str]) -> bool:
    if field is Field.PUBLISHED:
        return _share_of_dates(sample) >= 0.5
    if field is Field.BODY:
        return _middle(sample) > _LONG_TEXT
    if field is Field.HEADLINE:
        return _is_prose(sample)
    return bool(sample) and _middle(sample) <= 60


def _is_prose(sample: Sequence[str]) -> bool:
    if not sample or sum(bool(_URL.match(text)) for text in sample) > 0.5 * len(sample):
        return False
    letters = sum(sum(map(str.isalpha, text)) for text in sample) / max(1, sum(map(len, sample)))
    spaced = sum(len(text.split()) >= 3 for text in sample) / len(sample)
    unspaced = sum(len(text) >= 8 and ord(max(text)) > 0x2E80 for text in sample) / len(sample)
    return letters > 0.5 and max(spaced, unspaced) >= 0.5


def _by_word(mapping: Mapped, free: list[str], samples: Mapping[str, Sequence[str]]) -> None:
    for table, place in ((column_names.LAST, -1), (column_names.FIRST, 0)):
        for field, words in table.items():
            for name in list(free):
                word = column_names.key(name).split("_")[place]
                sure = place and word not in WEAK
                if field not in mapping and word in words and (sure or _agrees(field, samples[name])):
                    mapping[field] = (name,)
                    free.remove(name)


def _by_content(mapping: Mapped, free: list[str], samples: Mapping[str, Sequence[str]]) -> None:
    def take(field: Field, name: str) -> None:
        mapping[field] = (name,)
        free.remove(name)

    for name in list(free):
        sample = samples[name]
        if not sample:
            continue
        if Field.URL not in mapping and sum(bool(_URL.fullmatch(t)) for t in sample) >= 0.8 * len(sample):
            take(Field.URL, name)
        elif Field.PUBLISHED not in mapping and _share_of_dates(sample) >= 0.8:
            take(Field.PUBLISHED, name)
    if Field.HEADLINE not in mapping:
        prose = [n for n in free if _is_prose(samples[n])]
        short = [n for n in prose if _middle(samples[n]) <= _LONG_TEXT]
        if short or prose:
            take(Field.HEADLINE, max(short or prose, key=lambda n: _middle(samples[n])))


def known_names(names: Sequence[str]) -> int:
    return sum(column_names.is_known(name) for name in names if name.strip())


Cells = Sequence[str | None]
_LOOKED_AT = 30  # filled rows at the top among which the names of the columns are looked for
_SHOWN = 120


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
        message = f"Line {wanted:,} is empty or not there, so it cannot name the columns."
        hint = f"Give a line from {lines[0]:,} to {lines[-1]:,}, or 0 where no line names them."
        raise InputError(message, hint=hint)
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


UNCLOSED: Final = "A quotation mark is opened and never closed."


def closed_lines(
    lines: Iterator[str], delimiter: str, unclosed: list[tuple[int, str]], number: int = 1
) -> Iterator[str]:
    """Lines of which those are empty that begin a row with a mark which is never closed.

    A quoted cell ends at the first mark that is not doubled, as Python's `csv` sees it; the delimiter or the
    end of the line must follow. Where anything else does, and where both marks are all that their cells hold,
    the mark before it was never closed.
    """
    ahead: deque[str] = deque()
    most = limits.QUOTED_CHARACTERS.value
    mark, ends = f'{delimiter}"', f"{delimiter}\r\n"

    def take() -> str | None:
        return ahead.popleft() if ahead else next(lines, None)

    while (line := take()) is not None:
        opened = _opened(line, 0, mark) if '"' in line else 0
        if not opened:
            number += 1
            yield line
            continue
        row, size, opening = [line], 0, line[opened : opened + 1]
        while opened:
            following = take() if size <= most else None
            if following is None:
                break
            row.append(following)
            size += len(following)
            end = _end(following, 0)
            if not end:
                continue
            rest = following[end:].lstrip(" ")[:1]
            if rest not in ends or (opening in ends and following[max(end - 2, 0) : end] == mark):
                break
            opened = _opened(following, end, mark)
            opening = following[opened : opened + 1]
        if opened:
            unclosed.append((number, line))
            ahead.extendleft(reversed(row[1:]))
            row = ["\n"]
        number += len(row)
        yield from row


def _opened(line: str, at: int, mark: str) -> int:
    if not at and line.startswith('"'):
        at = _end(line, 1)
        if not at:
            return 1
    while (place := line.find(mark, at)) >= 0:
        at = _end(line, place + len(mark))
        if not at:
            return place + len(mark)
    return 0


def _end(line: str, at: int) -> int:
    while (at := line.find('"', at) + 1) and line.startswith('"', at):
        at += 1
    return at
