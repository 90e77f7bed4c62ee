"""Reading the numerals of a text: where they begin, what kind they are, how exact, what they count."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from core.files import read_tables
from core.text.numerals import clock, dates, ranks_and_ages, roman, units
from core.text.numerals.digits import read_digits
from core.text.numerals.languages import language_of, tables_of
from core.text.numerals.numeral import (
    Approximation,
    Bound,
    Draft,
    Numeral,
    NumeralForm,
    NumeralKind,
    TokenizedLine,
    cut,
)
from core.text.numerals.spelled import read_words
from core.text.reading import reads
from core.text.stems import stemmer
from core.text.tokens import word_list

_DASHES: Final = frozenset({"-", "–", "—", " - ", " – ", "‑", "−"})
_SCORE: Final = re.compile(r",? \d{1,2}[-–]\d")
_SCORE_BEFORE: Final = re.compile(r"\d[-–]\d{1,2},? \Z")
_PLAIN: Final = (None, NumeralKind.COUNT)
_OPEN: Final = (None, NumeralKind.COUNT, NumeralKind.FRACTION)
_UNCOUNTED = frozenset({NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME})
_UNHEDGED = frozenset({NumeralKind.ORDINAL, NumeralKind.DATE, NumeralKind.NAME})
"""Kinds before which prepositions are no hedges: "Jubel über erstes Gold", "bis 8. August"."""
_ROMAN_SIGNS = frozenset("ivxlcdm")
_Meaning = Callable[[TokenizedLine, Draft], bool]
_OF_DIGITS: Final[tuple[_Meaning, ...]] = (
    *(units.sign_before, ranks_and_ages.glued_before, clock.half_hour, clock.clock, units.sign_after),
    *(dates.day, units.pointed_ordinal, units.glued, ranks_and_ages.rank_or_name, dates.named_year),
    *(units.measured, dates.decade, dates.year, ranks_and_ages.age),
)
_OF_WORDS: Final[tuple[_Meaning, ...]] = (
    *(dates.decade, clock.half_hour, clock.clock, dates.day, units.measured),
    *(ranks_and_ages.rank_or_name, ranks_and_ages.age),
)
_SIGNS = {
    "~": Approximation.ABOUT,
    "≈": Approximation.ABOUT,
    ">": Approximation.MORE_THAN,
    "<": Approximation.LESS_THAN,
    "≥": Approximation.AT_LEAST,
    "≤": Approximation.AT_MOST,
}
_FARTHEST: Final = 4
_IRREGULAR: Final[dict[str, str]] = read_tables(__file__, "words")["irregular"]
_ADJECTIVE: Final = word_list("ых их ые ие ого его ому ему ый ий ая яя ое ее ую ым ими ыми")
"""Endings of Russian adjectives and participles, which stand before what is counted."""
_NOT_PLURAL: Final = ("ss", "us", "is", "ous", "'s")


def _is_range(line: TokenizedLine, low: Draft, high: Draft) -> bool:
    if high.start - low.end > 40 or NumeralKind.NAME in (low.kind, high.kind):
        return False
    if line.word(low.first) in line.language.singles:  # "halved to 5 million"
        return False
    if low.kind is NumeralKind.FRACTION is not high.kind:  # "by a third to 84 million"
        return False
    if _SCORE.match(line.text, high.end) or _SCORE_BEFORE.search(line.text, max(0, low.start - 6), low.start):
        return False
    dashed = line.text[low.end : high.start].rstrip("$€£") in _DASHES
    words_end = max(low.end, line.ends[low.after - 1])
    linked = (
        high.first - low.after == 1
        and line.words[low.after] in line.language.range_words
        and line.text[words_end : line.starts[low.after]].strip() in ("", "-")
    )
    tables = line.language
    opening = low.first - 1 - (line.word(low.first - 1) in tables.definite)
    middle = tables.between.get(line.word(opening), "")
    closing = high.first - 1 - (line.word(high.first - 1) in tables.definite)
    between = bool(middle) and closing == low.after and line.words[closing] == middle
    if not (dashed or linked or between) or not _alike(low, high):
        return False
    if (
        low.kind is NumeralKind.YEAR
        and high.kind in (None, NumeralKind.COUNT, NumeralKind.YEAR)
        and high.amount < 100 <= low.amount
    ):
        if dashed and low.amount % 100 < high.amount:
            high.kind = NumeralKind.YEAR
            return True
        return False
    shared = high.factor if low.factor == 1 else low.factor
    return low.amount * shared < high.value or (
        low.kind is NumeralKind.TIME and high.kind is NumeralKind.TIME
    )


def _alike(low: Draft, high: Draft) -> bool:
    return (
        (low.kind == high.kind and (low.unit == high.unit or not low.unit))
        or low.kind in _OPEN
        or (low.kind is NumeralKind.YEAR and high.kind in _OPEN)
        or (low.kind in (NumeralKind.MONEY, NumeralKind.AGE) and high.kind in _OPEN)
        or (low.kind is NumeralKind.AGE and high.kind is NumeralKind.DURATION and low.unit == high.unit)
    )


def _share(low: Draft, high: Draft) -> None:
    if (
        low.factor == 1
        and high.factor != 1
        and low.amount < high.amount
        and low.form is not NumeralForm.ROMAN
        and (
            low.kind in _OPEN
            or low.kind is high.kind
            or (low.kind is NumeralKind.MONEY and high.kind in _OPEN)
        )
    ):
        low.factor = high.factor
    if low.kind in _OPEN and high.kind is not NumeralKind.NAME:
        low.kind, low.unit = high.kind, high.unit
    elif low.kind is NumeralKind.AGE or (high.kind in _OPEN and low.kind is NumeralKind.MONEY):
        high.kind, high.unit = low.kind, low.unit


def _mark_ranges(line: TokenizedLine, drafts: Sequence[Draft]) -> None:
    # Marks numerals that are the two ends of a range, and lets the low end share the high one's unit.
    for place, (low, high) in enumerate(pairwise(drafts)):
        chained = place + 2 < len(drafts) and line.text[high.end : drafts[place + 2].start] in ("-", "–")
        if low.bound is Bound.NONE and not chained and _is_range(line, low, high):
            _share(low, high)
            low.bound, high.bound = Bound.LOW, Bound.HIGH
            if low.unit == high.unit == "year" and line.before(low.first) in line.language.age_articles:
                low.kind = high.kind = NumeralKind.AGE


@reads("numbers", lambda text: ())
def read_numerals(text: str, *, language: str = "") -> tuple[Numeral, ...]:
    line = cut(text, tables_of(language or language_of(text)))
    drafts: list[Draft] = []
    at = 0
    while at < len(line):
        part, at = _read_at(line, at)
        for draft in part:
            if drafts:
                draft.start = max(draft.start, drafts[-1].end)
            drafts.append(draft)
    _mark_ranges(line, drafts)
    # Marks the two numbers of "one in four" as fractions; each keeps its own value.
    for top, below in pairwise(drafts):
        apart = below.first - top.after
        if (
            1 <= apart <= 1 + line.language.share_gap
            and line.words[below.first - 1] in line.language.share_words
            and top.kind in _PLAIN
            and below.kind in _PLAIN
            and top.value < below.value
            and all(line.joined(place) for place in range(top.after, below.first + 1))
        ):
            top.kind = below.kind = NumeralKind.FRACTION
    end = 0
    for draft in drafts:
        units.signed(line, draft)
        draft.start = max(draft.start, end)
        end = draft.end
        draft.approximation = approximation_of(line, draft)
        if draft.kind not in _UNCOUNTED:
            draft.counted = counted_after(line, draft.after)
    for low, high in pairwise(drafts):
        if low.bound is Bound.LOW and high.bound is Bound.HIGH and not low.counted:
            low.counted = high.counted
    return tuple(draft.finished(text) for draft in drafts)


def _read_at(line: TokenizedLine, at: int) -> tuple[list[Draft], int]:
    word = line.words[at]
    if not word[0].isalpha():
        drafts, after = read_digits(line, at)
        for draft in drafts:
            tell_kind(line, draft)
        return drafts, max([after, *(draft.after for draft in drafts)])
    read = read_words(line, at)
    if read is not None:
        tell_kind(line, read)
    elif word[0] in _ROMAN_SIGNS and _ROMAN_SIGNS.issuperset(word):
        read = roman.read_roman(line, at)
    elif line.language.roman_ordinals and line.surface(at)[0] in "IVX":
        read = roman.read_roman_ordinal(line, at)
    return ([], at + 1) if read is None else ([read], read.after)


def tell_kind(line: TokenizedLine, draft: Draft) -> None:
    """Finds kind and unit of a number by the first meaning that fits; takes signs and units into its text."""
    for meaning in _OF_WORDS if draft.form is NumeralForm.WORDS else _OF_DIGITS:
        if meaning(line, draft):
            return


def approximation_of(line: TokenizedLine, draft: Draft) -> Approximation:
    """What the words around say; what the number says of itself stays ("dozens")."""
    if draft.approximation is not Approximation.EXACT:
        return draft.approximation
    if draft.sign == "±":
        return Approximation.ABOUT
    if sign := _SIGNS.get(line.sign(draft.start - 1)):
        return sign
    if line.sign(draft.end) == "+":
        return Approximation.AT_LEAST
    tables, first = line.language, draft.first
    if draft.kind in _UNHEDGED and tables.code in ("de", "fr"):
        return Approximation.EXACT
    before = line.words[first - 1] if first and draft.bound is not Bound.HIGH else ""
    for phrase, meaning in tables.near_before.get(before, ()):
        if tuple(line.words[max(0, first - len(phrase)) : first]) == phrase and _near(line, first, draft):
            return meaning
    behind = (line.phrase(at, length) for length in (2, 1) for at in (draft.after, draft.after + 1))
    return next(
        (tables.near_after[phrase] for phrase in behind if phrase in tables.near_after), draft.approximation
    )


def _near(line: TokenizedLine, first: int, draft: Draft) -> bool:
    gap = line.text[line.ends[first - 1] : draft.start]
    return (
        gap in (" ", "-", "\u00a0", "  ", "\n")
        or (gap in ("'", "’") and line.language.elides)
        or (gap in (". ", ".\u00a0") and line.words[first - 1] in line.language.dotted)
    )


def counted_after(line: TokenizedLine, at: int) -> str:
    """Singular (English) or stem of what is counted behind a token: the first plural, else the last word."""
    tables = line.language
    while line.next(at) in tables.skipped:
        at += 1
    noun = ""
    for place in range(at, at + _FARTHEST):
        word = line.next(place)
        if not word or word in tables.stops or word in tables.starts or not word[0].isalpha():
            break
        if tables.code == "en" and (word.endswith("ly") or (noun and word.endswith("ed"))):
            if noun:
                break
            continue
        if tables.nouns_in_capitals and not line.surface(place)[0].isupper():
            continue
        last = place
        while tables.nouns_in_capitals and last - place < _FARTHEST and _goes_on(line, last):
            last += 1
        noun = line.words[last]
        if tables.code == "ru" and word.endswith(_ADJECTIVE):
            continue
        if tables.code != "en" or _is_plural(word):
            break
    return normal_form(noun, tables.code) if noun else ""


def _goes_on(line: TokenizedLine, place: int) -> bool:
    return line.hyphened(place + 1) and line.words[place + 1].isalpha()


def _is_plural(word: str) -> bool:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL)
    return plural or word in _IRREGULAR or word.endswith("men")


@lru_cache(maxsize=20_000)
def normal_form(word: str, language: str) -> str:
    """A noun in the singular (English) or as its stem, in lower case; "" gives ""."""
    if language != "en":
        stem = stemmer(language)
        return stem(word) if stem else word
    known = _IRREGULAR.get(word)
    if known:
        return known
    if len(word) > 4 and word.endswith("men"):
        return f"{word[:-2]}an"
    if len(word) < 4 or not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]
