"""Words of claims, and the words of an article's sentences with their normal forms."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.numerals.question import AT_ONCE, ReadArticle
from core.text.german_nouns import is_common_noun
from core.text.numerals.numeral import Approximation, Numeral
from core.text.tokens import STOP_WORDS, fold

_STOP: Final = re.compile(r"[,;:.!?–—]")
_JOINS: Final = frozenset({"und", "oder", "aber"})  # what may stand behind a clause with such verbs
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’&][^\W\d_]+)*|\d[\d.,]*")
TABLES: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_HEDGES: Final = {("more", "than"), ("less", "than"), ("fewer", "than"), ("up", "to")}
"""What tells no direction: "more than 40"."""
_OPPOSED: Final = [frozenset(line.split()) for line in TABLES["opposed"]["lines"]]
_STEPS: Final = {key: frozenset(table.values()) for key, table in TABLES["steps"].items()}
_WAYS: Final = frozenset({"rise", "fall"})  # said of an amount alone: "bricht um 600 Millionen ein"
_PARTICLES: Final = {
    language: {name: frozenset(words.split()) for name, words in table.items()}
    for language, table in TABLES["particles"].items()
}
_OVER: Final = re.compile(r"\b(?:just over|well over|topp?(?:s|ed)|tops|past)\s*\W?$", re.IGNORECASE)
_OVER_WHAT: Final = re.compile(r"\bover\s*\W?$", re.IGNORECASE)
ABOUT: Final = Fraction(1, 10)  # how far "about" and "nearly" reach, as a share of the number
FAR: Final = Fraction(3, 5)  # a number of less than this share of another is no rounding of it: "more than"
LONGEST_PREFIX = 5  # words that begin with so many letters alike are forms of one word


def expressions(table: Mapping[str, str], *, before: str = r"\b") -> dict[str, re.Pattern[str]]:
    """The words of a table of regular expressions, by language."""
    return {
        language: re.compile(rf"{before}(?:{words})\b", re.IGNORECASE) for language, words in table.items()
    }


def sign(name: str) -> re.Pattern[str]:
    """A regular expression of words of one kind, in any language."""
    return re.compile(TABLES["signs"][name], re.IGNORECASE)


LEAVES_OPEN: Final = expressions(TABLES["leaves_open"])  # what leaves the deed of a headline open


class Word(NamedTuple):
    text: str  # as it stands
    form: str  # light normal form; see `core.text.tokens.fold`
    start: int  # where it begins, in characters of the text from 0
    content: bool  # whether it is neither a function word nor a number
    predicates: frozenset[str]  # what it says of a number beside it ("killed"), by the lists of `words.toml`


@dataclass(frozen=True, slots=True, eq=False)
class ArticleWords:
    sentences: tuple[tuple[Word, ...], ...]  # words of each sentence; places are in characters of the article
    forms: frozenset[str]  # normal forms of all its words
    small: frozenset[str]  # its words that stand somewhere without a capital
    names: frozenset[str]  # forms of its words with a capital inside of a sentence that never stand without
    predicates: frozenset[str]  # all that its words say


def words_of(text: str, language: str, *, start: int = 0) -> tuple[Word, ...]:
    words, particles = [], _PARTICLES.get(language, {})
    for match in _WORD.finditer(text):
        form, content, predicates = _known(match[0].lower(), language)
        words.append(Word(match[0], form, start + match.start(), content, predicates))
    for at, word in enumerate(words):
        low = word.text.lower()
        behind = words[at + 1].text.lower() if at + 1 < len(words) else ""
        if (low, behind) in _HEDGES:
            words[at] = word._replace(predicates=frozenset())
        if low in particles.get("words", ()) and at and words[at - 1].text.lower() in particles["behind"]:
            words[at] = word._replace(predicates=frozenset())
        for particle, predicate in _SEPARABLE.get(language, {}).get(low, ()):
            clause = _clause(words[at + 1 :], text, start)
            steps = _STEPS[language] if predicate in _WAYS else frozenset()
            if clause[-1:] == [particle] and (not steps or not steps.isdisjoint(clause)):
                words[at] = words[at]._replace(predicates=frozenset({predicate}))
    return tuple(words)


def _clause(words: list[Word], text: str, start: int) -> list[str]:
    clause: list[str] = []
    for at, word in enumerate(words):
        if word.text.lower() in _JOINS:
            break
        clause.append(word.text.lower())
        end, after = word.start - start + len(word.text), words[at + 1 : at + 2]
        if after and _STOP.search(text[end : after[0].start - start]):
            break
    return clause


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
        capital & {word.form for word in flat if word.text.lower() not in small},
        frozenset(predicate for word in flat for predicate in word.predicates),
    )


def sentence_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    """The words of the sentence of one of an article's numerals."""
    return article_words(article).sentences[article.places[row]]


@cache
def opposed_to(predicate: str) -> frozenset[str]:
    """The predicates that exclude one; none of one that no line names."""
    return frozenset().union(*(line for line in _OPPOSED if predicate in line)) - {predicate}


@lru_cache(maxsize=65_536)
def _known(word: str, language: str) -> tuple[str, bool, frozenset[str]]:
    content = not word[0].isdigit() and word not in STOP_WORDS.get(language, frozenset()) and len(word) > 1
    plain, table = word.removesuffix("'s").removesuffix("’s"), _PREDICATES.get(language, {})
    sizes = range(1, len(plain) + 1)
    forms = (plain, *(f"{plain[:size]}*" for size in sizes), *(f"*{plain[-size:]}" for size in sizes))
    return fold(word), content, frozenset().union(*(table.get(form, ()) for form in forms))


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


def _signs(table: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    before = {
        name: re.compile(
            rf"(?<!\w)(?:{table[name]})(?:(?<=['’])|\s+)(?:[^\W\d]+\s+){{0,2}}\W?$", re.IGNORECASE
        )
        for name in ("from", "to", "against")
    }
    return before | {name: re.compile(table[name]) for name in ("less", "points")}


CHANGES: Final = {language: _signs(table) for language, table in TABLES["changes"].items()}
"""By language what tells the ends of a change; see `core.numerals.claims.clauses`."""

_NEARLY: Final = sign("nearly")


class BoundAgreement(IntEnum):
    """Whether the article's number lets the headline's statement be true."""

    CONTRADICTS = -1
    UNKNOWN = 0
    HOLDS = 1


class Stretch(NamedTuple):
    low: Fraction | float  # least value; -∞ for no least one
    high: Fraction | float  # greatest value; ∞ for no greatest one
    without_low: bool = False  # whether `low` itself is excluded
    without_high: bool = False  # whether `high` itself is excluded

    def holds(self, other: Stretch) -> bool:
        """Whether everything that another stretch allows lies in this one."""
        high, other_high = (self.high, not self.without_high), (other.high, not other.without_high)
        return (self.low, self.without_low) <= (other.low, other.without_low) and other_high <= high


def is_nearly(numeral: Numeral, text: str) -> bool:
    """Whether a number is said to be a little too high: "nearly 20,000"."""
    return _NEARLY.search(text[max(0, numeral.start - 24) : numeral.start]) is not None


def is_hedged(numeral: Numeral, text: str) -> bool:
    return numeral.approximation is not Approximation.EXACT or is_nearly(numeral, text)


def stretch_of(numeral: Numeral, text: str) -> Stretch:
    """What a numeral lets the number be."""
    at, said = numeral.value, numeral.approximation
    if said is Approximation.MORE_THAN or _OVER.search(text[max(0, numeral.start - 24) : numeral.start]):
        return Stretch(at, math.inf, without_low=True)
    if said is Approximation.AT_LEAST:
        return Stretch(at, math.inf)
    if is_nearly(numeral, text):
        return Stretch(at * (1 - ABOUT), at, without_high=True)
    if said in {Approximation.LESS_THAN, Approximation.AT_MOST}:
        return Stretch(-math.inf, at, without_high=said is Approximation.LESS_THAN)
    about = ABOUT if said is Approximation.ABOUT else 0
    return Stretch(at * (1 - about), at * (1 + about))


def agreement(numeral: Numeral, headline: str, other: Numeral, article: str) -> BoundAgreement:
    """Whether the article's number makes the headline's statement with its hedge true."""
    said, given = stretch_of(numeral, headline), stretch_of(other, article)
    if Approximation.VAGUE in {numeral.approximation, other.approximation}:
        return BoundAgreement.UNKNOWN
    if said.low == said.high:
        near = abs(other.value - numeral.value) * 2 <= step_of(numeral)
        return BoundAgreement.HOLDS if near else BoundAgreement.UNKNOWN
    if said.low != -math.inf and said.high != math.inf:
        given = _narrowed(given)
    same = numeral.value == other.value
    if same and _OVER_WHAT.search(headline[: numeral.start]):  # "sued over $2M"
        return BoundAgreement.UNKNOWN
    falls, rises = said.low == -math.inf, said.high == math.inf
    turned = (falls and given.high == math.inf) or (rises and given.low == -math.inf)
    if said.holds(given) or (same and given.low != given.high and not turned):
        return BoundAgreement.HOLDS
    return BoundAgreement.CONTRADICTS


def _narrowed(given: Stretch) -> Stretch:
    if given.high == math.inf:
        return Stretch(given.low, given.low * (1 + ABOUT / 10), given.without_low)
    if given.low == -math.inf:
        return Stretch(given.high * (1 - ABOUT / 10), given.high, without_high=given.without_high)
    if given.low != given.high:
        middle = given.high if given.without_high else (given.low + given.high) / 2
        return Stretch(middle * (1 - ABOUT / 10), middle, without_high=given.without_high)
    return given


def step_of(numeral: Numeral) -> Fraction:
    """What the last digit that is no trailing zero stands for: 10 of "1,230"."""
    digits = numeral.amount * 10**numeral.decimals
    # Of "half a million" a tenth of a million is meant.
    step = Fraction(1, 10 ** max(numeral.decimals, numeral.amount.denominator > 10**numeral.decimals))
    while digits and digits % 10 == 0:
        digits /= 10
        step *= 10
    return step * numeral.factor


def is_rounded_from(numeral: Numeral, headline: str, other: Numeral, article: str) -> bool:
    """Whether a hedged number is near the article's and true of it: "nearly 20,000" for 19,847."""
    hedged = numeral.approximation not in {Approximation.EXACT, Approximation.VAGUE}
    if not (hedged or is_nearly(numeral, headline)) or not numeral.value or not other.value:
        return False
    near = min(numeral.value, other.value) / max(numeral.value, other.value) >= FAR
    return near and agreement(numeral, headline, other, article) is BoundAgreement.HOLDS


def invented_in(headline: str, article: ReadArticle) -> tuple[str, ...]:
    """Names of a headline that the article has in no form: words with a capital that not most words have."""
    words = [word for word in words_of(headline, article.language) if word.content]
    if not words or not article.sentences:
        return ()
    german = article.language == "de"
    names = [word for word in words if word.text[0].isupper() and not (german and is_common_noun(word.text))]
    if len(names) > len(words) / 2:
        return ()
    known = article_words(article)
    reach = LONGEST_PREFIX - german  # Hessen, hessisch
    beginnings = {form[:reach] for form in known.forms}
    return tuple(
        word.text
        for word in names
        if word.start > 0
        and not (german and headline[: word.start].rstrip()[-1] in ":-")
        and word.form not in known.forms
        and word.form[:reach] not in beginnings
    )
