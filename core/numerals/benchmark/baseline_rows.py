"""The baselines' rows of the benchmark, and the published answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.articles.blanks import load_blanks, load_fill_predictions
from core.errors import CoreError
from core.numerals.benchmark.baselines import (
    fitting_answers,
    frequent_answer,
    majority_answer,
    random_answer,
    shuffled,
    simplest_first,
)
from core.numerals.benchmark.measuring import Scope, ranking
from core.numerals.benchmark.results import Cell, SystemFacts, Task
from core.numerals.benchmark.sets import Rows
from core.numerals.benchmark.wrong import Wrong, stand
from core.numerals.derivations.candidate import Candidate
from core.numerals.derivations.search import derivations_of
from core.numerals.question import Question, blank_of, read_article
from core.parts import Part
from core.runtime import Runtime

FloatArray = npt.NDArray[np.float64]

PUBLISHED: Final = SystemFacts(key="published", name="Published answers of a SemEval system", baseline=True)
BASELINES: Final = (
    SystemFacts(key="drawn", name="Any derivation, drawn", baseline=True),
    SystemFacts(key="simplest", name="Simplest derivation first", baseline=True),
    SystemFacts(key="prior", name="In the order of the search", baseline=True),
    SystemFacts(key="always_yes", name="Always yes", baseline=True),
    SystemFacts(key="member", name="The number stands in the article", baseline=True),
    SystemFacts(key="derivable", name="Some operation gives the number", baseline=True),
    SystemFacts(key="majority", name="Most frequent number of training headlines", baseline=True),
    SystemFacts(key="random", name="A fitting number of the article, drawn", baseline=True),
    SystemFacts(key="frequent", name="Most frequent fitting number of the article", baseline=True),
    SystemFacts(key="first", name="First fitting number of the article", baseline=True),
    PUBLISHED,
)


def baseline_cells(
    scope: Scope, questions: Sequence[Question | None], wrongs: Sequence[Wrong], runtime: Runtime
) -> list[Cell]:
    """Ranking that looks at no words; support that asks whether the number can be had from the article."""
    derived = _derivations(questions, "Searching derivations", runtime)
    drawn = [shuffled(own, key=str(row), seed=scope.seed) for row, own in enumerate(derived)]
    cells = ranking(scope, "drawn", drawn)[0]
    cells += ranking(scope, "simplest", [simplest_first(own) for own in derived])[0]
    cells += ranking(scope, "prior", derived)[0]
    there = {
        "always_yes": np.ones(len(scope.rows), dtype=np.bool_),
        "member": stand(questions),
        "derivable": np.array([bool(own) for own in derived]),
    }
    for key, supported in there.items():
        cells += scope.shares(Task.SUPPORT, key, "found", supported)
        cells += scope.shares(Task.SUPPORT, key, "false_alarm", ~supported)
    for wrong in wrongs:
        ways = _derivations(wrong.questions, f"Searching derivations ({wrong.how})", runtime)
        told = {
            "always_yes": np.ones(len(wrong.rows), dtype=np.bool_),
            "member": wrong.landed,
            "derivable": np.array([bool(own) for own in ways], dtype=np.bool_),
        }
        for key, supported in told.items():
            own, other = there[key].astype(np.float64), supported.astype(np.float64)
            cells += scope.areas(key, own, other, wrong)
            cells += scope.shares(
                Task.CORRUPTION, key, "flagged", ~supported, at=wrong.rows, of=str(wrong.how)
            )
    return cells


def baseline_answers(rows: Rows, runtime: Runtime) -> dict[str, list[str]]:
    """What the baselines put into the blanks, by key."""
    frequent = majority_answer(load_blanks("numhg").part(Part.TRAIN))
    answers: dict[str, list[str]] = {
        "majority": [frequent] * len(rows),
        "random": [],
        "frequent": [],
        "first": [],
    }
    articles = {
        text: read_article(text) for text in runtime.track(sorted(set(rows.texts)), "Reading articles")
    }
    for text, blank, start in zip(rows.texts, rows.blanks, rows.starts, strict=True):
        fitting = fitting_answers(blank_of(blank, articles[text]))
        answers["random"].append(random_answer(fitting, key=f"{start}|{blank}", seed=runtime.seed))
        answers["frequent"].append(frequent_answer(fitting))
        answers["first"].append(fitting[0] if fitting else "")
    return answers


def published_answers(rows: Rows) -> dict[str, list[str]]:
    """The published answers to the rows by the key of their system; {} where there are none here."""
    if rows.about.key != "numeval":
        return {}
    try:
        given = load_fill_predictions().answers
    except CoreError:
        return {}
    return {PUBLISHED.key: [given[place] for place in rows.places.tolist()]}


def _derivations(
    questions: Sequence[Question | None], step: str, runtime: Runtime
) -> list[tuple[Candidate, ...]]:
    return [() if one is None else derivations_of(one) for one in runtime.track(list(questions), step)]
