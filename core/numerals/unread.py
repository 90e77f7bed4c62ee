"""Headlines and articles in languages whose numbers are not read."""

from __future__ import annotations

from typing import Final

from core.data.articles.articles import READ_CHARACTERS
from core.text.numerals.languages import LANGUAGE_NAMES, is_of_doubtful_language, unread_language

_TELLING: Final = 4
"""Letters of the shortest word by which a headline is known to be in its article's language."""


def why_unread(headline: str, article: str) -> str:
    """Which of the two is in a language whose numbers are not read, in a few words; "" where both are read.

    A headline that shares most of its longer words with an article that is read is taken for its language.
    """
    language = unread_language(article[:READ_CHARACTERS])
    if language:
        return f"an article in {language}"
    language = unread_language(headline)
    if not language:
        doubtful = is_of_doubtful_language(headline) and is_of_doubtful_language(article[:READ_CHARACTERS])
        return "an article in a language that cannot be told" if doubtful else ""
    words = [word.casefold() for word in headline.split() if len(word) >= _TELLING]
    known = set(article[:READ_CHARACTERS].casefold().split())
    return f"a headline in {language}" if 2 * sum(word in known for word in words) < len(words) else ""


def refusal(why: str) -> str:
    """The sentence for what `why_unread` says."""
    return f"This is {why}; numbers are read in {LANGUAGE_NAMES}."
