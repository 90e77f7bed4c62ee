"""Headlines with the sentences that their numbers come from, and what could be confused with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.data.articles.blanks import Blanks
from core.numerals.entailing.question import Span
from core.numerals.expressions.parse import parsed_or_none
from core.numerals.expressions.tree import used_leaves
from core.numerals.question import NumeralQuestion, ReadArticle, blank_of, fill_in, question_at, read_article
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral
from research.training.numerals.lessons import leaf_rows

STEP: Final = "Reading what headlines claim"
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_NAME: Final = re.compile(
    r"(?<=[a-z,;] )(?:[A-Z][\w.’'-]*[a-zA-Z])(?: (?:(?:of|the|de|van|al) )?[A-Z][\w’'-]*[a-zA-Z])*"
)
_PLACED: Final = re.compile(r"\b(?:in|near|from|at|outside|to|across|of) $")
_NO_NAME: Final = frozenset(
    [
        "I",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "The",
        "A",
        "An",
        "He",
        "She",
        "It",
        "They",
        "We",
        "But",
        "And",
    ]
)


@dataclass(frozen=True, slots=True)
class Source:
    """A numeral of an article with its sentence.

    Attributes:
        numeral: The numeral, placed in the article.
        sentence: The sentence.
        span: Where the numeral stands in it.
        row: Of the sentence in the article.
    """

    numeral: Numeral
    sentence: str
    span: Span
    row: int


@dataclass(frozen=True, slots=True)
class Holder:
    """A name of an article.

    Attributes:
        name: As it is written there.
        place: Whether it mostly stands behind "in", "near" and the like.
    """

    name: str
    place: bool


@dataclass(frozen=True, slots=True)
class ClaimFact:
    """One number of a right headline.

    Attributes:
        question: The number in the headline; its article has everything else.
        sources: The numerals that it comes from, one or more, in the article's order.
        copied: Whether it is one source's value as it is.
        others: Numerals of other values, outside the dateline.
        holders: Names of the article.
        row: Row of the set.
    """

    question: NumeralQuestion
    sources: tuple[Source, ...]
    copied: bool
    others: tuple[Source, ...]
    holders: tuple[Holder, ...]
    row: int

    @property
    def numeral(self) -> Numeral:
        """The headline's numeral."""
        if self.question.numeral is None:
            raise ValueError("a blank claims nothing")
        return self.question.numeral


def claim_facts(blanks: Blanks, runtime: Runtime) -> list[ClaimFact]:
    """Facts of the rows whose annotation parses, and whose operands stand in the article."""
    columns = zip(blanks.headlines, blanks.answers, blanks.texts, blanks.annotations, strict=True)
    rows = runtime.track(list(columns), STEP)
    facts = (claim_fact(*row, at) for at, row in enumerate(rows))
    return [fact for fact in facts if fact is not None]


def claim_fact(blank: str, answer: str, text: str, annotation: str, row: int) -> ClaimFact | None:
    """The fact of a filled blank; None where its annotation does not parse, or names nothing in the article.

    Where several numerals are what a leaf of the annotation names, it is the one whose sentence has most
    words of the headline.
    """
    expression = parsed_or_none(annotation)
    if expression is None:
        return None
    article = read_article(text)
    start = blank_of(blank, article).start
    question = question_at(fill_in(blank, answer), article, start)
    if question is None or question.numeral is None:
        return None
    near = _words(question.headline)
    rows: set[int] = set()
    for leaf, _ in used_leaves(expression):
        there = leaf_rows(leaf, article.numerals)
        if there:
            rows.add(max(there, key=lambda one: _fit(article, one, near)))
    if not rows:
        return None
    return fact_from(question, tuple(source_at(article, one) for one in sorted(rows)), row)


def source_at(article: ReadArticle, row: int) -> Source:
    """A numeral of an article with its sentence."""
    numeral = article.numerals[row]
    start, end = article.sentences[article.places[row]]
    inside = (max(0, numeral.start - start), max(0, min(numeral.end, end) - start))
    return Source(numeral, article.text[start:end], inside, article.places[row])


def passages(sources: Sequence[Source]) -> tuple[tuple[str, tuple[Span, ...]], ...]:
    """Sentences of sources in the article's order, each once, with the places of the numerals in them."""
    found: dict[tuple[int, str], list[Span]] = {}
    for source in sorted(sources, key=lambda one: (one.row, one.span)):
        found.setdefault((source.row, source.sentence), []).append(source.span)
    return tuple((text, tuple(dict.fromkeys(spans))) for (_, text), spans in found.items())


def fact_from(question: NumeralQuestion, sources: tuple[Source, ...], row: int) -> ClaimFact:
    """The fact of a number whose sources are known."""
    numeral, article = question.numeral, question.article
    if numeral is None:
        raise ValueError("a blank claims nothing")
    own = {numeral.value, numeral.amount, *(one.numeral.value for one in sources)}
    others = tuple(
        source_at(article, at)
        for at, one in enumerate(article.numerals)
        if one.start >= article.dateline
        and one.approximation is not Approximation.VAGUE
        and one.value not in own
        and one.amount not in own
    )
    copied = len(sources) == 1 and sources[0].numeral.value == numeral.value
    return ClaimFact(question, sources, copied, others, _holders(article), row)


def _fit(article: ReadArticle, row: int, near: frozenset[str]) -> float:
    if article.numerals[row].start < article.dateline:
        return -99.0
    place = article.places[row]
    start, end = article.sentences[place]
    return len(_words(article.text[start:end]) & near) - 0.1 * place


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:5].lower() for word in _WORD.findall(text))


def _holders(article: ReadArticle) -> tuple[Holder, ...]:
    text = article.text[article.dateline :]
    counts: Counter[str] = Counter()
    placed: Counter[str] = Counter()
    for found in _NAME.finditer(text):
        name = found[0]
        if name.split()[0] in _NO_NAME or name.split()[-1] in _NO_NAME:
            continue
        counts[name] += 1
        placed[name] += bool(_PLACED.search(text, max(0, found.start() - 9), found.start()))
    return tuple(Holder(name, placed[name] * 2 > count) for name, count in counts.items())
