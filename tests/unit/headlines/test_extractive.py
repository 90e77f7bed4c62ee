"""Sentences as headlines: the first, TextRank against a plain reference, and what each generator chooses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.headlines.extractive import READ_SENTENCES, first_sentence, ranked, sentences, shortened
from core.headlines.generator import HeadlineCandidate, Wishes, headline_generators
from core.models.language_models.language_model import Length
from core.runtime import Runtime
from core.text.tokens import content, tokenize

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


def plain_textrank(lines: list[str]) -> list[str]:
    """Shared content words over the sum of the log lengths, then PageRank with 0.85, by matrix inverse."""
    words = [[t.form for t in content(tokenize(line, language="en"))] for line in lines]
    n = len(lines)
    weights = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            shared = sum(words[j].count(word) for word in words[i])
            length = math.log(len(words[i])) + math.log(len(words[j]))
            weights[i, j] = shared / length if shared and length else float(bool(shared))
    weights /= weights.sum(axis=1, keepdims=True)
    rank = np.linalg.solve(np.eye(n) - 0.85 * weights.T, np.full(n, 0.15 / n))
    return [lines[i] for i in np.argsort(-rank, kind="stable")]


def order(text: str) -> list[str]:
    return [line for line, _ in ranked(text, language="en")]


def written(name: str, *texts: str, wishes: Wishes | None = None) -> list[list[HeadlineCandidate]]:
    return headline_generators.parse(name).build(Runtime()).write(texts, wishes or Wishes(), Runtime())


def test_textrank_agrees_with_a_plain_reference() -> None:
    assert order(ARTICLE) == plain_textrank(sentences(ARTICLE, "en"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ARTICLE, "Seven people were hurt in a fight in Boston."),
        ("Фото: РИА. В Москве прошёл большой митинг. Его видели все.", "В Москве прошёл большой митинг."),
        ("Yes. No.", "Yes."),
        ("... Yes.", "Yes."),
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


@pytest.mark.parametrize(("most", "kept"), [(2, "Seven people"), (0, None), (9, None)])
def test_shortening_keeps_whole_words(most: int, kept: str | None) -> None:
    sentence = "Seven people, all young, were hurt."
    assert shortened(sentence, most) == (kept or sentence)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first_sentence", "Seven people were hurt in a fight in Boston."),
        ("lead_one", "Seven people were hurt in a fight in Boston."),
        ("textrank", "Police said the fight began outside a bar in Boston."),
        ("luhn", "Police said the fight began outside a bar in Boston."),
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


def test_equal_beginnings_are_one_candidate() -> None:
    text = "Police came to the bar. Police came to the house. Nobody was there."
    (found,) = written("first_sentence", text, wishes=Wishes(candidates=3, most_words=2))
    assert [one.text for one in found] == ["Police came", "Nobody was"]
