"""Numerals that are the two ends of a range."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from core.text.numerals.numeral import Bound, Draft, NumeralForm, NumeralKind
from core.text.numerals.tokenized_line import TokenizedLine

_DASHES: Final = frozenset({"-", "–", "—", " - ", " – ", "‑", "−"})
_SCORE: Final = re.compile(r",? \d{1,2}[-–]\d")
_SCORE_BEFORE: Final = re.compile(r"\d[-–]\d{1,2},? \Z")
_OPEN: Final = (None, NumeralKind.COUNT, NumeralKind.FRACTION)


def mark_ranges(line: TokenizedLine, drafts: Sequence[Draft]) -> None:
    """Marks numerals that are the two ends of a range, and lets the low end share the high one's unit."""
    for place, (low, high) in enumerate(pairwise(drafts)):
        chained = place + 2 < len(drafts) and line.text[high.end : drafts[place + 2].start] in ("-", "–")
        if low.bound is Bound.NONE and not chained and _is_range(line, low, high):
            _share(low, high)
            low.bound, high.bound = Bound.LOW, Bound.HIGH
            if low.unit == high.unit == "year" and line.before(low.first) in line.language.age_articles:
                low.kind = high.kind = NumeralKind.AGE


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
    of_year = low.kind is NumeralKind.YEAR and high.kind in (None, NumeralKind.COUNT, NumeralKind.YEAR)
    if of_year and high.amount < 100 <= low.amount:
        if dashed and low.amount % 100 < high.amount:
            high.kind = NumeralKind.YEAR
            return True
        return False
    shared = high.factor if low.factor == 1 else low.factor
    return low.amount * shared < high.value or low.kind is high.kind is NumeralKind.TIME


def _alike(low: Draft, high: Draft) -> bool:
    return (
        (low.kind == high.kind and (low.unit == high.unit or not low.unit))
        or low.kind in _OPEN
        or (low.kind is NumeralKind.YEAR and high.kind in _OPEN)
        or (low.kind in (NumeralKind.MONEY, NumeralKind.AGE) and high.kind in _OPEN)
        or (low.kind is NumeralKind.AGE and high.kind is NumeralKind.DURATION and low.unit == high.unit)
    )


def _share(low: Draft, high: Draft) -> None:
    money = low.kind is NumeralKind.MONEY and high.kind in _OPEN
    fits = (low.kind in _OPEN or low.kind is high.kind or money) and low.form is not NumeralForm.ROMAN
    if fits and low.factor == 1 != high.factor and low.amount < high.amount:
        low.factor = high.factor
    if low.kind in _OPEN and high.kind is not NumeralKind.NAME:
        low.kind, low.unit = high.kind, high.unit
    elif low.kind is NumeralKind.AGE or money:
        high.kind, high.unit = low.kind, low.unit
