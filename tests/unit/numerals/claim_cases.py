"""The hand-made suite of claims: what a headline says with a number, and what an editor thinks of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.numerals.checking import Checker
from core.numerals.verdict import PASSING, Fault, Light
from core.runtime import Runtime

FOLDER: Final = Path(__file__).parents[2] / "data" / "claims"
FOLDERS: Final = {"first part": FOLDER, "second part": FOLDER / "second"}
"""Those who write the rules may read the first; the second was shown to nobody before its first count."""
FLOORS: Final = FOLDER / "floors.json"
LANGUAGES: Final = {"en": "English", "de": "German", "fr": "French", "it": "Italian", "ru": "Russian"}
OF_THE_HEADLINE: Final = "invented name"
"""The category in which the light of the whole headline is expected, not the numeral's."""


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """One headline with one of its numerals."""

    id: str  # language and row, "en-001"
    language: str
    category: str  # what the case tests: "unit", "claim word"; true and false cases share it
    article: str  # two to eight sentences
    headline: str
    numeral: str  # as it is written in the headline, without what is counted
    start: int  # where it begins in `headline`
    light: Light  # what an editor would say
    faults: tuple[Fault, ...]  # that name correctly what is wrong; () where the claim is supported
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checker says of a case."""

    case: ClaimCase
    read: bool  # whether a numeral was read at its place
    light: Light  # of the numeral; of the headline where none was read or `OF_THE_HEADLINE`
    fault: Fault | None
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Cases of one kind, counted by the light that they got."""

    cases: int
    green: int
    found: int
    amber: int
    red: int
    named: int  # of the red and amber ones, those whose fault is named correctly


def claim_cases(part: str = "first part") -> tuple[ClaimCase, ...]:
    """The cases of a part, language by language."""
    found = []
    for language in LANGUAGES:
        for line in (FOLDERS[part] / f"{language}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            faults = tuple(map(Fault, row.pop("faults")))
            found.append(ClaimCase(**(row | {"light": Light(row["light"])}), faults=faults))
    return tuple(found)


def outcomes_of(cases: Sequence[ClaimCase], checker: Checker) -> list[Outcome]:
    """What the checker says of each case."""
    checked = checker.check([case.headline for case in cases], [case.article for case in cases], Runtime())
    found = []
    for case, headline in zip(cases, checked, strict=True):
        end = case.start + len(case.numeral)
        here = [one for one in headline.numerals if one.numeral.start < end and one.numeral.end > case.start]
        claim = here[0].claim if here else None
        if claim is None or case.category == OF_THE_HEADLINE:
            fault = claim.fault if claim else None
            found.append(Outcome(case, bool(here), headline.light, fault, headline.reason))
        else:
            found.append(Outcome(case, True, claim.light, claim.fault, claim.reason))
    return found


def tally(outcomes: Iterable[Outcome], light: Light) -> Tally:
    """Counts the cases that an editor gives a light."""
    some = [one for one in outcomes if one.case.light is light]
    count = [sum(one.light is shown for one in some) for shown in Light]
    named = sum(one.light not in PASSING and one.fault in one.case.faults for one in some)
    return Tally(len(some), *count, named)


def by(outcomes: Sequence[Outcome], key: Callable[[ClaimCase], str]) -> dict[str, list[Outcome]]:
    """Outcomes by language or category, in the order in which those first occur."""
    found: dict[str, list[Outcome]] = {}
    for one in outcomes:
        found.setdefault(key(one.case), []).append(one)
    return found
