"""The whole table: every row on every set, and any two rows of a set compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.data.pair_sets.pair_set import PairSet
from core.errors import CoreError, InputError
from core.pairs.metrics.scores import Units, pair_quality, resampled
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from core.statistics.bootstrap import FEWEST, Figure, enough_resamples, paired_bootstrap
from research.benchmark import engine
from research.benchmark.engine import BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.pairs.evaluate import Evaluated, PairSettings, cannot_run, evaluate
from research.benchmark.pairs.rows import CONSTANT, HUMAN, PairSystem, scorer_fingerprint
from research.benchmark.pairs.rows import rows as all_rows
from research.benchmark.pairs.sets import (
    MeasuredSet,
    PairBenchmark,
    PairCell,
    PairSetFacts,
    available_sets,
    best,
    closed_set,
    open_set,
    pool,
)
from research.benchmark.pairs.unscored import (
    VOTES,
    VOTES_NAME,
    Votes,
    find_votes,
    one_answer,
    people_on_set,
    people_on_votes,
    read_votes,
)
from research.benchmark.results import SystemComparison, corrected


@dataclass(frozen=True, slots=True, eq=False)
class OpenedVotes:
    facts: PairSetFacts
    votes: Votes


@dataclass(frozen=True, slots=True, eq=False)
class _Plan(BenchmarkPlan):
    sets: Sequence[str]
    systems: Sequence[PairSystem]
    given: PairSettings
    shared: Sequence[PairSet]
    resamples: int
    fresh: bool

    subject: ClassVar[str] = "pairs"
    cell: ClassVar[type[PairCell]] = PairCell

    def settings(self) -> Mapping[str, Any]:
        return {"caps": {str(pace): list(caps) for pace, caps in self.given.caps.items()}}

    def settings_line(self) -> str:
        most = ", ".join(f"{pace} {caps[0]:,}" for pace, caps in self.given.caps.items())
        return f"pairs at most: {most}"


class PairPlan(_Plan):
    def open(self, key: str, runtime: Runtime) -> MeasuredSet:
        return open_set(key)

    def closed(self, key: str, error: CoreError) -> PairSetFacts:
        return closed_set(key, error)

    def cannot_run(self, system: PairSystem, data: MeasuredSet) -> str:
        if not system.signature:
            return data.facts.why_not
        return cannot_run(system, pair_scorers.parse(system.signature), data)

    def depends_on(self, system: PairSystem, data: MeasuredSet, runtime: Runtime) -> Sequence[str] | None:
        if not system.signature:
            return None
        pools = [one.fingerprint for one in self.shared]
        scorer = scorer_fingerprint(data.pairs.texts, pair_scorers.parse(system.signature))
        return [scorer, data.pairs.fingerprint, str(self.given.caps[system.pace]), *pools]

    def measure(self, system: PairSystem, data: MeasuredSet, runtime: Runtime) -> Outcome:
        if not system.signature:
            found = one_answer(data, system, self.given)
        elif system.key == HUMAN and data.facts.annotated:
            found = people_on_set(data, system, self.given)
        else:
            found = evaluate(data, system, self.shared, runtime, self.given)
        scorer = None if found.scorer is None else pair_scorers.signature(found.scorer)
        arrays = {"places": found.places.astype(np.int32), "scores": found.scores, "called": found.called}
        return Outcome((found.cell,), arrays, {"scorer": scorer})

    def compare(self, data: MeasuredSet, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        return compare_rows(data, {key: _evaluated(one) for key, one in outcomes.items()}, self.given)


class VotesPlan(_Plan):
    """People on the raw votes of Dialogue 2021; all other rows have no place there."""

    def open(self, key: str, runtime: Runtime) -> OpenedVotes:
        file = find_votes()
        if file is None:
            raise CoreError("The votes are not on this machine.", hint="")
        human = next((system for system in self.systems if system.key == HUMAN), None)
        if human is None:
            raise CoreError("People are not among the rows.", hint="")
        votes = read_votes(file)
        return OpenedVotes(people_on_votes(votes, human, self.given)[0], votes)

    def closed(self, key: str, error: CoreError) -> PairSetFacts:
        return PairSetFacts(key=VOTES, name=VOTES_NAME, why_not=error.message)

    def cannot_run(self, system: PairSystem, data: OpenedVotes) -> str:
        return "" if system.key == HUMAN else data.facts.notes[0]

    def measure(self, system: PairSystem, data: OpenedVotes, runtime: Runtime) -> Outcome:
        return Outcome((people_on_votes(data.votes, system, self.given)[1],))

    def finish(
        self, data: OpenedVotes, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[PairSetFacts, Sequence[PairCell], Sequence[SystemComparison]]:
        return data.facts, outcomes[HUMAN].cells, ()


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[PairSystem] = (),
    settings: PairSettings | None = None,
    machine: Mapping[str, Any] | None = None,
    on_cell: OnOutcome | None = None,
) -> PairBenchmark:
    """Fills the table; see `research.benchmark.engine.run`."""
    wanted = list(sets) or available_sets() + ([VOTES] if find_votes() else [])
    if not wanted:
        raise InputError("There is nothing to run.", hint="Name a pair set.")
    asked = {one.key for one in rows}
    systems = [*rows, *(one for one in CONSTANT if one.key not in asked)] if rows else all_rows()
    given = settings or PairSettings()
    how = (systems, given, pool(), given.resamples, given.fresh)
    seeded = replace(runtime, seed=given.seed)
    plan = PairPlan([key for key in wanted if key != VOTES], *how)
    found = engine.run(plan, seeded, machine=machine, on_outcome=on_cell)
    if VOTES in wanted:
        votes = VotesPlan([VOTES], *how)
        found = found.merged(engine.run(votes, seeded, machine=machine, on_outcome=on_cell))
    return found


def evaluate_row(
    data: MeasuredSet, row: PairSystem, shared: Sequence[PairSet], runtime: Runtime, settings: PairSettings
) -> Evaluated:
    """One row on one set, pair by pair; a cell that says why where the row cannot run."""
    plan = PairPlan([data.facts.key], [row], settings, shared, settings.resamples, settings.fresh)
    return _evaluated(engine.measure(plan, row, data, replace(runtime, seed=settings.seed)))


def _evaluated(found: Outcome) -> Evaluated:
    signature, arrays = found.about.get("scorer"), found.arrays
    return Evaluated(
        found.cell,
        pair_scorers.parse(signature) if signature else None,
        np.asarray(arrays.get("places", ()), dtype=np.int64),
        np.asarray(arrays.get("scores", ()), dtype=np.float32),
        np.asarray(arrays.get("called", ()), dtype=np.bool_),
    )


def compare_rows(
    data: MeasuredSet, evaluated: Mapping[str, Evaluated], settings: PairSettings
) -> tuple[SystemComparison, ...]:
    """Any two rows of a set on the pairs that both scored, by F1.

    The tables show the best row with every other, so these comparisons are the family that Holm's correction
    is over, and more resamples are drawn where it needs them. A comparison of two others stands for itself.
    """
    ran = {key: one for key, one in evaluated.items() if len(one.places) and key != HUMAN}
    first = best([replace(one.cell, system=key) for key, one in ran.items()])
    rival = first.system if first is not None else ""
    drawn = _Draws(data, max(settings.resamples, enough_resamples(len(ran) - 1)), settings.seed)
    found = [drawn.compare(one, other, ran[one], ran[other]) for one, other in combinations(ran, 2)]
    return corrected(found, lambda one: rival in (one.one, one.other))


class _Draws:
    def __init__(self, data: MeasuredSet, resamples: int, seed: int) -> None:
        self._data = data
        self._count = resamples
        self._seed = seed
        self._drawn: dict[tuple[str, bytes], tuple[FloatArray, Figure]] = {}

    def compare(self, one: str, other: str, first: Evaluated, second: Evaluated) -> SystemComparison:
        both = self._mask(first) & self._mask(second)
        units = self._data.units.only(both)
        drawn, value = self._resamples(one, first, both, units)
        drawn_other, value_other = self._resamples(other, second, both, units)
        gap = None if value.value is None or value_other.value is None else value.value - value_other.value
        found = paired_bootstrap(drawn, drawn_other, gap, count=units.count, units=units.name)
        return SystemComparison(
            set=self._data.facts.key,
            one=one,
            other=other,
            measure="f1",
            difference=found,
            count=int(both.sum()),
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
