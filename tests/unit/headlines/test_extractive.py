"""Sentences as headlines: the first, TextRank against a plain reference, and what each generator chooses."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.headlines.extractive import READ_SENTENCES, clean_headline, first_sentence, ranked
from core.headlines.generator import HeadlineCandidate, Wishes, headline_generators
from core.models.language_models.language_model import Length
from core.runtime import Runtime

NAMES = ["first_sentence", "lead_one", "lexrank", "lsa", "luhn", "sumbasic", "textrank"]
ARTICLE = (
    "(Sep 25, 2016  1:28 PM CDT) Seven people were hurt in a fight in Boston. Police said the fight began "
    "outside a bar in Boston. Four people were taken to hospital by police. The bar had just closed. "
    "Reporters asked why."
)
RUSSIAN = "МОСКВА, 21 авг — РИА Новости. В Москве прошёл митинг. На митинг в Москве пришли люди. Было тепло."
ITALIAN = "ROMA (AP) – Il dott. Rossi è arrivato a Roma. A Roma lo aspettava il sindaco. Poi è ripartito."
LONG = " ".join(f"Sentence number {n} tells of the fight." for n in range(8_000))
ODD = ["", "!!! ...", "!!!", "One.", "Да. Да. Да.", "<b>x</b> & y", "今天很好。", "It is what it is."]


def order(text: str) -> list[str]:
    return [line for line, _ in ranked(text, language="en")]


def written(name: str, *texts: str, wishes: Wishes | None = None) -> list[list[HeadlineCandidate]]:
    return headline_generators.parse(name).build(Runtime()).write(texts, wishes or Wishes(), Runtime())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ARTICLE, "Seven people were hurt in a fight in Boston."),
        ("Фото: РИА. В Москве прошёл большой митинг. Его видели все.", "В Москве прошёл большой митинг."),
        ("Yes. No.", "Yes."),
        ("", ""),
        ("!!! ???", ""),
    ],
)
def test_the_first_sentence_says_something(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


def test_different_sentences_of_the_beginning_are_ranked() -> None:
    assert order("") == []
    assert order("One line alone here.") == ["One line alone here."]
    twice = "The bar in Boston closed. The bar in Boston closed. Police came to the bar."
    assert sorted(order(twice)) == ["Police came to the bar.", "The bar in Boston closed."]
    assert len(order(LONG)) == READ_SENTENCES
    assert first_sentence(LONG, "en") == "Sentence number 0 tells of the fight."


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first_sentence", "Seven people were hurt in a fight in Boston."),
        ("textrank", "Police said the fight began outside a bar in Boston."),
    ],
)
def test_each_generator_chooses_its_sentence(name: str, expected: str) -> None:
    article = ARTICLE.rpartition(" Reporters")[0]
    assert [one.text for one in written(name, article)[0]] == [expected]


@pytest.mark.parametrize("name", NAMES)
def test_candidates_are_different_sentences_of_the_article_best_first(
    name: str, recwarn: pytest.WarningsRecorder
) -> None:
    texts = [ARTICLE, RUSSIAN, ITALIAN, *ODD, "The. Of. And storm.", LONG]
    together = written(name, *texts, wishes=Wishes(candidates=4))
    for text, candidates in zip(texts, together, strict=True):
        assert written(name, text, wishes=Wishes(candidates=4)) == [candidates]
        assert 1 <= len(candidates) <= 4
        assert len({candidate.text for candidate in candidates}) == len(candidates)
        assert all(candidate.text in text for candidate in candidates)
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        assert all(map(math.isfinite, scores))
    # Without a common word no sentence is better than another.
    (plain,) = written(name, "Storm shuts airport. Bank raises rates.", wishes=Wishes(candidates=2))
    assert plain[0].text == "Storm shuts airport."
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_cut_at_a_word(name: str) -> None:
    for wishes, most in ((Wishes(most_words=4), 4), (Wishes(length=Length.SHORT), 6)):
        assert all(len(one.text.split()) <= most for one in written(name, ARTICLE, wishes=wishes)[0])
    assert written(f"{name}|most_words:3", ARTICLE) == written(name, ARTICLE, wishes=Wishes(most_words=3))


@pytest.mark.parametrize(
    ("written", "headline"),
    [
        ("  Bank raises\u00a0rates  ", "Bank raises rates"),
        ("\n\nBank raises rates\nThe bank said…", "Bank raises rates"),
        ('"Bank raises rates"', "Bank raises rates"),
        ("“Bank raises rates.”", "Bank raises rates"),
        ("Заголовок: Банк повысил ставку.", "Банк повысил ставку"),
        ('Headline: "Bank raises rates"', "Bank raises rates"),
        ('"Bank" raises "rates"', '"Bank" raises "rates"'),
        ('"Bank raises rates', "Bank raises rates"),
        ("'We raise rates'", "We raise rates"),
        ("Bank's rates don't rise", "Bank's rates don't rise"),
        ("Bank raises rates...", "Bank raises rates..."),
        ("Rates rise in the U.S.", "Rates rise in the U.S."),
        ("<unk> bank [UNK] raises rates \ufffd", "bank raises rates"),
        ("Headline", "Headline"),
        ("...", ""),
        ("", ""),
        ("Headline:\nBank raises rates", "Bank raises rates"),
    ],
)
def test_by_hand(written: str, headline: str) -> None:
    assert clean_headline(written) == headline


def test_it_is_cut_at_a_word() -> None:
    assert clean_headline("“Bank raises rates, again.”", most_words=3) == "Bank raises rates"


@given(st.text())
def test_one_line_or_nothing(text: str) -> None:
    found = clean_headline(text)
    assert found == found.strip()
    assert len(found.splitlines()) <= 1
    assert not found or any(map(str.isalnum, found))
