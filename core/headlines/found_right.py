"""What a person found right: its entries in the journal, and headlines with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.digests import digest
from core.journal.entries import NewEntry
from core.numerals.checked_headline import PASSING, CheckedHeadline, Light

if TYPE_CHECKING:
    from core.journal.journal import Journal

ENTRY_KIND: Final = "right after all"
FOUND_RIGHT: Final = "A person found this right."


def store_found_right(
    journal: Journal, checked: CheckedHeadline, place: int, *, right: bool, owner: str = ""
) -> None:
    """Stores that a number is right after all, or takes that back; `owner` is "" on one's own computer."""
    numeral = checked.numerals[place]
    claim = numeral.claim
    body = {
        **{"start": numeral.numeral.start, "number": numeral.numeral.text, "right": right},
        **{"rule": claim.rule, "corrected": claim.corrected, "light": (claim.set_aside or claim.light).value},
    }
    journal.append(_stream(checked, owner), [NewEntry(kind=ENTRY_KIND, body=body)])


def with_answers(
    journal: Journal, checked: Sequence[CheckedHeadline], owner: str = ""
) -> list[CheckedHeadline]:
    """The same headlines; numbers that a person found right are *found*, and tell what was set aside."""
    return [with_found_right(headline, _found_right(headline, journal, owner)) for headline in checked]


def _found_right(checked: CheckedHeadline, journal: Journal, owner: str) -> set[int]:
    if all(numeral.claim.light in PASSING for numeral in checked.numerals):
        return set()
    bodies = (entry.body for entry in journal.read(_stream(checked, owner)))
    right = {(body["start"], body.get("corrected", "")): body["right"] for body in bodies}
    places = ((each.numeral.start, each.claim.corrected) for each in checked.numerals)
    return {place[0] for place in places if right.get(place)}


def with_found_right(checked: CheckedHeadline, right: Collection[int]) -> CheckedHeadline:
    numerals = []
    for each in checked.numerals:
        claim, reason = each.claim, f"{FOUND_RIGHT} {each.claim.reason}"
        found = replace(claim, light=Light.FOUND, fault=None, reason=reason, set_aside=claim.light)
        doubted = each.numeral.start in right and claim.light not in PASSING
        numerals.append(replace(each, claim=found, rival=None) if doubted else each)
    return replace(checked, numerals=tuple(numerals))


def _stream(checked: CheckedHeadline, owner: str) -> str:
    return stream_of(owner, checked.given or checked.article.text, checked.headline)


def stream_of(owner: str, *texts: str) -> str:
    return f"numbers/{owner or 'local'}/{digest(*texts, digits=32)}"
