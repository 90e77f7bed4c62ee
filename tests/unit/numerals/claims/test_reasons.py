"""What is said of a claim with a part that disagrees."""

from __future__ import annotations

import pytest

from core.numerals.claims.amounts import worked_out
from core.numerals.claims.judge import JudgedClaim, verdict_of
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

FALL = "Two climbers died on Sunday after a fall of 4,300 feet on Mount Orme, rescuers said."
FLOOD = "The flood cut off a village 12 miles from Velden, the council said on Monday."
RIVER = "The river rose all year. Nearly 90,000 people fled Velden on Monday, officials said."


@pytest.mark.parametrize(
    ("headline", "article", "part", "fault", "reason"),
    [
        ("4,300-Metre Fall Kills Two", FALL, "unit", Fault.UNIT, "“4,300 feet”, not “4,300-Metre”."),
        ("Flood Cuts Off Village 12 km Away", FLOOD, "unit", Fault.UNIT, "“12 miles”, not “12 km”."),
        ("12 Miles From Velden, a Flood", FLOOD, "unit", Fault.UNIT, "“12 miles”; compare the units."),
        ("Fewer Than 90,000 Flee", RIVER, "bound", Fault.BOUND, "“Nearly 90,000”."),
    ],
)
def test_a_reason_names_units_and_quotes_one_sentence(
    headline: str, article: str, part: str, fault: Fault, reason: str
) -> None:
    parts = {"value": 0.0, part: -9.0}
    found = verdict_of(JudgedClaim(claim_of(headline, article), parts, 0.01), wrong=0.1, rival=None)
    assert (found.fault, found.reason) == (fault, f"The article has {reason}")


def test_a_percentage_follows_from_a_share_in_words() -> None:
    article = "In Val Morena solo due famiglie su cinque hanno una connessione veloce, secondo un rapporto."
    assert worked_out(claim_of("Val Morena, il 40 per cento delle famiglie ha Internet", article)) == (0, 1)
    assert worked_out(claim_of("Val Morena, il 50 per cento delle famiglie ha Internet", article)) == ()
