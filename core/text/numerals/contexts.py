"""What a number tells, from the words and signs around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.text.numerals import dates, names, signs, units
from core.text.numerals.drafts import Draft
from core.text.numerals.lines import Line
from core.text.numerals.numeral import Form

_Meaning = Callable[[Line, Draft], bool]

_OF_DIGITS: Final[tuple[_Meaning, ...]] = (
    signs.sign_before,
    names.glued_before,
    dates.clock,
    signs.sign_after,
    dates.day,
    units.glued,
    names.rank_or_name,
    dates.named_year,
    units.measured,
    dates.year,
    names.age,
)
_OF_WORDS: Final[tuple[_Meaning, ...]] = (
    dates.clock,
    dates.day,
    units.measured,
    names.rank_or_name,
    names.age,
)


def tell_kind(line: Line, draft: Draft) -> None:
    """Finds kind and unit of a number, and takes its signs and unit words into its text.

    The meanings are tried in turn; the first that fits is taken, and a number that none fits is a count.
    """
    for meaning in _OF_WORDS if draft.form is Form.WORDS else _OF_DIGITS:
        if meaning(line, draft):
            return
