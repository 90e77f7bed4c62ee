"""Headlines with the sentences that their numbers come from, and what could be confused with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final

from core.data.articles.sets import Blanks
from core.numerals.expressions.parse import parsed_or_none, used_leaves
from core.numerals.question import NumeralQuestion, ReadArticle, blank_of, fill_in, question_at, read_article
from core.numerals.verifier import Span
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from research.training.numerals.corruptions import ordinal_ending
from research.training.numerals.lessons import leaf_rows

STEP: Final = "Reading what headlines claim"
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_NAME: Final = re.compile(
    r"(?<=[a-z,;] )(?:[A-Z][\w.’'-]*[a-zA-Z])(?: (?:(?:of|the|de|van|al) )?[A-Z][\w’'-]*[a-zA-Z])*"
)
_PLACED: Final = re.compile(r"\b(?:in|near|from|at|outside|to|across|of) $")
_NO_NAME: Final = frozenset((
    "I", "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    "The", "A", "An", "He", "She", "It", "They", "We", "But", "And",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    numeral: Numeral
    sentence: str
    span: Span
    row: int


@dataclass(frozen=True, slots=True)
class Holder:
    name: str
    place: bool


@dataclass(frozen=True, slots=True)
class ClaimFact:
    """One number of a right headline."""

    question: NumeralQuestion
    sources: tuple[Source, ...]
    copied: bool
    others: tuple[Source, ...]
    holders: tuple[Holder, ...]
    row: int

    @property
    def numeral(self) -> Numeral:
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
    own = {numeral.value, numeral.amount, *(source.numeral.value for source in sources)}
    others = tuple(
        source_at(article, at)
        for at, numeral in enumerate(article.numerals)
        if numeral.start >= article.dateline
        and numeral.approximation is not Approximation.VAGUE
        and numeral.value not in own
        and numeral.amount not in own
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


@dataclass(frozen=True, slots=True)
class MarkedText:
    text: str
    spans: tuple[Span, ...]

    def replaced(self, start: int, end: int, new: str) -> MarkedText:
        """The text with something else at a place; a span that meets the place takes the new text in."""
        grown = len(new) - (end - start)

        def moved(span: Span) -> Span:
            first, last = span
            if last <= start and not first == last == start:
                return span
            if first >= end:
                return first + grown, last + grown
            return min(first, start), max(last + grown, start + len(new))

        text = f"{self.text[:start]}{new}{self.text[end:]}"
        return MarkedText(text, tuple(map(moved, self.spans)))

    def all_replaced(self, changes: Iterable[tuple[int, int, str]]) -> MarkedText:
        """The text with several places changed, which do not overlap."""
        text = self
        for start, end, new in sorted(changes, reverse=True):
            text = text.replaced(start, end, new)
        return text


def like(word: str, model: str) -> str:
    """A word with the capitals of another: all, the first of each word, or none."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return capitalised(word) if model[:1].isupper() else word


def capitalised(phrase: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in phrase.split(" "))


def titled(text: str) -> bool:
    """Whether a headline is in Title Case."""
    words = [word for word in text.split() if word[:1].isalpha()]
    return sum(word[0].isupper() for word in words) * 2 > len(words)


_ENDING: Final = re.compile(r"(st|nd|rd|th)(?![a-z])", re.IGNORECASE)
_BROKEN: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
_UNROUNDED: Final = frozenset(
    {
        NumeralKind.YEAR,
        NumeralKind.DATE,
        NumeralKind.TIME,
        NumeralKind.NAME,
        NumeralKind.ORDINAL,
        NumeralKind.AGE,
    }
)
_MOST_DIGITS: Final = 6
_NEAR: Final = Fraction(8, 100)
"""A number rounded by more is another number."""


def written(value: Fraction, numeral: Numeral, *, year: bool = False) -> str | None:
    """A value as the bare number of a numeral's slot; None where it does not fit there."""
    bare = value / numeral.factor
    broken = numeral.decimals or numeral.factor != 1 or numeral.kind in _BROKEN
    decimals = next((n for n in range(3 if broken else 1) if (bare * 10**n).denominator == 1), None)
    if decimals is None or bare <= 0 or bare >= 10**_MOST_DIGITS:
        return None
    text = f"{float(bare):,.{decimals}f}"
    return text.replace(",", "") if year or numeral.kind is NumeralKind.YEAR else text


def in_slot(headline: MarkedText, numeral: Numeral, number: str) -> MarkedText:
    """The headline with another bare number, and the ending of an English ordinal that goes with it."""
    changed = headline.replaced(numeral.number_start, numeral.number_end, number)
    place = numeral.number_start + len(number)
    ending = _ENDING.match(changed.text, place)
    if ending and number[-1].isdigit():
        changed = changed.replaced(*ending.span(), like(ordinal_ending(number), ending[0]))
    return changed


def rounded(numeral: Numeral, draw: Random, *, up: bool) -> Fraction | None:
    """A rounder number a little above or below; None where there is none, or nobody rounds such numbers."""
    value = numeral.value
    if value < 20 or numeral.kind in _UNROUNDED:
        return None
    size = len(str(int(value)))
    found = []
    for digits in (1, 2):
        step = Fraction(10 ** (size - digits))
        below = value // step * step
        round_one = below + step if up else below
        if round_one != value and abs(round_one - value) <= _NEAR * value:
            found.append(round_one)
    return draw.choice(found) if found else None
