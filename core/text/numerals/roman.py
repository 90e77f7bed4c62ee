"""Roman numerals."""

import re
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.text.numerals.language_tables import WORDS
from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

ROMAN: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_SMALL: Final = "abcdefghijklmnopqrstuvwxyzèé"
_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_ABBREVIATIONS: Final = WORDS["abbreviations"]
_SINGLES: Final = WORDS["roman_before"]
_AFTER: Final = WORDS["centuries"]


def read_roman(line: TokenizedLine, at: int) -> Draft | None:
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
    draft = Draft(at, at + 1, start, end, start, end, Fraction(roman_value(surface)), NumeralForm.ROMAN)
    draft.kind = NumeralKind.ORDINAL if centuries else NumeralKind.NAME
    return draft


def read_roman_ordinal(line: TokenizedLine, at: int) -> Draft | None:
    """The ordinal at a token that is Roman digits with an ending ("XXIe siècle"); None where it is none."""
    surface = line.surface(at)
    digits = surface.rstrip(_SMALL)
    ending = surface[len(digits) :]
    if not digits or ending not in line.language.roman_ordinals or not ROMAN.fullmatch(digits):
        return None
    start, end = line.starts[at], line.ends[at]
    amount, digits_end = Fraction(roman_value(digits)), start + len(digits)
    draft = Draft(at, at + 1, start, end, start, digits_end, amount, NumeralForm.ROMAN)
    draft.kind = NumeralKind.ORDINAL
    return draft


def roman_value(written: str) -> int:
    """Value of a Roman numeral in capitals: a smaller sign before a larger one is taken off."""
    values = [_VALUES[sign] for sign in written]
    pairs = pairwise([*values, 0])
    return sum(-value if value < following else value for value, following in pairs)
