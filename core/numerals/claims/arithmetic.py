"""The arithmetic that journalists do: changes in per cent, x of y, differences, amounts a year, other units.

A number that follows so from two numbers of one thing is supported whatever trees think of it. Operands have
to be alike and near each other, differences and sums need a word that says so, and a change has to go the
way that the article says: other derivations hit a number by chance too often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from core.numerals.claims.changes import direction_of, ends_of, says_nothing_new
from core.numerals.claims.claim import Claim, alike
from core.numerals.claims.echoes import Echo, echo_of
from core.numerals.claims.workings.differences import change, difference, told
from core.numerals.claims.workings.likely import likely
from core.numerals.claims.workings.shares import one_in, rest, share_of
from core.numerals.claims.workings.sums import added, joined_counts, others_too
from core.numerals.claims.workings.times import a_year, in_other_units, short_year, this_year, years_since
from core.text.numerals.numeral import Approximation, NumeralKind

_SLASH: Final = "/"


class Settled(IntEnum):
    """What arithmetic leaves no doubt about: nothing, the number, or what is said of it, too.

    ABSENT: that the article has no such number. LIKELY: that a human has to look before it is called wrong.
    """

    ABSENT = -1
    NOTHING = 0
    LIKELY = 1
    NUMBER = 2
    WORDS = 3


def worked_out(claim: Claim) -> tuple[int, ...]:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


def surely(claim: Claim, worked: Sequence[int]) -> Settled:
    """What arithmetic settles of a claim."""
    ends = next(ends_of(claim), None)
    if not worked and ends is None:
        echo = echo_of(claim)
        if echo is Echo.ALL:
            return Settled.NUMBER
        if echo or ways_worked(claim) or any(likely(claim)):
            return Settled.LIKELY
        return Settled.ABSENT if _is_absent(claim) else Settled.NOTHING
    goes_so = ends is not None or (direction_of(claim) and next(told(claim), None))
    return Settled.WORDS if goes_so and says_nothing_new(claim) else Settled.NUMBER


def _is_absent(claim: Claim) -> bool:
    """Whether a fraction in digits ("9/14", also a day) is not in the article and follows from nothing."""
    fraction = claim.place.numeral.kind is NumeralKind.FRACTION and _SLASH in claim.place.numeral.number
    return fraction and not claim.equal and not claim.place.derivations


def ways_worked(claim: Claim) -> dict[str, tuple[int, ...]]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    numeral, article = claim.place.numeral, claim.place.article
    same = any(alike(numeral, article.numerals[row]) for row in claim.equal)
    if same or numeral.approximation is Approximation.VAGUE:
        return {}
    found = {name: next(iter(way(claim)), ()) for name, way in WAYS.items()}
    return {name: rows for name, rows in found.items() if rows}


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[tuple[int, ...]]]]] = MappingProxyType(
    {
        "units": in_other_units,
        "share": share_of,
        "change": change,
        "one_in": one_in,
        "difference": difference,
        "yearly": a_year,
        "joined": joined_counts,
        "rest": rest,
        "others": others_too,
        "since": years_since,
        "short": short_year,
        "added": added,
        "now": this_year,
    }
)
"""Kinds of arithmetic, the surest first."""
UNSURE: Final = frozenset({"others", "since", "added", "now"})
"""Kinds that give as many numbers by chance as they explain: the trees weigh them."""
