"""What speaks so plainly against a claim that it is never shown as supported."""

from __future__ import annotations

import pytest

from core.numerals.claims.objections import objection
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

PENSION = "The keeper of the light at Orme will get a pension of £1,150 a month, the council said on Friday."
BUS = "Der Umsatz der Buslinie sank im Mai um 8 Prozent. Eine Fahrt kostet 2,40 Euro pro Stunde."
MATCH = "The Comets beat the Rams 98-91 on Friday before 11,200 people in Velden."
SHARES = "Shares of the brewery in Velden fell 12% on Monday after it warned of a poor summer."
MEAL = "Le prix du repas augmente de 12 % à la rentrée, a annoncé la ville, qui sert 900 enfants."


@pytest.mark.parametrize(
    ("headline", "article", "fault"),
    [
        ("Keeper's Pension: £1,150 a Week", PENSION, Fault.OTHER),
        ("Fahrt kostet 2,40 Euro am Tag", BUS, Fault.OTHER),
        ("Umsatz sinkt auf 8 Prozent", BUS, Fault.OTHER),
        ("Comets Beat Rams 98-81", MATCH, Fault.VALUE),
        ("Brewery Shares Rise 12%", SHARES, Fault.BOUND),
        ("Le repas en baisse de 12 %", MEAL, Fault.BOUND),
    ],
)
def test_another_rate_step_score_or_word_is_objected_to(headline: str, article: str, fault: Fault) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is fault


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Keeper's Pension: £1,150 a Month", PENSION),
        ("Keeper to Get £1,150", PENSION),
        ("Fahrt kostet 2,40 Euro je Stunde", BUS),
        ("Umsatz sinkt um 8 Prozent", BUS),
        ("Comets Beat Rams 98-91", MATCH),
        ("Brewery Shares Fall 12%", SHARES),
        ("Le repas en hausse de 12 %", MEAL),
    ],
)
def test_what_the_article_says_is_not(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None
