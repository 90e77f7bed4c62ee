"""Reading the numerals of a text."""

from __future__ import annotations

from core.text.numerals.approximations import approximation_of
from core.text.numerals.contexts import tell_kind
from core.text.numerals.counted import counted_after
from core.text.numerals.digits import read_digits
from core.text.numerals.drafts import Draft
from core.text.numerals.languages import language_of, tables_of
from core.text.numerals.lines import Line, cut
from core.text.numerals.numeral import Kind, Numeral
from core.text.numerals.ranges import mark_ranges, mark_shares, share_counted
from core.text.numerals.roman import read_roman
from core.text.numerals.spelled import read_words

_UNCOUNTED = frozenset({Kind.YEAR, Kind.DATE, Kind.TIME, Kind.NAME})
_ROMAN_SIGNS = frozenset("ivxlcdm")


def read_numerals(text: str, *, language: str = "") -> tuple[Numeral, ...]:
    """The numerals of a text, in order, not overlapping.

    Args:
        text: Of any length and script; "" gives (). The time is in proportion to its length.
        language: ISO 639-1 code, "en", "ru" or "it"; "" guesses by script and function words.

    Returns:
        () where there are none. Signs before a number ("-5") are not part of it. A number of more than
        1,000 digits is left out.

    Raises:
        InputError: The language is none of those.
    """
    line = cut(text, tables_of(language or language_of(text)))
    drafts: list[Draft] = []
    at = 0
    while at < len(line):
        found, at = _read_at(line, at)
        for draft in found:
            if drafts:
                draft.start = max(draft.start, drafts[-1].end)
            drafts.append(draft)
    mark_ranges(line, drafts)
    mark_shares(line, drafts)
    for draft in drafts:
        draft.approximation = approximation_of(line, draft)
        if draft.kind not in _UNCOUNTED:
            draft.counted = counted_after(line, draft.after)
    share_counted(drafts)
    return tuple(draft.finished(text) for draft in drafts)


def _read_at(line: Line, at: int) -> tuple[list[Draft], int]:
    """The numerals that begin at a token, and the token to go on with."""
    word = line.words[at]
    if not word[0].isalpha():
        found, after = read_digits(line, at)
        for draft in found:
            tell_kind(line, draft)
        return found, max([after, *(draft.after for draft in found)])
    found_words = read_words(line, at)
    if found_words is None and word[0] in _ROMAN_SIGNS and _ROMAN_SIGNS.issuperset(word):
        roman = read_roman(line, at)
        return ([], at + 1) if roman is None else ([roman], roman.after)
    if found_words is None:
        return [], at + 1
    tell_kind(line, found_words)
    return [found_words], found_words.after
