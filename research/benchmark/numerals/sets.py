"""The sets of the benchmark of numerals, and their rows with the numbers put back."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from core.data.articles.blanks import Blanks
from core.digests import digest
from core.numerals.expressions.expression import Call, operator_of
from core.numerals.expressions.parse import parsed_or_none
from core.numerals.question import BLANKS
from research.benchmark import results

UNPARSED: Final = "none"  # the operator of an annotation that does not parse


ANNOTATED: Final = "numhg"  # the set whose rows have derivations, and a validation part


@dataclass(frozen=True, slots=True, eq=False)
class NumeralRows:
    given: Blanks
    headlines: tuple[str, ...]  # with the number put back
    starts: tuple[int, ...]
    golds: tuple[Call | None, ...]
    operators: tuple[str, ...]
    articles: npt.NDArray[np.int64]  # number of the article, int64 [n]; equal texts have the same
    places: npt.NDArray[np.int64]  # rows of `Blanks` that were taken, int64 [n]

    def __len__(self) -> int:
        return len(self.headlines)

    @property
    def fingerprint(self) -> str:
        given = self.given
        whole = given.texts, given.headlines, given.answers, self.operators, given.operations, self.golds
        return digest(repr(whole), digits=16)


class NumeralTask(StrEnum):
    RANKING = "ranking"
    CALIBRATION = "calibration"
    FILLING = "filling"


class _Given(msgspec.Struct):
    sets: tuple[results.BenchmarkSet, ...]
    titles: dict[NumeralTask, str]
    columns: dict[NumeralTask, tuple[tuple[str, str, str], ...]]


_GIVEN: Final = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Given)


SETS, TITLES, MAIN = _GIVEN.sets, _GIVEN.titles, _GIVEN.columns


def find_set(key: str) -> results.BenchmarkSet:
    return results.set_named(SETS, key, "The benchmark of numerals")


def rows_of(blanks: Blanks, places: list[int]) -> NumeralRows:
    """Some rows of a set of blanks, with the number put back and the annotation parsed."""
    given = blanks.at(places)
    headlines, starts = [], []
    for blank, answer in zip(given.headlines, given.answers, strict=True):
        match = BLANKS.search(blank)
        start, end = match.span() if match else (len(blank), len(blank))
        headlines.append(f"{blank[:start]}{answer}{blank[end:]}")
        starts.append(start)
    golds = [parsed_or_none(text) for text in given.annotations]
    operators = tuple(UNPARSED if gold is None else str(operator_of(gold)) for gold in golds)
    numbers: dict[str, int] = {}
    articles = np.array([numbers.setdefault(text, len(numbers)) for text in given.texts], dtype=np.int64)
    texts = tuple(headlines), tuple(starts), tuple(golds)
    return NumeralRows(given, *texts, operators, articles, np.array(places, dtype=np.int64))
