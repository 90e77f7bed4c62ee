"""Verdicts on headlines that editors tried, and on others of the same kinds with other words and numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.headlines.found_right import store_found_right, with_answers
from core.headlines.metrics.numeral_support import COLUMNS, counts_of, shares
from core.journal.journal import Journal
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Light
from core.numerals.checked_scores import units_of, with_scores
from core.numerals.checking import Checker, load_checker
from core.numerals.checks.opening import example, without_headline
from core.numerals.checks.verdict_words import cut_headline, deciding
from core.numerals.checks.verdicts import all_pass, as_object
from core.numerals.claims.claim_weights import measured
from core.numerals.claims.verdicts import UNLIKE
from core.numerals.reader import ReadsClaims
from core.runtime import Runtime

RED = {Light.WRONG}
LOOK = {Light.CHECK, Light.WRONG}


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker(None, Runtime())


def check(checker: Checker, headline: str, article: str) -> CheckedHeadline:
    return checker.check([headline], [article], Runtime())[0]


def number(checker: Checker, headline: str, article: str) -> CheckedNumeral:
    return check(checker, headline, article).numerals[0]


EXAMPLE = (
    ("Hamburg ferry strikes pier, injuring 27", PASSING),
    ("Hamburg ferry crash kills 27", RED),
    ("27 people injured, four of them seriously, as ferry strikes pier", PASSING),
    ("72 people injured as ferry strikes pier in Hamburg", RED),
    ("Ferry strikes Hamburg pier with 186 people on board", PASSING),
    ("Ferry damage put at $2.5 million", RED),
    ("Buses to replace Hamburg ferry for 10 days", PASSING),
    ("180 injured as ferry strikes pier in Hamburg", LOOK),
    ("Ferry operator carried 20% more passengers last year", PASSING),
    ("Ferry carried 27 passengers", LOOK),
)
"""What an editor says of the headlines of the page's example."""


@pytest.mark.parametrize(("headline", "lights"), EXAMPLE)
def test_the_example_of_the_page(checker: Checker, headline: str, lights: frozenset[Light]) -> None:
    assert headline in example().headlines
    assert check(checker, headline, example().article).light in lights


LIGHTS = {
    **{light.value: {light} for light in Light},
    "look": LOOK,
    "passing": PASSING,
    "not green": set(Light) - {Light.SUPPORTED},
}
CASES = [
    (headline, article["text"])
    for article in tomllib.loads(Path(__file__).with_name("verdicts.toml").read_text(encoding="utf-8"))[
        "article"
    ]
    for headline in article["headlines"]
]
"""Of editors; the case of the people of Larrimah is that of the NumHG paper, table 6."""
SENTENCE = "The ringleader was sentenced to 14 years in prison on Tuesday. Two others were acquitted."


@pytest.mark.parametrize(
    ("case", "article"), CASES, ids=lambda value: value["text"] if isinstance(value, dict) else ""
)
def test_a_headline_has_the_light_that_an_editor_gives_it(
    checker: Checker, case: dict[str, str], article: str
) -> None:
    claim = number(checker, case["text"], article).claim
    assert claim.light in LIGHTS[case["light"]], claim.reason
    assert claim.rule == case.get("rule", claim.rule)
    assert case.get("said", "") in claim.reason


def test_a_headline_with_a_name_that_the_article_lacks_passes_nowhere(checker: Checker) -> None:
    headline, article = (
        "Three hurt in crash near Bellmore, police say",
        "Police say that three were hurt in a crash.",
    )
    found = check(checker, headline, article)
    assert found.light is Light.CHECK
    assert found.invented == ("Bellmore",)
    passing = [column.name for column in COLUMNS].index("headlines_passing")
    assert not all_pass([found])
    assert shares(counts_of(found))[passing] == 0
    assert shares(counts_of(check(checker, "Three hurt in crash", article)))[passing] == 1


def test_a_sentence_of_the_article_is_supported_by_itself(checker: Checker) -> None:
    first = "Revenue rose 12 percent to 3.48 billion kroner from 3.11 billion kroner."
    article = f"{first}\n\nThe maker expects 13.5 billion kroner for the year."
    assert check(checker, first, without_headline(article, first)).light in PASSING


def test_a_score_is_of_the_side_that_the_article_names_first(checker: Checker) -> None:
    match = "United beat City 2-1 on Saturday. The crowd at the stadium was 40,000, the club said."
    assert check(checker, "City beat United 2-1", match).light in LOOK


def test_a_person_may_find_a_number_right_after_all(checker: Checker, journal: Journal) -> None:
    wrong = check(checker, "Ringleader sentenced to 14 months", SENTENCE)
    store_found_right(journal, wrong, 0, right=True)
    right, other = with_answers(journal, [wrong, check(checker, "Leader gets 14 months", SENTENCE)])
    assert (right.light, other.light) == (Light.FOUND, Light.WRONG)
    claim = as_object([right], article="a")["headlines"][0]["numerals"][0]["claim"]
    assert (claim["light"], claim["set_aside"]) == ("found", "wrong")
    store_found_right(journal, right, 0, right=False)
    assert with_answers(journal, [wrong])[0].light is Light.WRONG
    assert with_answers(journal, [wrong], "somebody else")[0].light is Light.WRONG
    assert "14" in journal.read(journal_stream(journal))[0].body["number"]
    assert "Ringleader" not in str(journal.read(journal_stream(journal)))


class Reader(ReadsClaims):
    """Says the same of every claim."""

    def __init__(self, odds: float) -> None:
        self.odds = odds

    def log_odds(self, questions: Sequence[object], runtime: Runtime) -> np.ndarray:
        return np.full(len(questions), self.odds)


@pytest.mark.parametrize(("odds", "lights"), [(-19.0, {Light.CHECK}), (3.0, PASSING)])
def test_a_reading_that_doubts_asks_for_a_look(
    checker: Checker, odds: float, lights: frozenset[Light]
) -> None:
    thorough = replace(checker, reader=Reader(odds), verifier=Reader(odds))
    found = number(thorough, "Ringleader sentenced to 14 years", SENTENCE).claim
    assert found.light in lights
    assert (found.rule == UNLIKE) is (odds < 0)
    assert not found.rule or "false" in measured(found.rule)
    assert number(thorough, "Ringleader sentenced to 14 months", SENTENCE).claim.light is Light.WRONG


def journal_stream(journal: Journal) -> str:
    return next(iter(journal.streams("numbers/")))


ELECTION = (
    "The Green Union won 48 of the 120 seats in Sunday's election to the Westland assembly, up from 31 four "
    "years ago. The People's Front took 19 seats, its worst result since 1994. The Liberal Alliance won 29 "
    "seats. Dana Okoro, 54, said that she would stay. Peter Valen, 47, congratulated her."
)
MATCH = (
    "The Denton Bulls beat the Halifax Herons 108-97 after trailing 58-51. Marcus Hill scored 41 points for "
    "the Bulls and Owen Petrie had 22 for the Herons. The hall held 9,870 fans; 14,300 watched at home."
)
RESULTS = (
    "The maker Brightwell said its half-year profit rose 15 percent to 86.4 million euros while Lauri's "
    "fell 24 percent to 31 million euros. The talks take 18 weeks. The plant is 120 metres from the river."
)
SLEEP = "Die Forscher haben am Montag in Bonn 8.600 Erwachsene befragt. Das kostet 3,2 Mio. Euro im Jahr."
RIGHT = (
    ("People's Front wins 29 seats in Westland", ELECTION, "People's Front wins 19 seats in Westland"),
    ("Green Union leads with 31 seats in Westland", ELECTION, "Green Union leads with 48 seats in Westland"),
    ("Okoro, 47, rules out coalition", ELECTION, "Okoro, 54, rules out coalition"),
    ("Hill scores 22 points for Bulls", MATCH, "Hill scores 41 points for Bulls"),
    ("Bulls beat Herons 108-95", MATCH, "Bulls beat Herons 108-97"),
    ("Herons lose 97:109 to Bulls", MATCH, "Herons lose 97:108 to Bulls"),
    ("Lauri profit falls 15 percent", RESULTS, "Lauri profit falls 24 percent"),
    (
        "Brightwell profit rises to 86.4 billion euros",
        RESULTS,
        "Brightwell profit rises to 86.4 million euros",
    ),
    ("Talks to take 18 months", RESULTS, "Talks to take 18 weeks"),
    ("Plant stands 120 feet from river", RESULTS, "Plant stands 120 metres from river"),
    ("Forscher befragen 6.800 Erwachsene", SLEEP, "Forscher befragen 8.600 Erwachsene"),
)


@pytest.mark.parametrize(("headline", "article", "better"), RIGHT)
def test_a_doubt_names_the_right_number_and_puts_it_in(
    checker: Checker, headline: str, article: str, better: str
) -> None:
    found = check(checker, headline, article)
    numeral = deciding(found)
    assert numeral is not None
    assert found.light in LOOK, found.reason
    right = numeral.claim.right
    assert right is not None, found.reason
    assert right.put_into(headline) == better
    assert found.article.numerals[right.row].number in found.reason
    assert right.holder in found.reason
    assert check(checker, better, article).light not in RED
    given = as_object([found], article="a")["headlines"][0]["numerals"][0]["right"]
    assert (given["headline"], given["text"]) == (better, right.text)
    assert given["numeral"] in given["sentence"]


NONE_RIGHT = (
    ("Crowd of 8,142 watches Bulls beat Herons", MATCH),
    ("Greens win 66 seats", ELECTION),
    ("Talks at plant take 120 weeks", RESULTS),
    ("Forscher befragen 45 Erwachsene", SLEEP),
    ("Bonn: 3,2 Kilometer Stau", SLEEP),
)


@pytest.mark.parametrize(("headline", "article"), NONE_RIGHT)
def test_a_number_of_something_else_is_not_offered(checker: Checker, headline: str, article: str) -> None:
    for numeral in check(checker, headline, article).numerals:
        assert numeral.claim.right is None, numeral.claim.reason


@pytest.mark.parametrize(("headline", "article"), [*NONE_RIGHT, *((line, text) for line, text, _ in RIGHT)])
def test_nothing_is_called_missing_that_the_article_has(
    checker: Checker, headline: str, article: str
) -> None:
    for numeral in check(checker, headline, article).numerals:
        missing = re.findall(r"does not have “([^”]*)”", numeral.claim.reason)
        assert not any(text.split()[0] in article.split() for text in missing), numeral.claim.reason
        # All that is quoted stands in one of the two texts.
        quoted = re.findall(r"“([^”]*)”", numeral.claim.reason)
        assert all(text in article or text in headline for text in quoted), numeral.claim.reason


def test_a_score_is_one_number_with_one_light(checker: Checker) -> None:
    found = check(checker, "Herons beat Bulls 108-97", MATCH)
    first, second = found.numerals
    worse = replace(first, claim=replace(first.claim, light=Light.WRONG))
    judged = with_scores(found.headline, MATCH, [worse, second])
    assert [numeral.claim.light for numeral in judged] == [Light.WRONG] * 2
    assert units_of(found) == [(0, 1)]
    assert [text for text, place in cut_headline(found) if place is not None] == ["108-97"]


def test_a_name_with_digits_has_no_light_and_gives_none(checker: Checker) -> None:
    article = "A Boeing 737 with 180 people on board landed safely in Lyon on Monday, the airline said."
    found = check(checker, "Boeing 737 with 180 on board lands safely", article)
    assert [numeral.numeral.text for numeral in found.numerals] == ["180"]
    other = number(checker, "Airline grounds 737 jets", article).claim
    assert other.light in LOOK, other.reason
