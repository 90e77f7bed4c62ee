"""What to mark in headlines of one article: what others lack, what disagrees, what the article lacks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.runtime import Runtime
from core.text.differences import compare_readings, read
from core.text.marks import AGAINST, MarkKind, TextMark
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, conflict, read_quantities, same
from core.text.support import Trace, names_of, read_evidence, read_source, trace

_ADDED = frozenset({MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER})
_LACKING = {MarkKind.ADDED_WORD: MarkKind.NOVEL_WORD, MarkKind.ADDED_NAME: MarkKind.UNSUPPORTED_NAME}
_LACKING |= dict.fromkeys((MarkKind.ADDED_NUMBER, MarkKind.CONFLICTING_NUMBER), MarkKind.UNSUPPORTED_NUMBER)
_IN_PLACE: Final = 5  # words of an article in a row: a number among them stands for what it does there


@lru_cache(maxsize=4_096)
def own_marks(texts: tuple[str, ...], article: str = "") -> tuple[tuple[TextMark, ...], ...]:
    """For each headline: what no other one has, or disagrees, and whether the article has that."""
    readings = {place: read(text) for place, text in enumerate(texts) if text}
    marks: list[list[tuple[TextMark, ...]]] = [[] for _ in texts]
    for left, right in combinations(readings, 2):
        differences = compare_readings(readings[left], readings[right])
        marks[left].append(differences.left_marks)
        marks[right].append(differences.right_marks)
    return tuple(_held(_joined(own), text, article) for own, text in zip(marks, texts, strict=True))


@lru_cache(maxsize=4_096)
def marks_against(
    reference: str, texts: tuple[str, ...], article: str = ""
) -> tuple[tuple[TextMark, ...], ...]:
    """For each headline: what the reference has not, or has otherwise, and whether the article has that."""
    original = read(reference)
    each = (_joined([compare_readings(original, read(text)).right_marks]) if text else () for text in texts)
    return tuple(_held(own, text, article) for own, text in zip(each, texts, strict=True))


def _held(marks: tuple[TextMark, ...], text: str, article: str) -> tuple[TextMark, ...]:
    """What the article has is no fault, for all that is known; what it lacks too is marked as such."""
    if not marks or not article.strip():
        return marks
    right = {each.start for each in read(text).numbers if _has(article, each, text)}
    held = traces(article, [text], frozenset())[0].marks
    lacks = {at for each in held if each.kind is not MarkKind.COPIED for at in range(each.start, each.end)}
    said: list[TextMark] = []
    for each in marks:
        lacking = {} if lacks.isdisjoint(range(each.start, each.end)) else _LACKING
        kinds = {MarkKind.CONFLICTING_NUMBER: MarkKind.OTHER_NUMBER} if each.start in right else lacking
        said.append(replace(each, kind=kinds.get(each.kind, each.kind)))
    return tuple(said)


def _has(article: str, number: Quantity, headline: str) -> bool:
    """Whether an article has a number: of counted things no other one, or in the same words."""
    there = read_quantities(article)
    has = any(same(number, other) for other in there)
    if not has or number.kind is not NumeralKind.COUNT or not any(conflict(number, other) for other in there):
        return has
    held = traces(article, [headline], frozenset())[0].marks
    copied = (headline[each.start : each.end] for each in held if each.start <= number.start < each.end)
    return any(len(words.split()) >= _IN_PLACE for words in copied)


def _joined(compared: list[tuple[TextMark, ...]]) -> tuple[TextMark, ...]:
    by_span: dict[tuple[int, int], list[MarkKind]] = {}
    for mark in chain.from_iterable(compared):
        by_span.setdefault((mark.start, mark.end), []).append(mark.kind)
    joined: list[TextMark] = []
    for (start, end), kinds in sorted(by_span.items()):
        against = next((kind for kind in kinds if kind in AGAINST), None)
        added = len(kinds) == len(compared) and all(kind in _ADDED for kind in kinds)
        kind = against or (kinds[0] if added else None)
        if kind is not None and (not joined or start >= joined[-1].end):
            joined.append(TextMark(start, end, kind))
    return tuple(joined)


class Traced(NamedTuple):
    """s systems on n articles."""

    names: frozenset[str]  # normal forms of the names in all articles
    unsupported: FloatArray  # names and numbers of headlines that their articles lack, [s, n]; NaN if unread


def traced(articles: Articles, outputs: Sequence[Outputs], runtime: Runtime) -> Traced:
    """Holds every headline against its article."""
    names = names_of(read_source(text) for text in runtime.track(articles.texts, "Reading names"))
    unsupported = np.full((len(outputs), len(articles)), np.nan)
    for row, text in enumerate(runtime.track(articles.texts, "Comparing headlines with their articles")):
        if text.strip():
            for place, held in enumerate(traces(text, [output.headlines[row] for output in outputs], names)):
                if held.coverage is not None:
                    unsupported[place, row] = len(held.names) + len(held.numbers)
    return Traced(names, unsupported)


def traces(text: str, headlines: Sequence[str], names: frozenset[str]) -> list[Trace]:
    evidence = read_evidence(read_source(text))
    return [trace(headline, evidence, known=names) for headline in headlines]
