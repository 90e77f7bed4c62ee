"""Words of claims, and the words of an article's sentences with their normal forms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.numerals.question import AT_ONCE, ReadArticle
from core.text.tokens import STOP_WORDS, fold

_STOP: Final = re.compile(r"[,;:.!?–—]")
_JOINS: Final = frozenset({"und", "oder", "aber"})
"""What may stand behind a clause in the languages that have such verbs."""
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
    """The words of a text in order."""
    found = []
    for match in _WORD.finditer(text):
        form, content, predicates = _known(match[0].lower(), language)
        found.append(Word(match[0], form, start + match.start(), content, predicates))
    return tuple(_with_particles(found, text, start, language))


def _with_particles(words: list[Word], text: str, start: int, language: str) -> list[Word]:
    """The words, of which verbs with a particle say what both say together."""
    for at, word in enumerate(words):
        low = word.text.lower()
        if low in _PARTICLES.get(language, ()) and at and words[at - 1].text.lower() in _BEHIND[language]:
            words[at] = word._replace(predicates=frozenset())
        for particle, predicate in _SEPARABLE.get(language, {}).get(low, ()):
            clause = _clause(words[at + 1 :], text, start)
            steps = _STEPS[language] if predicate in _WAYS else frozenset()
            if clause[-1:] == [particle] and (not steps or not steps.isdisjoint(clause)):
                words[at] = words[at]._replace(predicates=frozenset({predicate}))
    return words


def _clause(words: list[Word], text: str, start: int) -> list[str]:
    found: list[str] = []
    for word, after in pairwise([*words, None]):
        if word is None:
            break
        found.append(word.text.lower())
        end = word.start - start + len(word.text)
        if after is None or found[-1] in _JOINS or _STOP.search(text[end : after.start - start]):
            break
    return found[:-1] if found[-1:] and found[-1] in _JOINS else found


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
    """The predicates of a language by what tells their words: the whole word, its beginning, or its end."""

    words: Mapping[str, frozenset[str]]
    beginnings: Mapping[str, frozenset[str]]
    ends: Mapping[str, frozenset[str]]
    longest: int

    def of(self, word: str) -> frozenset[str]:
        found = self.words.get(word, frozenset())
        for size in range(1, min(len(word), self.longest) + 1):
            found |= self.beginnings.get(word[:size], frozenset()) | self.ends.get(word[-size:], frozenset())
        return found


def _predicates(table: Mapping[str, str]) -> _Predicates:
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


def _separable(table: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for predicate, listed in table.items():
        for line in listed.split("·"):
            particle, verbs = line.split(":")
            for verb in verbs.split():
                found.setdefault(verb, []).append((particle.strip(), predicate))
    return found


_SEPARABLE: Final = {language: _separable(table) for language, table in _DATA["separable"].items()}
_STEPS: Final = {key: frozenset(table.values()) for key, table in _DATA["steps"].items()}
_WAYS: Final = frozenset({"rise", "fall"})
"""Said by a separable verb of an amount alone: "bricht um 600 Millionen ein", and not of a burglar."""
_PARTICLES: Final = {key: frozenset(table["words"].split()) for key, table in _DATA["particles"].items()}
_BEHIND: Final = {key: frozenset(table["behind"].split()) for key, table in _DATA["particles"].items()}


DOUBTS: Final = {language: frozenset(words.split()) for language, words in _DATA["doubts"].items()}
"""By language the words that make of what is told what may be, is wanted, or is not so."""


PARTS: Final = {
    language: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for language, words in _DATA["parts"].items()
}
"""By language what tells of a part of those that a number counts."""


def _signs(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    before = {
        name: re.compile(
            rf"(?<!\w)(?:{table[name]})(?:(?<=['’])|\s+)(?:[^\W\d]+\s+){{0,2}}\W?$", re.IGNORECASE
        )
        for name in ("from", "to", "against")
    }
    return before | {name: re.compile(table[name]) for name in ("less", "points")}


CHANGES: Final = {language: _signs(table) for language, table in _DATA["changes"].items()}
"""By language what tells the ends of a change; see `core.numerals.claims.changes`."""
