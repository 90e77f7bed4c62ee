"""Numbers that the article has of less than the headline says."""

from __future__ import annotations

import pytest

from core.numerals.claims.objections import objection
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

COURT = (
    "The clerk of Velden faces up to five years in prison if he is convicted, the prosecutor said on Friday."
)
MILL = "Orme Mills had weighed cutting 600 jobs at its mill in Velden. It employs 2,100 people there."
CRASH = "A bus fell into a ravine near Orme, killing 24 people, seven of them children, and injuring 21."
SALE = "Orme Mills said it will sell 60 percent of its paper unit to Rusk. Orme Mills has a seat in Velden."
RIVER = "The river stood 84 centimeters above the level of danger in Orme on Friday."


@pytest.mark.parametrize(
    ("headline", "article", "fault"),
    [
        ("Clerk Gets Five Years", COURT, Fault.BOUND),
        ("Mill Cuts 600 Jobs", MILL, Fault.OTHER),
        ("24 Children Killed in Bus Crash", CRASH, Fault.OTHER),
        ("Orme Mills Sells 60 Percent of Rusk", SALE, Fault.OTHER),
        ("River 84 Centimeters Below Level of Danger", RIVER, Fault.BOUND),
    ],
)
def test_what_the_article_has_of_less_is_never_supported(headline: str, article: str, fault: Fault) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is fault


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Clerk Faces Five Years", COURT),
        ("Clerk Could Get Five Years", COURT),
        ("Clerk Gets up to Five Years", COURT),
        ("Mill Weighed Cutting 600 Jobs", MILL),
        ("Mill Employs 2,100", MILL),
        ("24 Killed in Bus Crash", CRASH),
        ("24 Killed in Bus Crash, Among Them Children", CRASH),
        ("Orme Mills Sells 60 Percent of Paper Unit", SALE),
        ("Orme Mills Sells 60 Percent of Unit to Rusk", SALE),
        ("River 84 Centimeters Above Level of Danger", RIVER),
    ],
)
def test_what_it_has_of_all_is_not_objected_to(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None
