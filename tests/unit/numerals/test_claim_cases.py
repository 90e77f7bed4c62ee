"""The hand-made claims are whole: each numeral stands where it should, and true and false are balanced."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from core.numerals.claims.verdict import Light
from core.text.sentences import split_sentences
from tests.unit.numerals.claim_cases import FOLDERS, LANGUAGES, ClaimCase, claim_cases

CASES: Final = claim_cases()
EVERY: Final = tuple(case for part in FOLDERS for case in claim_cases(part))
LEAST: Final = {"en": 220, "de": 60, "fr": 60, "it": 55, "ru": 55}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_is_whole(language: str) -> None:
    wrong = [case.id for case in EVERY if case.language == language and not whole(case)]
    assert wrong == []


def whole(case: ClaimCase) -> bool:
    stands = case.headline[case.start : case.start + len(case.numeral)] == case.numeral
    sentences = len(split_sentences(case.article, language=case.language))
    judged = bool(case.faults) == (case.light is not Light.SUPPORTED)
    return stands and judged and 2 <= sentences <= 8 and bool(case.why)


def test_no_case_is_there_twice() -> None:
    assert Counter(case.id for case in CASES).most_common(1)[0][1] == 1
    assert Counter((case.article, case.headline, case.start) for case in EVERY).most_common(1)[0][1] == 1


def test_every_language_has_its_cases() -> None:
    count = Counter(case.language for case in CASES)
    assert {language: count[language] for language in LEAST if count[language] < LEAST[language]} == {}


def test_true_and_false_cases_are_balanced_and_every_false_one_has_a_true_one_beside_it() -> None:
    true = {case.article for case in EVERY if case.light is Light.SUPPORTED}
    assert {case.article for case in EVERY} <= true
    share = sum(case.light is Light.SUPPORTED for case in CASES) / len(CASES)
    assert 0.4 <= share <= 0.52


REPORTED: Final = (
    "340 Killed in Refinery Blast",
    "Hamburg ferry crash kills 27",
    "Novak Djokovic Dies at 24",
    "Marlowe Foods Posts $3M Profit",
    "Retiree Lands 62-Kilo Fish",
    "Flea-Market Painting Sells for $2.5M",
    "Cruz Re-Elected With 54%",
    "Aldane profit up 25 %",
    "Sarne Visitors Up 20%",
    "Nearly 20,000 Finish Port Allister Marathon",
    "1 in 4 Harrow Schools Has Faulty Wiring",
    "School Repairs to Cost $0.35B",
    "Tamar Bridge Closed to Trucks for Half a Year",
    "67% of Vehicles on Tamar Bridge Are Trucks",
    "More Than 1,000 Dead in Kesh Floods",
    "11 People Are Top Suspects",
    "44 Tote bei Brand in Lünersbach",
    "Fünf Tote bei Wohnheimbrand",
    "World War I Shells Under Playground",
    "Rivermouth Makes Top 10 Cities for Cyclists",
)


def test_what_readers_reported_is_among_the_cases() -> None:
    assert set(REPORTED) - {case.headline for case in CASES} == set()
