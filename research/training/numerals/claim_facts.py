"""Headlines with the sentences that their numbers come from, and what could be confused with them."""

import re
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from core.data.articles.blanks import Blanks
from core.numerals.expressions.expression import used_leaves
from core.numerals.expressions.parse import parsed_or_none
from core.numerals.question import ReadArticle
from core.numerals.reader import Span
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind
from research.training.numerals.corruptions import BROKEN, ENDING, MOST_DIGITS, ordinal_ending
from research.training.numerals.lessons import filled_question, leaf_rows

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
UNBOUNDED: Final = frozenset(
    {NumeralKind.YEAR, NumeralKind.DATE, NumeralKind.TIME, NumeralKind.NAME, NumeralKind.ORDINAL}
)
_NEAR: Final = Fraction(8, 100)  # a number rounded by more is another number


class Source(NamedTuple):
    numeral: Numeral
    sentence: str
    span: Span
    row: int


class Holder(NamedTuple):
    name: str
    place: bool


class ClaimFact(NamedTuple):
    headline: str
    numeral: Numeral
    sources: list[Source]
    copied: bool
    others: list[Source]
    holders: list[Holder]
    row: int


def claim_facts(blanks: Blanks, runtime: Runtime) -> list[ClaimFact]:
    """Facts of the rows whose annotation parses, and whose operands stand in the article."""
    rows = runtime.track(range(len(blanks)), "Reading what headlines claim")
    return [fact for row in rows if (fact := _claim_fact(blanks, row)) is not None]


def _claim_fact(blanks: Blanks, row: int) -> ClaimFact | None:
    expression = parsed_or_none(blanks.annotations[row])
    question = None if expression is None else filled_question(blanks, row)
    if expression is None or question is None or question.numeral is None:
        return None
    article, numeral, near = question.article, question.numeral, _words(question.headline)
    candidates = [leaf_rows(leaf, article.numerals) for leaf, _ in used_leaves(expression)]
    # Of several that a leaf may name, the one whose sentence has most words of the headline.
    rows = {max(rows, key=lambda at: _fit(article, at, near)) for rows in candidates if rows}
    if not rows:
        return None
    sources = [_source_at(article, at) for at in sorted(rows)]
    own = {numeral.value, numeral.amount, *(source.numeral.value for source in sources)}
    others = [
        _source_at(article, at)
        for at, other in enumerate(article.numerals)
        if other.start >= article.dateline
        and other.approximation is not Approximation.VAGUE
        and not own & {other.value, other.amount}
    ]
    copied = len(sources) == 1 and sources[0].numeral.value == numeral.value
    return ClaimFact(question.headline, numeral, sources, copied, others, _holders(article), row)


def _source_at(article: ReadArticle, row: int) -> Source:
    numeral = article.numerals[row]
    start, end = article.sentences[article.places[row]]
    inside = (max(0, numeral.start - start), max(0, min(numeral.end, end) - start))
    return Source(numeral, article.text[start:end], inside, article.places[row])


def _fit(article: ReadArticle, row: int, near: frozenset[str]) -> float:
    if article.numerals[row].start < article.dateline:
        return -99.0
    place = article.places[row]
    start, end = article.sentences[place]
    return len(_words(article.text[start:end]) & near) - 0.1 * place


def _words(text: str) -> frozenset[str]:
    return frozenset(word[:5].lower() for word in _WORD.findall(text))


def _holders(article: ReadArticle) -> list[Holder]:
    text = article.text[article.dateline :]
    placed: dict[str, list[bool]] = {}
    for match in _NAME.finditer(text):
        words = match[0].split()
        if words[0] not in _NO_NAME and words[-1] not in _NO_NAME:
            before = _PLACED.search(text, max(0, match.start() - 9), match.start())
            placed.setdefault(match[0], []).append(before is not None)
    return [Holder(name, sum(places) * 2 > len(places)) for name, places in placed.items()]


class MarkedText(NamedTuple):
    text: str
    spans: tuple[Span, ...]

    def replaced(self, start: int, end: int, new: str) -> "MarkedText":
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


def marked_passages(sources: Sequence[Source]) -> tuple[MarkedText, ...]:
    """Sentences of sources in the article's order, each once, with the places of the numerals in them."""
    spans: dict[tuple[int, str], dict[Span, None]] = {}
    for source in sorted(sources, key=lambda source: (source.row, source.span)):
        spans.setdefault((source.row, source.sentence), {})[source.span] = None
    return tuple(MarkedText(text, tuple(own)) for (_, text), own in spans.items())


def like(word: str, model: str) -> str:
    """A word with the capitals of another: all, the first of each word, or none."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    return capitalised(word) if model[:1].isupper() else word


def capitalised(phrase: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in phrase.split(" "))


def titled(text: str) -> bool:
    words = [word for word in text.split() if word[:1].isalpha()]
    return sum(word[0].isupper() for word in words) * 2 > len(words)


def written(value: Fraction, numeral: Numeral, *, year: bool = False) -> str | None:
    """A value as the bare number of a numeral's slot; None where it does not fit there."""
    bare = value / numeral.factor
    broken = numeral.decimals or numeral.factor != 1 or numeral.kind in BROKEN
    decimals = next((n for n in range(3 if broken else 1) if (bare * 10**n).denominator == 1), None)
    if decimals is None or bare <= 0 or bare >= 10**MOST_DIGITS:
        return None
    text = f"{float(bare):,.{decimals}f}"
    return text.replace(",", "") if year or numeral.kind is NumeralKind.YEAR else text


def in_slot(headline: MarkedText, numeral: Numeral, number: str) -> MarkedText:
    """The headline with another bare number, and the ending of an English ordinal that goes with it."""
    changed = headline.replaced(numeral.number_start, numeral.number_end, number)
    place = numeral.number_start + len(number)
    ending = ENDING.match(changed.text, place)
    if ending and number[-1].isdigit():
        changed = changed.replaced(*ending.span(), like(ordinal_ending(number), ending[0]))
    return changed


def rounded(numeral: Numeral, draw: Random, *, up: bool) -> Fraction | None:
    """A rounder number a little above or below; None where there is none, or nobody rounds such numbers."""
    value = numeral.value
    if value < 20 or numeral.kind in UNBOUNDED or numeral.kind is NumeralKind.AGE:
        return None
    size = len(str(int(value)))
    steps = [Fraction(10 ** (size - digits)) for digits in (1, 2)]
    near = [value // step * step + step * up for step in steps]
    near = [other for other in near if other != value and abs(other - value) <= _NEAR * value]
    return draw.choice(near) if near else None
