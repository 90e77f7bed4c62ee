"""What is wrong with an expression, in one sentence, and how large one may be."""

from __future__ import annotations

from typing import Final

from core.errors import InputError

MOST_CHARACTERS: Final = 20_000
"""Of an expression as a text; the longest one of NumHG has 200."""

MOST_CALLS_DEEP: Final = 50
"""Calls inside each other; NumHG has up to 11."""

MOST_DIGITS: Final = 1_000
"""Of a number, and of the result of each operator."""

MOST_DECIMALS: Final = 20
"""That `Round` and `SRound` may be asked to keep; NumHG keeps up to 2."""

_SHOWN: Final = 40
_FORM: Final = "Write it as in NumHG, for example Subtract( 2018 , 1979 )."


class ExpressionError(InputError):
    """An expression cannot be read, or has no value."""

    def __init__(self, message: str, *, hint: str = _FORM) -> None:
        super().__init__(message, hint=hint)


def shown(text: str) -> str:
    """A text in quotation marks, in one line, cut to a length that fits into a sentence."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _SHOWN else f"“{line[:_SHOWN]}…”"
