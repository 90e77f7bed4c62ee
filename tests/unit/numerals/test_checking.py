"""Verdicts on numerals, by the checker that ships."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import limits
from core.data.articles.article_files import READ_CHARACTERS
from core.errors import InputError, UnknownNameError
from core.numerals.checked_headline import PASSING, CheckedNumeral, Light
from core.numerals.checking import MOST_DERIVATIONS, Checker, load_checker
from core.numerals.claims.verdicts import is_free
from core.numerals.expressions.printing import print_expression
from core.numerals.filling import Filler, load_filler
from core.numerals.question import blank_of, questions_of, read_article
from core.runtime import Runtime
from core.text.numerals.numeral import NumeralKind
from research.benchmark.numerals.unanswerable import FilledBlanks, chosen, measure, without_answer
from tests.unit.numerals.numerals_by_hand import numerals_in

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


@pytest.mark.slow
def test_a_sentence_of_the_article_is_supported(checker: Checker) -> None:
    line = "Gunmen also killed 16 people in another drug-plagued northern city"
    assert one(checker, line).claim.light is Light.SUPPORTED
    assert one(checker, line.replace("16", "61")).claim.light is not Light.SUPPORTED


def test_a_time_of_day_is_no_other_way_of_writing_a_number(checker: Checker) -> None:
    article = "(Nov 11, 2011 {}) The bankrupt firm has informed all 1,066 of its employees that they are out."
    said = [one(checker, "1K MF Global Workers Sacked", article.format(at)) for at in ("1:03 PM", "11:1 PM")]
    assert not any("“1”" in each.claim.reason for each in said)


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("about 12 hurt", True),
        ("about 13 hurt", False),
        ("12 hurt", False),
        ("five hurt", True),
        ("a third", True),
    ],
)
def test_small_numbers_that_are_said_loosely_need_no_source(text: str, free: bool) -> None:
    (numeral,) = numerals_in(text)
    assert is_free(numeral) is free


@pytest.mark.slow
def test_a_sum_is_shown_where_its_first_number_stands(checker: Checker) -> None:
    sentence = one(checker, "35 Killed by Gunmen in Mexico").claim.sentence
    assert sentence is not None
    assert MEXICO[slice(*sentence)].startswith("At least 30 gunmen")


@pytest.mark.slow
def test_a_wrong_digit_is_wrong_and_names_its_rival(checker: Checker) -> None:
    found = one(checker, "95 Bodies Found in Abandoned Mexican Mine")
    assert found.claim.light is Light.WRONG
    assert found.rival is not None
    assert "55" in found.claim.reason
    right = one(checker, "55 Bodies Found in Abandoned Mexican Mine")
    assert found.claim.probability < right.claim.probability


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


def test_russian_and_italian_headlines_are_checked(checker: Checker) -> None:
    russian = "В результате аварии погибли три человека, ещё 12 пострадали. Поезд следовал в Казань."
    italian = "Il terremoto ha ucciso 299 persone. I feriti sono circa 400, secondo la Protezione civile."
    assert one(checker, "В аварии погибли 3 человека", russian).derivations[0].candidate.way == "trans"
    assert one(checker, "Terremoto: 299 morti", italian).claim.light in PASSING


def test_an_unknown_aligner_is_named() -> None:
    with pytest.raises(UnknownNameError, match="nothing"):
        load_checker("nothing.v1", Runtime())


TOWN = (
    "(Aug 12, 2018 10:45 AM CDT) Everyone in the town of Larrimah is under investigation for the "
    "disappearance of Paddy Moriarty, and that means all 11 people. Moriarty, 70, lived across from her "
    "Tea House eatery. "
    "The search has cost $1.4 million in eight months."
)


@pytest.fixture(scope="module")
def filler() -> Filler:
    return load_filler(None, Runtime())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headline", "answer", "expression"),
    [
        ("Cops Probe Town of ____ People After Disappearance", "11", "Copy( 11 )"),
        ("Search for Man Has Cost $____M", "1.4", "Copy( 1.4 )"),
        ("Town Searches for Man for ____ Months", "8", "Trans( eight )"),
    ],
)
def test_blanks_are_filled(filler: Filler, headline: str, answer: str, expression: str) -> None:
    (found,) = filler.fill([headline], [TOWN], Runtime())
    assert found.answer == answer
    assert print_expression(found.derivations[0].candidate.expression) == expression
    assert 0 < found.probability <= 1
    assert all(other != answer for other, _ in found.others)
    assert sum(share for _, share in found.others) + found.probability <= 1 + 1e-9


@pytest.mark.slow
def test_a_doubtful_blank_stays_blank(filler: Filler) -> None:
    headline = "Cops Probe Town of ____ People After Disappearance"
    (sure,) = filler.fill([headline], [TOWN], Runtime())
    (doubtful,) = replace(filler, least=min(1.0, sure.probability + 1e-6)).fill([headline], [TOWN], Runtime())
    assert doubtful.answer == ""
    assert doubtful.others[0] == (sure.answer, sure.probability)
    poorer = without_answer(TOWN, "11", "Copy( 11 )")
    assert "11" not in poorer
    assert "$1.4 million" in poorer
    (unsure,) = filler.fill([headline], [poorer], Runtime())
    assert unsure.probability < sure.probability


def test_a_threshold_leaves_blank_what_the_article_lacks() -> None:
    sure = np.array([[0.9, 0.2], [0.8, 0.3], [0.4, 0.1], [0.7, 0.6], [0.5, 0.1]] * 20)
    blanks = FilledBlanks(sure, np.array([1, 1, 0, 1, 0] * 20))
    least = chosen(blanks)
    assert least == pytest.approx(0.4)
    always, careful = measure("always", 0.0, blanks), measure("careful", least, blanks)
    assert (always.blank.value, always.answered.value, always.right.value) == (0.0, 1.0, 0.3)
    assert (careful.blank.value, careful.answered.value, careful.right.value) == (0.8, 1.0, 0.5)
    assert careful.blank.low is not None
    assert careful.blank.low < 0.8


NUMHG = (
    "(Sep 25, 2016  1:28 PM CDT) Authorities say seven people were hurt in Boston.  It began at 2:15am.  "
    "Four of them,  a spokesman says,  were taken to  the  hospital."
)


def test_an_article_of_numhg():
    article = read_article(NUMHG)
    assert article.language == "en"
    assert article.dateline == len("(Sep 25, 2016  1:28 PM CDT) ")
    assert [NUMHG[start:end] for start, end in article.sentences] == [
        "(Sep 25, 2016  1:28 PM CDT) Authorities say seven people were hurt in Boston.",
        "It began at 2:15am.",
        "Four of them,  a spokesman says,  were taken to  the  hospital.",
    ]
    after = [(n.number, place) for n, place in zip(article.numerals, article.places, strict=True)]
    assert after == [("25", 0), ("2016", 0), ("1:28", 0), ("seven", 0), ("2:15", 1), ("Four", 2)]
    assert [n.start < article.dateline for n in article.numerals] == [True] * 3 + [False] * 3


def test_a_long_article_is_cut():
    article = read_article("12 men. " * 10_000)
    assert article.text == ("12 men. " * 10_000)[:READ_CHARACTERS]
    assert len(article.numerals) == len(article.places) == limits.ARTICLE_NUMERALS.value


def test_questions_stand_at_the_bare_numbers():
    headline = "$3.2bn Deal Leaves 7 Injured"
    found = questions_of(headline, read_article(NUMHG))
    assert [headline[q.start : q.end] for q in found] == ["3.2", "7"]
    assert found[0].masked == "$____bn Deal Leaves 7 Injured"
    assert found[1].numeral is not None
    assert found[1].numeral.kind is NumeralKind.COUNT
    assert questions_of("Nobody Knows", read_article(NUMHG)) == ()


def test_blanks():
    article = read_article(NUMHG)
    question = blank_of("U____ Show Surfaces", article)
    assert (question.start, question.end, question.numeral) == (1, 5, None)
    assert question.masked == "U____ Show Surfaces"
    assert blank_of("Leaves ______ Injured", article).masked == "Leaves ____ Injured"
    for headline in ("Leaves 7 Injured", "____ Dead, ____ Injured", "Leaves ___ Injured"):
        with pytest.raises(InputError, match=r"has (no|2) blank"):
            blank_of(headline, article)
