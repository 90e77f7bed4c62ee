"""What would be green is read once more, and without the language model nothing English is green."""

from __future__ import annotations

import dataclasses

import pytest

from core.numerals.checking import Checker, load_checker
from core.numerals.claims.verdict import Light
from core.numerals.entailing.rereading import NobodyRereads
from core.runtime import Runtime

ARTICLE = "Three people died in the crash."
HEADLINE = "Three Killed in Crash"


def light_and_reason(checker: Checker) -> tuple[Light, str]:
    ((numeral,),) = (one.numerals for one in checker.check([HEADLINE], [ARTICLE], Runtime()))
    return numeral.claim.light, numeral.claim.reason


@pytest.mark.slow
def test_what_nobody_reads_again_is_not_green() -> None:
    checker = load_checker(None, Runtime())
    assert light_and_reason(checker)[0] is Light.SUPPORTED
    alone = dataclasses.replace(checker, rereader=NobodyRereads())
    assert light_and_reason(alone) == (Light.CHECK, NobodyRereads().doubt)
