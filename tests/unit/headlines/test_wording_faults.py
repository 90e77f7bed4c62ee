"""Faults of wording: what is named, and how seldom in headlines that people wrote."""

from __future__ import annotations

import pytest

from core.data.articles.load import load_articles
from core.headlines.numeral_safety import WordingFault, wording_faults

REPEATED, CUT_OFF, NO_VERB = WordingFault.REPEATED, WordingFault.CUT_OFF, WordingFault.NO_VERB


@pytest.mark.parametrize(
    ("headline", "faults"),
    [
        ("3 Dead in Bus Bus Crash", (REPEATED,)),
        ("Carbon Tax Lowers Carbon Emissions", (REPEATED,)),
        ("Man and Dog and Cat Rescued", ()),
        ("Storm Closes Both Airports of the", (CUT_OFF,)),
        ("Who", ()),
        ("The Old Man, the Big Sea and a Small Boat", (NO_VERB,)),
        ("Quarterback to Repay $1.1M in a Welfare Fraud Row", ()),
        ("3 Dead, 11 Hurt in Quarry Shooting", ()),
        ("Storm Closes Both Airports of the Large Island", ()),
        ("", ()),
    ],
)
def test_faults_are_named(headline: str, faults: tuple[WordingFault, ...]) -> None:
    assert wording_faults(headline) == faults


def test_english_faults_are_for_english() -> None:
    assert wording_faults("Der Sturm und das Meer und ein kleines Boot an", language="de") == ()
    assert wording_faults("Sturm Sturm", language="de") == (REPEATED,)


def test_headlines_that_people_wrote_have_next_to_none() -> None:
    given = [one[0] for one in load_articles("sample:articles").references]
    assert sum(bool(wording_faults(line)) for line in given) <= 1
