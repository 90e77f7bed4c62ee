"""What is wrong with an expression, in one sentence."""

from __future__ import annotations

from typing import Final

from core.errors import InputError

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
