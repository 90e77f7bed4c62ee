"""Headlines with one number made wrong: what changes, what stays, what cannot be done."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.numerals.question import NumeralQuestion
from research.training.numerals.corruptions import Corruption, corrupt
from tests.unit.numerals.numerals_by_hand import article, numerals_in, question

ARTICLE = "(Sep 25, 2016) 3 men took $65,000 and 1,300 coins in 1999; 28% of 7 million saw 40 of the 3."
DATELINE = ARTICLE.index(")") + 1

numbers = st.one_of(
    st.integers(1, 999_999).map(str),
    st.integers(1_000, 999_999).map("{:,}".format),
    st.decimals("0.1", "999.99", places=2).map(str),
)
affixes = st.sampled_from([("", ""), ("$", "K"), ("$", " million"), ("", "%"), ("U", ""), ("", "-Year-Old")])
seeds = st.integers(0, 10**6)


def _asked(number: str, affix: tuple[str, str], text: str = ARTICLE) -> NumeralQuestion:
    return question(f"Gang Takes {affix[0]}{number}{affix[1]} in Old City", text, dateline=DATELINE)


@given(numbers, affixes, seeds)
def test_one_digit_changes_and_nothing_else(number: str, affix: tuple[str, str], seed: int) -> None:
    asked = _asked(number, affix)
    wrong = corrupt(asked, Corruption.DIGIT, seed)
    assert wrong is not None
    assert len(wrong) == len(asked.headline)
    apart = [place for place, pair in enumerate(zip(wrong, asked.headline, strict=True)) if len({*pair}) > 1]
    assert len(apart) == 1
    assert asked.start <= apart[0] < asked.end
    assert wrong[apart[0]].isdigit()
    assert asked.headline[apart[0]].isdigit()
    assert wrong[asked.start] != "0" or asked.headline[asked.start] == "0"


@given(numbers, affixes, seeds)
def test_a_magnitude_is_a_power_of_ten_and_nothing_else(
    number: str, affix: tuple[str, str], seed: int
) -> None:
    asked = _asked(number, affix)
    wrong = corrupt(asked, Corruption.MAGNITUDE, seed)
    assume(wrong is not None)
    assert wrong is not None
    assert asked.numeral is not None
    read = next(one for one in numerals_in(wrong) if one.number_start == asked.start)
    ratio = read.value / asked.numeral.value
    assert ratio in {Fraction(10) ** power for power in (-3, -2, -1, 1, 2, 3)}
    assert wrong[: asked.start] == asked.headline[: asked.start]
    assert wrong.endswith(asked.headline[asked.numeral.end :])


@given(numbers, affixes, seeds, st.sampled_from(Corruption))
def test_the_seed_alone_decides(number: str, affix: tuple[str, str], seed: int, how: Corruption) -> None:
    asked = _asked(number, affix)
    again = replace(asked, article=article(ARTICLE, dateline=DATELINE))
    wrong = corrupt(asked, how, seed)
    assert corrupt(again, how, seed) == wrong
    assert wrong != asked.headline


@pytest.mark.parametrize(
    ("headline", "how", "expected"),
    [
        ("Repairs to Cost $4.2M", Corruption.UNIT, {"Repairs to Cost €4.2M", "Repairs to Cost £4.2M"}),
        ("Bridge 12 Miles Away", Corruption.UNIT, {"Bridge 12 Kilometers Away"}),
        ("Repairs to Cost $4.2M", Corruption.SCALE, {"Repairs to Cost $4.2B", "Repairs to Cost $4.2K"}),
        ("The 3rd Man Dies", Corruption.DIGIT, {"The 1st Man Dies", "The 2nd Man Dies", "The 4th Man Dies"}),
        ("Gang Takes 12 Coins", Corruption.UNIT, set()),
    ],
)
def test_what_is_changed(headline: str, how: Corruption, expected: set[str]) -> None:
    found = {wrong for seed in range(60) if (wrong := corrupt(question(headline, ARTICLE), how, seed))}
    assert expected <= found
    assert bool(expected) == bool(found)
