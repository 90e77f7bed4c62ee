"""Where the rows of delimited text begin, and which lines open a quotation mark that is never closed.

Such a mark would take the rows after it into one cell. Its line is left out, and all others are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

UNCLOSED: Final = "A quotation mark is opened and never closed."
MOST_UNCLOSED: Final = 20
"""Lines with such a mark; each costs another look at the text."""


def look(lines: Iterator[str], number: int, delimiter: str, begins: array[int]) -> int:
    """Finds rows up to the first that has an unclosed quotation mark.

    A quoted cell begins where a cell does, and ends at the first mark that is not doubled, as Arrow and
    Python's `csv` see it. In a cell of several lines the delimiter or the end of the line follows that mark,
    spaces at most between them. Where anything else does, it opens or is a part of another cell, and the mark
    before it was never closed.

    Args:
        lines: With their line ends; the first begins a row.
        number: Of the first line.
        delimiter: One character.
        begins: The line where each row begins is added, of those before the row that is found.

    Returns:
        The line where the row with the unclosed mark begins, 0 where there is none.
    """
    row, known, within = 0, 0, False
    followed = f"{delimiter}\r\n"
    for at, line in enumerate(lines, number):
        end = 0
        if within:
            end = _end(line, 0)
            if not end:
                continue
            rest = line[end:].lstrip(" ")
            if rest and rest[0] not in followed:
                break
        elif not line.strip("\r\n"):
            continue  # no row to Arrow either
        else:
            row, known = at, len(begins)
            begins.append(at)
        within = '"' in line and _goes_on(line, end, f'{delimiter}"')
    if not within:
        return 0
    del begins[known:]
    return row


def _goes_on(line: str, at: int, mark: str) -> bool:
    """Whether a quoted cell that begins behind a place of a line goes on after the line."""
    if not at and line.startswith('"'):
        at = _end(line, 1)
        if not at:
            return True
    while (found := line.find(mark, at)) >= 0:
        at = _end(line, found + len(mark))
        if not at:
            return True
    return False


def _end(line: str, at: int) -> int:
    """Where a quoted cell ends that holds a place of a line, behind its mark; 0 where it goes on."""
    while (at := line.find('"', at) + 1) and line.startswith('"', at):
        at += 1
    return at
