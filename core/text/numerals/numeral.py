"""A numeral of a text: what it says, of what kind, how exactly, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


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
    # the bare number within it: "3.2" of "$3.2bn", "two" of "two dozen". In digits, it is what a `Copy`
    # copies, sign for sign with its separators.
    number: str
    number_start: int  # where `number` begins, in characters from 0
    number_end: int  # where it ends, exclusive
    amount: Fraction  # value of the bare number: 3.2 of "$3.2bn", 12 of "twelve"
    factor: Fraction  # what the magnitude multiplies it by: 10⁹ of "$3.2bn", 12 of "two dozen", else 1
    decimals: int  # digits after the decimal sign of the bare number, 0 for words
    kind: NumeralKind
    # currency code (ISO 4217), "%" for percentages, a measure or span of time in the singular ("mile",
    # "year"), else ""
    unit: str
    counted: str  # normal form of the thing that is counted, lower case ("gunman"); "" where it is not known
    approximation: Approximation
    bound: Bound
    form: NumeralForm
    # "-", "+" or "±" where one stands before it, as a character, which belongs to `text`, or a word ("minus
    # 5"), else "". Amount and value are without it.
    sign: str = ""
    # what it amounts to: 3,200,000,000 of "$3.2bn"
    value: Fraction = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", self.amount if self.factor == 1 else self.amount * self.factor)
