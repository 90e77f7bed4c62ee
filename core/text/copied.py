"""How much of a headline is copied from its article, word for word.

The measures are those of Grusky, Naaman and Artzi 2018, "Newsroom: A Dataset of 1.3 Million Summaries with
Diverse Extractive Strategies", section 3: coverage and density of the longest copied fragments. A word is
compared in lower case as it stands; punctuation is not counted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.text.tokens import Token, tokenize

_SENTENCE = re.compile(r"\S(?:.{0,1000}?[.!?…][\"'”’»)\]]*(?=\s|\Z)|.{0,1000}(?=\s|\Z)|.{0,1000})")
"""Up to a full stop; a text without any is cut after about a thousand characters, at a space if it can be."""


class WordSequence:
    """Words one after another, in which runs of words are looked for.

    Args:
        words: As they are compared; none has a line end.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._joined = "\n" + "".join(f"{word}\n" for word in words)
        self._starts = list(accumulate((len(word) + 1 for word in words), initial=1))

    def longest(self, words: Sequence[str], at: int) -> tuple[int, int]:
        """How many words from a place on stand here in the same order, and where they first do.

        A longer run stands where the shorter one does or behind it, so that nothing is looked at twice.
        """
        run, length, there, place = "\n", 0, 0, 0
        while at + length < len(words):
            word = f"{words[at + length]}\n"
            if not (length and self._joined.startswith(word, there + len(run))):
                there = self._joined.find(run + word, there)
                if there < 0:
                    break
            run += word
            length, place = length + 1, there
        return length, bisect_left(self._starts, place + 1)

    def __contains__(self, word: object) -> bool:
        """Whether a word stands here."""
        return f"\n{word}\n" in self._joined


@dataclass(frozen=True, slots=True)
class SourceArticle:
    """An article taken apart once, so that many headlines can be compared with it.

    Attributes:
        tokens: Its words; their places count from the beginning of the article.
        row: The words in lower case, as they are compared.
        sentences: Its sentences, cut roughly, so that reading them takes time in proportion to the text.
    """

    tokens: tuple[Token, ...]
    row: WordSequence
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A run of words that stands in the article in the same order.

    Attributes:
        first: Its first word, as a number of words of the headline from 0.
        source: The same word in the article; the first place where the run stands.
        words: How many words it has, 1 or more.
    """

    first: int
    source: int
    words: int


def read_source(text: str) -> SourceArticle:
    """Takes an article apart; "" gives a source without words."""
    tokens: list[Token] = []
    sentences: list[str] = []
    for match in _SENTENCE.finditer(text):
        sentences.append(match[0])
        by = match.start()
        tokens += [replace(token, start=token.start + by, end=token.end + by) for token in tokenize(match[0])]
    row = WordSequence([token.text.casefold() for token in tokens])
    return SourceArticle(tuple(tokens), row, tuple(sentences))


def copied(words: Sequence[str], row: WordSequence) -> tuple[Fragment, ...]:
    """The longest copied fragments of a headline, in order, not overlapping.

    Greedy as in the paper's figure 3: from each word on, the longest run that stands anywhere in the
    article. Every place of the article is a possible beginning; the paper's program skips those inside a
    run that it has just matched, which loses a longer run where words repeat.
    """
    found: list[Fragment] = []
    at = 0
    while at < len(words):
        length, place = row.longest(words, at)
        if length:
            found.append(Fragment(at, place, length))
        at += max(1, length)
    return tuple(found)


def coverage(fragments: Sequence[Fragment], words: int) -> float | None:
    """Share of the headline's words that are in a copied fragment, 0–1; None for one without words."""
    return sum(fragment.words for fragment in fragments) / words if words else None


def density(fragments: Sequence[Fragment], words: int) -> float | None:
    """Mean length of the fragment that a word of the headline is in, 0 to `words`.

    Grusky et al. 2018: the sum of squared fragment lengths over the headline's words. None for a headline
    without words.
    """
    return sum(fragment.words**2 for fragment in fragments) / words if words else None
