"""The order in which headlines come when their numbers are held against the article."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.articles.load import load_articles
from core.headlines.generator import HeadlineCandidate, Wishes
from core.headlines.numeral_safety import (
    WordingFault,
    agreements,
    bad_numerals,
    instead_of,
    likenesses,
    passes,
    safest_first,
    trimmed,
    wording_faults,
)
from core.numerals.claims.verdict import ClaimVerdict, Fault, Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.numerals.question import read_article
from core.text.numerals.read import read_numerals
from tests.unit.numerals.numerals_by_hand import claim

ARTICLE = read_article(
    "Quarry shuts and has many workers. Dogs bark loud all night and noon. Cats, cows, hens sleep."
)


def numeral(light: Light, probability: float, value: int = 7) -> CheckedNumeral:
    (one,) = read_numerals(str(value), language="en")
    return CheckedNumeral(one, claim(light, probability), (), None)


def checked(*numerals: tuple[Light, float] | tuple[Light, float, int]) -> CheckedHeadline:
    return CheckedHeadline("", ARTICLE, tuple(numeral(*one) for one in numerals), "")


def order(
    *candidates: tuple[str, CheckedHeadline], weight: float = 1.0, wishes: list[int] | None = None
) -> list[int]:
    """Places of the candidates after they are put in order."""
    given = [HeadlineCandidate(text, float(place)) for place, (text, _) in enumerate(candidates)]
    checks = [replace(check, headline=text) for text, check in candidates]
    found = safest_first(given, checks, wishes=wishes or [0] * len(given), weight=weight)
    return [[text for text, _ in candidates].index(one.text) for one in found]


SURE, UNSURE = checked((Light.SUPPORTED, 0.9)), checked((Light.FOUND, 0.2))
WRONG, WORSE = checked((Light.WRONG, 0.01)), checked(*[(Light.WRONG, 0.01)] * 2)
NONE = checked()
EIGHT = checked((Light.SUPPORTED, 0.9, 8))


def test_a_number_that_does_not_hold_goes_behind_however_many_say_it() -> None:
    assert order(("Dogs bark at 7", WRONG), ("Dogs bark all 7", WRONG), ("Cats", UNSURE)) == [2, 0, 1]
    assert order(("Dogs bark", WORSE), ("Dogs bark", WRONG), ("Cats", WORSE), weight=0.0)[0] == 0


def test_numbers_that_more_candidates_state_come_first() -> None:
    said = [("Cats", SURE), ("Cows", EIGHT), ("Hens", EIGHT)]
    assert order(*said) == [1, 2, 0]
    assert order(*said, weight=0.0) == [0, 1, 2]
    assert agreements([SURE, EIGHT, EIGHT, NONE]) == {7: 0.25, 8: 0.5, None: 0.25}
    assert agreements([checked((Light.SUPPORTED, 0.9, 7), (Light.SUPPORTED, 0.9, 7))]) == {7: 1.0}


def test_what_has_to_be_checked_stands_between_supported_and_wrong() -> None:
    doubt = ClaimVerdict(Light.CHECK, Fault.HUMAN, 0.9, "", None)
    amber = replace(SURE, numerals=(replace(SURE.numerals[0], claim=doubt),))
    assert passes(NONE)
    assert order(("Cats", WRONG), ("Cows", amber), ("Hens", NONE)) == [2, 1, 0]
    assert order(("Cats", replace(NONE, invented=("Atlantis",))), ("Hens", NONE)) == [1, 0]


def test_words_that_the_article_lacks_take_from_the_score_and_do_not_pass() -> None:
    article = read_article("Dogs bark at night in the old town.")
    here, there = (CheckedHeadline(text, article, (), "") for text in ("Dogs bark", "Dogs sing"))
    assert (passes(here), passes(there)) == (True, False)
    given = [HeadlineCandidate(one.headline, 0.0) for one in (there, here)]
    found = safest_first(given, [there, here], wishes=[0, 0], weight=0.0)
    assert [one.text for one in found] == ["Dogs bark", "Dogs sing"]
    assert found[0].score - found[1].score == pytest.approx(0.05)


def test_faults_of_wording_come_after_the_light_and_before_wishes() -> None:
    given = ["Quarry Quarry Has Workers", "Quarry Has Many Workers"]
    for checks, first in (((NONE, NONE), given[1]), ((NONE, WRONG), given[0])):
        found = safest_first(
            [HeadlineCandidate(text, -1.0) for text in given],
            checks,
            wishes=[1, 0],
            weight=0.0,
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


def test_the_formula() -> None:
    two = checked((Light.FOUND, 0.5, 7), (Light.WRONG, 0.25, 8))
    one = checked((Light.FOUND, 0.8, 7))
    given = [HeadlineCandidate("Cats and dogs", -1.5), HeadlineCandidate("Cats", -1.6)]
    found = safest_first(given, [two, one], wishes=[0, 0], weight=0.3)
    assert [candidate.text for candidate in found] == ["Cats", "Cats and dogs"]
    # One word of four is shared, and no pair; the article has neither number, so r is 0.
    assert found[0].score == pytest.approx(0.25 + 0.3 * 1.0 + 0.05)
    assert found[1].score == pytest.approx(0.25 + 0.3 * 0.75 - 1000)
    assert bad_numerals(WORSE) == 2
    assert bad_numerals(SURE) == 0


lights = st.tuples(st.sampled_from(list(Light)), st.floats(0.0, 1.0), st.integers(1, 3))
some = st.lists(
    st.tuples(st.text(min_size=1), st.lists(lights, max_size=3).map(lambda told: checked(*told))),
    max_size=6,
    unique_by=lambda one: one[0],
)


@pytest.mark.slow
@given(some, st.floats(0.0, 10.0))
def test_any_candidates(candidates: list[tuple[str, CheckedHeadline]], weight: float) -> None:
    found = order(*candidates, weight=weight)
    assert sorted(found) == list(range(len(candidates)))
    assert order(*candidates, weight=weight) == found


def test_wishes_come_before_likeness_and_after_safety() -> None:
    said = [("Dogs bark", NONE), ("Dogs bark loud", NONE), ("Cats", NONE)]
    assert order(*said, wishes=[0, 0, 1])[0] == 2
    assert order(*said[:2], ("Cats", WRONG), wishes=[0, 0, 1])[-1] == 2


@pytest.mark.parametrize(
    ("headlines", "expected"),
    [
        ([], []),
        (["One alone"], [0.0]),
        (["Dogs Bark", "dogs bark"], [1.0, 1.0]),
        (["Dogs", "Dogs"], [0.5, 0.5]),
        (["Dogs bark loud", "Dogs bark", "Cats"], [0.3667, 0.3667, 0.0]),
    ],
)
def test_words_and_pairs_are_shared(headlines: list[str], expected: list[float]) -> None:
    assert likenesses(headlines) == pytest.approx(expected, abs=1e-4)


REPEATED, CUT_OFF, NO_VERB = WordingFault.REPEATED, WordingFault.CUT_OFF, WordingFault.NO_VERB


@pytest.mark.parametrize(
    ("headline", "faults"),
    [
        ("3 Dead in Bus Bus Crash", (REPEATED,)),
        ("Man and Dog and Cat Rescued", ()),
        ("Storm Closes Both Airports of the", (CUT_OFF,)),
        ("The Old Man, the Big Sea and a Small Boat", (NO_VERB,)),
        ("Storm Closes Both Airports of the Large Island", ()),
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
