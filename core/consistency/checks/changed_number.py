"""Another number."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks
from core.consistency.checks.number_format import WORDS
from core.text.numerals.quantities import AMOUNTS, Quantity, read_quantities

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


@checks.register("changed_number.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedNumber:
    """Puts a clearly different number in the place of one: between half as much again and three times."""

    summary: ClassVar[str] = "A number that is clearly another (12 dead, 30 dead)"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One exact number changed, drawn; None where there is none. Years and ordinals stay."""
        numbers = [number for number in read_quantities(told.text) if _changeable(number)]
        if not numbers:
            return None
        number = numbers[int(random.integers(len(numbers)))]
        other = _other(number.text, random)
        if other is None:
            return None
        return replace(told, text=told.text[: number.start] + other + told.text[number.end :])


def _changeable(number: Quantity) -> bool:
    return number.exact and number.value > 0 and number.kind in AMOUNTS


def _other(text: str, random: np.random.Generator) -> str | None:
    """The same form with another number; None for words above twenty."""
    factor = float(random.uniform(1.5, 3.0))
    written = _DIGITS.search(text)
    if written is None:
        value = WORDS.index(text.casefold()) if text.casefold() in WORDS else 0
        larger = min(round(value * factor) + 1, len(WORDS) - 1)
        return WORDS[larger] if 0 < value < larger else None
    digits = written[0].rstrip(",")
    plain = digits.replace(",", "")
    if "." in plain:
        changed = f"{float(plain) * factor:.{len(plain.partition('.')[2])}f}"
    else:
        changed = str(round(int(plain) * factor) + 1)
        changed = f"{int(changed):,}" if "," in digits else changed
    return text[: written.start()] + changed + text[written.start() + len(digits) :]
