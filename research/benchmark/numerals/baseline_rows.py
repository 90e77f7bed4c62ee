"""The baselines of the benchmark, and the published answers, each as a row of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.articles.sets import load_blanks, load_fill_predictions
from core.errors import CoreError
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.derivations.search import derivations_of
from core.numerals.question import NumeralQuestion, blank_of, read_article
from core.parts import Part
from core.runtime import Runtime
from research.benchmark.numerals.baselines import (
    fitting_answers,
    frequent_answer,
    majority_answer,
    random_answer,
    shuffled,
    simplest_first,
)
from research.benchmark.numerals.measuring import Figures, Scope, Wrong, ranking, stand
from research.benchmark.numerals.sets import NumeralRows, NumeralSetFacts
from research.benchmark.results import BenchmarkSystem

Ways = list[tuple[DerivationCandidate, ...]]


@dataclass(frozen=True, eq=False)
class OpenedRows:
    """A set as it is measured on; what baselines search is searched once."""

    facts: NumeralSetFacts
    scope: Scope
    questions: tuple[NumeralQuestion | None, ...]
    wrongs: tuple[Wrong, ...]
    read: IntArray
    runtime: Runtime

    @property
    def rows(self) -> NumeralRows:
        return self.scope.rows

    @cached_property
    def derived(self) -> Ways:
        return self._searched(self.questions, "Searching derivations")

    @cached_property
    def derived_wrong(self) -> list[Ways]:
        """The same of the numbers made wrong."""
        return [
            self._searched(wrong.questions, f"Searching derivations ({wrong.how})") for wrong in self.wrongs
        ]

    @cached_property
    def fitting(self) -> list[list[str]]:
        """Numbers of each article that look right for its blank."""
        texts = self.runtime.track(sorted(set(self.rows.texts)), "Reading articles")
        articles = {text: read_article(text) for text in texts}
        return [
            fitting_answers(blank_of(blank, articles[text]))
            for text, blank in zip(self.rows.texts, self.rows.blanks, strict=True)
        ]

    def _searched(self, questions: Sequence[NumeralQuestion | None], step: str) -> Ways:
        return [
            () if one is None else derivations_of(one) for one in self.runtime.track(list(questions), step)
        ]


Supported = tuple[BoolArray, list[BoolArray]]


def _always(data: OpenedRows) -> Supported:
    sizes = [len(wrong.rows) for wrong in data.wrongs]
    return np.ones(len(data.rows), dtype=np.bool_), [np.ones(size, dtype=np.bool_) for size in sizes]


def _member(data: OpenedRows) -> Supported:
    return stand(data.questions), [wrong.landed for wrong in data.wrongs]


def _derivable(data: OpenedRows) -> Supported:
    found = [np.array([bool(own) for own in ways], dtype=np.bool_) for ways in data.derived_wrong]
    return np.array([bool(own) for own in data.derived], dtype=np.bool_), found


def _majority(data: OpenedRows) -> list[str]:
    return [majority_answer(load_blanks("numhg").part(Part.TRAIN))] * len(data.rows)


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
    "simplest": (
        "Simplest derivation first",
        lambda data: [simplest_first(own) for own in data.derived],
    ),
    "prior": ("In the order of the search", lambda data: data.derived),
}
"""Rankings that look at no words: key, name, and the derivations of each row."""
SUPPORTED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], Supported]]]] = {
    "always_yes": ("Always yes", _always),
    "member": ("The number stands in the article", _member),
    "derivable": ("Some operation gives the number", _derivable),
}
"""Support that asks whether the number can be had from the article: as it was, and made wrong."""
FILLED: Final[Mapping[str, tuple[str, Callable[[OpenedRows], list[str]]]]] = {
    "majority": ("Most frequent number of training headlines", _majority),
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
    for key, name in ((key, row[0]) for table in (RANKED, SUPPORTED, FILLED) for key, row in table.items())
)


def has_no_place(key: str, data: OpenedRows) -> str:
    """Why a baseline has no figures on a set, a sentence; "" where it has."""
    if key not in FILLED and not data.rows.about.judged:
        return "Headlines of this set are not checked."
    if key == PUBLISHED and data.rows.about.key != "numeval":
        return "It answered the questions of SemEval-2024 alone."
    if key == PUBLISHED:
        try:
            load_fill_predictions()
        except CoreError as error:
            return f"{error.message} {error.hint}"
    return ""


def judged_baseline(key: str, data: OpenedRows) -> Figures:
    """The figures of a baseline that ranks or supports."""
    scope = data.scope
    if key in RANKED:
        return ranking(scope, RANKED[key][1](data))[0]
    own, others = SUPPORTED[key][1](data)
    found = scope.shares("found", own)
    found.add(scope.shares("false_alarm", ~own))
    for wrong, other in zip(data.wrongs, others, strict=True):
        found.add(scope.areas(own.astype(np.float64), other.astype(np.float64), wrong))
        found.add(scope.shares(f"flagged {wrong.how}", ~other, at=wrong.rows))
    return found
