"""Rows as delimited text that no spreadsheet runs."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

_SPLITS = ",;|\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# A spreadsheet splits at the separator of its own language, and inside quotation marks too where those do
# not begin the field as it sees it. So a cell may begin behind every separator and line end. A last argument
# such as the -1 of "Round( 28 , -1 )" is no formula, whatever follows: its bracket was never opened.
_ARGUMENT = rf"(?<=,)'?\s*[+-]\d+(?:\.\d+)?\s*%?\s*\)[\s)]*(?=[{_SPLITS}]|\Z)"
_BEGINS = re.compile(
    rf"""(?P<marks>(?:\A|(?<=[{_SPLITS}])(?!{_ARGUMENT}))'*+(?=(?:(?![{_SPLITS}])[\s"])*[=+\-@＝＋－＠])"""
    rf"""|\A'*+(?=[\t\r\n]))(?P<quoted>(?=[^{_SPLITS}]*[^\s{_SPLITS}]'(?!\w)))?"""
)
# An apostrophe before what has another at the end of a word begins a quotation, in whosever file it stands.
_MARKED = {(True, ""): "''", (True, "'"): "'"}
_UNMARKED = {(True, "'"): "'", (True, "''"): ""}
_ENDS = re.compile(rf'[\s"]*?[{_SPLITS}]')  # of a text read backwards
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s*%?")


def neutralise(cell: str, *, numbers: bool = True) -> str:
    """The cell with an apostrophe where a spreadsheet might see a formula; see docs/formats.md."""
    if numbers and _NUMBER.fullmatch(cell):
        return cell
    return _BEGINS.sub(lambda found: _MARKED.get(_kind(found), f"{found['marks']}'"), cell)


def restored(cell: str) -> str:
    """The cell without the apostrophes that `neutralise` put into it."""
    if "'" not in cell:
        return cell
    return _BEGINS.sub(lambda found: _UNMARKED.get(_kind(found), found["marks"][1:]), cell)


def _kind(found: re.Match[str]) -> tuple[bool, str]:
    return found["quoted"] is not None, found["marks"]


def delimited(rows: Iterable[Sequence[object]], *, delimiter: str = ",", line_end: str = "\n") -> str:
    """Rows as delimited text that no spreadsheet runs, at whatever separator it splits."""
    out = io.StringIO(newline="")
    plain = csv.writer(out, delimiter=delimiter, lineterminator=line_end)
    # The minimal quoting leaves a lone carriage return bare, which readers take for a line end.
    quoted = csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    for row in rows:
        cells, opens = list[str](), True
        for text in map(text_of, row):
            # Split at another separator, a row begins with its first cells and goes on into the next: not
            # even a number stands alone where nothing, or a separator, comes before it.
            cells.append(neutralise(text, numbers=not opens))
            blank = opens and not text.replace('"', "").strip()
            opens = not delimiter.strip() and (blank or _ENDS.match(text[::-1]) is not None)
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
    return out.getvalue()


def text_of(value: object) -> str:
    if value is None:
        return ""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
