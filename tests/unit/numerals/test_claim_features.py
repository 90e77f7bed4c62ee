"""Bounds, and the arithmetic that settles some claims."""

from __future__ import annotations

import pytest

from core.numerals.claims.differences import told, worked_out
from core.numerals.claims.evidence import evidence_of
from core.numerals.claims.features import bound_features
from core.numerals.claims.verdicts import by_chance
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


@pytest.mark.parametrize(
    ("headline", "article", "numbers"),
    [
        (
            "House passes rent bill by 14 votes",
            "The House voted 61 to 47 to pass the rent bill. Each flat costs $14 more.",
            {"61", "47"},
        ),
        ("6 Killed in Blast", "The blast killed three men, two women and a child.", {"three", "two"}),
        (
            "Town raises wage by 20 percent",
            "The wage rises from $12.50 to $15, the town said. It has 20 employees.",
            {"$12.50", "$15"},
        ),
        ("Rate rise adds almost 700 talers a year", "The rate rise adds 58 talers a month.", {"58"}),
        (
            "Carrier's result improves by 73 million euros",
            "It made a profit of 64 million euros after a loss of 9 million. It has 73 jets.",
            {"64 million euros", "9 million"},
        ),
        (
            "Carrier's profit rises by 55 million euros",
            "It made a profit of 64 million euros after one of 9 million. Last year's loss was 3 million.",
            {"64 million euros", "9 million"},
        ),
        ("Sewage ran for about 78 days", "Sewage ran into two rivers for 1,870 hours.", {"1,870"}),
        ("Killer gets 76 months", "He was jailed for six years and four months.", {"six", "four"}),
        (
            "Heat in mill reaches 40C",
            "The heat in the mill reached 104 degrees Fahrenheit. Some 40 workers went home.",
            {"104"},
        ),
        ("Water boils at 212 degrees Fahrenheit", "The water boiled at 100 degrees Celsius.", {"100"}),
        (
            "Deaths probably above 400",
            "Officials counted 147 deaths; the number is three to four times as high.",
            {"three", "147"},
        ),
        (
            "Fewer than a third of houses at risk",
            "Some 40 rescuers with 12 diggers came. Of the 300 houses on the slope, 85 houses are at risk.",
            {"85", "300"},
        ),
    ],
)
def test_what_explains_a_number_has_one_unit_and_one_thing(headline, article, numbers):
    evidence = evidence_of(claim_of(headline, article))
    told = set() if evidence is None else {text for text in numbers if f"“{text}”" in evidence.explanation}
    assert told == numbers


@pytest.mark.parametrize(
    ("headline", "article", "number"),
    [
        (
            "Tolley's six wickets help Northmarch to 65-run lead",
            "Northmarch resume after Imran Tolley took six for 71.",
            "65",
        ),
        ("Deputies raise pension age by two years", "The pension bill may be repealed in 18 months.", "two"),
        (
            "More than four in five teachers back stoppage",
            "Teachers oppose classes that grow from 25 to 29 pupils; most back a stoppage.",
            "four",
        ),
        (
            "Court stays four years below what the prosecutor asked",
            "The court gave him 14 years; his lawyer had asked for less than ten years.",
            "four",
        ),
    ],
)
def test_arithmetic_that_need_not_be_meant_is_not_told(headline, article, number):
    assert told(claim_of(headline, article, number)) is None


@pytest.mark.parametrize(
    ("headline", "article", "number"),
    [
        ("CEO Brandt, 39, quits", "Chief executive Karl Brandt, 49, quit on Monday after 10 years.", "39"),
        ("Ferry had 64 too many aboard", "The ferry was built for 31 crew and 33 lorries.", ""),
        (
            "One in Ten Ships Fails Inspection",
            "Inspectors found faults on nine ships in March. Of 85 sailors, two fell ill.",
            "Ten",
        ),
        (
            "House to raise minimum wage by 25 percent",
            "The party has 22 seats; 47 members voted to raise the minimum wage from $12.50 to $15.",
            "",
        ),
        ("35 per cento alle urne", "Nel 1946 votarono 68.300 persone, disse il sindaco di Lesina.", ""),
        ("Fisherman Boyle, 63, dies", "Fisherman Boyle, 36, died when the 27-metre ship sank.", "63"),
    ],
)
def test_a_number_that_only_unlike_numbers_give_is_not_found(headline, article, number):
    claim = claim_of(headline, article, number)
    evidence = evidence_of(claim)
    assert evidence is None or by_chance(claim, evidence)
    assert evidence is None or not evidence.explanation
