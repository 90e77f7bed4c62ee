"""The rows that judges of numerals are measured on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.articles.sets import Blanks, load_blanks
from core.data.files import sample
from core.digests import digest
from core.errors import CoreError
from core.numerals.expressions.parse import Call, operator_of, parsed_or_none
from core.numerals.question import BLANKS
from core.parts import Part
from research.benchmark.results import (
    Benchmark,
    BenchmarkCell,
    BenchmarkFile,
    BenchmarkSet,
    BenchmarkSystem,
    set_named,
)


class NumeralTask(StrEnum):
    RANKING = "ranking"
    CALIBRATION = "calibration"
    FILLING = "filling"


TASKS: Final = {
    NumeralTask.RANKING: ("first", "equivalent", "first_three"),
    NumeralTask.CALIBRATION: ("ece", "brier"),
    NumeralTask.FILLING: ("right", "equal"),
}
"""The measures of each task. The name of a figure is a measure, and what it is of where there is something:
"first", "ece answer" (a probability)."""


class Split(StrEnum):
    """How rows are divided; the part of a cell is "" for all rows, else the division and its value."""

    OPERATION = "operation"
    OPERATOR = "operator"
    KIND = "kind"

    def part(self, value: str) -> str:
        return f"{self}: {value}"


NumeralBenchmark = Benchmark[BenchmarkSet, BenchmarkSystem, BenchmarkCell]
FILE: Final = BenchmarkFile(
    NumeralBenchmark, "numeral_benchmark", "a benchmark of numerals", "headline-lab benchmark numerals"
)


UNPARSED: Final = "none"  # the operator of an annotation that does not parse


@dataclass(frozen=True, slots=True, kw_only=True)
class NumeralSet:
    """A set of the benchmark."""

    key: str
    name: str
    about: str
    only_test: bool = False  # it has no validation part
    annotated: bool = True  # rows have derivations, too; else only blanks are filled


SETS: Final = (
    NumeralSet(
        key="numhg",
        name="NumHG held out",
        about="Rows of NumHG's annotated training file that nothing here learned from: 1,051 to test on, 535 "
        "to choose on.",
    ),
    NumeralSet(
        key="numeval",
        name="SemEval-2024 development",
        about="The public questions of SemEval-2024 task 7, numerical reasoning; no article is NumHG's.",
        only_test=True,
        annotated=False,
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class NumeralRows:
    """n rows of a set; every attribute but the first three has n entries."""

    about: NumeralSet
    whole: int
    note: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    blanks: tuple[str, ...]
    headlines: tuple[str, ...]
    starts: tuple[int, ...]
    answers: tuple[str, ...]
    golds: tuple[Call | None, ...]
    operators: tuple[str, ...]
    operations: tuple[str, ...]
    articles: npt.NDArray[np.int64]  # number of the article, int64 [n]; equal texts have the same
    places: npt.NDArray[np.int64]  # rows of `Blanks` that were taken, int64 [n]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        whole = (self.texts, self.blanks, self.answers, self.operators, self.operations, self.golds)
        return digest(repr(whole), digits=16)


def find_set(key: str) -> NumeralSet:
    return set_named(SETS, key, "The benchmark of numerals")


def facts_of(about: NumeralSet) -> BenchmarkSet:
    return BenchmarkSet(key=about.key, name=about.name, about=about.about, unit="articles")


def open_rows(about: NumeralSet, *, part: Part = Part.TEST, limit: int = 0, seed: int = 0) -> NumeralRows:
    if about.only_test and part is not Part.TEST:
        raise CoreError(f"{about.name} is all test.", hint="Measure on the test part.")
    blanks = load_blanks(about.key)
    of_part = [
        row for row, one in enumerate(blanks.parts) if one is part and BLANKS.search(blanks.headlines[row])
    ]
    drawn = sample(len(of_part), limit, seed=seed)
    note = ""
    if len(drawn) < len(of_part):
        note = f"{len(drawn):,} of {len(of_part):,} rows, drawn with seed {seed}."
    return rows_of(blanks, [of_part[row] for row in drawn], about=about, whole=len(of_part), note=note)


def rows_of(
    blanks: Blanks, places: list[int], *, about: NumeralSet, whole: int, note: str = ""
) -> NumeralRows:
    """Some rows of a set of blanks, with the number put back and the annotation parsed."""
    taken = blanks.at(places)
    headlines, starts = [], []
    for blank, answer in zip(taken.headlines, taken.answers, strict=True):
        found = BLANKS.search(blank)
        start, end = found.span() if found else (len(blank), len(blank))
        headlines.append(f"{blank[:start]}{answer}{blank[end:]}")
        starts.append(start)
    golds = [parsed_or_none(text) for text in taken.annotations]
    numbers: dict[str, int] = {}
    return NumeralRows(
        about=about,
        whole=whole,
        note=note,
        ids=taken.ids,
        texts=taken.texts,
        blanks=taken.headlines,
        headlines=tuple(headlines),
        starts=tuple(starts),
        answers=taken.answers,
        golds=tuple(golds),
        operators=tuple(UNPARSED if gold is None else str(operator_of(gold)) for gold in golds),
        operations=taken.operations,
        articles=np.array([numbers.setdefault(text, len(numbers)) for text in taken.texts], dtype=np.int64),
        places=np.array(places, dtype=np.int64),
    )
