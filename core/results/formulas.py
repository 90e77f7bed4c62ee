"""Keeping a headline from being run as a formula when its file is opened in a spreadsheet."""

from __future__ import annotations

import re

_SPLITS = ",;|\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# A spreadsheet splits at the separator of its own language, and inside quotation marks too where those do
# not begin the field as it sees it. So a cell may begin behind every separator and line end.
_BEGINS = re.compile(
    rf"""(?:\A|(?<=[{_SPLITS}]))'?(?=(?:(?![{_SPLITS}])[\s"])*[=+\-@＝＋－＠])|\A'?(?=[\t\r\n])"""
)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s*%?")


def neutralise(cell: str, *, numbers: bool = True) -> str:
    """The cell with an apostrophe wherever a spreadsheet might see the beginning of a formula.

    That is at the beginning, and behind a comma, semicolon, tab, vertical bar or line end, where, after any
    white space and quotation marks, = + - @ (or their full-width forms) follow; and before a tab or line end
    at the beginning. Where the apostrophe stands already nothing is added, so that a file that is exported,
    opened and exported again stays the same.
    """
    if numbers and _NUMBER.fullmatch(cell):
        return cell
    return _BEGINS.sub("'", cell)


def restored(cell: str) -> str:
    """The cell without the apostrophes that `neutralise` put into it."""
    return _BEGINS.sub("", cell)
