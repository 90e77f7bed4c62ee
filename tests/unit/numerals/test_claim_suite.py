"""What is reached on the hand-made claims: false ones are not cleared, true ones are."""

from __future__ import annotations

import json

import pytest

from core.numerals.checking import load_checker
from core.runtime import Runtime
from tests.unit.numerals.claim_cases import FLOORS, Outcome, claim_cases, outcomes_of
from tests.unit.numerals.claim_report import BEGIN, PAGE, figures, table

HELD = json.loads(FLOORS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return outcomes_of(claim_cases(), load_checker(None, Runtime()))


@pytest.mark.slow
@pytest.mark.parametrize("key", HELD)
def test_no_figure_is_worse_than_what_was_reached(key: str, outcomes: list[Outcome]) -> None:
    sign = -1 if key == "cleared and true" else 1
    found = figures(outcomes)[key]
    worse = {name: value for name, value in found.items() if sign * value > sign * HELD[key].get(name, value)}
    assert worse == {}


@pytest.mark.slow
def test_the_docs_have_the_tables_of_this_program(outcomes: list[Outcome]) -> None:
    assert table(outcomes) in PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]
