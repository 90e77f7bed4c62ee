"""The tables of words that numerals of a language are made of, and how they are read from its file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from core.errors import InputError
from core.files import read_tables
from core.text.numerals.numeral import Approximation, NumeralKind
from core.text.tokens import STOP_WORDS

LANGUAGES: Final = tuple(sorted(file.stem for file in Path(__file__).parent.glob("??.toml")))
"""Languages whose numbers are read."""
_MOST_WITH_HALF: Final = 20
Phrase = tuple[str, ...]
_Table = Mapping[str, str]
_T = TypeVar("_T")


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
    basis_points: frozenset[Phrase] = frozenset()  # phrases that make it hundredths of a percentage point
    part_of: frozenset[Phrase] = frozenset()  # phrases after a fraction that make it one ("half a point")
    below_zero: frozenset[Phrase] = frozenset()  # phrases after a temperature that take it below zero
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
    name_letters: frozenset[str] = (
        frozenset()
    )  # capitals before a number that do inside of a sentence ("A 9")
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
    linking: Mapping[str, int | Fraction] = field(default_factory=dict)
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

    def written_together(self, word: str) -> tuple[int | Fraction, int]:
        """The number that a word is ("tremila") or begins with ("quarantenne"), and its letters."""
        if not self.linking:
            return 0, 0
        for form in filter(None, (self.joined_thousands, self.joined_thousand)):
            head, separator, rest = word.partition(form)
            if separator:
                many = form == self.joined_thousands
                half = self.singles.get(head, 0) if many and not rest else 0  # "zweieinhalbtausend"
                thousands = 1 if not head else self.joined.get(head, half) if many else 0
                below = self.joined.get(rest, 0)
                whole = int(1_000 * thousands) + below
                return (whole, len(word)) if thousands and (below or not rest) else (0, 0)
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


@cache
def language_tables(code: str) -> Language:
    """What the file of a language says, and the words that are made from it; see `en.toml`."""
    if code not in LANGUAGES:
        message = f"Numerals of the language {code!r} are not read."
        raise InputError(message, hint=f"Give one of {', '.join(LANGUAGES)}.")
    tables = read_tables(__file__, code)
    cardinals = _numbers(tables["cardinals"])
    linking: dict[str, int | Fraction] = {**_fractions(tables.get("linking", {}))}
    if "joined_hundreds" in tables:
        _join(tables, cardinals, linking)
    ordinals, stems = _numbers(tables.get("ordinals", {})), _numbers(tables.pop("ordinal_stems", {}))
    if rule := tables.pop("ordinals_from_cardinals", None):
        keeps, never = tuple(rule["keeps"]), tuple(rule["never"])
        for word, value in cardinals.items():
            if value >= rule["least"] and not word.endswith(never):
                stems[(word if word.endswith(keeps) else word[:-1]) + rule["adds"]] = value
        if rule.get("joins"):
            hundreds = [
                (word, value) for word, value in cardinals.items() if value >= 100 and not value % 100
            ]
            for table in (ordinals, stems):
                below = [(word, value) for word, value in table.items() if value < rule["least"]]
                table |= {head + word: hundred + value for head, hundred in hundreds for word, value in below}
    endings = tables.pop("ordinal_endings", "").split()
    units = [(word, value) for word, value in linking.items() if value < 10]
    for tens in tables.pop("linking_tens", "").split():
        linking |= {tens + word: linking[tens] + value for word, value in units}
    tables["cardinals"], tables["linking"] = cardinals, linking
    tables["ordinals"] = ordinals | {stem + end: value for stem, value in stems.items() for end in endings}
    if tables.pop("stop_words", False):
        tables["stops"] = f"{tables['stops']} {' '.join(STOP_WORDS[code])}"
    read = {name: _READERS[name](table) for name, table in tables.items() if name in _READERS}
    plain = {name: words(table) for name, table in tables.items() if isinstance(table, str)}
    return Language(code=code, **{**tables, **plain, **read})


def _join(tables: dict[str, Any], cardinals: dict[str, int], linking: dict[str, int | Fraction]) -> None:
    alone = _numbers(tables.pop("joined_only"))
    small = alone | {word: value for word, value in cardinals.items() if 0 < value < 100}
    units, tens = tables.pop("joined_units", "").split(), tables.pop("joined_tens", "").split()
    small |= {
        f"{unit}{tables['joined_and']}{word}": 10 * ten + value
        for ten, forms in enumerate(tens, start=2)
        for word in forms.split("/")
        for value, unit in enumerate(units, start=1)
    }
    joined = _joined(tables, small)
    cardinals |= {word: value for word, value in joined.items() if word not in alone}
    least = tables.pop("linking_least")
    for letter in (*tables.pop("linking_drops", "")[::-1], ""):
        ending = [word for word, value in joined.items() if value >= least and word.endswith(letter)]
        linking |= {word.removesuffix(letter): joined[word] for word in ending}
    tables["joined"] = joined
    half = tables.pop("joined_half", "")
    for word, value in joined.items():
        if half and value < _MOST_WITH_HALF:
            key = f"{2 * value + 1}/2"
            tables["singles"][key] = f"{tables['singles'].get(key, '')} {word}{half}"
            linking[word + half] = Fraction(key)


def _joined(tables: dict[str, Any], small: Mapping[str, int]) -> dict[str, int]:
    joined, elided, link = dict(small), tables.pop("elided", ""), tables.pop("joined_and", "")
    for place, forms in enumerate(tables.pop("joined_hundreds").split(), start=1):
        for hundred in forms.split("/"):
            joined[hundred] = 100 * place
            for word, value in small.items():
                joined[hundred + word] = 100 * place + value
                if link:
                    joined[hundred + link + word] = 100 * place + value
                if word[0] in elided:
                    joined[hundred[:-1] + word] = 100 * place + value
    return joined


def _fractions(table: _Table) -> dict[str, Fraction]:
    fractions: dict[str, Fraction] = {}
    for key, listed in table.items():
        first, rises, step = key.partition("+")
        for place, forms in enumerate(listed.split()):
            value = Fraction(first.replace("_", "")) + (place * int(step or 1) if rises else 0)
            fractions |= dict.fromkeys(forms.split("/"), value)
    return fractions


def _numbers(table: _Table) -> dict[str, int]:
    return {word: int(value) for word, value in _fractions(table).items()}


def _phrases(listed: str) -> frozenset[Phrase]:
    return frozenset(tuple(phrase.split()) for phrase in listed.split(","))


def _phrased(read: Callable[[str], _T]) -> Callable[[_Table], dict[Phrase, _T]]:
    return lambda table: {phrase: read(key) for key, listed in table.items() for phrase in _phrases(listed)}


def _groups(table: _Table) -> dict[str, tuple[int, str]]:
    rows = ((*key.partition(" "), listed.split()) for key, listed in table.items())
    return {word: (int(factor), unit) for factor, _, unit, listed in rows for word in listed}


def _currency(key: str) -> tuple[str, Fraction]:
    code, _, parts = key.partition("/")
    return code, Fraction(1, int(parts or 1))


def _nearness(table: _Table) -> dict[str, tuple[tuple[Phrase, Approximation], ...]]:
    phrases: dict[str, list[tuple[Phrase, Approximation]]] = {}
    for phrase, meaning in sorted(_phrased(Approximation)(table).items(), key=lambda row: -len(row[0])):
        phrases.setdefault(phrase[-1], []).append((phrase, meaning))
    return {word: tuple(rows) for word, rows in phrases.items()}


def _endings(rows: Sequence[str]) -> tuple[tuple[str, NumeralKind, str], ...]:
    return tuple((start, NumeralKind(kind), "".join(unit)) for start, kind, *unit in map(str.split, rows))


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("scales", "abbreviations", "denominators", "denominators_many", "vague"), _numbers),
    **dict.fromkeys(
        ("percents", "basis_points", "part_of", "below_zero", "age_after", "time_after"), _phrases
    ),
    **dict.fromkeys(
        ("not_after", "not_before", "only_before"),
        lambda table: {word: words(listed) for word, listed in table.items()},
    ),
    **dict.fromkeys(("joined_thousands", "joined_thousand", "hour_sign"), str),
    "singles": _fractions,
    "spans": lambda table: {word: span for span, listed in table.items() for word in listed.split()},
    "groups": _groups,
    "halves": _phrased(Fraction),
    "currencies": _phrased(_currency),
    "measures": _phrased(str),
    "near_before": _nearness,
    "near_after": _phrased(Approximation),
    "endings": _endings,
}
"""How a table is read that is no list of words."""
