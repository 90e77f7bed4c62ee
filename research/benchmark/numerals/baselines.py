"""Baselines without understanding, and published answers, for the benchmark of numerals."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.data.articles.blanks import load_blanks, load_fill_predictions
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.slots import slot_of
from core.numerals.expressions.expression import calls_of
from core.numerals.question import NumeralQuestion, ReadArticle, blank_of, read_article
from core.parts import Part
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind
from research.benchmark.numerals.figures import OpenedRows
from research.benchmark.results import BenchmarkSystem
from research.training.numerals.corruptions import ordinal_ending

_LARGEST: Final = 1_000_000
Ranking = Callable[[OpenedRows], Sequence[Sequence[DerivationCandidate]]]
PUBLISHED: Final = "published"


def fitting_answers(question: NumeralQuestion) -> list[str]:
    """The article's numerals, in order, in the form that the blank's signs ask for; all where none fits."""
    numerals = [
        numeral
        for numeral in question.article.numerals
        if numeral.start >= question.article.dateline and numeral.approximation is not Approximation.VAGUE
    ]
    slot, after = slot_of(question), question.headline[question.end :].casefold()
    age = slot.age and "year" in after[:6]
    signs = {NumeralKind.MONEY: slot.money, NumeralKind.PERCENT: slot.percent, NumeralKind.AGE: age}
    wanted = next((kind for kind, there in signs.items() if there), None)
    fitting = [
        text
        for numeral in numerals
        if wanted in (None, numeral.kind)
        and (text := _answer(numeral, slot.factor))
        and (not slot.ordinal or after.startswith(ordinal_ending(text)))
    ]
    return fitting or [text for numeral in numerals if (text := _answer(numeral, Fraction(1)))]


def _most_frequent(answers: Sequence[str]) -> str:
    return Counter(answers).most_common(1)[0][0] if answers else ""


def _by(pick: Callable[[Sequence[str]], str]) -> Callable[[OpenedRows], list[str]]:
    return lambda data: [pick(fitting) for fitting in _fitting(data)]


def _answer(numeral: Numeral, factor: Fraction) -> str:
    if factor == numeral.factor and numeral.form in (NumeralForm.DIGITS, NumeralForm.MIXED):
        return numeral.number
    value = numeral.value / factor
    if value.denominator == 1 and 0 <= value < _LARGEST:
        return f"{int(value):,}"
    tenths = value * 10
    return f"{float(value):.1f}" if factor != 1 and tenths.denominator == 1 and 0 < value < _LARGEST else ""


# What several baselines search is searched once.
@lru_cache(maxsize=1)
def _derived(data: OpenedRows) -> list[tuple[DerivationCandidate, ...]]:
    asked = data.runtime.track(list(data.questions), "Searching derivations")
    return [() if question is None else derivations_of(question) for question in asked]


@lru_cache(maxsize=1)
def _fitting(data: OpenedRows) -> list[list[str]]:
    given = data.rows.given
    articles = read_articles(given.texts, data.runtime)
    return [fitting_answers(blank_of(*pair)) for pair in zip(given.headlines, articles, strict=True)]


def read_articles(texts: Sequence[str], runtime: Runtime) -> list[ReadArticle]:
    different = runtime.track(list(dict.fromkeys(texts)), "Reading articles")
    known = {text: read_article(text) for text in different}
    return [known[text] for text in texts]


def _random(data: OpenedRows) -> list[str]:
    drawn = []
    asked = zip(_fitting(data), data.rows.starts, data.rows.given.headlines, strict=True)
    for fitting, start, blank in asked:
        draw = random.Random(f"{data.seed}|{start}|{blank}")  # noqa: S311 - not for secrets
        drawn.append(draw.choice(list(dict.fromkeys(fitting))) if fitting else "")
    return drawn


def _drawn(data: OpenedRows) -> list[list[DerivationCandidate]]:
    drawn = [list(own) for own in _derived(data)]
    for row, own in enumerate(drawn):
        random.Random(f"{data.seed}|{row}").shuffle(own)  # noqa: S311 - not for secrets
    return drawn


def _size(candidate: DerivationCandidate) -> tuple[int, tuple[int, ...]]:
    return sum(1 for _ in calls_of(candidate.expression)), candidate.sources


RANKED: Final[Mapping[str, tuple[str, Ranking]]] = {
    "drawn": ("Any derivation, drawn", _drawn),
    "simplest": (
        "Simplest derivation first",
        lambda data: [sorted(own, key=_size) for own in _derived(data)],
    ),
    "prior": ("In the order of the search", _derived),
}
"""Rankings that look at no words: key, name, and the derivations of each row."""
FILLED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], list[str]]]]] = {
    "majority": (
        "Most frequent number of training headlines",
        lambda data: [_most_frequent(load_blanks("numhg").part(Part.TRAIN).answers)] * len(data.rows),
    ),
    "random": ("A fitting number of the article, drawn", _random),
    "frequent": ("Most frequent fitting number of the article", _by(_most_frequent)),
    "first": ("First fitting number of the article", _by(lambda fitting: next(iter(fitting), ""))),
    PUBLISHED: (
        "Published answers of a SemEval system",
        lambda data: [load_fill_predictions().answers[place] for place in data.rows.places.tolist()],
    ),
}
"""What is put into the blanks."""
_NAMES: Final = {key: row[0] for key, row in (*RANKED.items(), *FILLED.items())}
BASELINES: Final = tuple(BenchmarkSystem(key=key, name=name, baseline=True) for key, name in _NAMES.items())
