"""Numbers of one person said of another who belongs to him or her."""

from __future__ import annotations

import pytest

from core.numerals.claims.objections import objection
from core.numerals.claims.verdict import Fault
from tests.unit.numerals.claims.claims_by_hand import claim_of

ATTIC = "The family's 33-year-old son found the remains of a woman in the attic on Friday."
NURSE = "A man and a nurse, 41, were hurt. The 29-year-old driver, who is a woman, was not."
SON = (
    "Mayor Carl Rusk's eldest son, Nils Rusk, said today that he will run for governor in 2026. “I have "
    "thought of running in 2026,” Rusk said."
)
LAWYER = "Velden's mayor said Edda Orme's lawyer was paid $90,000 for it. Orme has no comment."
ALONE = "Edda Orme's lawyer said that Edda Orme was paid $90,000."


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("33-Year-Old Woman Found in Attic", ATTIC),
        ("Mayor Carl Rusk to Run for Governor in 2026", SON),
        ("Carl Rusk to Run for Governor in 2026", SON),
        ("Edda Orme Was Paid $90,000", LAWYER),
    ],
)
def test_another_person_is_never_supported(headline: str, article: str) -> None:
    found = objection(claim_of(headline, article))
    assert found is not None
    assert found[0] is Fault.OTHER
    assert "not" in found[1]


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("33-Year-Old Man Finds Remains in Attic", ATTIC),
        ("33-Year-Old Finds Woman in Attic", ATTIC),
        ("29-Year-Old Woman Not Hurt", NURSE),
        ("41-Year-Old Woman Hurt", NURSE),
        ("Nils Rusk to Run for Governor in 2026", SON),
        ("Rusk to Run for Governor in 2026", SON),
        ("Carl Rusk's Son to Run for Governor in 2026", SON),
        ("Edda Orme Lawyer Was Paid $90,000", LAWYER),
        ("Edda Orme's Attorney Was Paid $90,000", LAWYER),
        ("Edda Orme Was Paid $90,000", ALONE),
    ],
)
def test_the_same_person_is_not_objected_to(headline: str, article: str) -> None:
    assert objection(claim_of(headline, article)) is None


PRIZE = (
    "Novelist Hugo Lang, 68, won the Harrow Prize on Friday. He received 75,000 pounds. His wife, the "
    "painter Ines Lang, 61, has sold 14 pictures. The winner, a man, 68, lives in Orme."
)


@pytest.mark.parametrize(
    "headline",
    [
        "Hugo Lang Has Sold 14 Pictures",
        "Lang Has Sold 14 Pictures",
        "Ines Lang Receives 75,000 Pounds",
    ],
)
def test_a_relative_of_the_same_name_is_never_supported(headline: str) -> None:
    found = objection(claim_of(headline, PRIZE))
    assert found is not None
    assert found[0] is Fault.OTHER


@pytest.mark.parametrize(
    "headline",
    [
        "Ines Lang Has Sold 14 Pictures",
        "Lang's Wife Has Sold 14 Pictures",
        "Painter Has Sold 14 Pictures",
        "Hugo Lang Receives 75,000 Pounds",
        "Lang Receives 75,000 Pounds",
    ],
)
def test_who_it_is_said_of_is_not_objected_to(headline: str) -> None:
    assert objection(claim_of(headline, PRIZE)) is None


def test_the_sex_stands_before_the_age_too() -> None:
    article = "Police in Orme arrested a man, 34, after two women were hurt on Friday."
    assert objection(claim_of("Woman, 34, Arrested in Orme", article)) is not None
    assert objection(claim_of("Man, 34, Arrested in Orme", article)) is None
    assert objection(claim_of("34-Year-Old Woman Arrested in Orme", article)) is not None
