"""Verdicts on numerals, by the checker that ships."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import UnknownNameError
from core.numerals.checking import Checker, load_checker
from core.numerals.expressions.parse import print_expression
from core.numerals.verdict import MOST_DERIVATIONS, PASSING, CheckedNumeral, Light
from core.runtime import Runtime

MEXICO = (
    "At least 30 gunmen burst into a drug rehabilitation center in a Mexican border state capital and opened "
    "fire, killing 19 men and wounding four people, police said. Gunmen also killed 16 people in another "
    "drug-plagued northern city. The killings came just weeks after authorities discovered 55 bodies in an "
    "abandoned silver mine. More than 60 people have died in mass shootings at rehab clinics in a little "
    "less than two years."
)
"""From table 1 of the NumHG paper."""


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker(None, Runtime())


def one(checker: Checker, headline: str, article: str = MEXICO) -> CheckedNumeral:
    (numeral,) = checker.check([headline], [article], Runtime())[0].numerals
    return numeral


def test_the_sum_of_the_papers_first_table_is_derived(checker: Checker) -> None:
    found = one(checker, "Mexico Gunmen Kill 35")
    best = found.derivations[0]
    assert found.claim.light in PASSING
    assert print_expression(best.candidate.expression) in ("Add( 19 , 16 )", "Add( 16 , 19 )")
    assert "19" in found.claim.reason
    assert "16" in found.claim.reason


def test_a_number_of_the_article_is_copied(checker: Checker) -> None:
    found = one(checker, "55 Bodies Found in Abandoned Mexican Mine")
    assert found.claim.light in PASSING
    assert found.claim.reason == "The article has “55”."
    assert found.rival is None


def test_a_sentence_of_the_article_is_supported(checker: Checker) -> None:
    line = "Gunmen also killed 16 people in another drug-plagued northern city"
    assert one(checker, line).claim.light is Light.SUPPORTED
    assert one(checker, line.replace("16", "61")).claim.light is not Light.SUPPORTED


def test_a_wrong_digit_is_wrong_and_names_its_rival(checker: Checker) -> None:
    found = one(checker, "95 Bodies Found in Abandoned Mexican Mine")
    assert found.claim.light is Light.WRONG
    assert found.rival is not None
    assert "55" in found.claim.reason
    right = one(checker, "55 Bodies Found in Abandoned Mexican Mine")
    assert found.claim.probability < right.claim.probability


def test_nothing_supports_a_number_that_the_article_cannot_give(checker: Checker) -> None:
    found = one(checker, "Mine Collapse Leaves 987,654,321 Stranded")
    assert found.claim.light is Light.WRONG


@pytest.mark.parametrize("article", ["", "\x00", "1/0", "9" * 400, "½ ٣ x²"])
def test_any_article_gets_a_verdict(checker: Checker, article: str) -> None:
    found = one(checker, "7 Hurt", article)
    assert found.claim.light is Light.WRONG
    assert found.derivations == ()


@pytest.mark.parametrize("headline", ["", "No numbers here", "****", "____ Hurt"])
def test_a_headline_without_numerals_has_none(checker: Checker, headline: str) -> None:
    (found,) = checker.check([headline], [MEXICO], Runtime())
    assert found.numerals == ()
    assert found.headline == headline


@pytest.mark.parametrize(
    "headline", ["9" * 400 + " Killed", "1/0 Killed", "5 of 55, 16–19, $3.2bn, 9/11, 1st in '98"]
)
def test_any_headline_gets_verdicts(checker: Checker, headline: str) -> None:
    for found in checker.check([headline], [MEXICO], Runtime())[0].numerals:
        assert 0 <= found.claim.probability <= 1
        assert len(found.derivations) <= MOST_DERIVATIONS
        each = [derivation.probability for derivation in found.derivations]
        assert sum(each) <= found.claim.probability + 1e-9
        assert found.claim.reason.endswith(".")


def test_headlines_do_not_depend_on_each_other(checker: Checker) -> None:
    headlines = [f"{n} Bodies Found in Mine" for n in range(50, 60)] * 8
    together = checker.check(headlines, [MEXICO] * len(headlines), Runtime())
    alone = [checker.check([headline], [MEXICO], Runtime())[0] for headline in headlines[:10]]
    for there, here in zip(together, alone, strict=False):
        np.testing.assert_allclose(
            there.numerals[0].claim.probability, here.numerals[0].claim.probability, atol=1e-9
        )
        assert there.numerals[0].claim.light is here.numerals[0].claim.light


def test_russian_and_italian_headlines_are_checked(checker: Checker) -> None:
    russian = "В результате аварии погибли три человека, ещё 12 пострадали. Поезд следовал в Казань."
    italian = "Il terremoto ha ucciso 299 persone. I feriti sono circa 400, secondo la Protezione civile."
    assert one(checker, "В аварии погибли 3 человека", russian).derivations[0].candidate.way == "trans"
    assert one(checker, "Terremoto: 299 morti", italian).claim.light in PASSING


def test_an_unknown_attacher_is_named() -> None:
    with pytest.raises(UnknownNameError, match="nothing"):
        load_checker("nothing.v1", Runtime())
