"""Numbers that are part of a name, ranks, ages beside a name, and Roman numerals."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind, TokenizedLine, words

_NO_NAME: Final = words(
    """post pre mid under over sub almost nearly non late early ex anti top first about some like around last
    least than only just up plus to or and by of at in no the all now every another"""
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RANK_GAPS: Final = frozenset({". ", ".", "\u00a0", ".\u00a0", "°", "° ", "°\u00a0"})
_DEATHS: Final = words(
    """dead dies died die killed mom mother father dad again retires retired married marries star model legend
    actor dying pregnant bride graduates graduate morto morta muore morti умер умерла скончался скончалась
    погиб"""
)
_BEFORE_AGE: Final = words("at a в")
_SENTENCE_ENDS: Final = ("", ".", ",", ";", ":", "?", "!", ")")


def glued_before(line: TokenizedLine, draft: Draft) -> bool:
    """Reads a number behind letters, a hyphen or nothing between ("U2", "COVID-19"); whether it is one."""
    first = draft.first
    if draft.kind not in (None, NumeralKind.NAME) or not first or draft.start != line.starts[first]:
        return False
    gap, before = line.gap(first), line.words[first - 1]
    if before[0].isdecimal():
        return False
    hyphen = gap in ("-", "\u2011", "+") and (
        line.surface(first - 1)[0].isupper()
        and before not in _NO_NAME
        and (not line.hyphened(first - 1) or line.word(first - 2) in _NO_NAME)
    )
    if hyphen and line.language.code in ("de", "fr") and _YEAR.fullmatch(line.surface(first)):
        draft.kind = NumeralKind.YEAR
        return True
    if gap == "" or hyphen:
        draft.kind = NumeralKind.NAME
    return draft.kind is NumeralKind.NAME


def rank_or_name(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "No. 1", "№ 5", "Boeing 737", "911"; whether it is one of these."""
    if draft.kind is not None or draft.decimals or draft.factor != 1:
        return False
    tables, first = line.language, draft.first
    gap, before = line.gap(first), line.word(first - 1)
    written = line.text[draft.number_start : draft.number_end]
    signs = line.text[max(0, draft.start - 2) : draft.start].rstrip()
    ranked = before in tables.rank_before and (gap in _RANK_GAPS or (gap == " " and len(before) > 3))
    named = line.spaced(first) and before in tables.name_before and _capital(line, first - 1)
    if ranked or signs.endswith(("№", "#")):
        draft.kind = NumeralKind.ORDINAL
    elif named or (written == "911" and draft.form is NumeralForm.DIGITS):
        draft.kind = NumeralKind.NAME
    return draft.kind is not None


def _capital(line: TokenizedLine, at: int) -> bool:
    surface = line.surface(at)
    return line.language.code != "en" or surface[0].isupper() or surface == "iPhone"


def age(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "Jones, 35,", "aged 35", "he was 35.", "dead at 28"; whether it is an age."""
    if draft.kind is not None or draft.decimals or draft.factor != 1 or not 0 < draft.amount < 125:
        return False
    tables, first, before = line.language, draft.first, line.before(draft.first)
    ends = line.text[draft.end : draft.end + 1] in _SENTENCE_ENDS
    earlier = line.before(first - 1) if before else ""
    if (
        aged(line, draft)
        or (ends and before in _BEFORE_AGE and draft.amount > 12 and earlier in _DEATHS)
        or (before in tables.being and earlier in tables.persons and _stands_alone(line, draft))
        or (ends and draft.form is not NumeralForm.WORDS and _beside_name(line, draft))
    ):
        draft.kind, draft.unit = NumeralKind.AGE, "year"
    return draft.kind is NumeralKind.AGE


def aged(line: TokenizedLine, draft: Draft) -> bool:
    """Whether a word of age stands before a number ("aged", "in the ages of", "в возрасте")."""
    words_of_age, before = line.language.age_before, line.before(draft.first)
    return before in words_of_age or (
        before in ("of", "di", "от", "von", "de", "d") and line.before(draft.first - 1) in words_of_age
    )


def _stands_alone(line: TokenizedLine, draft: Draft) -> bool:
    following = line.next(draft.after)
    return not following or (following in line.language.stops and following != "of")


def _beside_name(line: TokenizedLine, draft: Draft) -> bool:
    first = draft.first
    if not first:
        return False
    bracketed = line.language.code == "de" and line.gap(first) == " (" and line.text[draft.end] == ")"
    if bracketed and draft.amount > 3:
        return line.surface(first - 1)[0].isupper() and not line.surface(first - 1).isupper()
    if line.gap(first) != ", " or not line.words[first - 1][0].isalpha():
        return False
    surface = line.surface(first - 1)
    person = surface[0].isupper() or line.text[draft.end : draft.end + 1] == ","
    return person and len(surface) > 1 and line.words[first - 1] not in line.language.months


ROMAN: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_SMALL: Final = "abcdefghijklmnopqrstuvwxyzèé"
_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}
_ABBREVIATIONS: Final = words("""CD DC MC MD CC MM MI CV DI LI DM CM CI MV XL XXL DL CL ML DX MX CX""")
_SINGLES: Final = words(
    """war type phase part title division elizabeth charles henry james william george edward francis
    philip benedict pius carlos felipe bowl chapter act volume rocky мировая николай петр александр
    павел guerra vittorio carlo umberto papa francesco wilhelm friedrich karl napoleon franz guillaume"""
)
_AFTER: Final = words("век века веке веков столетия secolo secoli century siècle siècles jahrhundert")


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
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
