"""How large an expression may be: far beyond what people write, small enough to be answered at once."""

from __future__ import annotations

from typing import Final

MOST_CHARACTERS: Final = 20_000
"""Of an expression as a text; the longest one of NumHG has 200."""

MOST_CALLS_DEEP: Final = 50
"""Calls inside each other; NumHG has up to 11."""

MOST_DIGITS: Final = 1_000
"""Of a number, and of the result of each operator."""

MOST_DECIMALS: Final = 20
"""That `Round` and `SRound` may be asked to keep; NumHG keeps up to 2."""
