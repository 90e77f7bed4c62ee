import re
from contextlib import suppress
from typing import NamedTuple

import pytest

from core import limits
from core.headlines.generators.flan_t5 import derivable_numbers
from core.numerals.checking import load_checker
from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.validation import validate
from core.numerals.question import questions_of, read_article
from core.runtime import Runtime
from core.text.markup import without_markup
from core.text.numerals.language_tables import LANGUAGES
from core.text.numerals.read import read_numerals
from tests.hostile.corpus import FORMULAS, MARKUP, STRINGS
from tests.hostile.sentences import faults_of_page
from tests.hostile.test_drawn import markdown_is_harmless
from tests.pages.opening import opened, settled


def calm(app):
    assert not app.exception
    shown = " ".join(error.value for error in app.error)
    assert "Something went wrong" not in shown, shown


def one_sentence(text, says):
    assert re.search(says, text.replace("\\", "")), text
    assert "Traceback" not in text
    assert 1 <= len(text.strip().splitlines()) <= 2
    assert len(text) < 1_500


@pytest.fixture
def huge(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"headline\nStorm hits\n")
        file.truncate(300_000_000)
    yield path
    path.unlink()


def test_a_300_mb_file_is_refused_before_it_is_read(huge, command):
    code, out, err = command("group", huge)
    assert (code, out) == (2, "")
    one_sentence(err, "300 MB; at most 200 MB")


def test_pasted_nastiness_is_headlines():
    app = opened("open")
    app.text_area(key="pasted").set_value("\n".join((*MARKUP, *FORMULAS)))
    settled(app)
    calm(app)
    app.button(key="load").click()
    settled(app)
    calm(app)
    assert not app.error
    kept = {text for text in (*MARKUP, *FORMULAS) if without_markup(text)}
    assert {metric.label: metric.value for metric in app.metric}["Headlines"] == f"{len(kept)}"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1/0", [1, 0]), ("0/0", [0, 0]), ("1/00", [1, 0]), ("٣٤ people", [34]), ("１２ people", [12]),
        ("1²", [1]), ("①", []), ("5\u200b0 men", [5, 0]), ("99/99/9999", [99, 99, 9999]),
        ("31.02.2019", [31, 2, 2019]), ("2:75", [2, 75]), ("25:00:00:00", [25, 0]), ("$", []), ("$ %", []),
        ("1,,2", [1, 2]), ("1..2", [1, 2]), ("-", []), ("½½", None), ("100\u00a0\u00a0000", [100, 0]),
        ("\ud8005\udfff", [5]), ("5е 5o", [5, 5]),
    ],
)  # fmt: skip
def test_odd_texts(text, values):
    found = read_numerals(text, language="en")
    if values is not None:
        assert [n.value for n in found] == values


ENDLESS = (
    "1," * 400 + "5", "7" * 999, "7" * 4_400, "1e999", "5 " + "million " * 400, "сто " + "миллионов " * 400,
    "cento " + "milioni " * 300, "0." + "0" * 400 + "1", "1/" + "9" * 400, "1/0", "5² ①٣٣٣,٣٣٣ 𝟝 million",
    "two " + "dozen " * 300,
)  # fmt: skip


@pytest.mark.parametrize("number", ENDLESS)
def test_numbers_without_end_are_read_calculated_and_written(number):
    for language in LANGUAGES:
        assert all(n.value >= 0 for n in read_numerals(f"{number} dead", language=language))
    article = read_article(f"Storm killed {number} and 3 people; 5 of {number} left.")
    derivable_numbers(article.text)
    for question in questions_of("Storm kills 5, hurts 12", article):
        derivations_of(question)
    for text in (f"Copy({number})", f"Trans({number})", f"Span({number})", f"Multiply({number}, {number})"):
        with suppress(ExpressionError):
            validate(parse_expression(text), article.text, number)


def test_of_an_article_of_numbers_the_first_are_looked_at_and_the_reason_says_so(monkeypatch):
    most = limits.ARTICLE_NUMERALS.value // 2  # all pairs of the usual many take minutes beside other tests
    monkeypatch.setenv(limits.ARTICLE_NUMERALS.variable, str(most))
    checker = load_checker("lexical.v1", Runtime())
    article = "Storm reached 3 towns. " + "7 of 9 " * most + "and 8675309 dogs."
    (checked,) = checker.check(["Storm kills 8675309"], [article], Runtime())
    assert len(checked.article.numerals) == most
    said = checked.numerals[0].claim.reason
    assert said == f"Nothing in the article's first {most:,} numbers gives 8675309."


class Place(NamedTuple):
    page: str
    fields: tuple[str, ...]  # their keys; all are filled with the same string
    switch: tuple[str, str] | None = None  # key of the control that brings them, and its option
    go: str = ""  # key or label of the button that takes the text; "" where leaving the field does
    every: int = 16  # only each so-manieth string of the corpus


PLACES = {
    "search of headlines": Place("timeline", ("pick-find",), every=8),
    "search of pairs": Place("pair_sets", ("pair-words",)),
    "search of articles": Place("compare", ("compare-search",)),
    "pasted headlines": Place("open", ("pasted",), every=8),
    "a pasted article": Place("write", ("write-pasted",), ("write-source", "A pasted article")),
    "an own article and headline": Place(
        "check_numbers",
        ("numerals-own-article", "numerals-own-headlines"),
        ("numerals-shown", "Your text"),
        "numerals-own-go",
    ),
    "a judge": Place("evaluate", ("evaluate-judge",)),
    "a model": Place(
        "consistency", ("pick-scorer-finetuned_time.v1-model", "pick-scorer-finetuned_time.v1-base"), every=16
    ),
}


def brought(place):
    app = opened(place.page)
    if place.switch:
        key, option = place.switch
        app.segmented_control(key=key).set_value(option)
        settled(app)
    return app


@pytest.mark.parametrize("place", PLACES.values(), ids=list(PLACES))
def test_any_string_in_a_text_field(place):
    app = brought(place)
    wrong = {}
    for name, text in list(STRINGS.items())[:: place.every]:
        fields = {one.key: one for one in [*app.text_input, *app.text_area]}
        if not fields.keys() >= set(place.fields):  # what was taken stands in their place
            app = brought(place)
            fields = {one.key: one for one in [*app.text_input, *app.text_area]}
        for key in place.fields:
            fields[key].set_value(text)
        if place.go:
            next(one for one in app.button if place.go in (one.key, one.label)).click()
        settled(app)
        found = faults_of_page(app)
        try:
            markdown_is_harmless(app)
        except AssertionError as alive:
            found.append(str(alive))
        if found:
            wrong[name] = found
    assert wrong == {}
