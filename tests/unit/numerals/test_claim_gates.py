"""What the gates say of claims, and the arithmetic that settles some."""

from __future__ import annotations

import pytest

from core.numerals.claims.gates import GATES, bound_gate, exchange_gate
from core.numerals.claims.otherwise import ways_worked, worked_out
from tests.unit.numerals.numerals_by_hand import claim_of

BLAST = (
    "A blast at the refinery killed five people and injured 27 on Monday. The plant employs 340 workers. "
    "Repairs will cost $3.2 million, the company said."
)

RATE = "The jobless rate rose from 25 to 40 percent. Shares of the mine fell 30 points."
FAMILIES = "Families without a home fell from 120 to 90. Crews answered 51 calls on Friday and 21 on Sunday."

UTILE = "L'utile è salito a 45 milioni dai 30 milioni dell'anno scorso."
QUOTA = "La quota degli studenti è salita dal 30 per cento al 45 per cento secondo il sindaco della città."
CITY = (
    "The city's budget deficit widened to $48 million from $31 million last year, while tax receipts fell to "
    "402 million from $420 million. The mayor plans to cut 300 of 5,200 posts."
)
PHONES = (
    "Apple's iPhone shipments climbed to 52.2 million from 50.8 million, but iPad shipments rose to 9.1 "
    "million from 8.9 million. Net income was $13.8 billion, up from $11 billion."
)


def said(gate: str, headline: str, article: str, number: str = "") -> dict[str, float]:
    ask, names = GATES[gate]
    return dict(zip(names, ask(claim_of(headline, article, number)), strict=True))


@pytest.mark.parametrize(
    ("headline", "strict"),
    [
        ("Repairs to Cost $3.2M", 0),
        ("Repairs to Cost €3.2M", 1),
        ("Drugs Worth £90M Found", 0),  # pounds may be money or a weight
        ("Drugs Worth $90M Found", 1),
    ],
)
def test_the_unit_differs_for_every_number_of_that_value(headline: str, strict: float) -> None:
    article = f"{BLAST} The drugs have a street value of 90 million pounds. They weigh 30 pounds."
    assert said("unit", headline, article)["strict"] == strict


@pytest.mark.parametrize(
    ("headline", "article", "holds"),
    [
        ("Nearly 20,000 Flee", "Some 300 towns were hit and 19,847 residents fled.", 1),
        ("More Than 1,000 Dead", "At least 1,200 people died.", 1),
        ("More Than 1,200 Dead", "Exactly 1,200 people died.", -1),
        ("At Most 50 Dead", "At least 50 people died.", -1),
        ("At Least 50 Dead", "At least 50 people died.", 1),
        ("Fewer Than 50 Dead", "Over 50 people died.", -1),
    ],
)
def test_a_bound_is_true_of_the_articles_number_or_not(headline: str, article: str, holds: float) -> None:
    assert bound_gate(claim_of(headline, article))[0] == holds


def test_a_slip_of_the_hand_and_a_wrong_magnitude_are_seen() -> None:
    slip, scale, right = (
        said("value", f"Repairs to Cost {cost}", BLAST) for cost in ("$3.3M", "$3.2B", "$3.2M")
    )
    assert (slip["slip"], scale["scaled"], right["equal"]) == (1, 1, 1)
    assert (right["slip"], right["scaled"], slip["equal"]) == (0, 0, 0)


def test_the_opposite_word_near_the_number_is_seen() -> None:
    assert said("word", "27 Killed in Blast", BLAST)["nearer"] > 0
    assert said("word", "27 Injured in Blast", BLAST)["nearer"] <= 0
    assert said("word", "Shares Rise 3%", "Shares fell 3 percent.")["flipped"] == 1
    assert said("word", "Shares Fall 3%", "Shares fell 3 percent.")["flipped"] == 0


def test_numbers_in_each_others_place_stand_better_exchanged() -> None:
    article = "Five people died and 27 were hurt."
    right = claim_of("5 Dead, 27 Hurt", article, "5", belongs="Five")
    gain, pairs = exchange_gate(right)
    assert pairs == 1
    assert gain == pytest.approx(0)  # the other number's place does not know better
    assert exchange_gate(claim_of("5 Dead in Blast", article))[1] == 0


@pytest.mark.parametrize(
    ("headline", "article", "number"),
    [
        ("Visitors Up 20%", "It had 4.2 million visitors, up from 3.5 million in 2018.", ""),
        ("1 in 4 Schools Has Faulty Wiring", "Inspectors found it in 15 of 60 schools.", "4"),
        ("Repairs to Cost $70M a Year", "Repairs will cost $350 million over five years.", ""),
        ("Holt Wins by 11 Points", "Holt took 54 percent and Cruz 43 percent.", ""),
        ("Families Down 25%", FAMILIES, ""),
        ("New Loan Saves Orrin £15m in Interest", "The loan cuts Orrin's interest from £45m to £30m.", ""),
        ("Jobless Rate Up 15 Percentage Points", RATE, ""),
        ("Port Loses 500,000 Passengers", "Passengers of the port fell to 2.9 million from 3.4 million.", ""),
        ("City Deficit Up 55%", CITY, ""),
        ("City to Cut 6% of Posts", CITY, ""),
        ("iPad Shipments Up 2%", PHONES, ""),
    ],
)
def test_the_arithmetic_of_journalists_is_done(headline: str, article: str, number: str) -> None:
    assert worked_out(claim_of(headline, article, number))


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Visitors Down 20%", "It had 4.2 million visitors, up from 3.5 million in 2018."),
        ("30% of Schools Have Faulty Wiring", "Inspectors found it in 15 of 60 schools."),
        ("8,450 Work at Quarry", "The quarry has 1,300 workers and 7,150 trees."),
        ("Families Up by 30", FAMILIES),
        ("Shelter Gets 30 More Beds", FAMILIES),
        ("Jobless Rate Up 15%", "The jobless rate rose from 25 to 40 percent."),
        ("Jobless Rate Up 60 Percentage Points", RATE),
        ("25 Killed in Crash", "The crash left two people dead and 23 injured."),
        ("City Posts Cut 6%", CITY),
        ("iPhone Income Up 25%", PHONES),
    ],
)
def test_other_arithmetic_is_not(headline: str, article: str) -> None:
    assert not worked_out(claim_of(headline, article))


@pytest.mark.parametrize(
    ("headline", "article", "found"),
    [
        ("Utile sale del 50 per cento", UTILE, True),
        ("Utile sale del 15 per cento", UTILE, False),
        ("Quota degli studenti sale del 50 per cento", QUOTA, True),
        ("Visitors Fall by Half", "The fair drew 412 visitors in May. In April 824 visitors came.", True),
    ],
)
def test_a_change_is_worked_out_of_ends_in_other_words(headline: str, article: str, found: bool) -> None:
    assert bool(worked_out(claim_of(headline, article))) is found


@pytest.mark.parametrize(
    ("headline", "number", "way"),
    [("298 Aboard Lost Jet", "", "added"), ("Another Jet Lost in 2014", "", "now"), ("299 Aboard", "", "")],
)
def test_what_is_only_likely_is_left_to_the_trees(headline: str, number: str, way: str) -> None:
    article = "(Jul 17, 2014 10:47 AM) A jet with 283 passengers and 15 crew was lost near Orme on Thursday."
    claim = claim_of(headline, article, number)
    assert list(ways_worked(claim)) == [way] * bool(way)
    assert not worked_out(claim)


def test_every_gate_gives_as_many_numbers_as_it_names() -> None:
    for headline, article in (
        ("27 Killed", BLAST),
        ("8,450 Killed", "Nothing happened."),
        ("5 and 27", BLAST),
    ):
        claim = claim_of(headline, article)
        for ask, names in GATES.values():
            assert len(ask(claim)) == len(names)


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Quote steigt um 15 Punkte", "Die Quote stieg von 25 auf 40 Prozent. Die Aktie verlor 30 Punkte."),
        ("Le taux en hausse de 15 points", "Le taux est passé de 25 % à 40 %. L'action a perdu 30 points."),
        ("Il tasso sale di 15 punti", "Il tasso è salito da 25% a 40%. Le azioni hanno perso 30 punti."),
        ("Ставка выросла на 15 пунктов", "Ставка выросла с 25% до 40%. Акции упали на 30 пунктов."),
    ],
)
def test_points_between_two_percentages_are_found_in_other_languages(headline: str, article: str) -> None:
    assert worked_out(claim_of(headline, article)) == (0, 1)


def test_a_percentage_follows_from_a_share_in_words() -> None:
    article = "In Val Morena solo due famiglie su cinque hanno una connessione veloce, secondo un rapporto."
    assert worked_out(claim_of("Val Morena, il 40 per cento delle famiglie ha Internet", article)) == (0, 1)
    assert worked_out(claim_of("Val Morena, il 50 per cento delle famiglie ha Internet", article)) == ()
