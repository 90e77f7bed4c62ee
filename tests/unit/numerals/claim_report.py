"""Runs the checker over the hand-made claims, writes the table of the docs, and tightens what the test holds.

python -m tests.unit.numerals.claim_report
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.numerals.checking import load_checker
from core.numerals.verdict import Light
from core.runtime import Runtime, stay_offline
from tests.unit.numerals.claim_cases import (
    FLOORS,
    FOLDERS,
    LANGUAGES,
    Outcome,
    by,
    claim_cases,
    outcomes_of,
    tally,
)

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
    told = f"Green though false: {'; '.join(cleared)}. Red though true: {'; '.join(blamed)}."
    return "\n".join([*lines, "", told])


def _row(name: str, some: Sequence[Outcome]) -> str:
    true, false, open_ = (tally(some, light) for light in (Light.SUPPORTED, Light.WRONG, Light.CHECK))
    cells = (true.cases, true.green, true.found, true.amber, true.red)
    cells += (false.cases, false.green, false.found, false.amber, false.red, false.named)
    undecided = f"{open_.green} of {open_.cases}" if open_.cases else "–"
    return f"| {name} | {' | '.join(map(str, cells))} | {undecided} |"


def main() -> None:
    """Writes the tables and what the test holds."""
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


if __name__ == "__main__":
    main()
