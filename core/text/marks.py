"""Stretches of a headline that are marked, and the headline cut at them for drawing."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class MarkKind(StrEnum):
    SHARED_WORD = "shared word"
    SHARED_NAME = "shared name"
    SHARED_NUMBER = "shared number"
    ADDED_WORD = "added word"
    ADDED_NAME = "added name"
    ADDED_NUMBER = "added number"
    CONFLICTING_NUMBER = "conflicting number"
    OTHER_NUMBER = "other number that the article has"
    OPPOSED = "possible contradiction"
    COPIED = "copied from the article"
    NOVEL_WORD = "word that the article lacks"
    UNSUPPORTED_NAME = "name that the article lacks"
    UNSUPPORTED_NUMBER = "number that the article lacks"


AGAINST: Final = frozenset({MarkKind.CONFLICTING_NUMBER, MarkKind.OPPOSED})
"""What disagrees with the headline that it is compared with."""


@dataclass(frozen=True, slots=True)
class TextMark:
    """A marked stretch of a headline: characters `start` up to `end`, exclusive."""

    start: int
    end: int
    kind: MarkKind


def mark(text: str, marks: Iterable[TextMark]) -> list[tuple[str, MarkKind | None]]:
    """The headline in plain fragments, each with its mark or None; whoever draws them must escape them."""
    fragments: list[tuple[str, MarkKind | None]] = []
    position = 0
    for each in sorted(marks, key=lambda m: (m.start, m.end)):
        if each.start > position:
            fragments.append((text[position : each.start], None))
        fragments.append((text[each.start : each.end], each.kind))
        position = each.end
    if position < len(text):
        fragments.append((text[position:], None))
    return fragments


def apart(marks: Iterable[TextMark]) -> tuple[TextMark, ...]:
    """The marks in order; of two that overlap the one named first stays."""
    result: list[TextMark] = []
    for each in marks:
        at = bisect_left(result, each.end, key=lambda mark: mark.start)
        if not at or result[at - 1].end <= each.start:
            result.insert(at, each)
    return tuple(result)
