"""Facts that a person corrects: the text that verdicts read, what they say of it, and what is kept."""

import json
import re
from dataclasses import replace

import pytest

from core.errors import InputError
from core.headlines import article_facts as facts
from core.headlines.found_right import store_found_right, with_answers
from core.journal.journal import Journal
from core.numerals.checked_headline import Light
from core.numerals.checking import load_checker
from core.numerals.checks.opening import example
from core.runtime import Runtime

ARTICLE = example().article
RIGHT, WRONG, LOOK = Light.FOUND, Light.WRONG, Light.CHECK


def typed(number, value="", words="", text=ARTICLE, **said):
    (fact,) = (fact for fact in facts.facts_of(text) if fact.numeral.text == number)
    given = facts.msgspec.structs.replace(fact.place, value=value, words=words, **said)
    change = facts.corrected(fact, given)
    return {change.fact: change}


def checked(headline, corrections, text=ARTICLE):
    article = facts.correct(text, corrections)
    (verdict,) = load_checker(None, Runtime()).check([headline], [article.text], Runtime())
    return facts.noted(verdict, article, text)


def test_a_fact_has_what_its_sentence_says_of_the_number():
    fact = facts.facts_of(ARTICLE)[0]
    assert (fact.numeral.text, fact.words) == ("27", "injuring … people")
    assert (fact.who, fact.when) == ("Hamburg, police", "Tuesday")
    pints, cyclists = facts.facts_of("He drank at least six pints on Monday. The lorry killed two cyclists.")
    assert (pints.hedge, pints.when, cyclists.words) == ("at least", "Monday", "killed … cyclists")
    assert len(facts.facts_of("7 and " * 4_000)) == 500  # in seconds, not minutes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headline", "corrections", "light", "says"),
    [
        ("Ferry strikes pier, injuring 29", typed("27", "29"), RIGHT, "“27”; corrected to “29” here."),
        ("Ferry strikes pier, injuring 27", typed("27", "29"), WRONG, "“27”; corrected to “29” here."),
        ("Ferry strikes pier, injuring 27", typed("27", struck=True), WRONG, "“27” was struck out here."),
        ("Ferry strikes pier, injuring 27", typed("27", words="killing … people"), LOOK, "“killing 27"),
        ("Hamburg ferry had a crew of six", typed("six", "eight"), LOOK, "“six”; corrected to “eight” here."),
        ("Buses replace ferry for 10 days", typed("27", "29"), RIGHT, ""),
        ("Operator carried 40% more passengers", typed("4.2 million", "4.9"), RIGHT, "“4.9 million”"),
    ],
)
def test_verdicts_follow_and_those_that_rest_on_a_corrected_fact_say_so(headline, corrections, light, says):
    verdict = checked(headline, corrections)
    assert (verdict.light, bool(verdict.numerals[0].claim.corrected)) == (light, bool(says))
    assert says in verdict.reason


POLLS = (
    "Carla Mendes won 48 seats in the vote on Monday. At least 40 people were hurt in riots, some 12 of them "
    "badly. Police made 30 arrests."
)


@pytest.mark.parametrize(
    ("correction", "reads"),
    [
        (typed("48", text=POLLS, who="Ines Holt"), "Ines Holt won 48 seats in the vote on Monday."),
        (typed("48", text=POLLS, when="Tuesday"), "Carla Mendes won 48 seats in the vote on Tuesday."),
        (typed("48", "50", text=POLLS, when="–"), "Carla Mendes won 50 seats in the vote on …."),
        (typed("48", text=POLLS, who="–"), "… won 48 seats in the vote on Monday."),
        (typed("40", text=POLLS, hedge="up to"), "Monday. up to 40 people were hurt"),
        (typed("40", text=POLLS, hedge="–"), "Monday. 40 people were hurt"),
        (typed("12", text=POLLS, hedge="at least"), "riots, at least 12 of them badly."),
        (typed("30", text=POLLS, hedge="nearly", when="Sunday"), "made nearly 30 arrests (Sunday)."),
        (typed("30", text=POLLS, who="police", struck=True), "Police made … arrests."),
    ],
)
def test_who_when_and_how_sure_are_corrected_where_the_sentence_says_them(correction, reads):
    assert reads in facts.correct(POLLS, correction).text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headline", "correction"),
    [
        ("Ines Holt wins 48 seats", typed("48", text=POLLS, who="Ines Holt")),
        ("Up to 40 hurt in riots", typed("40", text=POLLS, hedge="up to")),
    ],
)
def test_verdicts_follow_who_and_how_sure_and_say_so(headline, correction):
    assert checked(headline, {}, POLLS).light in (LOOK, WRONG)
    verdict = checked(headline, correction, POLLS)
    assert verdict.light is RIGHT
    assert "here." in verdict.numerals[0].claim.corrected


def test_what_a_corrected_article_lacks_is_said_with_the_correction():
    verdict = checked("Carla Mendes wins 48 seats", typed("48", text=POLLS, who="Ines Holt"), POLLS)
    assert "corrected to “Ines Holt” here." in verdict.reason
    lacking = replace(verdict, invented=("Mendes",))
    assert "“Mendes”" in lacking.reason
    assert "corrected to “Ines Holt” here." in lacking.reason


def test_a_number_is_typed_with_its_unit_or_without():
    whole = {"3": "€3 million", "$3bn": "$3bn", "450,000": "€450,000", "3 billion": "€3 billion"}
    for value, stored in (whole | {"€2.5 million": ""}).items():
        assert [change.value for change in typed("€2.5 million", value).values()] == [stored]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (("abc",), "“abc” is not a number."),
        (("27 to 29",), "“27 to 29” is not a number."),
        (("<b>29</b>",), "“<b>29</b>” is not a number."),
        (("", "29 people"), "“29 people” holds a number."),
        (("", "", ARTICLE, "three men"), "“three men” holds a number."),
        (("", "… " + "x" * 300), "longer than 200 characters"),
    ],
)
def test_what_is_no_correction_is_said_in_one_sentence(cells, said):
    with pytest.raises(InputError, match=re.escape(said)):
        typed("27", *cells[:3], who="".join(cells[3:]))


def test_corrections_are_kept_by_article_and_person_and_taken_back(tmp_path):
    journal, first, second = (
        Journal(f"sqlite:///{tmp_path}/a.db"),
        typed("27", "29"),
        typed("180", struck=True),
    )
    for change in (*first.values(), *second.values()):
        facts.save(journal, ARTICLE, change)
    assert facts.corrections_of(journal, f" {ARTICLE}\n") == first | second
    assert not facts.corrections_of(journal, ARTICLE, "visitor-1")
    facts.save(journal, ARTICLE, None)
    assert facts.corrections_of(journal, ARTICLE) == first
    facts.save(journal, ARTICLE, *typed("27").values())
    assert not facts.corrections_of(journal, ARTICLE)


@pytest.mark.slow
def test_a_number_found_right_before_its_fact_was_corrected_is_judged_anew(tmp_path):
    journal, line = Journal(f"sqlite:///{tmp_path}/a.db"), "Ferry strikes pier, injuring 72"
    store_found_right(journal, checked(line, {}), 0, right=True)
    for corrections, light in (({}, RIGHT), (typed("27", "29"), WRONG), (typed("10", "12"), RIGHT)):
        assert with_answers(journal, [checked(line, corrections)])[0].light is light


def test_an_exported_file_is_read_or_refused():
    made = typed("27", "29")
    (fact,) = json.loads(facts.msgspec.json.encode([*made.values()]))
    headline = {"headline": "Ferry: 27", "numerals": [{"start": 7, "claim": {"set_aside": "wrong"}}]}
    given = {"headlines": [headline], "corrections": [fact]}

    def read(**other):
        return facts.read_decisions(json.dumps(given | other).encode(), "numerals.json", ARTICLE)

    assert read() == ({"Ferry: 27": {7}}, made)
    for broken in ({"corrections": [fact | {"start": "7"}]}, {"headlines": 3}, {"headlines": [{}]}):
        with pytest.raises(InputError, match="was not exported by Check numbers"):
            read(**broken)
    with pytest.raises(InputError, match="“x” is not a number"):
        read(corrections=[fact | {"value": "x"}])
