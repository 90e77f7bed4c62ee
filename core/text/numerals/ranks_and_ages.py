"""Numbers that are part of a name, ranks and ages."""

import re
from typing import Final

from core.text.numerals.language_tables import WORDS, words
from core.text.numerals.numeral import Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_NO_NAME: Final = WORDS["no_name"]
_CLUB_YEAR: Final = 2  # digits of "Bayer 04"
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_RANK_GAPS: Final = frozenset({". ", ".", "\u00a0", ".\u00a0", "°", "° ", "°\u00a0"})
_DEATHS: Final = WORDS["deaths"]
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
    surface = line.surface(first - 1)
    capital = tables.code != "en" or surface[:1].isupper() or surface == "iPhone"
    named = (
        (line.spaced(first) or line.hyphened(first))
        and (
            (before in tables.name_before and capital)
            or (before == "s" and line.word(first - 2) in tables.name_before)  # "Boeing's 737"
            or (written[0] == "0" and len(written) == _CLUB_YEAR and surface[:1].isupper())
            or _lettered(line, first)
        )
    )
    if ranked or signs.endswith(("№", "#", "º")):
        draft.kind = NumeralKind.ORDINAL
    elif named or (written == "911" and draft.form is NumeralForm.DIGITS) or signs.endswith("§"):
        draft.kind = NumeralKind.NAME
    return draft.kind is not None


def _lettered(line: TokenizedLine, first: int) -> bool:
    """Whether a capital letter stands before a number inside of a sentence: "the M 25", "auf der A 9"."""
    letters, inside = line.language.name_letters, line.joined(first - 1) or line.language.code == "de"
    return line.surface(first - 1) in letters and inside and line.surface(first).isdecimal()


def age(line: TokenizedLine, draft: Draft) -> bool:
    """Reads "Jones, 35,", "aged 35", "he was 35.", "dead at 28"; whether it is an age."""
    if draft.kind is not None or draft.decimals or draft.factor != 1 or not 0 < draft.amount < 125:
        return False
    tables, first, before = line.language, draft.first, line.before(draft.first)
    ends = line.sign(draft.end) in _SENTENCE_ENDS
    earlier, following = line.before(first - 1) if before else "", line.next(draft.after)
    alone = not following or (following in tables.stops and following != "of")
    if (
        aged(line, draft)
        or (ends and before in _BEFORE_AGE and draft.amount > 12 and earlier in _DEATHS)
        or (before in tables.being and earlier in tables.persons and alone)
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


def _beside_name(line: TokenizedLine, draft: Draft) -> bool:
    first = draft.first
    if not first:
        return False
    bracketed = line.language.code == "de" and line.gap(first) == " (" and line.sign(draft.end) == ")"
    if bracketed and draft.amount > 3:
        return line.surface(first - 1)[0].isupper() and not line.surface(first - 1).isupper()
    if line.gap(first) != ", " or not line.words[first - 1][0].isalpha():
        return False
    surface = line.surface(first - 1)
    person = surface[0].isupper() or line.sign(draft.end) == ","
    return person and len(surface) > 1 and line.words[first - 1] not in line.language.months
