"""The whole table: every row on every set, people and constant answers too, and any two rows compared."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import CoreError, InputError
from core.pairs.metrics import Units, pair_quality, resampled
from core.pairs.scorer import pair_scorers
from core.parts import Part
from core.runtime import Runtime, data_folder
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
from research.benchmark.pairs.rows import (
    ALWAYS_YES,
    CONSTANT,
    HUMAN,
    MeasuredSet,
    PairBenchmark,
    PairCell,
    PairSetFacts,
    PairSystem,
    available_sets,
    best,
    closed_set,
    open_set,
    pool,
)
from research.benchmark.pairs.rows import rows as all_rows
from research.benchmark.results import SystemComparison, corrected

VOTES, VOTES_NAME = "dialogue2021_votes", "Dialogue 2021 votes"
"""Key and name of the raw votes of the Dialogue 2021 shared task."""

_FILE = Path("ru_news_dialogue2021", "data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv")
_SAID = {"OK": 1, "BAD": 0}
_PEOPLE = "people say yes or no, so there is no order of scores"
_CONSTANT = "one answer for every pair has no scores"
_OF_SCORES = ("average_precision", "roc_auc", "calibration_error", "calibrated_error", "brier")


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes on pairs, each with what the other people said of the same pair."""

    pair: IntArray
    said: IntArray
    others: IntArray  # what most of the others said, int64 [v]
    workers: int
    pairs: int
    tied: int


def people_on_set(data: MeasuredSet, row: PairSystem, settings: PairSettings) -> Evaluated:
    """Each annotator's own groups against the gold labels, all annotators taken together.

    The gold groups were made from these people's groups, so this is an upper bound: the paper's figure
    is of a sixth person, who had no part in them.
    """
    test = data.test
    answered = (test.annotators[test.left] >= 0) & (test.annotators[test.right] >= 0)
    pair, person = np.nonzero(answered)
    left, right = test.left[pair], test.right[pair]
    same = test.annotators[left, person] == test.annotators[right, person]
    units = Units(data.units.name, data.units.left[pair], data.units.right[pair], data.units.count)
    cell = _cell(
        data.facts,
        row,
        test.labels[pair],
        same.astype(np.int64),
        units=units,
        settings=settings,
        note=f"Answers of {data.facts.annotated} people, each against the gold that all of them made.",
    )
    places = np.unique(pair).astype(np.int64)
    majority = np.bincount(pair, weights=same, minlength=len(test)) / np.maximum(answered.sum(axis=1), 1)
    scores = majority[places].astype(np.float32)
    return Evaluated(cell, None, places, scores, scores >= 0.5)


def find_votes() -> Path | None:
    file = data_folder() / _FILE
    return file if file.is_file() else None


def read_votes(path: Path) -> Votes:
    """Reads raw votes; a person's later vote on the same pair replaces the earlier."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    said: dict[tuple[tuple[str, str], str], int] = {}
    try:
        for row in rows:
            one, other = sorted((row["INPUT:first_url"], row["INPUT:second_url"]))
            said[(one, other), row["ASSIGNMENT:worker_id"]] = _SAID[row["OUTPUT:quality"]]
    except KeyError as error:
        raise InputError(
            f"{path.name} is not a file of raw votes: there is no {error.args[0]!r}.",
            hint="Take the shared task's file of raw answers as it was published.",
        ) from None
    return _against_others(said)


def measured_votes(
    human: PairSystem | None, settings: PairSettings
) -> tuple[PairSetFacts, tuple[PairCell, ...]]:
    """People on the raw votes of Dialogue 2021, where they are; all other rows have no place there."""
    file = find_votes()
    if file is None or human is None:
        why_not = "The votes are not on this machine." if file is None else "People are not among the rows."
        return PairSetFacts(key=VOTES, name=VOTES_NAME, why_not=why_not), ()
    try:
        facts, cell = people_on_votes(read_votes(file), human, settings)
    except CoreError as error:
        return PairSetFacts(key=VOTES, name=VOTES_NAME, why_not=error.message), ()
    return facts, (cell,)


def people_on_votes(votes: Votes, row: PairSystem, settings: PairSettings) -> tuple[PairSetFacts, PairCell]:
    """Each vote against the majority of the other people, as a set of its own.

    It is about labels only: the shared task published addresses and votes, no texts, so no scorer
    can run on these pairs. Intervals resample pairs.
    """
    facts = PairSetFacts(
        key=VOTES,
        name=VOTES_NAME,
        about=f"{len(votes.said) + votes.tied:,} votes of {votes.workers} people on {votes.pairs:,} pairs "
        "of Russian news. Licence: none stated.",
        pairs={"test": votes.pairs},
        count=votes.pairs,
        whole=votes.pairs,
        language="ru",
        unit="pairs",
        units=votes.pairs,
        notes=(
            "Labels only: the texts are not published, so no scorer can run here.",
            f"{votes.tied:,} votes are left out because the others were split evenly.",
        ),
    )
    units = Units("pairs", votes.pair, votes.pair, votes.pairs).only(np.ones(len(votes.pair), dtype=np.bool_))
    note = "Each vote against what most of the others said of the same pair."
    return facts, _cell(facts, row, votes.others, votes.said, units=units, settings=settings, note=note)


def one_answer(data: MeasuredSet, row: PairSystem, settings: PairSettings) -> Evaluated:
    """Every test pair answered alike: "same", or what is most frequent in the other parts of the set.

    A set that has no other part gives its own most frequent answer, which no system can know.
    """
    test = data.test
    others = data.pairs.labels[data.pairs.pair_parts != Part.TEST]
    seen, chosen_on = (others, "its training and validation pairs") if len(others) else (test.labels, "test")
    chosen = row.key != ALWAYS_YES
    same = not chosen or 2 * int((seen == SAME).sum()) > len(seen)
    word = "same" if same else "different"
    called = np.full(len(test), same)
    cell = _cell(
        data.facts,
        row,
        test.labels,
        called.astype(np.int64),
        units=data.units,
        settings=settings,
        who=f"{row.key}: {word}",
        undefined=_CONSTANT,
        chosen_on=chosen_on if chosen else "nothing",
        note=f"It says “{word}” of every pair." if chosen else "",
    )
    return Evaluated(cell, None, np.arange(len(test)), called.astype(np.float32), called)


def _against_others(said: dict[tuple[tuple[str, str], str], int]) -> Votes:
    total: Counter[tuple[str, str]] = Counter()
    same: Counter[tuple[str, str]] = Counter()
    for (pair, _), vote in said.items():
        total[pair] += 1
        same[pair] += vote
    numbers = {pair: number for number, pair in enumerate(total)}
    kept = [
        (numbers[pair], vote, int(2 * (same[pair] - vote) > total[pair] - 1))
        for (pair, _), vote in said.items()
        if 2 * (same[pair] - vote) != total[pair] - 1
    ]
    columns = np.array(kept, dtype=np.int64).reshape(-1, 3)
    return Votes(
        pair=columns[:, 0],
        said=columns[:, 1],
        others=columns[:, 2],
        workers=len({worker for _, worker in said}),
        pairs=len(numbers),
        tied=len(said) - len(kept),
    )


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
class PairPlan(BenchmarkPlan):
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
            found = one_answer(data, system, self.given)
        elif system.key == HUMAN and data.facts.annotated:
            found = people_on_set(data, system, self.given)
        else:
            found = evaluate(data, system, self.shared, runtime, self.given)
        scorer = None if found.scorer is None else pair_scorers.signature(found.scorer)
        arrays = {"places": found.places.astype(np.int32), "scores": found.scores, "called": found.called}
        return Outcome((found.cell,), arrays, {"scorer": scorer})

    def compare(self, data: MeasuredSet, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        return compare_rows(data, {key: _evaluated(outcome) for key, outcome in outcomes.items()}, self.given)


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
    asked = {row.key for row in rows}
    systems = [*rows, *(system for system in CONSTANT if system.key not in asked)] if rows else all_rows()
    given = settings or PairSettings()
    how = (systems, given, pool(), given.resamples, given.fresh)
    seeded = replace(runtime, seed=given.seed)
    plan = PairPlan([key for key in wanted if key != VOTES], *how)
    found = engine.run(plan, seeded, machine=machine, on_outcome=on_cell)
    if VOTES in wanted:
        human = next((system for system in found.systems if system.key == HUMAN), None)
        facts, cells = measured_votes(human, given)
        if human is not None and cells and on_cell is not None:
            on_cell(facts, human, Outcome(cells))
        facts = replace(facts, measured=engine.record(plan, seeded, found.date))
        found = replace(found, sets=(*found.sets, facts), cells=(*found.cells, *cells))
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
    count = max(settings.resamples, enough_resamples(len(ran) - 1))
    masks = {key: np.isin(np.arange(len(data.test)), one.places) for key, one in ran.items()}
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

    found = []
    for one, other in combinations(ran, 2):
        both = masks[one] & masks[other]
        units = data.units.only(both)
        (drawn, value), (drawn_other, value_other) = (drawn_of(key, both, units) for key in (one, other))
        gap = None if value.value is None or value_other.value is None else value.value - value_other.value
        difference = paired_bootstrap(drawn, drawn_other, gap, count=units.count, units=units.name)
        found.append(
            SystemComparison(
                set=data.facts.key,
                one=one,
                other=other,
                measure="f1",
                difference=difference,
                count=int(both.sum()),
            )
        )
    return corrected(found, lambda one: rival in (one.one, one.other))
