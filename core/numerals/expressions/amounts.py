"""Numbers in digits, as they stand in articles and expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.numerals.expressions.bounds import MOST_DIGITS
from core.numerals.expressions.errors import ExpressionError, shown
from core.text.numerals.numeral import Form
from core.text.numerals.read import read_numerals

_DIGITS: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_AMOUNT: Final = re.compile(
    rf"(?P<sign>[-−–]?)\s*['’]?(?:US|AU|CA)?[$€£¥₽]?\s*(?P<number>{_DIGITS})"
    r"(?:/(?P<below>[0-9]+))?\s*(?P<percent>%?)"
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in digits.

    Attributes:
        value: What it is: 95 of "95%", 9/11 of "9/11".
        percent: Whether a per cent sign follows.
    """

    value: Fraction
    percent: bool

    @property
    def share(self) -> Fraction:
        """What it multiplies by: 0.95 of "95%"."""
        return self.value / 100 if self.percent else self.value


def amount_of(text: str, *, language: str = "en") -> Amount | None:
    """The number that a text is: "65,000", ".5", "$3", "'93", "95%", "9/11"; None where it is none.

    Args:
        text: Nothing but the number.
        language: "en", or "ru" or "it", where a comma is the decimal sign ("3,5", "1.500").

    Raises:
        ExpressionError: It has more than `MOST_DIGITS` digits, or divides by zero.
    """
    if language != "en":
        read = read_numerals(text, language=language)
        if len(read) == 1 and read[0].form is Form.DIGITS and text.strip() in (read[0].text, read[0].number):
            return Amount(read[0].amount, read[0].unit == "%")
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        return None
    if len(text) > MOST_DIGITS:
        raise ExpressionError(f"The number {shown(text)} has more than {MOST_DIGITS:,} digits.")
    value = Fraction(found["number"].replace(",", ""))
    if found["below"] is not None:
        if int(found["below"]) == 0:
            raise ExpressionError(f"{shown(text)} divides by zero.")
        value /= int(found["below"])
    return Amount(-value if found["sign"] else value, bool(found["percent"]))
