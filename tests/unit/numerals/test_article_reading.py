"""Articles with their sentences and datelines; places in headlines."""

from __future__ import annotations

import pytest

from core import limits
from core.data.articles.articles import READ_CHARACTERS
from core.errors import InputError
from core.numerals.question import blank_of, questions_of, read_article
from core.text.numerals.numeral import NumeralKind

NUMHG = (
    "(Sep 25, 2016  1:28 PM CDT) Authorities say seven people were hurt in Boston.  It began at 2:15am.  "
    "Four of them,  a spokesman says,  were taken to  the  hospital."
)


def test_an_article_of_numhg():
    article = read_article(NUMHG)
    assert article.language == "en"
    assert article.dateline == len("(Sep 25, 2016  1:28 PM CDT) ")
    assert [NUMHG[start:end] for start, end in article.sentences] == [
        "(Sep 25, 2016  1:28 PM CDT) Authorities say seven people were hurt in Boston.",
        "It began at 2:15am.",
        "Four of them,  a spokesman says,  were taken to  the  hospital.",
    ]
    after = [(n.number, place) for n, place in zip(article.numerals, article.places, strict=True)]
    assert after == [("25", 0), ("2016", 0), ("1:28", 0), ("seven", 0), ("2:15", 1), ("Four", 2)]
    assert [n.start < article.dateline for n in article.numerals] == [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("Погибли два человека. Ещё пять ранены.", "ru", [2, 5]),
        ("Two people died. Five more were hurt.", "en", [2, 5]),
    ],
)
def test_the_language_is_found(text, language, values):
    article = read_article(text)
    assert article.language == language
    assert [n.value for n in article.numerals] == values
    assert article.places == (0, 1)
    assert article.dateline == 0


@pytest.mark.parametrize("text", ["", "   \n ", "\u200b", "No numbers at all."])
def test_articles_without_numerals(text):
    article = read_article(text)
    assert article.numerals == article.places == ()


def test_a_long_article_is_cut():
    article = read_article("12 men. " * 10_000)
    assert article.text == ("12 men. " * 10_000)[:READ_CHARACTERS]
    assert len(article.numerals) == len(article.places) == limits.ARTICLE_NUMERALS.value


def test_questions_stand_at_the_bare_numbers():
    headline = "$3.2bn Deal Leaves 7 Injured"
    found = questions_of(headline, read_article(NUMHG))
    assert [headline[q.start : q.end] for q in found] == ["3.2", "7"]
    assert found[0].masked == "$____bn Deal Leaves 7 Injured"
    assert found[1].numeral is not None
    assert found[1].numeral.kind is NumeralKind.COUNT
    assert questions_of("Nobody Hurt", read_article(NUMHG)) == ()


def test_blanks():
    article = read_article(NUMHG)
    question = blank_of("U____ Show Surfaces", article)
    assert (question.start, question.end, question.numeral) == (1, 5, None)
    assert question.masked == "U____ Show Surfaces"
    assert blank_of("Leaves ______ Injured", article).masked == "Leaves ____ Injured"
    for headline in ("Leaves 7 Injured", "____ Dead, ____ Injured", "Leaves ___ Injured", ""):
        with pytest.raises(InputError, match=r"has (no|2) blank"):
            blank_of(headline, article)
