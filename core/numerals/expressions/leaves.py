"""What leaves are as numbers: digits (`Copy`), words (`Trans`), things that are counted (`Span`)."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.errors import InputError
from core.files import read_tables
from core.text.numerals.numeral import NumeralForm
from core.text.numerals.read import read_numerals
from core.text.numerals.roman import ROMAN, roman_value
from core.text.tokens import word_list

MOST_CHARACTERS: Final = 20_000  # of an expression as a text; the longest one of NumHG has 200
MOST_CALLS_DEEP: Final = 50  # calls inside each other; NumHG has up to 11
TOO_DEEP: Final = f"The expression has more than {MOST_CALLS_DEEP} calls inside each other."
MOST_DIGITS: Final = 1_000  # of a number, and of the result of each operator
MOST_DECIMALS: Final = 20  # that `Round` and `SRound` may be asked to keep; NumHG keeps up to 2
_SHOWN: Final = 40
_DIGITS: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_AMOUNT: Final = re.compile(
    rf"(?P<sign>[-−–]?)\s*['’]?(?:US|AU|CA)?[$€£¥₽]?\s*(?P<number>{_DIGITS})"
    r"(?:/(?P<below>[0-9]+))?\s*(?P<percent>%?)"
)
_WORDS: Final = read_tables(__file__)
_MONTHS: Final = word_list(_WORDS["months"])
_DATE: Final = re.compile(
    rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
    r"(?:\s+(?P<day>[1-9][0-9]?)(?:st|nd|rd|th)?)?",
    re.IGNORECASE,
)
_FORMS: Final = {"half-century": "half a century", "half century": "half a century"}
_ALONE: Final[dict[str, int]] = _WORDS["alone"]
_ONE: Final = re.compile(r"(?:a|an|one|the)\s+(?:year|month|week|day|hour|minute|second)", re.IGNORECASE)
_INDEFINITE: Final = re.compile(r"(?:a|an|another|the)\b", re.IGNORECASE)
_DAYS: Final = 7  # in a week: NumHG's "eight weeks" are divided by 30 for months
_JOINED: Final = re.compile(r"(?:, ?| )(?:and|or|&) ", re.IGNORECASE)
_MOST_WORDS: Final = 5  # of a thing in a list; what is longer is a clause


class ExpressionError(InputError):
    """An expression cannot be read, or has no value."""

    def __init__(self, message: str) -> None:
        super().__init__(message, hint="Write it as in NumHG, for example Subtract( 2018 , 1979 ).")


def shown(text: str) -> str:
    """A text in quotation marks, in one line, cut to a length that fits into a sentence."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _SHOWN else f"“{line[:_SHOWN]}…”"


@dataclass(frozen=True, slots=True)
class Amount:
    value: Fraction
    percent: bool  # whether a per cent sign follows

    @property
    def share(self) -> Fraction:
        return self.value / 100 if self.percent else self.value


def amount_of(text: str, *, language: str = "en") -> Amount | None:
    """The number that a text is: "65,000", ".5", "$3", "'93", "95%", "9/11"; None where it is none."""
    if language != "en":
        read = read_numerals(text, language=language)
        alone = len(read) == 1 and text.strip() in (read[0].text, read[0].number)
        if alone and read[0].form is NumeralForm.DIGITS:
            return Amount(read[0].amount, read[0].unit == "%")
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    if len(text) > MOST_DIGITS:
        raise ExpressionError(f"The number {shown(text)} has more than {MOST_DIGITS:,} digits.")
    value = Fraction(match["number"].replace(",", ""))
    if match["below"] is not None:
        if int(match["below"]) == 0:
            raise ExpressionError(f"{shown(text)} divides by zero.")
        value /= int(match["below"])
    return Amount(-value if match["sign"] else value, bool(match["percent"]))


@lru_cache(maxsize=4096)
def value_of_words(text: str, *, language: str = "en") -> Fraction:
    """The number that words say, as `Trans` has it.

    Beside what `read_numerals` reads: spans of time in years or, of weeks, in days ("eight weeks" 56); the
    place of a month in the year, with its day as month/day ("Sept. 11" 9/11); "a year" and "top" 1.
    """
    text = " ".join(text.split())
    if (amount := amount_of(text, language=language)) is not None:
        return amount.value
    if text.lower() in _ALONE:
        return Fraction(_ALONE[text.lower()])
    if date := _DATE.fullmatch(text):
        month = date["month"].lower()[:3]
        place = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month))
        return Fraction(place, int(date["day"] or 1))
    if text and ROMAN.fullmatch(text):
        return Fraction(roman_value(text))
    numerals = read_numerals(_FORMS.get(text.lower(), text), language=language)
    if len(numerals) == 1:
        return numerals[0].value * (_DAYS if numerals[0].unit == "week" else 1)
    if numerals:
        raise ExpressionError(f"{shown(text)} says more than one number.")
    if _ONE.fullmatch(text):
        return Fraction(1)
    raise ExpressionError(f"{shown(text)} says no number.")


def count_things(text: str) -> Fraction:
    """How many things a span names, as NumHG's `Span` has it: "last year" 1, "two men and a woman" 3."""
    *before, last = _JOINED.split(" ".join(text.split()))
    parts = [part.strip() for some in before for part in some.split(",")] + [last.strip()]
    whole = not before or any(len(part.split()) > _MOST_WORDS for part in parts)
    items = [item for item in ([text] if whole else parts) if item and not item.isdigit()]
    return sum(map(_leading_count, items), Fraction(0)) if items else Fraction(1)


def _leading_count(thing: str) -> Fraction:
    """The number that a thing begins with ("two men" 2); 1 where it begins with none."""
    if _INDEFINITE.match(thing):
        return Fraction(1)
    return next((n.value for n in read_numerals(thing, language="en")[:1] if n.start == 0), Fraction(1))
