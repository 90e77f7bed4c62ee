"""Keeping a headline from being run as a formula when its file is opened in a spreadsheet."""

from __future__ import annotations

import re

_STARTS = re.compile(r"\s*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s*%?")


def neutralise(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet might run it.

    That is where, after any white space, it starts with = + - @ (or their full-width forms), or where
    it starts with a tab or a line end. Numbers such as -5 or +3.5% stay as they are.
    """
    return f"'{cell}" if _STARTS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def restored(cell: str) -> str:
    """The cell without the apostrophe that `neutralise` put before it."""
    return cell[1:] if cell.startswith("'") and neutralise(cell[1:]) == cell else cell
