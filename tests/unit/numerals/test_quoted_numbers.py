"""How a number of a headline is quoted: with what it counts, and without a name behind it."""

import pytest

from core.numerals.claims.right_numbers import with_next
from core.text.numerals.read import read_numerals


@pytest.mark.parametrize(
    ("headline", "quoted"),
    [("1K MF Global Workers Sacked", "1K"), ("48 seats lost", "48 seats"), ("12 DEAD IN FIRE", "12 DEAD")],
)
def test_a_name_in_capitals_is_not_what_a_number_counts(headline, quoted):
    assert with_next(headline, read_numerals(headline)[0]) == quoted
