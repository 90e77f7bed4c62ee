"""Hand-made claims, what the program says of them, and the tables of the document.

python -m tests.unit.numerals.claim_report
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.numerals.checked_headline import PASSING, Fault, Light
from core.numerals.checking import Checker, load_checker
from core.numerals.worth import UNSEEN
from core.runtime import Runtime, stay_offline
from research.benchmark.claims import by_checker, claims_of

FOLDER: Final = Path(__file__).parents[2] / "data" / "claims"
FOLDERS: Final = {"first part": FOLDER, "second part": FOLDER / "second"}
"""Those who write the rules may read the first; the second was shown to nobody before its first count."""
FLOORS: Final = FOLDER / "floors.json"
LIGHTS: Final = FOLDER / "unseen_lights.json"
"""By writer that no rule has seen, the first letter of the light of each headline."""
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


PAGE: Final = Path(__file__).parents[3] / "docs" / "numeral_benchmark.md"
BEGIN: Final = "<!-- What follows is written by `python -m tests.unit.numerals.claim_report`. -->"
END: Final = "<!-- End of the hand-made suite. -->"
CLEARED: Final = "cleared though false or undecided"
HEAD: Final = (
    "true claims | green | found | amber | red | false claims | green | found | amber | red | fault named | "
    "undecided, green"
)


def figures(outcomes: Sequence[Outcome]) -> dict[str, dict[str, int]]:
    """What the test holds: false claims that were cleared by category, true ones that were by language."""
    categories = by(outcomes, lambda case: case.category)
    languages = by(outcomes, lambda case: case.language)
    return {
        CLEARED: {
            name: tally(some, Light.WRONG).green + tally(some, Light.CHECK).green
            for name, some in sorted(categories.items())
        },
        "cleared and true": {name: tally(some, Light.SUPPORTED).green for name, some in languages.items()},
        "red though true": {name: tally(some, Light.SUPPORTED).red for name, some in languages.items()},
    }


def tightened(old: dict[str, dict[str, int]], new: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """The newest figures, but of false clearances in a category never more than were held before."""
    held = old.get(CLEARED, {})
    return new | {CLEARED: {name: min(value, held.get(name, value)) for name, value in new[CLEARED].items()}}


def table(outcomes: Sequence[Outcome]) -> str:
    """The table by language, and the categories in which a verdict is against the editor's."""
    languages = {LANGUAGES[key]: some for key, some in by(outcomes, lambda case: case.language).items()}
    lines = [f"| language | {HEAD} |", "| --- |" + " ---: |" * (HEAD.count("|") + 1)]
    lines += [_row(name, some) for name, some in (languages | {"all": list(outcomes)}).items()]
    cleared: list[str] = []
    blamed: list[str] = []
    for name, some in sorted(by(outcomes, lambda case: case.category).items()):
        true, false = tally(some, Light.SUPPORTED), tally(some, Light.WRONG)
        cleared += [f"{name} {false.green} of {false.cases}"] if false.green else []
        blamed += [f"{name} {true.red} of {true.cases}"] if true.red else []
    told = f"Green though false: {'; '.join(cleared) or 'none'}. Red though true: {'; '.join(blamed)}."
    return "\n".join([*lines, "", told])


def _row(name: str, some: Sequence[Outcome]) -> str:
    true, false, open_ = (tally(some, light) for light in (Light.SUPPORTED, Light.WRONG, Light.CHECK))
    cells = (true.cases, true.green, true.found, true.amber, true.red)
    cells += (false.cases, false.green, false.found, false.amber, false.red, false.named)
    undecided = f"{open_.green} of {open_.cases}" if open_.cases else "–"
    return f"| {name} | {' | '.join(map(str, cells))} | {undecided} |"


def main() -> None:
    """Writes the tables and what the tests hold."""
    stay_offline()
    checker = load_checker(None, Runtime(half=False))
    outcomes = {part: outcomes_of(claim_cases(part), checker) for part in FOLDERS}
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    told = "\n\n".join(f"### The {part}\n\n{table(some)}" for part, some in outcomes.items())
    PAGE.write_text(f"{before}{BEGIN}\n\n{told}\n\n{END}{after}", encoding="utf-8")
    old = json.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.is_file() else {}
    held = {part: tightened(old.get(part, {}), figures(some)) for part, some in outcomes.items()}
    FLOORS.write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")
    claims, lights = claims_of(UNSEEN, 0), dict[str, str]()
    judge = by_checker(load_checker(None, Runtime()), Runtime())
    for claim, light in zip(claims, judge(claims), strict=True):
        lights[claim.kind] = lights.get(claim.kind, "") + light[0]
    LIGHTS.write_text(json.dumps(lights, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
