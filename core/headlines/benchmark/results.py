"""What the benchmark of headline generators found, as plain data that JSON keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.headlines.benchmark.models import ModelFacts
from core.headlines.benchmark.published import Published, Source
from core.results import stored
from core.statistics.figure import Figure

LAYOUT: Final = 2
"""Version of the JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """One column of a set's table.

    Attributes:
        key: Name of the value in `Cell.figures`.
        label: For people.
        percent: It goes from 0 to 1 and is shown times 100.
        metric: Signature of the metric that it is of.
    """

    key: str
    label: str
    percent: bool
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFacts:
    """One set.

    Attributes:
        key: As it was asked for.
        name: For people.
        about: What it is.
        language: ISO 639-1 code.
        fingerprint: Of the articles that were measured on.
        articles: How many these are.
        whole: How many the set has.
        columns: What was measured.
        metrics: Library and settings of each metric, by signature; why not, where it could not run.
        main: Key of the column that systems are ranked and tested by; "" for none.
        note: On the sample, a sentence; "" for nothing.
        why_not: Why nothing was measured; "" where something was.
    """

    key: str
    name: str
    about: str = ""
    language: str = ""
    fingerprint: str = ""
    articles: int = 0
    whole: int = 0
    columns: tuple[ColumnFacts, ...] = ()
    metrics: Mapping[str, str] = dataclasses.field(default_factory=dict)
    main: str = ""
    note: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFacts:
    """One system.

    Attributes:
        key: Short name.
        name: For people.
        kind: What sort of system it is.
        generator: Full signature; "" where only its headlines were published, or it does not exist here.
        model: Its weights; None where it has none, or they are not here.
        base_parameters: Of the model below what was trained here; 0 for none.
        chosen_on: What chose its weights, in words; "" where it has none.
    """

    key: str
    name: str
    kind: str
    generator: str = ""
    model: ModelFacts | None = None
    base_parameters: int = 0
    chosen_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One system on one set.

    Attributes:
        set: Key of the set.
        row: Key of the row.
        why_not: Why there are no figures; "" where there are.
        signature: Everything that the headlines depend on, in one line.
        figures: By key of the column.
        against_baseline: p of the main column against the first sentence, corrected by Holm for all systems
            of the set; None where there is nothing to test.
        empty: How many headlines are empty.
        seconds: That writing took, loading left out; None where the headlines were published.
    """

    set: str
    row: str
    why_not: str = ""
    signature: str = ""
    figures: Mapping[str, Figure] = dataclasses.field(default_factory=dict)
    against_baseline: float | None = None
    empty: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineBenchmark:
    """The whole table.

    Attributes:
        date: Day of the run, ISO 8601, UTC.
        program: Name and version.
        machine: Processor, cores and the like.
        seed: Of samples, writing and resamples.
        resamples: Of the intervals.
        sets: In order.
        rows: In order.
        cells: One for each set and row.
        sources: The papers' tables.
        published: What stands in them.
    """

    date: str
    program: str
    machine: Mapping[str, Any]
    seed: int
    resamples: int
    sets: tuple[SetFacts, ...]
    rows: tuple[RowFacts, ...]
    cells: tuple[Cell, ...]
    sources: tuple[Source, ...]
    published: tuple[Published, ...]

    def cell(self, set_key: str, row_key: str) -> Cell | None:
        """The cell of a set and a row; None where there is none."""
        return next((one for one in self.cells if (one.set, one.row) == (set_key, row_key)), None)


def to_json(benchmark: HeadlineBenchmark) -> str:
    """The table as JSON; one line a set, row, cell and duel."""
    return stored.to_json(benchmark, layout=LAYOUT)
