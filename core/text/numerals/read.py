"""Reading the numerals of a text: where they begin, of what kind they are, and how exact."""

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from core.text.numerals import clock, dates, ranks_and_ages, roman, spelled, units
from core.text.numerals.counted import counted_after
from core.text.numerals.digits import read_digits
from core.text.numerals.language_tables import language_tables
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import Approximation, Bound, Draft, Numeral, NumeralForm, NumeralKind
from core.text.numerals.ranges import mark_ranges
from core.text.numerals.tokenized_line import TokenizedLine, cut
from core.text.reading import reads

_PLAIN: Final = (None, NumeralKind.COUNT)
_UNCOUNTED = frozenset({NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME})
_UNHEDGED = frozenset({NumeralKind.ORDINAL, NumeralKind.DATE, NumeralKind.NAME})
"""Kinds before which prepositions are no hedges: "Jubel über erstes Gold", "bis 8. August"."""
_SHARED_BY: Final = frozenset({*range(11), 100, 1_000})
"""Of so many a part is told as a share; "49 из 58" and "240 von 1.900" are two counts."""
_ROMAN_SIGNS = frozenset("ivxlcdm")
_Meaning = Callable[[TokenizedLine, Draft], bool]
_OF_DIGITS: Final[tuple[_Meaning, ...]] = (
    *(units.sign_before, ranks_and_ages.glued_before, clock.half_hour, clock.clock, units.sign_after),
    *(dates.read_day, units.pointed_ordinal, units.glued, ranks_and_ages.rank_or_name, dates.read_named_year),
    *(units.measured, dates.read_decade, dates.read_year, ranks_and_ages.age),
)
_OF_WORDS: Final[tuple[_Meaning, ...]] = (
    *(dates.read_decade, clock.half_hour, clock.clock, dates.read_day, units.measured),
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


@reads("numbers", lambda text: ())
def read_numerals(text: str, *, language: str = "") -> tuple[Numeral, ...]:
    line = cut(text, language_tables(language or language_of(text)))
    drafts: list[Draft] = []
    at = 0
    while at < len(line):
        part, at = _read_at(line, at)
        for draft in part:
            if drafts:
                draft.start = max(draft.start, drafts[-1].end)
            drafts.append(draft)
    drafts = clock.join_spans(line, drafts)
    mark_ranges(line, drafts)
    # Marks the two numbers of "one in four" as fractions; each keeps its own value.
    for top, below in pairwise(drafts):
        apart = below.first - top.after
        if (
            1 <= apart <= 1 + line.language.share_gap
            and line.words[below.first - 1] in line.language.share_words
            and top.kind in _PLAIN
            and below.kind in _PLAIN
            and top.value < below.value
            and (line.language.code == "en" or top.value == 1 or below.value in _SHARED_BY)
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
    read = spelled.read_words(line, at)
    if read is not None:
        tell_kind(line, read)
    elif word[0] in _ROMAN_SIGNS and _ROMAN_SIGNS.issuperset(word):
        read = roman.read_roman(line, at)
    elif line.language.roman_ordinals and line.surface(at)[0] in "IVX":
        read = roman.read_roman_ordinal(line, at)
    return ([], at + 1) if read is None else ([read], read.after)


def tell_kind(line: TokenizedLine, draft: Draft) -> None:
    """Finds kind and unit of a number by the first meaning that fits; takes signs and units into its text."""
    if draft.kind is NumeralKind.DURATION and draft.unit in ("minute", "second"):
        return  # "2:19:42"
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
    places = ((at, length) for length in (2, 1) for at in (draft.after, draft.after + 1))
    known = (place for place in places if line.phrase(*place) in tables.near_after)
    # "two dead and up to 12 injured": a bound is that of the number next to it.
    behind = (line.phrase(*place) for place in known if not _hedges_next(line, *place))
    return next((tables.near_after[phrase] for phrase in behind), draft.approximation)


def _hedges_next(line: TokenizedLine, at: int, length: int) -> bool:
    """Whether words begin what hedges a number behind them."""
    tables = line.language
    return any(
        phrase == known
        and (word := line.word(begin + len(phrase)))
        and (word in tables.starts or word.isdecimal())
        for begin in range(at, at + length)
        for size in (1, 2, 3)
        if (phrase := line.phrase(begin, size))
        for known, _ in tables.near_before.get(phrase[-1], ())
    )


def _near(line: TokenizedLine, first: int, draft: Draft) -> bool:
    gap = line.text[line.ends[first - 1] : draft.start]
    return (
        gap in (" ", "-", "\u00a0", "  ", "\n")
        or (gap in ("'", "’") and line.language.elides)
        or (gap in (". ", ".\u00a0") and line.words[first - 1] in line.language.dotted)
    )
