"""What the benchmark of pair scorers found, as plain data that JSON keeps."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.results import stored
from core.statistics.figure import Figure

LAYOUT = 2
"""Version of the JSON; a file of another version is refused."""
_WHAT = "a benchmark of pair scorers"
_HINT = "Run `headline-lab benchmark pairs --out FOLDER` again."


@dataclass(frozen=True, slots=True)
class SetFacts:
    """One pair set of the benchmark.

    Attributes:
        key: Its name, signature or path, as asked for.
        name: Short name.
        fingerprint: Of the data as read.
        summary: One line, with the licence.
        pairs: Labelled pairs by part.
        positives: Those of the same event by part.
        dated: Share of the test pairs with both dates.
        bodies: Share of the test pairs with both articles.
        annotated: How many people's own groups come with it.
        language: ISO 639-1 code, or "mixed".
        unit: What intervals resample.
        units: How many of them the test part has.
        notes: What was left out and why, a sentence each.
        why_not: Why nothing was measured; "" where something was.
        measured: Program, day, seed, resamples and caps of the run that measured it, in one line.
    """

    key: str
    name: str
    fingerprint: str = ""
    summary: str = ""
    pairs: Mapping[str, int] = dataclasses.field(default_factory=dict)
    positives: Mapping[str, int] = dataclasses.field(default_factory=dict)
    dated: float = 0.0
    bodies: float = 0.0
    annotated: int = 0
    language: str = ""
    unit: str = ""
    units: int = 0
    notes: tuple[str, ...] = ()
    why_not: str = ""
    measured: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One row on one set.

    Attributes:
        set: Key of the set.
        row: Key of the row.
        why_not: Why there are no figures; "" where there are.
        signature: Everything that the figures depend on, in one line.
        figures: By name: f1, precision, recall, accuracy, average_precision, roc_auc,
            calibration_error, calibrated_error (after a curve fitted where the threshold was
            chosen), brier, and validation_f1 (at the same threshold).
        counts: tp, fp, fn and tn.
        threshold: Score from which a pair was called the same event; None where a row has none.
        chosen_on: Which pairs chose the threshold, in words.
        pairs: Test pairs measured.
        pairs_of: Test pairs with a label.
        tuned_pairs: Pairs that chose the threshold.
        pairs_per_second: Without loading and encoding; None where nothing was timed.
        memory_mb: How far memory rose while it scored, megabytes; None where it cannot be read.
        bins: The reliability curve: low, high, pairs, mean score, share of the same event.
        notes: What else to know, a sentence each.
    """

    set: str
    row: str
    why_not: str = ""
    signature: str = ""
    figures: Mapping[str, Figure] = dataclasses.field(default_factory=dict)
    counts: Mapping[str, int] = dataclasses.field(default_factory=dict)
    threshold: float | None = None
    chosen_on: str = ""
    pairs: int = 0
    pairs_of: int = 0
    tuned_pairs: int = 0
    pairs_per_second: float | None = None
    memory_mb: float | None = None
    bins: tuple[tuple[float, float, int, float | None, float | None], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """F1 of one row minus that of another, on the pairs of one set that both scored.

    Attributes:
        set: Key of the set.
        one: Key of the first row.
        other: Key of the second.
        difference: None where undefined.
        low: Lower end of its 95 % interval.
        high: Upper end.
        p: Two-sided p-value of no difference, from the resamples of the interval.
        corrected: The same, by Holm over the comparisons of the set's best row with every other, which are
            what the tables show; None where neither row is the best.
        family: How many p-values it is corrected for; 0 where it is not.
        pairs: Pairs that both rows scored.
        warning: Why there is no interval or why not to rely on it, a sentence; "" otherwise.
    """

    set: str
    one: str
    other: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    corrected: float | None
    family: int
    pairs: int
    warning: str = ""


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What the table says of a row beside its figures; see `rows.Row`."""

    key: str
    name: str
    scorer: str
    challenge: int
    supervised: bool
    in_paper: bool
    published_validation: float | None
    published_test: float | None
    published_note: str


@dataclass(frozen=True, slots=True)
class PairBenchmark:
    """The whole table.

    Attributes:
        date: Day of the run, ISO 8601, UTC.
        program: Name and version.
        machine: Processor, cores and the like.
        seed: Of samples and resamples.
        resamples: Of the intervals.
        caps: Pairs at most, by pace, of the test part and of the part that chooses the threshold.
        sets: In order.
        rows: In order.
        cells: One for each set and row.
        comparisons: Any two rows of a set.
    """

    date: str
    program: str
    machine: Mapping[str, Any]
    seed: int
    resamples: int
    caps: Mapping[str, tuple[int, int]]
    sets: tuple[SetFacts, ...]
    rows: tuple[RowFacts, ...]
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]

    def cell(self, set_key: str, row_key: str) -> Cell:
        """The cell of a set and a row.

        Raises:
            KeyError: There is none.
        """
        return {(one.set, one.row): one for one in self.cells}[set_key, row_key]

    def set(self, key: str) -> SetFacts:
        """The facts of a set.

        Raises:
            KeyError: There is none of that key.
        """
        return {one.key: one for one in self.sets}[key]

    def only(self, key: str) -> PairBenchmark:
        """The table of one set, with the rows that it has, in the order in which they were run.

        Raises:
            KeyError: There is none of that key.
        """
        cells = tuple(one for one in self.cells if one.set == key)
        rows = {row.key: row for row in self.rows}
        return dataclasses.replace(
            self,
            sets=(self.set(key),),
            rows=tuple(rows[cell.row] for cell in cells),
            cells=cells,
            comparisons=tuple(one for one in self.comparisons if one.set == key),
        )


def to_json(benchmark: PairBenchmark) -> str:
    """The table as JSON; one line a set, row, cell and comparison."""
    return stored.to_json(benchmark, layout=LAYOUT)


def from_json(text: str) -> PairBenchmark:
    """Reads what `to_json` wrote.

    Raises:
        InputError: It is something else.
    """
    return stored.from_json(PairBenchmark, text, layout=LAYOUT, what=_WHAT, hint=_HINT)


def load(path: Path) -> PairBenchmark:
    """Reads a file that `to_json` filled.

    Raises:
        DataSourceError: It cannot be read.
        InputError: It is something else.
    """
    return stored.load(PairBenchmark, path, layout=LAYOUT, what=_WHAT, hint=_HINT)
