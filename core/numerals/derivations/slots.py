"""What stands around a number's place in a headline, and so decides which numbers fit there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.operators import UNITS
from core.numerals.question import AT_ONCE, NumeralQuestion
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralForm, NumeralKind
from core.text.numerals.read import read_numerals

LETTERS: Final[dict[int, str]] = {factor: letter for letter, (factor, _) in UNITS.items()}
"""How `Paraphrase` names a magnitude."""

MAGNITUDES: Final[tuple[tuple[int, str], ...]] = (
    (10**3, r"[Kk]|\s?(?:thousand|тыс\.?|тысяч\w*|mila|Tsd\.?|milliers)"),
    (10**6, r"M|\s?(?:mn|mln|million|млн|миллион\w*|milion[ei]|Mio\.?|Millionen|millions)"),
    (10**9, r"B|\s?(?:bn|billion|млрд|миллиард\w*|miliard[oi]|mld|Mrd\.?|Milliarden?|milliards?|Mds?)"),
    (10**12, r"T|\s?(?:tn|trillion|трлн|триллион\w*|trilion[ei]|Billionen|billions)"),
)
"""What multiplies the number right before it, in any of the languages that are read."""

SPANS: Final[tuple[tuple[str, str], ...]] = (
    ("year", r"years?|yrs?|лет|год\w*|ann[io]|Jahre?[ns]?|ans"),
    ("month", r"months?|месяц\w*|mes[ei]|Monate?[ns]?|mois"),
    ("week", r"weeks?|недел\w*|settiman[ae]|Wochen?|semaines?"),
    ("day", r"days?|дн\w*|день|giorn[oi]|Tage?[ns]?|jours?"),
    ("hour", r"hours?|hrs?|час\w*|or[ae]|Stunden?|heures?"),
    ("minute", r"minutes?|mins?|минут\w*|minut[oi]|Minuten"),
    ("second", r"seconds?|secs?|секунд\w*|second[oi]|Sekunden?|secondes"),
    ("decade", r"decades?|десятилети\w*|decenni[o]?|Jahrzehnten?|décennies?"),
    ("century", r"centur(?:y|ies)|век\w*|столети\w*|secol[oi]|Jahrhunderten?|siècles?"),
    ("dozen", r"dozens?|дюжин\w*|dozzin[ae]|Dutzende?|douzaines?"),
)
"""Words for what converts into something smaller by a constant."""

_MAGNITUDES: Final = tuple((factor, re.compile(rf"(?:{signs})(?!\w)")) for factor, signs in MAGNITUDES)
_SPANS: Final = tuple(
    (name, re.compile(rf"(?:\s|-)?(?:{words})(?!\w)", re.IGNORECASE)) for name, words in SPANS
)
_PERCENT: Final = re.compile(r"\s?(?:%|per\s?cent|percent|процент\w*|Prozent|pour\s?cent)", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"(?:st|nd|rd|th|º|ª|-?(?:й|я|е|го|му|ю|ая|ый|ой|ое)|er|re|e|ème)(?!\w)")
_AGE: Final = re.compile(r"-year-old|-летн|-?enne\b|\s?ann[io]\b|-?jährig|\s?ans\b", re.IGNORECASE)
_AGE_ALONE: Final = re.compile(r"\s*[,:)]")
_WORD: Final = re.compile(r"[^\W\d_]+")

STAND_IN: Final = "7"
"""A number that reads as nothing but a number: no year, no hour, no name."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands around a number or blank.

    Attributes:
        factor: What a magnitude right after it multiplies it by, 1 where there is none.
        letter: Name of the magnitude in NumHG's terms ("K"), "" for 1 or one without a name.
        money: A currency sign stands right before it.
        percent: It is a percentage.
        ordinal: An ordinal's ending stands right after it.
        age: It is somebody's age by its signs: "-Year-Old" after it, or commas around it.
        apostrophe: It is a year without its century ("'87").
        attached: A letter or hyphen stands right before it ("U2", "COVID-19").
        span: Which of `SPANS` follows, "" for none.
        before: The word before it, lower case, "" for none.
        after: The word after it and after its magnitude, lower case, "" for none.
    """

    factor: Fraction
    letter: str
    money: bool
    percent: bool
    ordinal: bool
    age: bool
    apostrophe: bool
    attached: bool
    span: str
    before: str
    after: str


_FLAGS: Final = ("money", "percent", "ordinal", "age", "apostrophe", "attached")
MARKS: Final = (*(f"place_{name}" for name in _FLAGS), "place_span")
"""Names of the columns that tell trees what stands around a place; see `marks_of`."""


def marks_of(slot: Slot) -> list[bool]:
    """Whether each of `MARKS` is there."""
    return [*(bool(getattr(slot, name)) for name in _FLAGS), slot.span != ""]


@lru_cache(maxsize=4 * AT_ONCE)
def slot_of(question: NumeralQuestion) -> Slot:
    """Looks around the place of a question; the number itself is not looked at."""
    before, after = question.headline[: question.start], question.headline[question.end :]
    factor, rest = _magnitude(after)
    if question.numeral is not None and question.numeral.factor > 1:
        factor = question.numeral.factor
    last = before[-1:]
    words_before, word_after = _WORD.findall(before[-40:]), _WORD.search(rest)
    return Slot(
        factor=factor,
        letter=LETTERS.get(int(factor), ""),
        money=last in set("$€£₽¥₴"),
        percent=bool(_PERCENT.match(rest)),
        ordinal=bool(_ORDINAL.match(after)),
        age=bool(_AGE.match(after)) or (before.endswith(", ") and bool(_AGE_ALONE.match(after))),
        apostrophe=last in set("'’‘") and not before[:-1][-1:].isalnum(),
        attached=last.isalpha() or (last == "-" and before[:-1][-1:].isalnum()),
        span=next((name for name, form in _SPANS if form.match(rest)), ""),
        before=words_before[-1].lower() if words_before else "",
        after=word_after.group().lower() if word_after else "",
    )


def _magnitude(after: str) -> tuple[Fraction, str]:
    for factor, form in _MAGNITUDES:
        found = form.match(after)
        if found:
            return Fraction(factor), after[found.end() :]
    return Fraction(1), after


@lru_cache(maxsize=4 * AT_ONCE)
def asked_of(question: NumeralQuestion) -> Numeral:
    """The numeral that would stand at the place were its number 7: its kind, unit and what it counts.

    The number that does stand there is not looked at, so that what is said of a place is the same for a
    blank and for a number.
    """
    headline = f"{question.headline[: question.start]}{STAND_IN}{question.headline[question.end :]}"
    language = language_of(headline, doubtful=question.article.language)
    for numeral in read_numerals(headline, language=language):
        if numeral.number_start <= question.start < numeral.number_end:
            return numeral
    return _plain(question.start)


def _plain(start: int) -> Numeral:
    end = start + len(STAND_IN)
    return Numeral(
        text=STAND_IN,
        start=start,
        end=end,
        number=STAND_IN,
        number_start=start,
        number_end=end,
        amount=Fraction(7),
        factor=Fraction(1),
        decimals=0,
        kind=NumeralKind.COUNT,
        unit="",
        counted="",
        approximation=Approximation.EXACT,
        bound=Bound.NONE,
        form=NumeralForm.DIGITS,
    )
