"""Which words are said of which number, and where a clause of the article says what the headline does."""

from __future__ import annotations

import pytest

from core.numerals.claims.amounts import Echo, Settled, echo_of, surely, worked_out
from core.numerals.claims.clauses import given_of, said_of
from core.numerals.claims.sayings import opposed_words
from core.numerals.claims.words import words_of
from core.numerals.claims.workings.differences import likely
from tests.unit.numerals.claims.claims_by_hand import claim_of

FERRY = "Boats saved 150 passengers after the ferry broke off Orme, and 14 others are missing, it said."
FOREST = "Foresters counted 320 spruces by the river. A year ago 90 oaks had been planted there."
FAIR = "The fair in Velden drew 4,100 visitors, including 900 children. It lost 30 of its 70 stalls."
TRUST = "The trust in Orme raised $2.5 million. It gave 1,500 books, or 12 percent of its stock, to a school."


def predicates(words: tuple[tuple[int, object], ...]) -> set[str]:
    return {one for _, word in words for one in word.predicates}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("number", "said", "given"), [("150", {"rescued"}, {"rescued"}), ("14", {"missing"}, {"missing"})]
)
def test_words_are_said_of_the_number_of_their_clause(number: str, said: set[str], given: set[str]) -> None:
    claim = claim_of("150 Rescued, 14 Missing", FERRY, number)
    assert predicates(said_of(claim)) == said
    assert predicates(given_of(claim, claim.equal[0])) == given


def test_a_word_of_another_number_is_not_opposed_to_one_of_this() -> None:
    headline = "150 Rescued, 14 Missing"
    for number in ("150", "14"):
        assert opposed_words(claim_of(headline, FERRY, number, belongs=number)) is None
    exchanged = opposed_words(claim_of("14 Rescued, 150 Missing", FERRY, "150", belongs="150"))
    assert exchanged is not None
    assert exchanged[:2] == ("Missing", "saved")


@pytest.mark.parametrize(
    ("headline", "article", "echo"),
    [
        ("Foresters Count 320 Spruces", FOREST, Echo.ALL),
        ("320 Spruces Planted", FOREST, Echo.NONE),
        ("Foresters May Count 320 Spruces", FOREST, Echo.WORDS),
        ("Fair Draws 4,100 Visitors", FAIR, Echo.WORDS),
        ("Fair Wins 70 Prizes", FAIR, Echo.NONE),
    ],
)
def test_a_clause_says_all_of_it_or_some_or_nothing(headline: str, article: str, echo: Echo) -> None:
    assert echo_of(claim_of(headline, article)) is echo


@pytest.mark.parametrize(
    ("headline", "article", "settled"),
    [
        ("Foresters Count 320 Spruces", FOREST, Settled.NUMBER),
        ("Fair Draws 4,100 Visitors", FAIR, Settled.LIKELY),
        ("School Gets $300,000", TRUST, Settled.LIKELY),
        ("School Gets $400,000", TRUST, Settled.NOTHING),
    ],
)
def test_what_a_clause_or_arithmetic_speaks_for_is_not_called_wrong(
    headline: str, article: str, settled: Settled
) -> None:
    claim = claim_of(headline, article)
    assert surely(claim, worked_out(claim)) is settled


@pytest.mark.parametrize(
    ("headline", "article", "found"),
    [
        ("Trust Has 12,500 Books", TRUST, True),
        ("Bus fährt alle 30 Minuten", "Der Bus in Orme fährt zweimal pro Stunde.", True),
        ("Toll Rises by 12", "The toll rose to 31. Rain fell in Orme. On Friday it stood at 19.", True),
        ("Toll Rises by Nearly 12", "The toll rose to 31. Rain fell in Orme. On Friday it was 19.", False),
    ],
)
def test_arithmetic_that_may_be_chance_is_found(headline: str, article: str, found: bool) -> None:
    assert any(likely(claim_of(headline, article))) is found


def test_a_span_in_two_units_is_one_span() -> None:
    race = "In classifica Haugen conserva la maglia gialla con 1 minuto e 5 secondi su Rovelli."
    assert worked_out(claim_of("Rovelli a 65 secondi da Haugen", race)) == (0, 1)
    assert worked_out(claim_of("Rovelli a 66 secondi da Haugen", race)) == ()


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Der Absatz bricht im Mai um 600 Millionen Euro ein, hieß es", "de", {"fall"}),
        ("Der Absatz nimmt um 5 Prozent zu und die Kosten auch", "de", {"rise"}),
        ("Ein Mann bricht in 3 Häuser ein", "de", set()),
        ("Sales Go Down by 26", "en", {"fall"}),
    ],
)
def test_a_verb_and_its_particle_say_one_thing(text: str, language: str, said: set[str]) -> None:
    assert {one for word in words_of(text, language) for one in word.predicates} == said
