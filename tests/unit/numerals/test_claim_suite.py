"""What is reached on the hand-made claims: false ones are not cleared, true ones are."""

from __future__ import annotations

import json

import pytest

from core.numerals.checking import load_checker
from core.runtime import Runtime
from tests.unit.numerals.claim_cases import FLOORS, FOLDERS, Outcome, claim_cases, outcomes_of
from tests.unit.numerals.claim_report import BEGIN, PAGE, figures, table

HELD = json.loads(FLOORS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[Outcome]]:
    checker = load_checker(None, Runtime(half=False))
    return {part: outcomes_of(claim_cases(part), checker) for part in FOLDERS}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "key"), [(part, key) for part in FOLDERS for key in HELD[part]])
def test_no_figure_is_worse_than_what_was_reached(
    part: str, key: str, outcomes: dict[str, list[Outcome]]
) -> None:
    sign = -1 if key == "cleared and true" else 1
    found, held = figures(outcomes[part])[key], HELD[part][key]
    assert {name: value for name, value in found.items() if sign * value > sign * held.get(name, value)} == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", FOLDERS)
def test_the_docs_have_the_tables_of_this_program(part: str, outcomes: dict[str, list[Outcome]]) -> None:
    assert table(outcomes[part]) in PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]
