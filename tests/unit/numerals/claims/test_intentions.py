"""What is wanted or planned, said as done."""

from __future__ import annotations

import pytest

from core.numerals.claims.objections import objection
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

FINE = (
    "Regulators want to fine the airline Norvia 85 million euros for cancelling flights, a draft shows. "
    "A court blocked an earlier fine of 30 million euros."
)
NURSES = "The hospital in Orme plans to hire 140 nurses next year, its director said on Friday."
HIRED = "The hospital plans to hire 140 nurses. Last year it hired 140 nurses, its director said."
SUMMER = "Norvia cancelled 1,240 flights last summer, a report said on Friday. It flies to Orme."
PLACE = "Halstead beat Corwen on Saturday to move up to fourth place in the league."
CALL = "Her brother had called police at 9:40 p.m., ten minutes before the attack in Orme."


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Regulators Fine Norvia 85 Million Euros", FINE),
        ("Norvia Fined 85 Million Euros", FINE),
        ("Hospital Hires 140 Nurses", NURSES),
        ("Norvia Cancelled 1,240 Flights Last Winter", SUMMER),
        ("Norvia Cancelled 1,240 Flights Next Summer", SUMMER),
    ],
)
def test_what_is_wanted_or_of_another_time_is_never_supported(headline: str, article: str) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is Fault.OTHER


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Regulators Want to Fine Norvia 85 Million Euros", FINE),
        ("Norvia Faces Fine of 85 Million Euros, Draft Shows", FINE),
        ("Hospital to Hire 140 Nurses", NURSES),
        ("Hospital Plans 140 Hires", NURSES),
        ("Hospital Hires 140 Nurses", HIRED),
        ("Norvia Cancelled 1,240 Flights Last Summer", SUMMER),
        ("Halstead Move Up to Fourth Place", PLACE),
        ("Halstead Move to Fourth Place", PLACE),
        ("Attack Came at 9:50 p.m.", CALL),
    ],
)
def test_what_is_said_so_is_not_objected_to(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None
