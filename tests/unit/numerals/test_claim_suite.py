"""What is reached on the hand-made claims, and on headlines over invented articles by unseen writers."""

from __future__ import annotations

import json
from collections import Counter
from typing import Final

import pytest

from core.data.articles.written_claims import WrittenClaim
from core.numerals.checked_headline import Light
from core.numerals.checking import load_checker
from core.numerals.worth import OURS, UNSEEN, light_worth
from core.runtime import Runtime
from core.text.sentences import split_sentences
from research.benchmark.claims import by_checker, measure_lights
from tests.unit.numerals.claim_report import (
    BEGIN,
    FLOORS,
    FOLDERS,
    PAGE,
    ClaimCase,
    Outcome,
    claim_cases,
    figures,
    outcomes_of,
    table,
)

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


CASES: Final = claim_cases()
EVERY: Final = tuple(case for part in FOLDERS for case in claim_cases(part))


def test_every_case_is_whole() -> None:
    assert [case.id for case in EVERY if not whole(case)] == []


def whole(case: ClaimCase) -> bool:
    stands = case.headline[case.start : case.start + len(case.numeral)] == case.numeral
    sentences = len(split_sentences(case.article, language=case.language))
    judged = bool(case.faults) == (case.light is not Light.SUPPORTED)
    return stands and judged and 2 <= sentences <= 8 and bool(case.why)


def test_no_case_is_there_twice() -> None:
    assert Counter(case.id for case in CASES).most_common(1)[0][1] == 1
    assert Counter((case.article, case.headline, case.start) for case in EVERY).most_common(1)[0][1] == 1


def test_true_and_false_cases_are_balanced_and_every_false_one_has_a_true_one_beside_it() -> None:
    true = {case.article for case in EVERY if case.light is Light.SUPPORTED}
    assert {case.article for case in EVERY} <= true
    share = sum(case.light is Light.SUPPORTED for case in CASES) / len(CASES)
    assert 0.4 <= share <= 0.52


@pytest.mark.slow
def test_the_lights_are_those_of_the_stored_result() -> None:
    held = light_worth()
    assert held is not None
    shares = {one.kind: one for one in measure_lights(Runtime(), sets=(UNSEEN,)) if one.system == OURS}
    true, false = shares["true"], shares["false"]
    assert true.headlines + false.headlines == held.headlines
    assert abs(true.green - held.green_true) <= 2
    assert abs(true.green + false.green - held.green) <= 2
    assert abs(false.red - held.red_false) <= 2
    assert abs(true.red + false.red - held.red) <= 2


def test_a_headline_without_a_number_has_no_light_of_its_own() -> None:
    judge = by_checker(load_checker(None, Runtime()), Runtime())
    assert judge([WrittenClaim("Ferry strikes pier", -1, -1, "A ferry struck a pier.", True, "")]) == [
        "found"
    ]
