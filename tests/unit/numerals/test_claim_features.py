"""Bounds, and the arithmetic that settles some claims."""

from __future__ import annotations

import pytest

from core.numerals.claims.differences import worked_out
from core.numerals.claims.features import bound_features
from tests.unit.numerals.numerals_by_hand import claim_of

RATE = "The jobless rate rose from 25 to 40 percent. Shares of the mine fell 30 points."


@pytest.mark.parametrize(
    ("headline", "article", "holds"),
    [
        ("Nearly 20,000 Flee", "Some 300 towns were hit and 19,847 residents fled.", 1),
        ("More Than 1,200 Dead", "Exactly 1,200 people died.", -1),
        ("At Most 50 Dead", "At least 50 people died.", -1),
        ("Fewer Than 50 Dead", "Over 50 people died.", -1),
    ],
)
def test_a_bound_is_true_of_the_articles_number_or_not(headline: str, article: str, holds: float) -> None:
    assert bound_features(claim_of(headline, article))[0] == holds


@pytest.mark.parametrize(
    ("headline", "article", "number"),
    [
        ("Visitors Up 20%", "It had 4.2 million visitors, up from 3.5 million in 2018.", ""),
        ("1 in 4 Schools Has Faulty Wiring", "Inspectors found it in 15 of 60 schools.", "4"),
        ("Repairs to Cost $70M a Year", "Repairs will cost $350 million over five years.", ""),
        ("Holt Wins by 11 Points", "Holt took 54 percent and Cruz 43 percent.", ""),
        ("New Loan Saves Orrin £15m in Interest", "The loan cuts Orrin's interest from £45m to £30m.", ""),
        ("Jobless Rate Up 15 Percentage Points", RATE, ""),
        ("Port Loses 500,000 Passengers", "Passengers of the port fell to 2.9 million from 3.4 million.", ""),
    ],
)
def test_the_arithmetic_of_journalists_is_done(headline: str, article: str, number: str) -> None:
    assert worked_out(claim_of(headline, article, number))


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Visitors Down 20%", "It had 4.2 million visitors, up from 3.5 million in 2018."),
        ("8,450 Work at Quarry", "The quarry has 1,300 workers and 7,150 trees."),
        ("Jobless Rate Up 60 Percentage Points", RATE),
        ("25 Killed in Crash", "The crash left two people dead and 23 injured."),
    ],
)
def test_other_arithmetic_is_not(headline: str, article: str) -> None:
    assert not worked_out(claim_of(headline, article))


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Quote steigt um 15 Punkte", "Die Quote stieg von 25 auf 40 Prozent. Die Aktie verlor 30 Punkte."),
        ("Le taux en hausse de 15 points", "Le taux est passé de 25 % à 40 %. L'action a perdu 30 points."),
        ("Ставка выросла на 15 пунктов", "Ставка выросла с 25% до 40%. Акции упали на 30 пунктов."),
    ],
)
def test_points_between_two_percentages_are_found_in_other_languages(headline: str, article: str) -> None:
    assert worked_out(claim_of(headline, article)) == (0, 1)


def test_a_percentage_follows_from_a_share_in_words() -> None:
    article = "In Val Morena solo due famiglie su cinque hanno una connessione veloce, secondo un rapporto."
    assert worked_out(claim_of("Val Morena, il 40 per cento delle famiglie ha Internet", article)) == (0, 1)
    assert worked_out(claim_of("Val Morena, il 50 per cento delle famiglie ha Internet", article)) == ()
