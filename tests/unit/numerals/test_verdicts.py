# ruff: noqa: E501 - texts stand beside what is said of them
"""Verdicts on headlines that editors tried, and on others of the same kinds with other words and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.journal.journal import Journal
from core.numerals.checking import Checker, load_checker
from core.numerals.checks.opening import example
from core.numerals.checks.verdicts import as_object
from core.numerals.claims.judge import READ, measured
from core.numerals.verdict import PASSING, CheckedHeadline, CheckedNumeral, Light, clear, with_answers
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
    ("27 people are injured on ferry bound for Cuxhaven", LOOK),
)
"""What an editor says of the headlines of the page's example."""


@pytest.mark.parametrize(("headline", "lights"), EXAMPLE)
def test_the_example_of_the_page(checker: Checker, headline: str, lights: frozenset[Light]) -> None:
    assert headline in example().headlines
    assert check(checker, headline, example().article).light in lights


@pytest.mark.parametrize(
    ("headline", "article", "rule"),
    [
        ("Mill fined £9m", "The mill faces a penalty of up to £9m. It has appealed.", "bare end"),
        ("Airline hires 450 crew", "The airline intends to hire 450 crew this winter.", "plan for fact"),
        ("Waiting list rises by 2,100", "Some 48,600 wait, 2,100 fewer than in March.", "turned behind it"),
        (
            "Top tax rate up by two per cent",
            "The top rate rises by two percentage points.",
            "percentage points",
        ),
        ("Olano wins 12 stages", "Olano won the 12th stage on Tuesday.", "ordinal for count"),
        ("Sunways to mothball 61 jets", "It plans to ground five of its 61 aircraft.", "whole for part"),
        ("Rovers sold 17,800 tickets", "Sales rose to 19,300 tickets, up from 17,800.", "earlier number"),
        ("34 Killed in Flood", "The flood came on Sunday, killing seven people, injuring 34.", "other fate"),
        ("Roads kill 352 people a month", "Roads killed 352 people last year.", "other length"),
    ],
)
def test_a_look_has_its_reason(checker: Checker, headline: str, article: str, rule: str) -> None:
    claim = number(checker, headline, article).claim
    assert claim.light in LOOK
    assert claim.rule == rule


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Mill could be fined £9m", "The mill faces a penalty of up to £9m. It has appealed."),
        ("Airline to hire 450 crew", "The airline intends to hire 450 crew this winter."),
        ("Inflation slows from 6.8%", "Inflation slowed in May from 6.8 percent."),
        ("Visitors fall by more than half", "Visitors fell to less than half of last year's."),
        ("Winning run reaches 12 stages", "Olano won the 12th stage on Tuesday."),
        ("Five of 61 jets stand still", "It has grounded five of its 61 aircraft."),
        ("Rovers sold 17,800 tickets last year", "Sales rose to 19,300 tickets, up from 17,800."),
        ("Roads kill 352 people in a year", "Roads killed 352 people last year."),
    ],
)
def test_what_is_said_as_openly_needs_no_look(checker: Checker, headline: str, article: str) -> None:
    assert number(checker, headline, article).claim.light in PASSING


SENTENCE = "The ringleader was sentenced to 14 years in prison on Tuesday. Two others were acquitted."
FIRM = "Analysts put the value of the firm at $297 billion. Its shares rose 9% on Monday, the bank said."
MATCH = "United beat City 2-1 on Saturday. The crowd at the stadium was 40,000, the club said."
BLAST = "The blast killed five people and hurt six others in Orme. It was heard for miles."
FLOOD = "Nobody drowned in the flood at Velden, the mayor said. The water rose to 42 houses overnight."


MARKET = (
    "Stocks had a weak start. The Dow Jones industrial average fell 12 points on Thursday. The S&P 500 rose "
    "three points. The bank said that growth would be slow."
)


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Flood drowns 42 at Velden", FLOOD),
        ("Blast kills 8", "No one died in the blast at the mill, police said. Its 8 windows broke."),
        (
            "8 Tote bei Brand",
            "Bei dem Brand wurde niemand getötet, sagte die Polizei. 8 Wagen fuhren zum Brand.",
        ),
        ("Gang leader jailed for 14 months", SENTENCE),
        ("Bridge is 300 feet long", "The new bridge is 300 metres long and cost 4 million. It opens in May."),
        ("Firm worth $297 million", FIRM),
        ("Town borrows £4.6bn", "The town borrows £4.6m for its baths. The council voted on Monday."),
        ("Museum pays $70,000", "The museum paid €70,000 for the sketch. A dealer in Lyon sold it."),
        ("Bridge is 300 feet long", "It is 300 metres long. The works employ 300 people."),
        ("Lorry spills 500 litres of acid", "The lorry spilled 500 cubic metres of acid. A road was shut."),
        ("Up to 40 injured in tram crash", "At least 40 people were injured when a tram left the rails."),
        ("At least 900 jobs go", "Up to 900 jobs may go, the union says."),
        ("Festival opens on March 14", "The festival opens on May 14 in Lindholm. It lasts a week."),
        ("United beat City 3-1", MATCH),
        ("5 dead after crash", "Tickets cost $5 at the fair. A bus crashed near it on Sunday."),
    ],
)
def test_what_the_article_has_otherwise_is_wrong(checker: Checker, headline: str, article: str) -> None:
    found = number(checker, headline, article)
    assert found.claim.light is Light.WRONG, found.claim.reason


@pytest.mark.parametrize(
    ("headline", "article", "told"),
    [
        ("Library lends 25% more books", "It lent 45,000 books, up from 36,000 in 2019.", "“36,000”"),
        ("Man gets 18 months for theft", "The man was given a year and a half in prison for theft.", "half"),
        ("1.5 million without power", "One point five million people lost power in the storm.", "point five"),
        ("12,5 Prozent der Frauen betroffen", "Jede achte Frau ist betroffen, teilte das Amt mit.", "achte"),
        ("20% школьников болели", "Болезнь коснулась каждого пятого школьника, сообщили врачи.", "пятого"),
        ("Rents halved in Orme", "The landlord in Orme cut rents from 1,280 to 640 euros.", "“640 euros”"),
        ("11 dead or hurt in blast", BLAST, "“six”"),
        ("1,200 jobs to go", "The company will cut 1,240 jobs by June. It has 9,000 workers.", "“1,240”"),
    ],
)
def test_the_derivation_that_was_found_is_the_reason(
    checker: Checker, headline: str, article: str, told: str
) -> None:
    found = number(checker, headline, article)
    assert found.claim.light in PASSING, found.claim.reason
    assert told in found.claim.reason
    assert found.claim.rule == ""


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Gang leader jailed for 14 years", SENTENCE),
        ("Shares rise 9%", FIRM),
        ("United beat City 2-1", MATCH),
        ("Fete de la musique le 14 juin", "La fête a lieu le 14 juin à Lindholm. Elle dure une semaine."),
        ("Six hurt in Orme blast", BLAST),
        ("Storm kills 3", "No one had warned the town before the storm killed 3 people there on Sunday."),
    ],
)
def test_nothing_speaks_against_what_the_article_says(checker: Checker, headline: str, article: str) -> None:
    found = number(checker, headline, article)
    assert found.claim.light in PASSING, found.claim.reason


@pytest.mark.parametrize(
    ("headline", "article"),
    [
        ("Shares fall 9%", FIRM),
        ("S&P 500 loses 3 points", MARKET),
        ("Fähre: Preis sinkt um 20 Euro", "Der Preis der Fähre stieg am Montag um 20 Euro, sagte die Bahn."),
    ],
)
def test_the_other_way_is_wrong(checker: Checker, headline: str, article: str) -> None:
    found = number(checker, headline, article)
    assert (found.claim.light, found.claim.rule) == (Light.WRONG, "other way")


WRECK = (
    "The ferry Aurelia ran aground off Norway with 214 people on board, 38 of them crew. Three passengers "
    "died and 17 were injured, the coastguard said. It was sailing at 19 knots when it hit the rocks."
)
CUTS = (
    "Im Herbst sollen in Havelau 120 der 640 Stellen gestrichen werden. Der Rat rechnet mit 90 Kündigungen."
)
LOSS = "Die Stadtwerke haben einen Verlust von 4,7 Millionen Euro verbucht. Im Jahr davor war es noch ein Gewinn von 2,1 Millionen Euro."
POOLS = "Le maire de Valombre a annoncé lundi la fermeture de deux piscines sur cinq. Quatre nageurs ont été blessés en janvier."
RUINS = "The fighting in Karsan left 4,100 homes and 1,500 factories in ruins, the council said on Monday."
BRIDGE = (
    "The new bridge over the Wend will cost £312m. Some 68 per cent of drivers use it, up from 63 per cent."
)
MAYOR = (
    "Ines Cruz, 54, beat Paul Holt, 61, in the vote for mayor. Turnout in Graz was low, Holt told Graz Today."
)


@pytest.mark.parametrize(
    ("headline", "article", "light", "named"),
    [
        ("More than 20 injured as ferry runs aground", WRECK, Light.WRONG, "“17”"),
        ("20 dead as ferry runs aground", WRECK, Light.WRONG, "“Three”"),
        ("30 dead as ferry runs aground", WRECK, Light.WRONG, "“Three”"),
        ("71 injured as ferry runs aground", WRECK, Light.WRONG, "“17”"),
        ("20 dead or injured as ferry runs aground", WRECK, Light.FOUND, "together"),
        ("Ferry hit rocks at 38 knots", WRECK, Light.WRONG, "19 knots"),
        ("Cinq nageurs blessés à Valombre", POOLS, Light.WRONG, "“Quatre”"),
        ("Valombre ferme cinq piscines", POOLS, Light.CHECK, "the whole"),
        ("Valombre ferme deux piscines", POOLS, Light.FOUND, "The article has “deux”"),
        ("Havelau streicht 640 Stellen", CUTS, Light.CHECK, "the whole"),
        ("Havelau streicht 120 Stellen", CUTS, Light.FOUND, "“120”"),
        ("Stadtwerke machen 4,7 Millionen Euro Gewinn", LOSS, Light.WRONG, "Verlust"),
        ("Stadtwerke machen 4,7 Millionen Euro Verlust", LOSS, Light.FOUND, "4,7"),
        ("Some 4,100 factories ruined in Karsan", RUINS, Light.CHECK, "“4,100 homes”"),
        ("Some 4,100 homes ruined in Karsan", RUINS, Light.FOUND, "“4,100”"),
        ("Wend bridge to cost nearly £310m", BRIDGE, Light.CHECK, "“£312m”"),
        ("Wend bridge to cost more than £310m", BRIDGE, Light.FOUND, "true of"),
        ("Share of drivers on the bridge up 5 per cent", BRIDGE, Light.CHECK, "points"),
        ("Paul Holt, 54, to lead Graz", MAYOR, Light.CHECK, "“Cruz”"),
        ("Ines Cruz, 54, to lead Graz", MAYOR, Light.FOUND, "“54”"),
        ("Holt beat Cruz, 54, in the vote", MAYOR, Light.CHECK, "“Cruz beat Holt”"),
        (
            "City refuses 310 homes",
            "The city accepted plans for 310 homes on Monday.",
            Light.CHECK,
            "“accepted”",
        ),
        (
            "12 Tote bei Brand",
            "Am 3. Mai wurde in einem Haus mit 12 Wohnungen niemand getötet. Es brannte lange.",
            Light.WRONG,
            "niemand",
        ),
    ],
)
def test_a_number_comes_of_what_counts_the_same(
    checker: Checker, headline: str, article: str, light: Light, named: str
) -> None:
    claim = number(checker, headline, article).claim
    assert claim.light is light, claim.reason
    assert named in claim.reason


def test_the_dead_are_not_the_hurt_of_an_article_that_has_both(checker: Checker) -> None:
    article = "A ferry hit a pier in Hamburg. It injured 27 people, the police said. Two sailors were killed."
    found = number(checker, "Hamburg ferry kills 27", article)
    assert (found.claim.light, found.claim.rule) == (Light.CHECK, "other fate")
    assert number(checker, "Hamburg ferry hurts 27", article).claim.light in PASSING


@pytest.mark.parametrize("headline", ["Dow Down 12", "S&P 500 Gains 3 Points", "Dow Falls 12 as S&P Rises"])
def test_the_same_way_in_another_word_is_not(checker: Checker, headline: str) -> None:
    assert number(checker, headline, MARKET).claim.light in PASSING


def test_a_score_is_of_the_side_that_the_article_names_first(checker: Checker) -> None:
    assert check(checker, "City beat United 2-1", MATCH).light in LOOK


LARRIMAH = (
    "Everyone in the town of Larrimah is under investigation for the disappearance of Paddy Moriarty—and that "
    "means all 11 people. Authorities are poking around this dusty Australian pitstop after Moriarty, a day "
    "laborer, vanished along with his dog one night last December, the New York Times reports. Top suspects in "
    "the presumed homicide include a pie-maker Moriarty hated, a gardener he argued with, and a bartender with "
    "a nasty tongue."
)
"""The case study of the NumHG paper, table 6."""


def test_the_case_study_of_numhg_is_not_green(checker: Checker) -> None:
    for told in ("All 11 People in This Town Are Top Suspects", "11 People Are Top Suspects for Man's Death"):
        assert number(checker, told, LARRIMAH).claim.light is not Light.SUPPORTED


def test_a_person_may_find_a_number_right_after_all(checker: Checker, journal: Journal) -> None:
    wrong = check(checker, "Ringleader sentenced to 14 months", SENTENCE)
    clear(journal, wrong, 0, right=True)
    right, other = with_answers(journal, [wrong, check(checker, "Leader gets 14 months", SENTENCE)])
    assert (right.light, other.light) == (Light.FOUND, Light.WRONG)
    claim = as_object([right], article="a")["headlines"][0]["numerals"][0]["claim"]
    assert (claim["light"], claim["set_aside"]) == ("found", "wrong")
    clear(journal, right, 0, right=False)
    assert with_answers(journal, [wrong])[0].light is Light.WRONG
    assert with_answers(journal, [wrong], "somebody else")[0].light is Light.WRONG
    assert "14" in journal.read(journal_stream(journal))[0].body["number"]
    assert "Ringleader" not in str(journal.read(journal_stream(journal)))


class Reader:
    """A second reading that says the same of every claim."""

    def __init__(self, odds: float) -> None:
        self.odds = odds

    def log_odds(self, questions: Sequence[object], runtime: Runtime) -> np.ndarray:
        return np.full(len(questions), self.odds)


@pytest.mark.parametrize(("odds", "lights"), [(-9.0, {Light.CHECK}), (0.0, PASSING)])
def test_a_second_reading_that_doubts_asks_for_a_look(
    checker: Checker, odds: float, lights: frozenset[Light]
) -> None:
    thorough = replace(checker, verifier=Reader(odds))
    found = number(thorough, "Ringleader sentenced to 14 years", SENTENCE).claim
    assert found.light in lights
    assert (found.rule == READ) is (odds < 0)
    assert not found.rule or "false" in measured(found.rule)
    assert number(thorough, "Ringleader sentenced to 14 months", SENTENCE).claim.light is Light.WRONG


def journal_stream(journal: Journal) -> str:
    return next(iter(journal.streams("numbers/")))
