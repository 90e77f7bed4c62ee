"""What a person says of a verdict: right after all. Kept with digests of both texts, not with the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.digests import digest
from core.journal.journal import Journal, NewEntry
from core.numerals.claims.verdict import PASSING, Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral

KIND: Final = "right after all"
CLEARED: Final = "A person found this right."


def clear(journal: Journal, checked: CheckedHeadline, place: int, *, right: bool, owner: str = "") -> None:
    """Stores that a number is right after all, or takes that back.

    Args:
        journal: Where it is kept.
        checked: The headline, as it was checked or as `with_answers` gave it.
        place: Place of the number among the headline's.
        right: Whether it is right after all; False takes an earlier answer back.
        owner: Whose answer it is, on a server for many; "" on one's own computer.
    """
    one = checked.numerals[place]
    body = {
        "start": one.numeral.start,
        "number": one.numeral.text,
        "light": (one.claim.set_aside or one.claim.light).value,
        "rule": one.claim.rule,
        "right": right,
    }
    journal.append(_stream(checked, owner), [NewEntry(kind=KIND, body=body)])


def with_answers(
    journal: Journal, checked: Sequence[CheckedHeadline], owner: str = ""
) -> list[CheckedHeadline]:
    """The same headlines; numbers that a person found right are *found*, and tell what was set aside."""
    return [_answered(one, journal, owner) for one in checked]


def _answered(checked: CheckedHeadline, journal: Journal, owner: str) -> CheckedHeadline:
    if all(one.claim.light in PASSING for one in checked.numerals):
        return checked
    right = {int(entry.body["start"]): entry.body["right"] for entry in journal.read(_stream(checked, owner))}
    numerals = tuple(_cleared(one) if right.get(one.numeral.start) else one for one in checked.numerals)
    return replace(checked, numerals=numerals)


def _cleared(one: CheckedNumeral) -> CheckedNumeral:
    if one.claim.light in PASSING:
        return one
    reason = f"{CLEARED} {one.claim.reason}"
    claim = replace(one.claim, light=Light.FOUND, fault=None, reason=reason, set_aside=one.claim.light)
    return replace(one, claim=claim, rival=None)


def _stream(checked: CheckedHeadline, owner: str) -> str:
    return f"numbers/{owner or 'local'}/{digest(checked.article.text, checked.headline, digits=32)}"
