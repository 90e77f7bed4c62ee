"""1,000, 1000 and one thousand."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks
from core.text.numerals.numeral import Kind as NumeralKind
from core.text.numerals.quantities import AMOUNTS, Quantity, read_quantities
from core.text.tokens import word_list

WORDS = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty"""
)
_MAGNITUDES = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_WRITTEN = AMOUNTS - {NumeralKind.AGE}


@checks.register("number_format.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFormat:
    """Writes a number in another way that means the same; English number words."""

    summary: ClassVar[str] = "A number written another way (1,000, 1000, one thousand)"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """The first number that can be written otherwise, in a way that is drawn; None where none can."""
        for number in read_quantities(told.text):
            ways = rewritten(number)
            if ways:
                way = ways[int(random.integers(len(ways)))]
                return replace(told, text=told.text[: number.start] + way + told.text[number.end :])
        return None


def rewritten(number: Quantity) -> list[str]:
    """Other ways to write a number, each of which reads back as the same value; [] where there is none."""
    if number.kind not in _WRITTEN or not number.exact or number.value != int(number.value):
        return []
    if number.kind is NumeralKind.PERCENT:
        digits = f"{int(number.value)}"
        forms = [f"{digits}%", f"{digits} percent"]
    else:
        sign = re.match(r"[$€£]?", number.text)
        before = sign[0] if sign else ""
        if number.kind is NumeralKind.MONEY and not before:
            return []
        forms = [before + form for form in _forms(int(number.value), words=not before)]
    return [form for form in forms if form != number.text.casefold() and _same(form, number)]


def _forms(value: int, *, words: bool) -> list[str]:
    forms = [f"{value:,}", str(value)]
    if words and value < len(WORDS):
        forms.append(WORDS[value])
    for size, name in _MAGNITUDES:
        count, rest = divmod(value, size)
        if count and not rest and count < 1000 and (words or size >= 1_000_000):
            forms.append(f"{count} {name}")
            if words and count < len(WORDS):
                forms.append(f"{WORDS[count]} {name}")
            break
    return forms


def _same(form: str, number: Quantity) -> bool:
    read = read_quantities(f"about {form} of")
    return len(read) == 1 and read[0].value == number.value
