"""Numerals of a text, finished or still being read."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Final

VULGAR: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"  # fractions that are one character
ONE = Fraction(1)


class NumeralKind(StrEnum):
    COUNT = "count"
    MONEY = "money"
    PERCENT = "percent"
    MEASURE = "measure"
    DURATION = "duration"
    AGE = "age"
    ORDINAL = "ordinal"
    FRACTION = "fraction"
    YEAR = "year"
    DATE = "date"
    TIME = "time"
    NAME = "name"


class NumeralForm(StrEnum):
    """How a numeral is written; mixed is digits with a magnitude word ("3.2bn", "40 million")."""

    DIGITS = "digits"
    WORDS = "words"
    MIXED = "mixed"
    ROMAN = "roman"


class Approximation(StrEnum):
    """How exactly a numeral is meant; vague is a number without a value of its own ("dozens")."""

    EXACT = "exact"
    ABOUT = "about"
    MORE_THAN = "more than"
    LESS_THAN = "less than"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    VAGUE = "vague"


class Bound(StrEnum):
    """Which end of a range a numeral is ("10 to 12 people" has two numerals)."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Numeral:
    text: str  # as it stands, with its currency, magnitude and percent sign: "$3.2bn", "twenty-first"
    start: int  # where `text` begins, in characters from 0
    end: int  # where it ends, exclusive
    number: str  # the bare number within it, with its separators: "3.2" of "$3.2bn", "two" of "two dozen"
    number_start: int  # where `number` begins, in characters from 0
    number_end: int  # where it ends, exclusive
    amount: Fraction  # value of the bare number: 3.2 of "$3.2bn", 12 of "twelve"
    factor: Fraction  # what the magnitude multiplies it by: 10⁹ of "$3.2bn", 12 of "two dozen", else 1
    decimals: int  # digits after the decimal sign of the bare number, 0 for words
    kind: NumeralKind
    unit: str  # currency code (ISO 4217), "%", a measure or span of time in the singular ("mile"), else ""
    counted: str  # normal form of the thing that is counted, lower case ("gunman"); "" where it is not known
    approximation: Approximation
    bound: Bound
    form: NumeralForm
    sign: str = ""  # "-", "+" or "±" before it, a character of `text` or a word; not in amount and value
    value: Fraction = field(init=False, repr=False, compare=False)  # 3,200,000,000 of "$3.2bn"

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.amount if self.factor == 1 else self.amount * self.factor)


@dataclass(slots=True)
class Draft:
    """A numeral of which not everything is known yet."""

    first: int  # its first token
    after: int  # the token after its last one, unit words of its text included
    start: int  # where its text begins
    end: int  # where its text ends, exclusive
    number_start: int  # where the bare number begins
    number_end: int  # where it ends, exclusive
    amount: Fraction  # see `Numeral`, as all that follow
    form: NumeralForm
    factor: Fraction = ONE
    decimals: int = 0
    kind: NumeralKind | None = None  # None until it is known
    unit: str = ""
    counted: str = ""
    approximation: Approximation = Approximation.EXACT
    bound: Bound = Bound.NONE
    sign: str = ""

    @property
    def value(self) -> Fraction:
        return self.amount * self.factor

    def finished(self, text: str) -> Numeral:
        """The numeral; a kind that was not found is a count."""
        same = {name: getattr(self, name) for name in _SAME}
        number = text[self.number_start : self.number_end]
        kind = self.kind or NumeralKind.COUNT
        return Numeral(text=text[self.start : self.end], number=number, kind=kind, **same)


_SAME: Final = tuple({field_.name for field_ in fields(Numeral) if field_.init} - {"text", "number", "kind"})
