"""The whole table: every row on every set, and any two rows of a set against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np

from core import __version__
from core.data.pair_sets.pair_set import PairSet
from core.errors import Cancelled, CoreError, InputError
from core.pairs.benchmark.constant import one_answer
from core.pairs.benchmark.evaluate import Evaluated, evaluate
from core.pairs.benchmark.human import (
    VOTES,
    annotated,
    find_votes,
    people_on_set,
    people_on_votes,
    read_votes,
)
from core.pairs.benchmark.ranking import best
from core.pairs.benchmark.results import Cell, Comparison, PairBenchmark, RowFacts, SetFacts
from core.pairs.benchmark.rows import CONSTANT, HUMAN, Row
from core.pairs.benchmark.rows import rows as all_rows
from core.pairs.benchmark.sets import Measured, at_hand, closed_set, open_set, pool
from core.pairs.benchmark.tuning import Settings
from core.pairs.metrics.intervals import Units, resampled
from core.pairs.metrics.scores import pair_quality
from core.results.stored import this_machine
from core.runtime import Runtime
from core.statistics.calibration import BoolArray, FloatArray
from core.statistics.few_units import FEWEST
from core.statistics.figure import Figure
from core.statistics.paired import enough_resamples, holm, paired_bootstrap

OnCell = Callable[[SetFacts, Row, Cell], None]


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[Row] = (),
    settings: Settings | None = None,
    machine: Mapping[str, Any] | None = None,
    on_cell: OnCell | None = None,
) -> PairBenchmark:
    """Fills the table.

    A set that cannot be read and a row that cannot run say why in the table and stop nothing else.

    Args:
        runtime: Progress is reported set by set; scores are kept in its cache.
        sets: Names, signatures, files or folders; empty for all that are on this machine, with the raw
            votes of Dialogue 2021.
        rows: Which rows, the two that answer every pair alike being added; empty for all.
        settings: Samples, seed and resamples.
        machine: What to write down as the machine; found out if None.
        on_cell: Told of each cell as it is filled.

    Raises:
        InputError: There is no set.
        Cancelled: The runtime's stop was set.
    """
    chosen = settings or Settings()
    wanted = list(sets) or at_hand() + ([VOTES] if find_votes() else [])
    asked = {one.key for one in rows}
    rows = [*rows, *(one for one in CONSTANT if one.key not in asked)] if rows else all_rows()
    if not wanted:
        raise InputError("There is nothing to run.", hint="Name a pair set.")
    shared = pool()
    date, program = datetime.now(UTC).strftime("%Y-%m-%d"), f"headline-lab {__version__}"
    most = ", ".join(f"{pace} {caps[0]:,}" for pace, caps in chosen.caps.items())
    told = f"{program} · {date} · seed:{chosen.seed} · resamples:{chosen.resamples} · pairs at most: {most}"
    facts: list[SetFacts] = []
    cells: list[Cell] = []
    comparisons: list[Comparison] = []
    for key in wanted:
        found, filled, compared = _one_set(
            key, rows, shared, runtime=runtime, settings=chosen, on_cell=on_cell
        )
        facts.append(replace(found, measured=told))
        cells += filled
        comparisons += compared
    return PairBenchmark(
        date=date,
        program=program,
        machine=machine or this_machine(),
        seed=chosen.seed,
        resamples=chosen.resamples,
        caps={str(pace): caps for pace, caps in chosen.caps.items()},
        sets=tuple(facts),
        rows=tuple(row_facts(one) for one in rows),
        cells=tuple(cells),
        comparisons=tuple(comparisons),
    )


def row_facts(row: Row) -> RowFacts:
    """What the table says of a row."""
    return RowFacts(**{field.name: getattr(row, field.name) for field in fields(RowFacts)})


def evaluate_row(
    data: Measured, row: Row, shared: Sequence[PairSet], runtime: Runtime, settings: Settings
) -> Evaluated:
    """One row on one set; people are measured one by one, one answer by itself, all else by its scores."""
    if not row.scorer:
        return one_answer(data, row, settings)
    if row.key == HUMAN and annotated(data.test) and len(data.test):
        return people_on_set(data, row, settings)
    return evaluate(data, row, shared, runtime, settings)


def compare_rows(
    data: Measured, evaluated: Mapping[str, Evaluated], settings: Settings
) -> tuple[Comparison, ...]:
    """Any two rows of a set on the pairs that both scored.

    The tables show the best row with every other, so these comparisons are the family that Holm's correction
    is over, and more resamples are drawn where it needs them. A comparison of two others stands for itself.

    Args:
        data: The set.
        evaluated: What each row gave, by its key. Rows without figures are passed over, and so are people,
            whose figures are of each person's answers and not of one decision a pair.
        settings: Seed and resamples.
    """
    ran = {key: one for key, one in evaluated.items() if len(one.places) and key != HUMAN}
    first = best([replace(one.cell, row=key) for key, one in ran.items()])
    rival = first.row if first is not None else ""
    judge = _Judge(data, max(settings.resamples, enough_resamples(len(ran) - 1)), settings.seed)
    found = [judge.compare(one, other, ran[one], ran[other]) for one, other in combinations(ran, 2)]
    shown = [one.p if rival in (one.one, one.other) else None for one in found]
    family = sum(p is not None for p in shown)
    return tuple(
        one if corrected is None else replace(one, corrected=corrected, family=family)
        for one, corrected in zip(found, holm(shown), strict=True)
    )


class _Judge:
    """Compares rows of one set, and remembers the resamples of each row on each choice of pairs."""

    def __init__(self, data: Measured, resamples: int, seed: int) -> None:
        self._data = data
        self._count = resamples
        self._seed = seed
        self._drawn: dict[tuple[str, bytes], tuple[FloatArray, Figure]] = {}

    def compare(self, one: str, other: str, first: Evaluated, second: Evaluated) -> Comparison:
        both = self._mask(first) & self._mask(second)
        units = self._data.units.only(both)
        drawn, value = self._resamples(one, first, both, units)
        drawn_other, value_other = self._resamples(other, second, both, units)
        gap = None if value.value is None or value_other.value is None else value.value - value_other.value
        found = paired_bootstrap(drawn, drawn_other, gap, count=units.count, units=units.name)
        return Comparison(
            set=self._data.facts.key,
            one=one,
            other=other,
            difference=found.value,
            low=found.interval[0],
            high=found.interval[1],
            p=found.p,
            corrected=None,
            family=0,
            pairs=int(both.sum()),
            warning=found.warning,
        )

    def _mask(self, evaluated: Evaluated) -> BoolArray:
        mask = np.zeros(len(self._data.test), dtype=np.bool_)
        mask[evaluated.places] = True
        return mask

    def _resamples(
        self, key: str, evaluated: Evaluated, both: BoolArray, units: Units
    ) -> tuple[FloatArray, Figure]:
        known = self._drawn.get((key, both.tobytes()))
        if known is None:
            called = evaluated.called[both[evaluated.places]]
            labels = self._data.test.labels[both]
            drawn = np.full(self._count, np.nan)
            if units.count >= FEWEST:
                drawn = resampled(labels, called, units, resamples=self._count, seed=self._seed)["f1"]
            known = drawn, pair_quality(labels, called.astype(np.float32), 0.5)["f1"]
            self._drawn[key, both.tobytes()] = known
        return known


def _one_set(
    key: str,
    rows: Sequence[Row],
    shared: Sequence[PairSet],
    *,
    runtime: Runtime,
    settings: Settings,
    on_cell: OnCell | None,
) -> tuple[SetFacts, list[Cell], tuple[Comparison, ...]]:
    human = next((row for row in rows if row.key == HUMAN), None)
    if key == VOTES:
        return _votes(human, settings, on_cell)
    try:
        data = open_set(key)
    except CoreError as error:
        return closed_set(key, error), [], ()
    evaluated: dict[str, Evaluated] = {}
    for done, row in enumerate(rows):
        runtime.report(f"{data.facts.name}: {row.name}", done, len(rows))
        if runtime.stop.is_set():
            raise Cancelled("The benchmark")
        evaluated[row.key] = evaluate_row(data, row, shared, runtime, settings)
        if on_cell is not None:
            on_cell(data.facts, row, evaluated[row.key].cell)
    comparisons = compare_rows(data, evaluated, settings)
    return data.facts, [one.cell for one in evaluated.values()], comparisons


def _votes(
    human: Row | None, settings: Settings, on_cell: OnCell | None
) -> tuple[SetFacts, list[Cell], tuple[Comparison, ...]]:
    file = find_votes()
    if file is None or human is None:
        reason = "The votes are not on this machine." if file is None else "People are not among the rows."
        return SetFacts(key=VOTES, name="Dialogue 2021 votes", why_not=reason), [], ()
    facts, cell = people_on_votes(read_votes(file), human, settings)
    if on_cell is not None:
        on_cell(facts, human, cell)
    return facts, [cell], ()
