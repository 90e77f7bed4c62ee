"""How exactly a number is meant, from the words before and after it."""

from __future__ import annotations

from core.text.numerals.drafts import Draft
from core.text.numerals.lines import Line
from core.text.numerals.numeral import Approximation, Bound

_SIGNS = {
    "~": Approximation.ABOUT,
    "≈": Approximation.ABOUT,
    ">": Approximation.MORE_THAN,
    "<": Approximation.LESS_THAN,
    "≥": Approximation.AT_LEAST,
    "≤": Approximation.AT_MOST,
}


def approximation_of(line: Line, draft: Draft) -> Approximation:
    """What the words around say; what the number says of itself stays ("dozens")."""
    if draft.approximation is not Approximation.EXACT:
        return draft.approximation
    text, tables, first = line.text, line.language, draft.first
    sign = _SIGNS.get(text[draft.start - 1]) if draft.start else None
    if sign:
        return sign
    if text[draft.end : draft.end + 1] == "+":
        return Approximation.AT_LEAST
    before = line.words[first - 1] if first and draft.bound is not Bound.HIGH else ""
    for phrase, meaning in tables.near_before.get(before, ()):
        length = len(phrase)
        if tuple(line.words[max(0, first - length) : first]) == phrase and _near(line, first, draft):
            return meaning
    for length in (2, 1):
        for at in (draft.after, draft.after + 1):
            meaning_after = tables.near_after.get(line.phrase(at, length))
            if meaning_after is not None:
                return meaning_after
    return Approximation.EXACT


def _near(line: Line, first: int, draft: Draft) -> bool:
    """Whether no more than a space, hyphen and the number's own sign stand before it."""
    gap = line.text[line.ends[first - 1] : draft.start]
    return gap in (" ", "-", "\u00a0", "  ", "\n")
