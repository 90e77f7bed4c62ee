"""Sentences as headlines: the first, and TextRank against a plain reference."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.headlines.extractive import (
    READ_SENTENCES,
    first_sentence,
    rank_sentences,
    ranked,
    sentences,
    shortened,
)
from core.text.tokens import content, tokenize

ARTICLE = (
    "(Sep 25, 2016  1:28 PM CDT) Seven people were hurt in a fight in Boston. Police said the fight began "
    "outside a bar in Boston. Four people were taken to hospital by police. The bar had just closed. "
    "Reporters asked why."
)


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


def test_textrank_agrees_with_a_plain_reference() -> None:
    assert rank_sentences(ARTICLE, "en") == plain_textrank(sentences(ARTICLE, "en"))


def test_the_first_sentence_stands_without_the_dateline() -> None:
    assert first_sentence(ARTICLE) == "Seven people were hurt in a fight in Boston."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Фото: РИА. В Москве прошёл большой митинг. Его видели все.", "В Москве прошёл большой митинг."),
        ("Yes. No.", "Yes."),
        ("... Yes.", "Yes."),
        ("", ""),
        ("!!! ???", ""),
    ],
)
def test_the_first_sentence_says_something(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


def test_a_text_without_sentences_ranks_nothing() -> None:
    from sumy.summarizers.text_rank import TextRankSummarizer

    assert rank_sentences("") == []
    assert rank_sentences("One line alone here.") == ["One line alone here."]
    assert ranked("", TextRankSummarizer()) == []


def test_equal_sentences_are_ranked_once() -> None:
    twice = "The bar in Boston closed. The bar in Boston closed. Police came to the bar."
    assert sorted(rank_sentences(twice, "en")) == ["Police came to the bar.", "The bar in Boston closed."]


def test_only_the_beginning_of_a_long_article_is_read() -> None:
    text = " ".join(f"Sentence number {n} tells of the fight." for n in range(20_000))
    assert len(rank_sentences(text, "en")) == READ_SENTENCES
    assert first_sentence(text, "en") == "Sentence number 0 tells of the fight."


def test_shortening_keeps_whole_words() -> None:
    assert shortened("Seven people, all young, were hurt.", 2) == "Seven people"
    assert shortened("Seven people were hurt.", 0) == "Seven people were hurt."
    assert shortened("Seven people were hurt.", 9) == "Seven people were hurt."
