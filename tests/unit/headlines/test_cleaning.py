"""What is taken off and what stays, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.extractive import clean_headline


@pytest.mark.parametrize(
    ("written", "headline"),
    [
        ("Bank raises rates", "Bank raises rates"),
        ("  Bank raises\u00a0rates  ", "Bank raises rates"),
        ("\n\nBank raises rates\nThe bank said…", "Bank raises rates"),
        ('"Bank raises rates"', "Bank raises rates"),
        ("“Bank raises rates.”", "Bank raises rates"),
        ("«Банк повысил ставку»", "Банк повысил ставку"),
        ("Заголовок: Банк повысил ставку.", "Банк повысил ставку"),
        ("Titolo: La banca alza i tassi", "La banca alza i tassi"),
        ("**Headline:** Bank raises rates", "Bank raises rates"),
        ('Headline: "Bank raises rates"', "Bank raises rates"),
        ("# Bank raises rates", "Bank raises rates"),
        ('"Bank" raises "rates"', '"Bank" raises "rates"'),
        ('Bank: "We raise rates"', 'Bank: "We raise rates"'),
        ('"Bank raises rates', "Bank raises rates"),
        ("'We raise rates'", "We raise rates"),
        ("Bank's rates don't rise", "Bank's rates don't rise"),
        ("Bank raises rates.", "Bank raises rates"),
        ("Bank raises rates...", "Bank raises rates..."),
        ("Rates rise in the U.S.", "Rates rise in the U.S."),
        ("Do rates rise?", "Do rates rise?"),
        ("<unk> bank [UNK] raises rates \ufffd", "bank raises rates"),
        ("Headline", "Headline"),
        ("Headlines of the day", "Headlines of the day"),
        ("...", ""),
        ('""', ""),
        ("", ""),
        ("Headline:\nBank raises rates", "Bank raises rates"),
    ],
)
def test_by_hand(written: str, headline: str) -> None:
    assert clean_headline(written) == headline


def test_it_is_cut_at_a_word() -> None:
    assert clean_headline("“Bank raises rates, again.”", most_words=3) == "Bank raises rates"


@given(st.text())
def test_one_line_or_nothing(text: str) -> None:
    found = clean_headline(text)
    assert found == found.strip()
    assert len(found.splitlines()) <= 1
    assert not found or any(map(str.isalnum, found))
