"""How the numerals of a headline are marked and linked to those of its article, for people."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from core.numerals.claims.verdict import Light
from core.numerals.provenance import CheckedNumeral, Status
from core.palette import ADDED, AGAINST, AGREES, UNSURE
from core.text.numerals.numeral import Numeral

CONTRADICTS: Final = "≠"
"""Sign of a number that is contradicted, and of the one that contradicts it."""
SUPPORTED: Final = frozenset({Status.COPIED, Status.DERIVED})

HUES: Final = {
    Status.COPIED: AGREES,
    Status.DERIVED: ADDED,
    Status.CONTRADICTED: AGAINST,
    Status.UNSUPPORTED: UNSURE,
}
"""Place of each status's colour in the palette, in charts of many headlines."""


class Role(StrEnum):
    """What a numeral of the article is to one of the headline.

    `SOURCE`: it came from there. `ELSEWHERE`: it can be had from there, but of something else. `RIVAL`: the
    article's own number for the same thing.
    """

    RIVAL = "rival"
    SOURCE = "source"
    ELSEWHERE = "elsewhere"


def links_of(one: CheckedNumeral, *, way: int = 0) -> dict[int, Role]:
    """The article's numerals that a headline's numeral is joined to."""
    found = one.status in SUPPORTED and one.claim.light is not Light.WRONG
    role = Role.SOURCE if found else Role.ELSEWHERE
    joined = {
        row: role
        for each in one.derivations[way : way + 1]
        # Next to the article's own number, others from which the wrong one could be worked out only distract.
        if found or way or one.rival is None or len(each.candidate.sources) == 1
        for row in each.candidate.sources
    }
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
    return f"{badge(place)} {CONTRADICTS}" if role is Role.RIVAL else badge(place)


def said(lights: Sequence[Light]) -> str:
    """How many numerals have which light: "2 numbers: 1 supported, 1 wrong"."""
    if not lights:
        return "No number"
    parts = [f"{lights.count(one)} {one.value}" for one in Light if one in lights]
    return f"{len(lights)} number{'s' * (len(lights) != 1)}: {', '.join(parts)}"


def percent(share: float) -> str:
    """A probability as people read it; what is nearly sure is not called sure."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"
