"""What a headline's number is by its article: metres or millions, hours or minutes, Celsius or not."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import ONE, Numeral, NumeralForm, NumeralKind

_POINTED: Final = re.compile(r"(\d{1,2}):([0-5]\d)[.,]([0-5]\d)")  # hundredths, but of "2:09.41 hours"
_COLON: Final = re.compile(r"(\d{1,2}):([0-5]\d)")


def likelier(numeral: Numeral, article: Sequence[Numeral]) -> Numeral:
    """The numeral as it was read, or as the article's numerals have it where none is what was read."""
    known = {(other.unit, other.value) for other in article}
    if (numeral.unit, numeral.value) in known:
        return numeral
    if match := _POINTED.fullmatch(numeral.text):
        hours = any(_POINTED.fullmatch(other.text) and not other.decimals for other in article)
        seconds = Fraction(3_600 * int(match[1]) + 60 * int(match[2]) + int(match[3]))
        return replace(numeral, amount=seconds, decimals=0) if hours else numeral
    scales = {unit for unit, _ in known if unit.startswith("degree")}
    if "degree" in {numeral.unit, *scales} and len(scales) == 1 and numeral.unit.startswith("degree"):
        return replace(numeral, unit=scales.pop())
    if numeral.text.endswith("m") and ("metre", numeral.amount) in known:
        form, kind = NumeralForm.DIGITS, NumeralKind.MEASURE
        return replace(numeral, factor=ONE, form=form, kind=kind, unit="metre")
    if match := _COLON.fullmatch(numeral.text):
        amount, size = Fraction(60 * int(match[1]) + int(match[2])), len(numeral.text)
        # "2:05" is the beginning of "2:05:13", and "1:57" of "1:57.42".
        begun = {other.text[size] for other in article if other.text[:size] == numeral.text != other.text}
        for unit, behind in (("minute", {":"}), ("second", {".", ","})):
            if begun & behind or (unit, amount) in known:
                return replace(numeral, amount=amount, kind=NumeralKind.DURATION, unit=unit)
    return numeral
