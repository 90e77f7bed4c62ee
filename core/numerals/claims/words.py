"""The tables of words that claims are read by, and the words of a text with what they say."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from core.files import read_tables
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.tokens import STOP_WORDS, fold

OWNER: Final = re.compile(r"['’]s?$")
_STOP: Final = re.compile(r"[,;:.!?–—]")
_JOINS: Final = frozenset({"und", "oder", "aber"})  # what may stand behind a clause with such verbs
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’&][^\W\d_]+)*|\d[\d.,]*")
TABLES: Final = read_tables(__file__)
_HEDGES: Final = {("more", "than"), ("less", "than"), ("fewer", "than"), ("up", "to")}
"""What tells no direction: "more than 40"."""
BOTH_WAYS: Final = frozenset({"rise", "fall"})  # said of an amount alone: "bricht um 600 Millionen ein"
_STEPS: Final = {key: frozenset(table.values()) for key, table in TABLES["steps"].items()}
_OPPOSED: Final = [frozenset(line.split()) for line in TABLES["opposed"]["lines"]]


def word_sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(listed.split()) for name, listed in table.items()}


_PARTICLES: Final = {language: word_sets(table) for language, table in TABLES["particles"].items()}


class Word(NamedTuple):
    text: str  # as it stands
    form: str  # light normal form; see `core.text.tokens.fold`
    start: int  # where it begins, in characters of the text from 0
    content: bool  # whether it is neither a function word nor a number
    predicates: frozenset[str]  # what it says of a number beside it ("killed"), by the lists of `words.toml`

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class ArticleWords:
    sentences: tuple[tuple[Word, ...], ...]  # words of each sentence; places are in characters of the article
    forms: frozenset[str]  # normal forms of all its words
    small: frozenset[str]  # its words that stand somewhere without a capital
    names: frozenset[str]  # forms of its words with a capital inside of a sentence that never stand without
    predicates: frozenset[str]  # all that its words say

    @property
    def lead(self) -> tuple[Word, ...]:
        return next(iter(self.sentences), ())


def expressions(
    table: Mapping[str, str], *, before: str = r"\b", behind: str = r"\b"
) -> dict[str, re.Pattern[str]]:
    """The words of a table of regular expressions, by its keys."""
    return {key: re.compile(f"{before}(?:{words}){behind}", re.IGNORECASE) for key, words in table.items()}


LEAVES_OPEN: Final = expressions(TABLES["leaves_open"])  # what leaves the deed of a headline open
OPEN: Final = expressions(TABLES["open"])  # what makes of a deed a plan, a hope or a charge


def sign(name: str) -> re.Pattern[str]:
    return re.compile(TABLES["signs"][name], re.IGNORECASE)


def _signs(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    before = {name: table[name] for name in ("from", "to", "against")}
    whole = {name: re.compile(table[name]) for name in ("less", "points")}
    behind = r"(?:(?<=['’])|\s+)(?:[^\W\d]+\s+){0,2}\W?$"
    return whole | expressions(before, before=r"(?<!\w)", behind=behind)


CHANGES: Final = {language: _signs(table) for language, table in TABLES["changes"].items()}
"""By language what tells the ends of a change; see `core.numerals.claims.clauses`."""


def _by_word(table: Mapping[str, str]) -> dict[str, set[str]]:
    entries: dict[str, set[str]] = {}
    for name, listed in table.items():
        for word in listed.split():
            entries.setdefault(word, set()).add(name)
    return entries


_PREDICATES: Final = {language: _by_word(table) for language, table in TABLES["predicates"].items()}


def _separable(table: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    entries: dict[str, list[tuple[str, str]]] = {}
    for predicate, listed in table.items():
        for particle, verbs in (line.split(":") for line in listed.split("·")):
            for verb in verbs.split():
                entries.setdefault(verb, []).append((particle.strip(), predicate))
    return entries


_SEPARABLE: Final = {language: _separable(table) for language, table in TABLES["separable"].items()}


def words_of(text: str, language: str, *, start: int = 0) -> tuple[Word, ...]:
    words, particles = [], _PARTICLES.get(language, {})
    for match in _WORD.finditer(text):
        form, content, predicates = _known(match[0].lower(), language)
        words.append(Word(match[0], form, start + match.start(), content, predicates))
    for at, word in enumerate(words):
        low, before = word.text.lower(), words[at - 1].text.lower() if at else ""
        behind = words[at + 1].text.lower() if at + 1 < len(words) else ""
        of_verb = low in particles.get("words", ()) and before in particles["behind"]
        if of_verb or (low, behind) in _HEDGES:
            words[at] = word._replace(predicates=frozenset())
        for particle, predicate in _SEPARABLE.get(language, {}).get(low, ()):
            clause = _clause(words[at + 1 :], text, start)
            steps = _STEPS[language] if predicate in BOTH_WAYS else frozenset()
            if clause[-1:] == [particle] and (not steps or not steps.isdisjoint(clause)):
                words[at] = words[at]._replace(predicates=frozenset({predicate}))
    return tuple(words)


@lru_cache(maxsize=65_536)
def _known(word: str, language: str) -> tuple[str, bool, frozenset[str]]:
    content = not word[0].isdigit() and word not in STOP_WORDS.get(language, frozenset()) and len(word) > 1
    plain, table = word.removesuffix("'s").removesuffix("’s"), _PREDICATES.get(language, {})
    sizes = range(1, len(plain) + 1)
    forms = (plain, *(f"{plain[:size]}*" for size in sizes), *(f"*{plain[-size:]}" for size in sizes))
    return fold(word), content, frozenset().union(*(table.get(form, ()) for form in forms))


def _clause(words: list[Word], text: str, start: int) -> list[str]:
    clause: list[str] = []
    for at, word in enumerate(words):
        if word.text.lower() in _JOINS:
            break
        clause.append(word.text.lower())
        after = words[at + 1 : at + 2]
        if after and _STOP.search(text[word.end - start : after[0].start - start]):
            break
    return clause


@lru_cache(maxsize=AT_ONCE)
def article_words(article: ReadArticle) -> ArticleWords:
    sentences = tuple(
        words_of(article.text[start:end], article.language, start=start) for start, end in article.sentences
    )
    flat = [word for sentence in sentences for word in sentence]
    inside = [word for sentence in sentences for word in sentence[1:]]
    small = frozenset(word.text for word in flat if word.text[0].islower())
    capital = frozenset(word.form for word in inside if word.text[0].isupper())
    names = capital & {word.form for word in flat if word.text.lower() not in small}
    forms = frozenset(word.form for word in flat)
    return ArticleWords(sentences, forms, small, names, predicates_of(flat))


def sentence_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    return article_words(article).sentences[article.places[row]]


def predicates_of(words: Iterable[Word]) -> frozenset[str]:
    return frozenset(predicate for word in words for predicate in word.predicates)


@cache
def opposed_to(predicate: str) -> frozenset[str]:
    """The predicates that exclude one; none of one that no line names."""
    return frozenset().union(*(line for line in _OPPOSED if predicate in line)) - {predicate}
