"""What a task measures: its items, the answers of systems, and the measures of any part of them."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from core import files
from core.arrays import BoolArray, FloatArray, IntArray
from core.data.timelines.tables import read_bytes, read_table
from core.errors import InputError
from core.headlines.comparison.slices import Bin, quarters
from core.results.delimited import delimited
from core.results.table import Value
from core.runtime import Runtime
from core.text.language import headline_languages, timeline_language
from core.text.tokens import words
from research.benchmark.results import BenchmarkSet
from research.tasks.task import Task, TaskSystem

COLUMN: Final = "column:"  # before the name of a column of one's own
_NOUNS: Final = {"length": "words", "common words": "%"}
MOST_PARTS: Final = 12  # the most frequent words of a column that are shown
Answers = Mapping[str, np.ndarray[Any, Any]]
Estimates = Mapping[str, tuple[float | None, FloatArray]]  # each measure, and the same in each resample


class Answered(NamedTuple):
    answers: Answers
    signature: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Items(ABC):
    """The n items of a task."""

    slices: ClassVar[tuple[str, ...]] = ()  # what they can be told apart by, beside a column
    facts: BenchmarkSet
    better: Mapping[str, str]  # what is measured, and which end is better: "higher", "lower" or ""

    @abstractmethod
    def signature(self, system: TaskSystem) -> str:
        """A registered method in full; UnknownNameError where there is none of that name."""

    @abstractmethod
    def depends_on(self, system: TaskSystem, runtime: Runtime) -> Sequence[str]:
        """All that the answers of a method depend on beside the items and the seed."""

    @abstractmethod
    def ask(self, system: TaskSystem, runtime: Runtime) -> Answered:
        """The answers of a system, registered or from a file."""

    @abstractmethod
    def answered(self, answers: Answers) -> BoolArray:
        """Which items have an answer, bool [n]."""

    @abstractmethod
    def estimate(self, answers: Answers, rows: IntArray, *, resamples: int, seed: int) -> Estimates:
        """Every measure over some of the items."""

    @abstractmethod
    def units(self, rows: IntArray) -> tuple[int, str]:
        """How many units some items are resampled by, and what they are, in the plural."""

    @abstractmethod
    def values(self, name: str) -> Sequence[float | str | None]:
        """What items are told apart by: of `slices`, or a column."""

    @abstractmethod
    def listed(self) -> Mapping[str, Sequence[Value]]:
        """The items for people, a column each."""

    @abstractmethod
    def shown(self, answers: Answers) -> Sequence[Value]:
        """The answer to each item."""

    def parts(self, name: str) -> list[Bin]:
        """The items told apart: numbers by quarter, words one by one, of many the most frequent."""
        values = self.values(name)
        numbers = [value for value in values if isinstance(value, int | float)]
        if numbers and not any(isinstance(value, str) for value in values):
            rows = np.array([row for row, value in enumerate(values) if value is not None], dtype=np.int64)
            found = quarters(name, _NOUNS.get(name, ""), np.round(numbers).astype(np.int64))
            return [Bin(name, part.label.strip(), rows[part.rows]) for part in found]
        most = Counter(value for value in values if value is not None).most_common(MOST_PARTS)
        return [
            Bin(name, str(word), np.array([row for row, value in enumerate(values) if value == word]))
            for word, _ in sorted(most, key=lambda item: (-item[1], str(item[0])))
        ]


def measures_of(task: Task, known: Mapping[str, str], default: Sequence[str]) -> dict[str, str]:
    for name in task.metrics:
        if name not in known:
            said = f"{name!r} is no measure of {task.unit}."
            raise InputError(said, hint=f"Choose from {', '.join(known)}.")
    return {name: known[name] for name in task.metrics or default}


def numbers_or_words(cells: Sequence[object]) -> list[float | str | None]:
    """A column as numbers where all its cells are, else as words; None where a cell is empty."""
    texts = [cell.strip() if isinstance(cell, str) else "" for cell in cells]
    try:
        return [float(text) if text else None for text in texts]
    except ValueError:
        return [text or None for text in texts]


def languages(texts: Sequence[str]) -> list[float | str | None]:
    return list(headline_languages(texts, timeline_language(texts)))


def common_words(left: str, right: str) -> float | None:
    """The share of the words of both texts that both have, in percent; None where neither has a word."""
    one, other = set(words(left)), set(words(right))
    return 100 * len(one & other) / len(one | other) if one | other else None


def no_column(name: str, columns: Sequence[str]) -> InputError:
    said = f"There is no column {name[:80]!r}."
    return InputError(said, hint=f"The columns are: {', '.join(map(str, columns))[:300]}.")


def data_of(task: Task, folder: Path) -> str:
    """The place of the data; a copy in the folder whose columns are called as the fields are."""
    if not task.fields:
        return task.data
    if not Path(task.data).is_file():
        raise InputError("Fields are named for a file alone.", hint="Leave them out, or give a path.")
    cells = read_table(read_bytes(task.data), Path(task.data).name).cells
    for column in task.fields.values():
        if column not in cells.columns:
            raise no_column(column, list(cells.columns))
    named = {column: field for field, column in task.fields.items()}
    cells = cells.drop(columns=[name for name in named.values() if name in cells and name not in named])
    names = [named.get(name, name) for name in cells.columns]
    path = folder / "data.csv"
    files.write(path, delimited([names, *cells.itertuples(index=False)]).encode())
    return str(path)
