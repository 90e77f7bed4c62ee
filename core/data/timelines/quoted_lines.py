"""Lines of delimited text without the quotation marks that are opened and never closed."""

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from core import limits

_WHOLE: Final = re.compile(r'"[^"]*\s"[^"\s].*"')  # "He said "never" and left"
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


def with_quotations(lines: Iterator[str], delimiter: str) -> Iterator[str]:
    """Lines in which cells are quoted whole that are formulas or begin so: `"Never again": families`."""
    end = re.escape(delimiter)
    cell = re.compile(  # whole cells, quotations, and what goes on in the next line or has no marks
        rf'(?:\A|(?<={end}))(?:"(?:[^"\r\n]|"")*+" *(?=[{end}\r\n]|\Z)'
        rf'|(?P<formula>=(?:[\w.]+\()?(?:[;, ]*"(?:[^"\r\n]|"")*+")+\)?(?=[{end}\r\n]|\Z))'
        rf'|(?P<told>"(?!")[^"\r\n]+" ?[^"{end}\s][^{end}\r\n]*)|"[^\r\n]*|[^{end}\r\n]+)'
    )
    ended = f'"{delimiter}'  # of a cell from the line above
    for line in lines:
        begins = len(ended) if line.startswith(ended) else 0
        yield line[:begins] + cell.sub(_quoted, line[begins:]) if '"' in line else line


def _quoted(found: re.Match[str]) -> str:
    told = found["told"] or found["formula"]
    if not told:
        return found[0]
    inner = told[1:-1] if _WHOLE.fullmatch(told) else told
    return '"' + inner.replace('"', '""') + '"'


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
