"""Roman numerals in names: "Elizabeth II", "Super Bowl XLVIII"."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from core.text.numerals.drafts import Draft
from core.text.numerals.lines import Line
from core.text.numerals.numeral import Form, Kind

ROMAN: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_ABBREVIATIONS: Final = frozenset(
    [
        "CD",
        "DC",
        "MC",
        "MD",
        "CC",
        "MM",
        "MI",
        "CV",
        "DI",
        "LI",
        "DM",
        "CM",
        "CI",
        "MV",
        "XL",
        "XXL",
        "DL",
        "CL",
        "ML",
        "DX",
        "MX",
        "CX",
    ]
)
_SINGLES: Final = frozenset(
    [
        "war",
        "type",
        "phase",
        "part",
        "title",
        "division",
        "elizabeth",
        "charles",
        "henry",
        "james",
        "william",
        "george",
        "edward",
        "francis",
        "philip",
        "benedict",
        "pius",
        "carlos",
        "felipe",
        "bowl",
        "chapter",
        "act",
        "volume",
        "rocky",
        "мировая",
        "николай",
        "петр",
        "александр",
        "павел",
        "guerra",
        "vittorio",
        "carlo",
        "umberto",
        "papa",
        "francesco",
    ]
)
_AFTER: Final = frozenset(["век", "века", "веке", "веков", "столетия", "secolo", "secoli", "century"])


def read_roman(line: Line, at: int) -> Draft | None:
    """The Roman numeral at a token; None where it is an abbreviation, a pronoun or no numeral."""
    surface = line.surface(at)
    if surface in _ABBREVIATIONS or not ROMAN.fullmatch(surface):
        return None
    centuries = line.next(at + 1) in _AFTER
    named = at > 0 and line.spaced(at) and line.surface(at - 1)[0].isupper()
    if not centuries and not (
        named and (len(surface) > 1 or (surface in "IVX" and line.words[at - 1] in _SINGLES))
    ):
        return None
    if named and len(surface) > 1 and line.surface(at - 1).isupper() and len(line.surface(at - 1)) > 4:
        named = centuries
    start, end = line.starts[at], line.ends[at]
    draft = Draft(at, at + 1, start, end, start, end, Fraction(roman_value(surface)), Form.ROMAN)
    draft.kind = Kind.ORDINAL if centuries else Kind.NAME
    return draft


def roman_value(written: str) -> int:
    """Value of a Roman numeral in capitals: a smaller sign before a larger one is taken off."""
    values = [_VALUES[sign] for sign in written]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
