"""Reading an article's numerals, with its sentences and dateline."""

from __future__ import annotations

from bisect import bisect_right

from core import limits
from core.data.articles.articles import READ_CHARACTERS
from core.numerals.question import ReadArticle
from core.text.datelines import without_dateline
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals
from core.text.sentences import split_sentences


def read_article(text: str) -> ReadArticle:
    """Reads an article.

    Args:
        text: Of any length and script; what is after `READ_CHARACTERS` is cut off. "" gives an article
            without sentences and numerals. Of its numerals the first `limits.ARTICLE_NUMERALS` are kept.
    """
    cut = text[:READ_CHARACTERS]
    language = language_of(cut)
    sentences = sentence_spans(cut, language)
    starts = [start for start, _ in sentences]
    numerals = read_numerals(cut, language=language)[: limits.ARTICLE_NUMERALS.value]
    places = tuple(max(0, bisect_right(starts, numeral.start) - 1) for numeral in numerals)
    return ReadArticle(cut, language, sentences, numerals, places, dateline_end(cut))


def sentence_spans(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each sentence in characters.

    `split_sentences` gives sentences with runs of white space as one space, so that they are found again by
    counting the characters that are no space.
    """
    marks = [place for place, sign in enumerate(text) if not sign.isspace()]
    found: list[tuple[int, int]] = []
    at = 0
    for sentence in split_sentences(text, language=language):
        size = sum(map(len, sentence.split()))
        if at + size > len(marks):
            break
        found.append((marks[at], marks[at + size - 1] + 1))
        at += size
    return tuple(found) or (((marks[0], marks[-1] + 1),) if marks else ())


def dateline_end(text: str) -> int:
    """How many characters at the beginning are a dateline; 0 where there is none."""
    bare = without_dateline(text)
    end = len(text.rstrip()) - len(bare)
    return end if text[:end].strip() else 0
