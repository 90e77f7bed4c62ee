"""Texts whose marked places move along when words are exchanged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.numerals.entailing.question import Span


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text with places of numerals.

    Attributes:
        text: The text.
        spans: The places, not overlapping.
    """

    text: str
    spans: tuple[Span, ...]

    def replaced(self, start: int, end: int, new: str) -> MarkedText:
        """The text with something else at a place; a span that meets the place takes the new text in."""
        grown = len(new) - (end - start)

        def moved(span: Span) -> Span:
            first, last = span
            if last <= start and not first == last == start:
                return span
            if first >= end:
                return first + grown, last + grown
            return min(first, start), max(last + grown, start + len(new))

        text = f"{self.text[:start]}{new}{self.text[end:]}"
        return MarkedText(text, tuple(map(moved, self.spans)))

    def all_replaced(self, changes: Iterable[tuple[int, int, str]]) -> MarkedText:
        """The text with several places changed, which do not overlap."""
        text = self
        for start, end, new in sorted(changes, reverse=True):
            text = text.replaced(start, end, new)
        return text


def like(word: str, model: str) -> str:
    """A word with the capitals of another: all, the first of each word, or none."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return capitalised(word) if model[:1].isupper() else word


def capitalised(phrase: str) -> str:
    """Every word with a capital first letter."""
    return " ".join(word[:1].upper() + word[1:] for word in phrase.split(" "))


def titled(text: str) -> bool:
    """Whether a headline is in Title Case."""
    words = [word for word in text.split() if word[:1].isalpha()]
    return sum(word[0].isupper() for word in words) * 2 > len(words)
