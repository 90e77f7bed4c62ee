"""Baselines that ask for no understanding, and the published answers, each as a row of the table."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Final

from core.arrays import IntArray
from core.data.articles.sets import Blanks, load_blanks, load_fill_predictions
from core.errors import CoreError
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.parse import calls_of
from core.numerals.question import NumeralQuestion, blank_of, read_article
from core.parts import Part
from core.runtime import Runtime
from core.text.numerals.numeral import Approximation, Numeral, NumeralForm, NumeralKind
from research.benchmark.numerals.measuring import Scope
from research.benchmark.numerals.sets import NumeralRows
from research.benchmark.results import BenchmarkSet, BenchmarkSystem
from research.training.numerals.corruptions import ordinal_ending

_MAGNITUDES: Final = MappingProxyType(
    {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12}
)
_AFTER: Final = re.compile(r"\s?(st|nd|rd|th|k|mn|m|bn|b|thousand|million|billion|trillion)\b", re.IGNORECASE)
_LARGEST: Final = 1_000_000
_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})


def fitting_answers(question: NumeralQuestion) -> list[str]:
    """What the article's numerals would be in a blank, in their order, of the form that the blank asks for.

    The form is told by the signs beside the blank: a currency, a percent sign, a magnitude, an ordinal's
    ending, an age. All numerals outside the dateline where none fits; [] where the article has none.
    """
    numerals = [
        numeral
        for numeral in question.article.numerals
        if numeral.start >= question.article.dateline and numeral.approximation is not Approximation.VAGUE
    ]
    before, after = question.headline[: question.start], question.headline[question.end :]
    found = _AFTER.match(after)
    word = found[1].casefold() if found else ""
    factor = Fraction(10) ** _MAGNITUDES.get(word, 0)
    wanted = _kind(before, after)
    fitting = [
        text
        for one in numerals
        if wanted in (None, one.kind) and (text := _answer(one, factor)) and _ends(text, word)
    ]
    return fitting or [text for one in numerals if (text := _answer(one, Fraction(1)))]


def random_answer(answers: Sequence[str], *, key: str, seed: int) -> str:
    different = list(dict.fromkeys(answers))
    draw = random.Random(f"{seed}|{key}")  # noqa: S311 - not for secrets
    return draw.choice(different) if different else ""


def frequent_answer(answers: Sequence[str]) -> str:
    return Counter(answers).most_common(1)[0][0] if answers else ""


def majority_answer(train: Blanks) -> str:
    return frequent_answer(train.answers)


def simplest_first(candidates: Sequence[DerivationCandidate]) -> list[DerivationCandidate]:
    return sorted(candidates, key=lambda one: (sum(1 for _ in calls_of(one.expression)), one.sources))


def shuffled(candidates: Sequence[DerivationCandidate], *, key: str, seed: int) -> list[DerivationCandidate]:
    drawn = list(candidates)
    random.Random(f"{seed}|{key}").shuffle(drawn)  # noqa: S311 - not for secrets
    return drawn


def _kind(before: str, after: str) -> NumeralKind | None:
    if before.endswith(("$", "€", "£", "¥")):
        return NumeralKind.MONEY
    if re.match(r"\s?(?:%|percent)", after):
        return NumeralKind.PERCENT
    if re.match(r"[- ]years?[- ]old", after, re.IGNORECASE):
        return NumeralKind.AGE
    return None


def _answer(numeral: Numeral, factor: Fraction) -> str:
    if factor == numeral.factor and numeral.form in (NumeralForm.DIGITS, NumeralForm.MIXED):
        return numeral.number
    value = numeral.value / factor
    if value.denominator == 1 and 0 <= value < _LARGEST:
        return f"{int(value):,}"
    tenths = value * 10
    return f"{float(value):.1f}" if factor != 1 and tenths.denominator == 1 and 0 < value < _LARGEST else ""


def _ends(text: str, word: str) -> bool:
    return word not in _ENDINGS or ordinal_ending(text) == word


Ways = list[tuple[DerivationCandidate, ...]]


@dataclass(frozen=True, eq=False)
class OpenedRows:
    """A set as it is measured on; what baselines search is searched once."""

    facts: BenchmarkSet
    scope: Scope
    questions: tuple[NumeralQuestion | None, ...]
    read: IntArray
    runtime: Runtime

    @property
    def rows(self) -> NumeralRows:
        return self.scope.rows

    @cached_property
    def derived(self) -> Ways:
        asked = self.runtime.track(list(self.questions), "Searching derivations")
        return [() if one is None else derivations_of(one) for one in asked]

    @cached_property
    def fitting(self) -> list[list[str]]:
        texts = self.runtime.track(sorted(set(self.rows.texts)), "Reading articles")
        articles = {text: read_article(text) for text in texts}
        return [
            fitting_answers(blank_of(blank, articles[text]))
            for text, blank in zip(self.rows.texts, self.rows.blanks, strict=True)
        ]


def _random(data: OpenedRows) -> list[str]:
    return [
        random_answer(fitting, key=f"{start}|{blank}", seed=data.scope.seed)
        for fitting, start, blank in zip(data.fitting, data.rows.starts, data.rows.blanks, strict=True)
    ]


def _published(data: OpenedRows) -> list[str]:
    given = load_fill_predictions().answers
    return [given[place] for place in data.rows.places.tolist()]


RANKED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], Sequence[Sequence[DerivationCandidate]]]]]] = {
    "drawn": (
        "Any derivation, drawn",
        lambda data: [
            shuffled(own, key=str(row), seed=data.scope.seed) for row, own in enumerate(data.derived)
        ],
    ),
    "simplest": ("Simplest derivation first", lambda data: [simplest_first(own) for own in data.derived]),
    "prior": ("In the order of the search", lambda data: data.derived),
}
"""Rankings that look at no words: key, name, and the derivations of each row."""
FILLED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], list[str]]]]] = {
    "majority": (
        "Most frequent number of training headlines",
        lambda data: [majority_answer(load_blanks("numhg").part(Part.TRAIN))] * len(data.rows),
    ),
    "random": ("A fitting number of the article, drawn", _random),
    "frequent": (
        "Most frequent fitting number of the article",
        lambda data: [frequent_answer(fitting) for fitting in data.fitting],
    ),
    "first": (
        "First fitting number of the article",
        lambda data: [fitting[0] if fitting else "" for fitting in data.fitting],
    ),
    "published": ("Published answers of a SemEval system", _published),
}
"""What is put into the blanks."""
PUBLISHED: Final = "published"
BASELINES: Final = tuple(
    BenchmarkSystem(key=key, name=name, baseline=True)
    for key, name in ((key, row[0]) for table in (RANKED, FILLED) for key, row in table.items())
)


def has_no_place(key: str, data: OpenedRows) -> str:
    if key not in FILLED and not data.rows.about.annotated:
        return "Rows of this set have no derivation."
    if key == PUBLISHED and data.rows.about.key != "numeval":
        return "It answered the questions of SemEval-2024 alone."
    if key == PUBLISHED:
        try:
            load_fill_predictions()
        except CoreError as error:
            return f"{error.message} {error.hint}"
    return ""
