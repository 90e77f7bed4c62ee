"""Every family of checks on headlines worked by hand, and what all of them promise."""

import datetime

import numpy as np
import pytest

from core.consistency.checks.check import CheckKind, DatedHeadline, Expected, checks, make_cases, material
from core.consistency.checks.invariant import rewritten
from core.text.numerals.quantities import read_quantities

DAY = datetime.date(2024, 5, 30)
TEXTS = (
    "Crew of three returns to Earth after alarm on Monday",
    "NASA: 1,000 people evacuated as 'toxic leak' reported in Russia",
    "Senate will vote on $3 million bill, says Smith",
    "Markets rise 5% as the US bank raises rates in London",
    "Storm kills 12 in Texas",
    "Nothing",
)


def given():
    return material(
        [DatedHeadline(text, DAY) for text in TEXTS],
        [(row, (row + 1) % len(TEXTS)) for row in range(len(TEXTS))],
    )


def changes(name, text, date=DAY):
    """All texts that a family makes of a headline over some draws."""
    check = checks.parse(name)
    made = [
        check.change(DatedHeadline(text, date), given(), np.random.default_rng(seed)) for seed in range(40)
    ]
    return {told.text for told in made if told is not None}


@pytest.mark.parametrize(
    ("name", "before", "wanted"),
    [
        ("punctuation", "Storm kills 12", {"Storm kills 12."}),
        ("case", "Storm kills 12", {"STORM KILLS 12", "Storm Kills 12"}),
        ("source_suffix", "Storm kills 12 - CNN", {"Storm kills 12"}),
        ("number_format", "1,000 flee", {"1000 flee", "1 thousand flee", "one thousand flee"}),
        ("number_format", "Storm of 2013", set()),
        ("publisher_style", "US troops", {"U.S. troops"}),
        ("publisher_style", "Tell us more", set()),
        ("quotation_marks", "'Toxic leak' at Biden's house", {"Toxic leak at Biden's house"}),
        ("negation", "Senate will vote", {"Senate will not vote"}),
        ("negation", "Senate will not vote", {"Senate will vote"}),
        ("negation", "Markets rise", {"Markets fall"}),
        ("negation", "Weekly round-up", set()),
        ("changed_place", "Nothing", set()),
        ("changed_time", "Nothing on the march", set()),
    ],
)  # fmt: skip
def test_changes_by_hand(name, before, wanted):
    assert changes(name, before) == wanted


def test_a_changed_number_reads_as_another_number_in_the_same_form():
    for text in changes("changed_number", "Storm leaves 1,200 homeless"):
        assert text.startswith("Storm leaves ")
        (number,) = read_quantities(text)
        assert 1.5 * 1200 <= number.value <= 3 * 1200 + 1
        assert "," in number.text


def test_a_different_day_is_a_month_later_at_least_and_needs_a_date():
    check = checks.parse("different_day")
    moved = check.change(DatedHeadline("Markets rise", DAY), given(), np.random.default_rng(0))
    assert moved.text == "Markets rise"
    assert 30 <= (moved.date - DAY).days <= 60
    assert changes("different_day", "Markets rise", None) == set()


@pytest.mark.parametrize("text", ["1,000", "one thousand", "twelve", "5 percent", "$3 million"])
def test_numbers_rewritten_read_back_as_the_same_value(text):
    (number,) = read_quantities(f"about {text} of")
    ways = rewritten(number)
    assert ways
    for way in ways:
        (read,) = read_quantities(f"about {way} of")
        assert (read.value, read.kind) == (number.value, number.kind)
        assert way != text


@pytest.mark.parametrize("name", checks.names())
def test_cases_are_what_their_kind_asks_for(name):
    kind = checks.parse(name).kind
    found = make_cases(name, given(), most=4, seed=1)
    assert found == make_cases(name, given(), most=4, seed=1)
    assert 0 < len(found) <= 4
    for case in found:
        assert case.check == name
        if kind is CheckKind.INVARIANT:
            assert case.expected is Expected.UNCHANGED
            assert case.original_a in TEXTS
            assert case.b == case.original_b
            assert case.a != case.original_a
        else:
            assert case.expected is Expected.DIFFERENT
            assert (case.a, case.date_a) != (case.b, case.date_b)
            assert case.original_a == case.original_b == ""
    assert make_cases(name, material([], []), most=4) == []
