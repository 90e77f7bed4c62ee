"""The ends of ranges: "10-12 people", "10 to 12", "between 10 and 12"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from core.text.numerals.lines import Draft, TokenizedLine
from core.text.numerals.numeral import Bound, NumeralForm, NumeralKind

_DASHES: Final = frozenset({"-", "–", "—", " - ", " – ", "‑", "−"})
_SCORE: Final = re.compile(r",? \d{1,2}[-–]\d")
_SCORE_BEFORE: Final = re.compile(r"\d[-–]\d{1,2},? \Z")
_PLAIN: Final = (None, NumeralKind.COUNT)
_OPEN: Final = (None, NumeralKind.COUNT, NumeralKind.FRACTION)


def mark_ranges(line: TokenizedLine, drafts: Sequence[Draft]) -> None:
    """Marks numerals that are the two ends of a range, and lets the low end share the high one's unit."""
    for place in range(len(drafts) - 1):
        low, high = drafts[place], drafts[place + 1]
        if low.bound is Bound.NONE and _is_range(line, low, high):
            chained = place + 2 < len(drafts) and line.text[high.end : drafts[place + 2].start] in ("-", "–")
            if not chained:
                _share(low, high)
                low.bound, high.bound = Bound.LOW, Bound.HIGH
                if low.unit == high.unit == "year" and line.before(low.first) in line.language.age_articles:
                    low.kind = high.kind = NumeralKind.AGE


def mark_shares(line: TokenizedLine, drafts: Sequence[Draft]) -> None:
    """Marks the two numbers of "one in four" as fractions; each keeps its own value."""
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


def share_counted(drafts: Sequence[Draft]) -> None:
    """Lets the low end of a range count what the high end does."""
    for low, high in pairwise(drafts):
        if low.bound is Bound.LOW and high.bound is Bound.HIGH and not low.counted:
            low.counted = high.counted


def _is_range(line: TokenizedLine, low: Draft, high: Draft) -> bool:
    if high.start - low.end > 40 or NumeralKind.NAME in (low.kind, high.kind):
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
    between = _is_between(line, low, high)
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


def _is_between(line: TokenizedLine, low: Draft, high: Draft) -> bool:
    tables = line.language
    opening = low.first - 1 - (line.word(low.first - 1) in tables.definite)
    middle = tables.between.get(line.word(opening), "")
    closing = high.first - 1 - (line.word(high.first - 1) in tables.definite)
    return bool(middle) and closing == low.after and line.words[closing] == middle


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
