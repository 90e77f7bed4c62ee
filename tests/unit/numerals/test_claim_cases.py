"""The hand-made claims are whole: each numeral stands where it should, and true and false are balanced."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from core.text.sentences import split_sentences
from tests.unit.numerals.claim_cases import FAULTS, LANGUAGES, LIGHTS, ClaimCase, claim_cases

CASES: Final = claim_cases()
LEAST: Final = {"en": 220, "de": 60, "fr": 60, "it": 55, "ru": 55}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_is_whole(language: str) -> None:
    wrong = [case.id for case in CASES if case.language == language and not whole(case)]
    assert wrong == []


def whole(case: ClaimCase) -> bool:
    stands = case.headline[case.start : case.start + len(case.numeral)] == case.numeral
    sentences = len(split_sentences(case.article, language=case.language))
    judged = case.light in LIGHTS and bool(case.faults) == (case.light != "supported")
    return stands and judged and set(case.faults) <= set(FAULTS) and 2 <= sentences <= 8 and bool(case.why)


def test_no_case_is_there_twice() -> None:
    assert Counter(case.id for case in CASES).most_common(1)[0][1] == 1
    assert Counter((case.article, case.headline, case.start) for case in CASES).most_common(1)[0][1] == 1


def test_every_language_has_its_cases() -> None:
    count = Counter(case.language for case in CASES)
    assert {language: count[language] for language in LEAST if count[language] < LEAST[language]} == {}


def test_true_and_false_cases_are_balanced_and_every_false_one_has_a_true_one_beside_it() -> None:
    true = {case.article for case in CASES if case.light == "supported"}
    assert {case.article for case in CASES} <= true
    share = sum(case.light == "supported" for case in CASES) / len(CASES)
    assert 0.4 <= share <= 0.52
