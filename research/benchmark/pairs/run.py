"""The whole table: every row on every set, people and constant answers too, and any two rows compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.load import available_sets
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import CoreError, InputError
from core.pairs.metrics import Units, pair_quality, resampled
from core.pairs.scorer import pair_scorers
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import FEWEST, Figure, enough_resamples, paired_bootstrap
from research.benchmark import engine
from research.benchmark.engine import BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.pairs.evaluate import (
    Evaluated,
    PairSettings,
    cannot_run,
    evaluate,
    measure,
    scorer_fingerprint,
)
from research.benchmark.pairs.rows import ALWAYS_YES, BESIDE_PEOPLE, HUMAN, ROWS, PairSystem
from research.benchmark.pairs.rows import rows as all_rows
from research.benchmark.pairs.sets import (
    MeasuredSet,
    PairCell,
    PairSetFacts,
    best,
    closed_set,
    open_set,
    pool,
)
from research.benchmark.pairs.tables import PairBenchmark
from research.benchmark.results import SystemComparison, corrected

_PEOPLE = "people say yes or no, so there is no order of scores"
_CONSTANT = "one answer for every pair has no scores"
_OF_SCORES = ("average_precision", "roc_auc", "calibration_error", "calibrated_error", "brier")


def people_on_set(data: MeasuredSet, row: PairSystem, settings: PairSettings) -> Evaluated:
    """Each annotator's own groups against the gold labels, all annotators taken together.

    An upper bound: gold was made from these groups, and the paper's figure is of a sixth person, who had no
    part in it. Pairs count that all annotators answered, balanced as those of the other rows.
    """
    test = data.test
    answered = (test.annotators[test.left] >= 0) & (test.annotators[test.right] >= 0)
    answered &= answered.all(axis=1, keepdims=True)
    if not answered.any():
        raise InputError("No pair of this set was grouped by all annotators.", hint="Leave some of them out.")
    pair, person = np.nonzero(answered)
    left, right = test.left[pair], test.right[pair]
    same = test.annotators[left, person] == test.annotators[right, person]
    units = Units(data.units.name, data.units.left[pair], data.units.right[pair], data.units.count)
    note = f"Answers of {data.facts.annotated} people, each against the gold that all of them made."
    how: dict[str, Any] = {"units": units, "settings": settings, "note": note}
    cell = _cell(data.facts, row, test.labels[pair], same.astype(np.int64), **how)
    places = np.unique(pair).astype(np.int64)
    cell = replace(cell, count=len(places))
    majority = np.bincount(pair, weights=same, minlength=len(test)) / np.maximum(answered.sum(axis=1), 1)
    scores = majority[places].astype(np.float32)
    return Evaluated(cell, None, places, scores, scores >= 0.5)


def _cell(
    facts: PairSetFacts,
    row: PairSystem,
    labels: IntArray,
    said: IntArray,
    *,
    units: Units,
    settings: PairSettings,
    note: str,
    who: str = "people",
    undefined: str = _PEOPLE,
    chosen_on: str = "nothing: people answer yes or no",
) -> PairCell:
    figures, counts = measure(labels, said.astype(np.float32), 0.5, units, settings)
    return PairCell(
        set=facts.key,
        system=row.key,
        signature=f"{who} · data:{facts.fingerprint or facts.key} · seed:{settings.seed} · "
        f"resamples:{settings.resamples}",
        figures=figures | dict.fromkeys(_OF_SCORES, Figure(None, undefined)),
        counts=counts,
        chosen_on=chosen_on,
        count=facts.count,
        whole=facts.count,
        notes=(note,) if note else (),
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairPlan(BenchmarkPlan[PairBenchmark]):
    sets: Sequence[str]
    systems: Sequence[PairSystem]
    given: PairSettings
    shared: Sequence[PairSet]
    resamples: int
    fresh: bool

    cell: ClassVar[type[PairCell]] = PairCell
    table: type[PairBenchmark] = PairBenchmark

    def settings(self) -> Mapping[str, Any]:
        return {"caps": {str(pace): list(caps) for pace, caps in self.given.caps.items()}}

    def settings_line(self) -> str:
        most = ", ".join(f"{pace} {caps[0]:,}" for pace, caps in self.given.caps.items())
        return f"pairs at most: {most}"

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
        pools = [pair_set.fingerprint for pair_set in self.shared]
        scorer = scorer_fingerprint(data.pairs.texts, pair_scorers.parse(system.signature))
        return [scorer, data.pairs.fingerprint, str(self.given.caps[system.pace]), *pools]

    def measure(self, system: PairSystem, data: MeasuredSet, runtime: Runtime) -> Outcome:
        if not system.signature:
            # Every test pair answered alike: "same", or what is most frequent in the other parts of the set.
            # A set that has no other part gives its own most frequent answer, which no system can know.
            test = data.test
            others = data.pairs.labels[data.pairs.pair_parts != Part.TEST]
            seen = others if len(others) else test.labels
            chosen_on = "its training and validation pairs" if len(others) else "test"
            chosen = system.key != ALWAYS_YES
            same = not chosen or 2 * int((seen == SAME).sum()) > len(seen)
            word = "same" if same else "different"
            called = np.full(len(test), same)
            how: dict[str, Any] = {"units": data.units, "settings": self.given, "undefined": _CONSTANT}
            how |= {"who": f"{system.key}: {word}", "chosen_on": chosen_on if chosen else "nothing"}
            how["note"] = f"It says “{word}” of every pair." if chosen else ""
            cell = _cell(data.facts, system, test.labels, called.astype(np.int64), **how)
            result = Evaluated(cell, None, np.arange(len(test)), called.astype(np.float32), called)
        elif system.key == HUMAN and data.facts.annotated:
            result = people_on_set(data, system, self.given)
        else:
            result = evaluate(data, system, self.shared, runtime, self.given)
        scorer = None if result.scorer is None else pair_scorers.signature(result.scorer)
        arrays = {"places": result.places.astype(np.int32), "scores": result.scores, "called": result.called}
        return Outcome((result.cell,), arrays, {"scorer": scorer})

    def compare(self, data: MeasuredSet, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        return compare_rows(data, {key: _evaluated(outcome) for key, outcome in outcomes.items()}, self.given)


def measure_pairs(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[PairSystem] = (),
    settings: PairSettings | None = None,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
) -> PairBenchmark:
    wanted = list(sets) or available_sets()
    if not wanted:
        raise InputError("There is nothing to run.", hint="Name a pair set.")
    asked = {row.key for row in rows}
    more = BESIDE_PEOPLE if HUMAN in asked else ()
    beside = [row for row in ROWS if row.key not in asked and (row.baseline or row.key in more)]
    systems = [*rows, *beside] if rows else all_rows()
    given = settings or PairSettings()
    plan = PairPlan(wanted, systems, given, pool(), given.resamples, given.fresh)
    seeded = replace(runtime, seed=given.seed)
    return engine.run_plan(plan, seeded, machine=machine, on_outcome=on_outcome)


def evaluate_row(
    data: MeasuredSet, row: PairSystem, shared: Sequence[PairSet], runtime: Runtime, settings: PairSettings
) -> Evaluated:
    """One row on one set, pair by pair; a cell that says why where the row cannot run."""
    plan = PairPlan([data.facts.key], [row], settings, shared, settings.resamples, settings.fresh)
    return _evaluated(engine.measure(plan, row, data, replace(runtime, seed=settings.seed)))


def _evaluated(outcome: Outcome) -> Evaluated:
    signature, arrays = outcome.about.get("scorer"), outcome.arrays
    return Evaluated(
        outcome.cell,
        pair_scorers.parse(signature) if signature else None,
        np.asarray(arrays.get("places", ()), dtype=np.int64),
        np.asarray(arrays.get("scores", ()), dtype=np.float32),
        np.asarray(arrays.get("called", ()), dtype=np.bool_),
    )


def compare_rows(
    data: MeasuredSet, evaluated: Mapping[str, Evaluated], settings: PairSettings
) -> tuple[SystemComparison, ...]:
    """Any two rows of a set on the pairs that both scored, by F1."""
    # Tables show the best row with every other: the family of Holm's correction, for which more resamples are
    # drawn where it needs them. A comparison of two others stands for itself.
    ran = {key: row for key, row in evaluated.items() if len(row.places) and key != HUMAN}
    first = best([replace(row.cell, system=key) for key, row in ran.items()])
    rival = first.system if first is not None else ""
    count = max(settings.resamples, enough_resamples(len(ran) - 1))
    masks = {key: np.isin(np.arange(len(data.test)), row.places) for key, row in ran.items()}
    known: dict[tuple[str, bytes], tuple[FloatArray, Figure]] = {}

    def drawn_of(key: str, both: BoolArray, units: Units) -> tuple[FloatArray, Figure]:
        asked = key, both.tobytes()
        if asked not in known:
            called, labels = ran[key].called[both[ran[key].places]], data.test.labels[both]
            drawn = np.full(count, np.nan)
            if units.count >= FEWEST:
                drawn = resampled(labels, called, units, resamples=count, seed=settings.seed)["f1"]
            known[asked] = drawn, pair_quality(labels, called.astype(np.float32), 0.5)["f1"]
        return known[asked]

    comparisons = []
    for system, other in combinations(ran, 2):
        both = masks[system] & masks[other]
        units = data.units.only(both)
        (drawn, value), (drawn_other, value_other) = (drawn_of(key, both, units) for key in (system, other))
        gap = None if value.value is None or value_other.value is None else value.value - value_other.value
        difference = paired_bootstrap(drawn, drawn_other, gap, count=units.count, units=units.name)
        named = data.facts.key, system, other, "f1"
        comparisons.append(SystemComparison(*named, difference, count=int(both.sum())))
    return corrected(comparisons, lambda comparison: rival in (comparison.one, comparison.other))
