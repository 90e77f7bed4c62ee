"""Numerals of a text, the tables of words that a language makes them of, and the text cut for reading."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.files import read_tables

Phrase = tuple[str, ...]
VULGAR: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"  # fractions that are one character
_TOKEN: Final = re.compile(
    rf"\d+(?:[.,]\d+)*|[{VULGAR}]|[^\W\d_{VULGAR}]+(?:[\u0300-\u036f]+[^\W\d_{VULGAR}]*)*"
)
_JOINS: Final = frozenset({" ", "-", "\u00a0", "\u202f", "\u2009", "\u2010", "\u2011", "\n", "  ", ""})
_POINTS: Final = frozenset({". ", ".", ".\u00a0"})
_APOSTROPHES: Final = frozenset({"'", "’"})
_SPACES: Final = frozenset({" ", "\u00a0", "\u202f", "\u2009", "  ", "\n"})
_LONGEST_ORDINAL: Final = 3
_HYPHENS: Final = frozenset({"-", "\u2010", "\u2011"})
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Tables of one language; words are lower case, composed (NFC), of Russian with е for ё."""

    code: str  # ISO 639-1
    comma: bool  # whether a comma is the decimal sign, so that points and spaces part thousands
    cardinals: Mapping[str, int]  # values of the words of 0–999 that add up ("twenty", "двести")
    hundreds: frozenset[str] = frozenset()  # words that multiply what is before them by 100
    scales: Mapping[str, int]  # words of 10³ and more that multiply what is before them
    bare_scales: frozenset[str] = frozenset()  # those that are one with nothing before them ("тысяча")
    abbreviations: Mapping[str, int]  # the same, short, after digits alone ("bn", "млн")
    groups: Mapping[str, tuple[int, str]]  # words that multiply, with a unit: "decade" (10, "year")
    articles: frozenset[str] = frozenset()  # words that are one before a scale or group ("a million")
    joiners: frozenset[str] = frozenset()  # words that join the parts of a number ("two hundred and five")
    halves: Mapping[Phrase, Fraction]  # phrases that add a fraction to what is before them: "and a half"
    ordinals: Mapping[str, int]  # values of ordinals in full words
    ordinal_suffixes: frozenset[str]  # what stands after digits of an ordinal
    count_suffixes: frozenset[str] = frozenset()  # endings of case after digits that change nothing ("5-ти")
    denominators: Mapping[str, int]  # words of parts in the singular: "third" (3)
    denominators_many: Mapping[str, int]  # the same in the plural: "thirds" (3)
    singles: Mapping[str, Fraction]  # words that are a numeral by themselves ("both", "trio", "полтора")
    weak: frozenset[str] = frozenset()  # those that are one before a scale, group or span alone ("mezzo")
    past: frozenset[str]  # words before a group that make it a numeral by itself ("the past decade")
    vague: Mapping[str, int]  # words without a value of their own ("dozens"), with what they count in
    vague_many: frozenset[str]  # words before a scale that make it vague ("several hundred")
    percents: frozenset[Phrase]  # phrases after a number that make it a percentage
    dotted: frozenset[str] = frozenset()  # abbreviations whose point ends no sentence ("тыс.")
    # beginnings of words after digits and a hyphen ("35-летний"), longest first: kind and unit
    endings: tuple[tuple[str, NumeralKind, str], ...] = ()
    currencies: Mapping[Phrase, tuple[str, Fraction]]  # after a number: ISO code, part of it (cents 1/100)
    measures: Mapping[Phrase, str]  # phrases after a number: unit in the singular
    fillers: frozenset[str]  # words between a number and its span of time ("five straight months")
    spans: Mapping[str, str]  # words of spans of time after a number: "year" and so on
    months: frozenset[str]  # words of months, short ones too
    year_before: frozenset[str]  # words before a bare number of four digits that make it a year
    year_after: frozenset[str] = frozenset()  # words after it that do
    age_before: frozenset[str] = frozenset()  # phrases before a number that make it an age
    age_after: frozenset[Phrase]  # phrases after it (beginning with the span of time) that do
    name_before: frozenset[str]  # words before a number that make it part of a name ("Boeing")
    rank_before: frozenset[str] = frozenset()  # words before a number that make it a rank ("No.")
    time_before: frozenset[str] = frozenset()  # words before hours with minutes after a point ("alle 15.30")
    time_after: frozenset[Phrase]  # phrases after hours ("часов утра")
    # phrases before a number that say how exactly it is meant, by their last word
    near_before: Mapping[str, tuple[tuple[Phrase, Approximation], ...]]
    near_after: Mapping[Phrase, Approximation]  # phrases after it
    share_words: frozenset[str]  # words between the numbers of a share ("one in four")
    each: frozenset[str] = frozenset()  # words before an ordinal that make it a share ("jeder dritte")
    points: frozenset[str] = frozenset()  # the decimal sign in words ("one point five")
    not_pointed: frozenset[str] = frozenset()  # words before "one point" that make it no number ("at")
    share_gap: int = 0  # words that may stand before them ("un Français sur quatre")
    age_articles: frozenset[str] = frozenset()  # articles before ages ("les 18-24 ans")
    decade_before: frozenset[str] = frozenset()  # words before a decade ("les années 90")
    range_words: frozenset[str] = frozenset()  # words between the ends of a range
    between: Mapping[str, str]  # first words of "between 10 and 12" with the word in the middle
    definite: frozenset[str] = frozenset()  # definite articles, which may stand before the ends of a range
    stops: frozenset[str]  # words that end a noun phrase
    skipped: frozenset[str]  # words between a number and what it counts ("of the")
    persons: frozenset[str] = frozenset()  # words before "was 35" that make it an age
    being: frozenset[str] = frozenset()  # words of being between them
    # words that are no numeral behind or before some, and those that are one before some alone
    not_after: Mapping[str, frozenset[str]] = field(default_factory=dict)  # "one": "no", "this"
    only_before: Mapping[str, frozenset[str]] = field(default_factory=dict)  # "scores": "of"
    not_before: Mapping[str, frozenset[str]] = field(default_factory=dict)  # "sei": "stato"
    joined: Mapping[str, int] = field(default_factory=dict)  # 1–999 in words ("uno" of "ventiduemilauno")
    joined_thousands: str = ""  # what stands behind them for thousands ("tremila")
    joined_thousand: str = ""  # one thousand before them ("millecento")
    # before one of `endings` ("двадцати" of "двадцатилетний"); empty where numbers are not written together
    linking: Mapping[str, int] = field(default_factory=dict)
    endings_close: bool = False  # whether such an ending closes its word
    elides: bool = False  # whether an apostrophe joins two words ("d'euros")
    nouns_in_capitals: bool = False  # whether nouns, and so what is counted, begin with a capital
    # beside months and small words what makes an ordinal of digits and a point ("3. Platz"); empty for none
    point_nouns: frozenset[str] = frozenset()
    point_before: frozenset[str] = frozenset()  # words before such digits that do
    ones: frozenset[str] = frozenset()  # words that are one behind others of a number ("vingt et un")
    one_before: frozenset[str] = frozenset()  # words before which an article is the number one ("ein Toter")
    twenties: bool = False  # 60 and 80 go on to 19 ("soixante-dix"), and 80 is four times 20
    hour_sign: str = ""  # letter between hours and minutes ("15h30")
    hour_before: frozenset[str] = frozenset()  # words before "15h" that make it a time of day
    hour_not_before: frozenset[str] = frozenset()  # words before "2h30" that make it a span of time
    scores: frozenset[str] = frozenset()  # words beside a colon that make it a score ("21:19-Sieg")
    minus: frozenset[str] = frozenset()  # words before a number that take it below zero
    plus: frozenset[str] = frozenset()  # words before a number that say that it is above zero
    roman_ordinals: frozenset[str] = frozenset()  # endings of Roman ordinals ("XXe")
    starts: frozenset[str] = field(init=False)  # what a numeral in words can begin with

    def __post_init__(self) -> None:
        tables = (
            self.cardinals, self.articles, self.ordinals, self.vague_many, self.vague, self.singles,
            self.groups, self.bare_scales,
        )  # fmt: skip
        object.__setattr__(self, "starts", frozenset().union(*tables))

    def written_together(self, word: str) -> tuple[int, int]:
        """The number that a word is ("tremila") or begins with ("quarantenne"), and its letters."""
        if not self.linking:
            return 0, 0
        for form in filter(None, (self.joined_thousands, self.joined_thousand)):
            head, separator, rest = word.partition(form)
            if separator:
                many = form == self.joined_thousands
                thousands = 1 if not head else self.joined.get(head, 0) if many else 0
                below = self.joined.get(rest, 0)
                return (1_000 * thousands + below, len(word)) if thousands and (below or not rest) else (0, 0)
        for ending, _, _ in self.endings:
            place = word.find(ending, 2)
            if place > 0 and (not self.endings_close or place + len(ending) == len(word)):
                value = self.linking.get(word[:place], 0)
                return (value, place) if value else (0, 0)
        return 0, 0


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WORDS: Final = {
    name: words(listed) for name, listed in read_tables(__file__, "words").items() if isinstance(listed, str)
}
"""Words beside numbers (words.toml)."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedLine:
    """A text and its tokens; every list has one entry for each token, in order."""

    text: str
    language: Language  # tables of its language
    starts: list[int]  # where each token begins, in characters from 0
    ends: list[int]  # where it ends, exclusive
    words: list[str]  # the token in lower case, composed (NFC), ё as е

    def __len__(self) -> int:
        return len(self.words)

    def word(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else ""

    def sign(self, place: int) -> str:
        """The character at a place of the text, which may end before it; else ""."""
        return self.text[place] if 0 <= place < len(self.text) else ""

    def gap(self, at: int) -> str:
        """What stands between a token and the one before it; of the first and past the end a line end."""
        if 0 < at < len(self.words):
            return self.text[self.ends[at - 1] : self.starts[at]]
        return "\n\n"

    def joined(self, at: int) -> bool:
        """Whether no more than a space or hyphen stands before a token, or the point of an abbreviation."""
        gap = self.gap(at)
        if gap in _JOINS:
            return True
        if gap in _POINTS:
            return self.words[at - 1] in self.language.dotted or self.pointed(at)
        return gap in _APOSTROPHES and self.language.elides

    def pointed(self, at: int) -> bool:
        """Whether the point before a token makes an ordinal of digits ("am 3. Oktober")."""
        tables = self.language
        if not tables.point_nouns or not 0 < at < len(self.words) or self.gap(at) not in _POINTS:
            return False
        digits, word = self.words[at - 1], self.words[at]
        if (
            not digits.isdecimal()
            or len(digits) > _LONGEST_ORDINAL
            or digits[0] == "0"
            or word[0].isdecimal()
        ):
            return False
        if word in tables.months or word in tables.point_nouns or self.surface(at)[0].islower():
            return True
        return word not in tables.stops and self.before(at - 1) in tables.point_before

    def spaced(self, at: int) -> bool:
        return self.gap(at) in _SPACES

    def hyphened(self, at: int) -> bool:
        return self.gap(at) in _HYPHENS

    def next(self, at: int) -> str:
        """The word of a token that is joined to the one before it; else ""."""
        return self.words[at] if at < len(self.words) and self.joined(at) else ""

    def before(self, at: int) -> str:
        """The word before a token where a space or hyphen, and no more, parts them; else ""."""
        return self.words[at - 1] if at > 0 and self.joined(at) else ""

    def token_from(self, at: int, place: int) -> int:
        """The first token from `at` on that begins at a place of the text or behind it."""
        return max(at, bisect_left(self.starts, place))

    def surface(self, at: int) -> str:
        """A token as it stands; "" outside of the text."""
        return self.text[self.starts[at] : self.ends[at]] if 0 <= at < len(self.words) else ""

    def phrase(self, at: int, length: int) -> tuple[str, ...]:
        """So many joined words from a token on; () where they are not joined."""
        words = []
        for place in range(at, at + length):
            word = self.next(place)
            if not word:
                return ()
            words.append(word)
        return tuple(words)


def cut(text: str, language: Language) -> TokenizedLine:
    matches = list(_TOKEN.finditer(text))
    plain = str.lower if text.isascii() else _plain
    starts, ends = [match.start() for match in matches], [match.end() for match in matches]
    return TokenizedLine(text, language, starts, ends, [plain(match[0]) for match in matches])


def _plain(word: str) -> str:
    lower = word.lower()
    return lower if lower.isascii() else unicodedata.normalize("NFC", lower).replace("ё", "е")


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
