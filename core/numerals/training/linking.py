"""Which of the article's numerals a headline's numeral is joined to, and texts cut at their numerals."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from core.numerals.provenance import CheckedNumeral, Status
from core.text.numerals.numeral import Numeral

AGAINST: Final = "≠"
"""Stands beside a number that is contradicted, and beside the one that contradicts it."""
SUPPORTED: Final = frozenset({Status.COPIED, Status.DERIVED})


class Role(StrEnum):
    """What a numeral of the article is to one of the headline.

    `SOURCE`: it came from there. `ELSEWHERE`: it can be had from there, but of something else. `RIVAL`: the
    article's own number for the same thing.
    """

    RIVAL = "rival"
    SOURCE = "source"
    ELSEWHERE = "elsewhere"


def links_of(one: CheckedNumeral, *, way: int = 0) -> dict[int, Role]:
    """The article's numerals that a headline's numeral is joined to.

    Args:
        one: The headline's numeral.
        way: Place of the derivation that is followed; past the last, none is.

    Returns:
        Roles by row of `ReadArticle.numerals`.
    """
    role = Role.SOURCE if one.status in SUPPORTED else Role.ELSEWHERE
    joined = {row: role for each in one.derivations[way : way + 1] for row in each.candidate.sources}
    if one.rival is not None:
        joined[one.rival] = Role.RIVAL
    return joined


def cut(text: str, numerals: Sequence[Numeral]) -> list[tuple[str, int | None]]:
    """A text as fragments that together are the text, each numeral one of them.

    Args:
        text: The text.
        numerals: Some of its numerals in order, not overlapping.

    Returns:
        Fragments, none empty; with each its place in `numerals`, None for what stands between them.
    """
    pieces: list[tuple[str, int | None]] = []
    at = 0
    for place, one in enumerate(numerals):
        pieces += [(text[at : one.start], None), (text[one.start : one.end], place)]
        at = one.end
    pieces.append((text[at:], None))
    return [piece for piece in pieces if piece[0]]


def badge(place: int) -> str:
    """The letter that ties a numeral of the headline to those of the article: a, b, … z, aa, ab, …."""
    before, letter = divmod(place, 26)
    return (badge(before - 1) if before else "") + chr(ord("a") + letter)


def article_badge(place: int, role: Role) -> str:
    """The badge of one of the article's numerals; that of a rival says that it stands against it."""
    return f"{badge(place)} {AGAINST}" if role is Role.RIVAL else badge(place)
