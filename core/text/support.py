"""What a headline says that its article does not, from words alone: a finding asks for a second look."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.text.differences import starts_inside
from core.text.marks import MarkKind, TextMark, apart
from core.text.names import Initials, find_names, learn_names
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, agree, read_quantities
from core.text.tokens import Token, tokenize

_SENTENCE = re.compile(r"\S(?:.{0,1000}?[.!?…][\"'”’»)\]]*(?=\s|\Z)|.{0,1000}(?=\s|\Z)|.{0,1000})")
"""Up to a full stop; a text without any is cut after about a thousand characters, at a space if it can be."""
SHOWN_FRAGMENT = 2  # words of a copied run that is marked: any text shares single words with a long one
_OF_THEIR_OWN = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT})


class WordSequence:
    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._joined = "\n" + "".join(f"{word}\n" for word in words)
        self._starts = list(accumulate((len(word) + 1 for word in words), initial=1))

    def longest(self, words: Sequence[str], at: int) -> tuple[int, int]:
        """How many words from a place on stand here in the same order, and where they first do."""
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
        return f"\n{word}\n" in self._joined


@dataclass(frozen=True, slots=True)
class SourceArticle:
    tokens: tuple[Token, ...]  # its words; their places count from the beginning of the article
    row: WordSequence  # the words in lower case, as they are compared
    sentences: tuple[str, ...]  # cut roughly, so that reading them takes time in proportion to the text


@dataclass(frozen=True, slots=True)
class Fragment:
    first: int  # its first word, as a number of words of the headline from 0
    source: int  # the same word in the article; the first place where the run stands
    words: int  # how many words it has, 1 or more


def read_source(text: str) -> SourceArticle:
    tokens: list[Token] = []
    sentences: list[str] = []
    for match in _SENTENCE.finditer(text):
        sentences.append(match[0])
        by = match.start()
        tokens += [replace(token, start=token.start + by, end=token.end + by) for token in tokenize(match[0])]
    row = WordSequence([token.text.casefold() for token in tokens])
    return SourceArticle(tuple(tokens), row, tuple(sentences))


def copied(words: Sequence[str], row: WordSequence) -> tuple[Fragment, ...]:
    """The longest copied fragments of a headline, in order, not overlapping, as in figure 3 of the paper."""
    # The paper's program skips beginnings inside a matched run, and so loses longer ones where words repeat.
    fragments: list[Fragment] = []
    at = 0
    while at < len(words):
        length, place = row.longest(words, at)
        if length:
            fragments.append(Fragment(at, place, length))
        at += max(1, length)
    return tuple(fragments)


def coverage(fragments: Sequence[Fragment], words: int) -> float | None:
    """Share of the headline's words that are in a copied fragment, 0–1; None for one without words."""
    return sum(fragment.words for fragment in fragments) / words if words else None


def density(fragments: Sequence[Fragment], words: int) -> float | None:
    """Mean length of the fragment that a word is in (Grusky et al. 2018), 0 to `words`; None for none."""
    return sum(fragment.words**2 for fragment in fragments) / words if words else None


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    source: SourceArticle  # its words
    forms: frozenset[str]  # their normal forms
    numbers: tuple[Quantity, ...]  # its exact numbers, each once, by value ascending


@dataclass(frozen=True, slots=True)
class Trace:
    marks: tuple[TextMark, ...]  # what to mark in the headline, in order, not overlapping
    # the copied fragments of two words or more as they stand in the article, in order, not overlapping
    article_marks: tuple[TextMark, ...]
    novel: tuple[str, ...]  # words of the headline that carry content and are in the article in no form
    names: tuple[str, ...]  # names that the article lacks
    numbers: tuple[str, ...]  # numbers that the article lacks
    coverage: float | None  # share of the words that are copied, 0–1; None for a headline without words
    density: float | None  # see `core.text.support.density`


def read_evidence(source: SourceArticle) -> SourceEvidence:
    """Reads the numbers of an article sentence by sentence, and the forms of its words."""
    read = [quantity for sentence in source.sentences for quantity in read_quantities(sentence)]
    different = {
        (quantity.kind, quantity.value, quantity.resolution): quantity for quantity in read if quantity.exact
    }
    numbers = sorted(different.values(), key=lambda quantity: quantity.value)
    return SourceEvidence(source, frozenset(token.form for token in source.tokens), tuple(numbers))


def names_of(sources: Iterable[SourceArticle]) -> frozenset[str]:
    """Normal forms of the words that are names in some articles, to find names in Title Case by."""
    return learn_names(sentence for source in sources for sentence in source.sentences)


def trace(headline: str, evidence: SourceEvidence, *, known: Collection[str] = frozenset()) -> Trace:
    tokens = tokenize(headline)
    fragments = copied([token.text.casefold() for token in tokens], evidence.source.row)
    numbers = _unsupported_numbers(headline, evidence)
    new = _new_words(headline, tokens, evidence)
    named = {token.start for token in find_names(headline, known=known)}
    names = [token for token in new if token.start in named]
    novel = [token for token in new if token.start not in named]
    marks = [
        *(TextMark(number.start, number.end, MarkKind.UNSUPPORTED_NUMBER) for number in numbers),
        *(TextMark(token.start, token.end, MarkKind.UNSUPPORTED_NAME) for token in names),
        *(TextMark(token.start, token.end, MarkKind.NOVEL_WORD) for token in novel),
        *(_copied_mark(tokens, fragment.first, fragment.words) for fragment in _shown(fragments)),
    ]
    there = [_copied_mark(evidence.source.tokens, each.source, each.words) for each in _shown(fragments)]
    return Trace(
        marks=apart(marks),
        article_marks=apart(sorted(there, key=lambda each: each.start - each.end)),
        novel=tuple(token.text for token in novel),
        names=tuple(token.text for token in names),
        numbers=tuple(number.text for number in numbers),
        coverage=coverage(fragments, len(tokens)),
        density=density(fragments, len(tokens)),
    )


def _new_words(headline: str, tokens: tuple[Token, ...], evidence: SourceEvidence) -> list[Token]:
    counted = starts_inside(tokens, read_quantities(headline))
    words = [token for token in tokens if not (token.stop or token.number or token.start in counted)]
    new = [token for token in words if token.form not in evidence.forms]
    if not new:
        return []
    acronyms = {token.form: token for token in evidence.source.tokens if token.acronym}
    here, there = Initials(tokens), Initials(evidence.source.tokens)
    spelled = {word.start for acronym in acronyms.values() for word in here.spelling(acronym)}
    return [token for token in new if token.start not in spelled and not there.spelling(token)]


def numbers_in(headline: str, evidence: SourceEvidence) -> tuple[int, int]:
    """How many exact numbers of a headline the article has, perhaps rounded, and how many there are."""
    exact = sum(quantity.exact for quantity in read_quantities(headline))
    return exact - len(_unsupported_numbers(headline, evidence)), exact


def _unsupported_numbers(headline: str, evidence: SourceEvidence) -> list[Quantity]:
    return [
        quantity
        for quantity in read_quantities(headline)
        if quantity.exact
        and quantity.text.casefold() not in evidence.source.row
        and not any(
            agree(there, quantity)
            and (there.kind is quantity.kind or _OF_THEIR_OWN.isdisjoint((there.kind, quantity.kind)))
            for there in _near(quantity, evidence.numbers)
        )
    ]


def _near(quantity: Quantity, numbers: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    low = bisect_left(numbers, 0.89 * quantity.value, key=lambda number: number.value)
    high = bisect_right(numbers, 1.12 * quantity.value, key=lambda number: number.value)
    return numbers[low:high]


def _shown(fragments: Iterable[Fragment]) -> list[Fragment]:
    return [fragment for fragment in fragments if fragment.words >= SHOWN_FRAGMENT]


def _copied_mark(tokens: tuple[Token, ...], first: int, words: int) -> TextMark:
    return TextMark(tokens[first].start, tokens[first + words - 1].end, MarkKind.COPIED)
