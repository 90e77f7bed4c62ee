"""The order in which headlines come when their numbers are held against the article."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.numeral_safety import (
    agreements,
    bad_numerals,
    instead_of,
    log_trust,
    safest_first,
    trimmed,
)
from core.numerals.claims.verdict import ClaimVerdict, Fault, Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral, Status
from core.numerals.question import ReadArticle
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralForm, NumeralKind
from tests.unit.numerals.numerals_by_hand import claim

ARTICLE = ReadArticle("", "en", (), (), (), 0)
BAD = (Status.CONTRADICTED, Status.UNSUPPORTED)


def numeral(status: Status, support: float, value: int = 7) -> CheckedNumeral:
    one = Numeral(
        text=str(value),
        start=0,
        end=1,
        number=str(value),
        number_start=0,
        number_end=1,
        amount=Fraction(value),
        factor=Fraction(1),
        decimals=0,
        kind=NumeralKind.COUNT,
        unit="",
        counted="",
        approximation=Approximation.EXACT,
        bound=Bound.NONE,
        form=NumeralForm.DIGITS,
    )
    return CheckedNumeral(
        one, status, support, (), None, None, "", replace(claim(status), probability=support)
    )


def checked(*numerals: tuple[Status, float] | tuple[Status, float, int]) -> CheckedHeadline:
    return CheckedHeadline("", ARTICLE, tuple(numeral(*one) for one in numerals), "")


def order(
    *candidates: tuple[float, CheckedHeadline],
    weight: float = 1.0,
    numberless: float = 0.5,
    wishes: list[int] | None = None,
) -> list[int]:
    """Places of the candidates after they are put in order."""
    given = [HeadlineCandidate(str(place), score) for place, (score, _) in enumerate(candidates)]
    found = safest_first(
        given,
        [check for _, check in candidates],
        wishes=wishes or [0] * len(given),
        weight=weight,
        numberless=numberless,
    )
    return [int(candidate.text) for candidate in found]


SURE, UNSURE = checked((Status.COPIED, 0.9)), checked((Status.DERIVED, 0.2))
WRONG, WORSE = checked((Status.UNSUPPORTED, 0.01)), checked(*[(Status.CONTRADICTED, 0.01)] * 2)
NONE = checked()


def test_a_number_that_does_not_hold_goes_behind_whatever_its_likelihood() -> None:
    assert order((-0.1, WRONG), (-9.0, UNSURE)) == [1, 0]
    assert order((-0.1, WORSE), (-0.2, WRONG)) == [1, 0]
    assert order((-0.1, WORSE), (-0.2, WRONG), weight=0.0) == [1, 0]


def test_probability_counts_beside_likelihood_by_its_weight() -> None:
    assert order((-1.0, UNSURE), (-1.1, SURE)) == [1, 0]
    assert order((-1.0, UNSURE), (-1.1, SURE), weight=0.0) == [0, 1]
    assert order((-1.0, UNSURE), (-9.0, SURE)) == [0, 1]


def test_a_headline_without_numbers_stands_between() -> None:
    other = checked((Status.COPIED, 0.9, 8))
    assert order((-1.0, UNSURE), (-1.0, NONE), (-1.0, other)) == [2, 1, 0]
    assert order((-1.0, NONE), (-1.0, WRONG)) == [0, 1]
    assert order((-1.0, NONE), (-1.0, SURE), numberless=1.0) == [0, 1]


def test_what_has_to_be_checked_stands_between_supported_and_wrong() -> None:
    doubt = ClaimVerdict(Light.CHECK, Fault.HUMAN, 0.9, "", None)
    amber = CheckedHeadline("", ARTICLE, (replace(SURE.numerals[0], claim=doubt),), "")
    invented = replace(SURE, invented=("Atlantis",))
    assert order((-1.0, WRONG), (-1.0, amber), (-9.0, UNSURE)) == [2, 1, 0]
    assert order((-1.0, invented), (-9.0, SURE)) == [1, 0]


def test_faults_of_wording_come_after_the_light_and_before_wishes() -> None:
    given = ["Quarry Quarry Has Workers", "Quarry Has Many Workers"]
    for checks, first in (((SURE, SURE), given[1]), ((SURE, WRONG), given[0])):
        found = safest_first(
            [HeadlineCandidate(text, -1.0) for text in given],
            checks,
            wishes=[1, 0],
            weight=0.0,
            numberless=0.5,
        )
        assert found[0].text == first


@pytest.mark.parametrize(
    ("sentence", "most", "expected"),
    [
        ("Nobody came.", 16, "Nobody came"),
        (
            "Storms closed both airports of the island on Monday, officials said in a statement.",
            10,
            "Storms closed both airports of the island on Monday",
        ),
        (
            "Storms closed both airports of the island on Monday morning.",
            5,
            "Storms closed both airports of…",
        ),
        (
            "On Monday, storms closed both airports of the island.",
            7,
            "On Monday, storms closed both airports of…",
        ),
    ],
)
def test_a_first_sentence_is_trimmed_at_a_clause(sentence: str, most: int, expected: str) -> None:
    assert trimmed(sentence, most) == expected


def test_what_stands_in_says_why() -> None:
    found = instead_of("WASHINGTON (AP) — Nobody came yesterday. The hall was empty.", "Because.", Wishes())
    assert (found.text, found.instead) == ("Nobody came yesterday", "Because.")
    assert instead_of("", "Because.", Wishes()).instead == ""
    assert len(instead_of("One two three four five six.", "", Wishes(most_words=3)).text.split()) == 3


def test_wishes_come_before_likelihood_and_after_safety() -> None:
    assert order((-1.0, SURE), (-2.0, SURE), wishes=[0, 1]) == [1, 0]
    assert order((-1.0, SURE), (-2.0, WRONG), wishes=[0, 1]) == [0, 1]


def test_what_the_generator_put_behind_is_not_likelier() -> None:
    """Generators put headlines that were cut off behind, whatever their likelihood."""
    assert order((-1.0, SURE), (-0.1, SURE)) == [0, 1]
    assert order((-1.0, UNSURE), (-0.1, SURE)) == [1, 0]


def test_numbers_that_more_candidates_state_come_first() -> None:
    seven, eight = checked((Status.COPIED, 0.9, 7)), checked((Status.COPIED, 0.9, 8))
    assert order((-1.0, seven), (-1.1, eight), (-1.2, eight)) == [1, 2, 0]
    assert order((-1.0, seven), (-1.1, eight), (-1.2, eight), weight=0.0) == [0, 1, 2]
    assert order((-1.0, seven), (-1.1, eight)) == [0, 1]
    assert agreements([seven, eight, eight, NONE]) == {7: 0.25, 8: 0.5, None: 0.25}
    assert agreements([checked((Status.COPIED, 0.9, 7), (Status.COPIED, 0.9, 7))]) == {7: 1.0}


def test_the_formula() -> None:
    two = checked((Status.DERIVED, 0.5, 7), (Status.UNSUPPORTED, 0.25, 8))
    one = checked((Status.DERIVED, 0.8, 7))
    given = [HeadlineCandidate("two", -1.5), HeadlineCandidate("one", -1.6)]
    found = safest_first(given, [two, one], wishes=[0, 0], weight=0.3, numberless=0.5)
    assert [candidate.text for candidate in found] == ["one", "two"]
    assert found[0].score == pytest.approx(-1.6 + 0.3 * math.log(0.8))
    assert found[1].score == pytest.approx(-1.5 + 0.3 * math.log(0.5 * 1.0 * 0.25 * 0.5) - 1000)
    assert log_trust(NONE, {None: 0.25}, 0.5) == pytest.approx(math.log(0.125))
    assert log_trust(checked((Status.UNSUPPORTED, 0.0)), {Fraction(7): 1.0}, 0.5) > -20
    assert bad_numerals(WORSE) == 2
    assert bad_numerals(SURE) == 0


statuses = st.tuples(st.sampled_from(list(Status)), st.floats(0.0, 1.0), st.integers(1, 3))
some = st.lists(
    st.tuples(st.floats(-12.0, 0.0), st.lists(statuses, max_size=3).map(lambda told: checked(*told))),
    max_size=6,
)


@given(some, st.floats(0.0, 10.0))
def test_any_candidates(candidates: list[tuple[float, CheckedHeadline]], weight: float) -> None:
    found = order(*candidates, weight=weight)
    assert sorted(found) == list(range(len(candidates)))
    bad = [bad_numerals(candidates[place][1]) for place in found]
    assert bad == sorted(bad)
    assert order(*candidates, weight=weight) == found
