"""Warnings of a generated headline: copied sentences, words that the article lacks."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from core.headlines.headline_text import first_sentence
from core.text import normalise, support
from core.text.numerals.languages import language_of
from core.text.numerals.read import read_numerals
from core.text.tokens import tokenize

COPIED_SHARE: Final = 0.75
"""Share of a headline's words in one run of the article's first sentence from which it counts as copied.

Of the headlines that people gave the 7,709 training articles of NumHG, 0.1 % reach it.
"""
FEWEST_COPIED: Final = 4  # words of such a run: shorter ones are names and numbers that every headline has
BEGINNING: Final = 4  # letters with which two forms of a word begin alike, at least
ENDING: Final = 4  # letters behind what two forms have alike, at most
_APOSTROPHE: Final = re.compile("['’]")


class WarningKind(StrEnum):
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    COPIED = "copied"
    FOREIGN = "foreign"


def warnings_of(headline: str, article: str, others: Sequence[str]) -> dict[WarningKind, str]:
    """What is wrong with a headline, a sentence each."""
    if not any(map(str.isalnum, headline)):
        return {WarningKind.EMPTY: "The headline has no word."}
    warnings = {}
    key = normalise.comparison_key(headline)
    same = sum(normalise.comparison_key(other) == key for other in others)
    if same:
        times = "another headline" if same == 1 else f"{same} other headlines"
        warnings[WarningKind.DUPLICATE] = f"It is worded like {times}."
    share = copied_share(headline, article)
    if share is not None and share >= COPIED_SHARE:
        copied_words = f"{100 * share:.0f} % of its words copied from the article's first sentence."
        warnings[WarningKind.COPIED] = copied_words
    if foreign := foreign_words(headline, article):
        warnings[WarningKind.FOREIGN] = not_said(foreign)
    return warnings


def foreign_words(headline: str, article: str) -> list[str]:
    """Words of a headline, but numbers and function words, that its article has in no form or other word."""
    from rapidfuzz.distance import Prefix

    from core.numerals.claims.words import words_of

    language, forms, said = _words_of_article(article)
    if not forms:
        return []

    def is_known(form: str) -> bool:
        alike = ((Prefix.similarity(form, other), other) for other in forms)
        return any(
            shared >= BEGINNING and max(len(form), len(other)) - shared <= ENDING for shared, other in alike
        )

    words = [(word, _APOSTROPHE.split(word.form)[0]) for word in words_of(headline, language) if word.content]
    unknown = (word for word, form in words if len(form) >= BEGINNING and not is_known(form))
    new = (word.text for word in unknown if said.isdisjoint(word.predicates))
    return [text for text in new if not read_numerals(text, language=language)]


@lru_cache(maxsize=64)
def _words_of_article(article: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """Its language, the forms of its words, and what they say, by the lists of `words.toml`."""
    from core.numerals.claims.words import words_of

    language = language_of(article)
    words = words_of(article, language)
    forms, said = frozenset(word.form for word in words), (word.predicates for word in words)
    return language, forms, frozenset().union(*said)


def not_said(foreign: Sequence[str]) -> str:
    words = " or ".join(f"“{word}”" for word in foreign[:3])
    return f"The article does not say {words}."


def copied_share(headline: str, article: str) -> float | None:
    """Share of a headline's words in the longest run of the first sentence, 0–1; see `FEWEST_COPIED`."""
    words = [token.text.casefold() for token in tokenize(headline)]
    source = support.read_source(first_sentence(article))
    if not words or not source.row.words:
        return None
    longest = max((run.words for run in support.copied(words, source.row)), default=0)
    return longest / len(words) if longest >= min(FEWEST_COPIED, len(words)) else 0.0
