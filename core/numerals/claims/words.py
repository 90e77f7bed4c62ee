"""Words of claims, and the words of an article's sentences with their normal forms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.numerals.question import AT_ONCE, ReadArticle
from core.text.tokens import STOP_WORDS, fold

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,]*")
_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        text: As it stands.
        form: Light normal form; see `core.text.tokens.fold`.
        start: Where it begins, in characters of the text from 0.
        content: Whether it is neither a function word nor a number.
        predicates: What it says of a number beside it ("killed"), by the lists of `words.toml`.
    """

    text: str
    form: str
    start: int
    content: bool
    predicates: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class ArticleWords:
    """The words of an article.

    Attributes:
        sentences: Words of each sentence; places are in characters of the article.
        forms: Normal forms of all its words.
        small: Its words that stand somewhere without a capital.
        capital: Forms of its words that stand with a capital inside of a sentence.
        names: Those of them that never stand without.
        predicates: All that its words say.
    """

    sentences: tuple[tuple[Word, ...], ...]
    forms: frozenset[str]
    small: frozenset[str]
    capital: frozenset[str]
    names: frozenset[str]
    predicates: frozenset[str]


def words_of(text: str, language: str, *, start: int = 0) -> tuple[Word, ...]:
    """The words of a text in order.

    Args:
        text: A headline or sentence.
        language: ISO 639-1 code.
        start: What is added to places.
    """
    found = []
    for match in _WORD.finditer(text):
        form, content, predicates = _known(match[0].lower(), language)
        found.append(Word(match[0], form, start + match.start(), content, predicates))
    return tuple(found)


@lru_cache(maxsize=AT_ONCE)
def article_words(article: ReadArticle) -> ArticleWords:
    """The words of an article, read once."""
    sentences = tuple(
        words_of(article.text[start:end], article.language, start=start) for start, end in article.sentences
    )
    flat = [word for sentence in sentences for word in sentence]
    inside = [word for sentence in sentences for word in sentence[1:]]
    small = frozenset(word.text for word in flat if word.text[0].islower())
    capital = frozenset(word.form for word in inside if word.text[0].isupper())
    return ArticleWords(
        sentences,
        frozenset(word.form for word in flat),
        small,
        capital,
        capital & {word.form for word in flat if word.text.lower() not in small},
        frozenset(one for word in flat for one in word.predicates),
    )


def opposed_to(predicate: str) -> frozenset[str]:
    """The predicates that exclude one; none of one that no line names."""
    return _OPPOSED.get(predicate, frozenset())


@lru_cache(maxsize=65_536)
def _known(word: str, language: str) -> tuple[str, bool, frozenset[str]]:
    content = not word[0].isdigit() and word not in STOP_WORDS.get(language, frozenset()) and len(word) > 1
    plain = word.removesuffix("'s").removesuffix("’s")
    predicates = _PREDICATES[language].of(plain) if language in _PREDICATES else frozenset()
    return fold(word), content, predicates


@dataclass(frozen=True, slots=True)
class _Predicates:
    """The predicates of a language by what tells their words: the whole word, its beginning, or its end.

    Attributes:
        words: Predicates of each word.
        beginnings: Predicates of all words that begin so.
        ends: Predicates of all words that end so.
        longest: Letters of the longest beginning or end.
    """

    words: Mapping[str, frozenset[str]]
    beginnings: Mapping[str, frozenset[str]]
    ends: Mapping[str, frozenset[str]]
    longest: int

    def of(self, word: str) -> frozenset[str]:
        """All that a word says."""
        found = self.words.get(word, frozenset())
        for size in range(1, min(len(word), self.longest) + 1):
            found |= self.beginnings.get(word[:size], frozenset()) | self.ends.get(word[-size:], frozenset())
        return found


def _predicates(table: Mapping[str, str]) -> _Predicates:
    """Predicates by their words; a star at one end of a word stands for any letters."""
    words: dict[str, frozenset[str]] = {}
    beginnings: dict[str, frozenset[str]] = {}
    ends: dict[str, frozenset[str]] = {}
    for name, listed in table.items():
        for word in listed.split():
            known = beginnings if word.endswith("*") else ends if word.startswith("*") else words
            key = word.strip("*")
            known[key] = known.get(key, frozenset()) | {name}
    return _Predicates(words, beginnings, ends, max(map(len, (*beginnings, *ends)), default=0))


def _exclusive(lines: list[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines:
        names = line.split()
        for name in names:
            found.setdefault(name, set()).update(other for other in names if other != name)
    return {name: frozenset(others) for name, others in found.items()}


_PREDICATES: Final = {language: _predicates(table) for language, table in _DATA["predicates"].items()}
_OPPOSED: Final = _exclusive(_DATA["opposed"]["lines"])


def _signs(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Patterns for what stands directly before a number, with at most two words between."""
    before = {
        name: re.compile(rf"(?<!\w)(?:{table[name]})\s+(?:[^\W\d]+\s+){{0,2}}\W?$", re.IGNORECASE)
        for name in ("from", "to", "against")
    }
    return before | {name: re.compile(table[name]) for name in ("less", "points")}


CHANGES: Final = {language: _signs(table) for language, table in _DATA["changes"].items()}
"""By language what tells the ends of a change; see `core.numerals.claims.changes`."""
