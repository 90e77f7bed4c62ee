from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.articles.load import load_articles
from core.headlines.generator import HeadlineCandidate
from core.headlines.numeral_safety import (
    LEAST,
    WordingFault,
    bad_numerals,
    passes,
    safest_first,
    trimmed,
    wording_faults,
)
from core.numerals.claims.verdict import Light
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.numerals.question import read_article
from core.text.numerals.read import read_numerals
from tests.unit.numerals.numerals_by_hand import claim

ARTICLE = read_article(
    "Quarry shuts and has many workers. Dogs bark loud all night and noon. Cats, cows, hens sleep."
)


def numeral(light, probability, value=7):
    (one,) = read_numerals(str(value), language="en")
    return CheckedNumeral(one, claim(light, probability), (), None)


def checked(*numerals):
    return CheckedHeadline("", ARTICLE, tuple(numeral(*one) for one in numerals), "")


def order(*candidates, weight=1.0, wishes=None):
    """Places of the candidates after they are put in order."""
    given = [HeadlineCandidate(text, float(place)) for place, (text, _) in enumerate(candidates)]
    checks = [replace(check, headline=text) for text, check in candidates]
    found = safest_first(given, checks, wishes=wishes or [0] * len(given), weight=weight)
    return [[text for text, _ in candidates].index(one.text) for one in found]


SURE, UNSURE = checked((Light.SUPPORTED, 0.9)), checked((Light.FOUND, 0.2))
WRONG, WORSE = checked((Light.WRONG, 0.01)), checked(*[(Light.WRONG, 0.01)] * 2)
NONE = checked()


def test_a_number_that_does_not_hold_goes_behind_however_many_say_it():
    assert order(("Dogs bark at 7", WRONG), ("Dogs bark all 7", WRONG), ("Cats", UNSURE)) == [2, 0, 1]
    assert order(("Dogs bark", WORSE), ("Dogs bark", WRONG), ("Cats", WORSE), weight=0.0)[0] == 0


def test_words_that_the_article_lacks_take_from_the_score_and_do_not_pass():
    article = read_article("Dogs bark at night in the old town.")
    here, there = (CheckedHeadline(text, article, (), "") for text in ("Dogs bark", "Dogs sing"))
    assert (passes(here), passes(there)) == (True, False)
    given = [HeadlineCandidate(one.headline, 0.0) for one in (there, here)]
    found = safest_first(given, [there, here], wishes=[0, 0], weight=0.0)
    assert [one.text for one in found] == ["Dogs bark", "Dogs sing"]
    assert found[0].score - found[1].score == pytest.approx(0.05)


def test_a_light_alone_is_not_sure_enough():
    article = read_article("Dogs bark at 7 in the old town.")
    surest, chance = (
        replace(checked((Light.FOUND, probability)), headline="7 Dogs Bark", article=article)
        for probability in (LEAST, LEAST - 0.001)
    )
    assert (surest.light, chance.light) == (Light.FOUND, Light.FOUND)
    assert (passes(surest), passes(chance)) == (True, False)


def test_faults_of_wording_come_after_the_light_and_before_wishes():
    given = ["Quarry Quarry Has Workers", "Quarry Has Many Workers"]
    for checks, first in (((NONE, NONE), given[1]), ((NONE, WRONG), given[0])):
        found = safest_first(
            [HeadlineCandidate(text, -1.0) for text in given], checks, wishes=[1, 0], weight=0.0
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
def test_a_first_sentence_is_trimmed_at_a_clause(sentence, most, expected):
    assert trimmed(sentence, most) == expected


def test_the_formula():
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
def test_any_candidates(candidates, weight):
    found = order(*candidates, weight=weight)
    assert sorted(found) == list(range(len(candidates)))
    assert order(*candidates, weight=weight) == found


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
def test_faults_are_named(headline, faults):
    assert wording_faults(headline) == faults


def test_headlines_that_people_wrote_have_next_to_none():
    given = [one[0] for one in load_articles("sample:articles").references]
    assert sum(bool(wording_faults(line)) for line in given) <= 1
