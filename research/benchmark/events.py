"""The benchmark of grouping methods: each of them on timelines with gold groups, with intervals and tests."""

import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from core.data.timelines.samples import load_named
from core.data.timelines.timeline import Field, Timeline
from core.digests import code_digest
from core.errors import CoreError, UnknownNameError
from core.events.grouping import Settings, prepare, regroup
from core.groups.grouper import groupers
from core.groups.quality import MEASURES, quality, resampled
from core.models.encoders.encoder import AUTOMATIC, default_encoder, encoders
from core.models.weights import everything_inside
from core.pairs.recipe_fingerprint import fingerprint_of
from core.pairs.scorer import pair_scorers
from core.pairs.timeline_context import scorer_of
from core.results.number_forms import chance, decimals, duration
from core.results.table import Row, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, enough_resamples, paired_bootstrap
from core.text.language import timeline_language
from research.benchmark import engine, results
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, Outcome, memory_rise

SETS: Final = ("sample:iss", "sample:uci")  # the samples in which every headline has a gold group
DEFAULT: Final = "average_linkage"  # the method that the others are compared with
MAIN: Final = "bcubed_f1"  # what is compared
ALONE, TOGETHER = "alone", "together"
BASELINES: Final = (
    results.BenchmarkSystem(key=ALONE, name="Every headline alone", baseline=True),
    results.BenchmarkSystem(key=TOGETHER, name="All headlines together", baseline=True),
)
_HEADS: Final = {
    **{"ami": "AMI", "ari": "ARI", "v_measure": "V-measure", "bcubed_precision": "B³ precision"},
    **{"bcubed_recall": "B³ recall", "bcubed_f1": "B³ F1", "pair_f1": "pair F1"},
}


class GroupBenchmark(results.Benchmark[results.BenchmarkSet, results.BenchmarkSystem, results.BenchmarkCell]):
    about: ClassVar[str] = "Written by `headline-lab benchmark groups`."

    def tables(self, facts: results.BenchmarkSet, *, brief: bool) -> Iterator[Table]:
        cells = [cell for cell in self.cells_of(facts.key) if not cell.why_not]
        rows: list[Row] = []
        for cell in sorted(cells, key=lambda cell: -(cell.value(MAIN) or 0.0)):
            against = self.against(cell.set, cell.system)
            gap = replace(against.difference, p=None) if against else None
            p = chance(against.corrected if against else None)
            figures = (cell.figures[name] for name in _HEADS)
            rows.append((self.names[cell.system], *figures, gap, p, cell.seconds, " ".join(cell.notes)))
        families = [item.family for item in self.comparisons if item.set == facts.key]
        family, gaps = max(families, default=0), len(_HEADS) + 1  # place of the column of differences
        measures = (TableColumn(head, form=decimals(3), better="higher") for head in _HEADS.values())
        tests = (
            TableColumn(f"B³ F1 − {DEFAULT}", form=decimals(3)),
            TableColumn(f"p (Holm, {family} comparisons)"),
        )
        others = TableColumn("time", form=duration), TableColumn("groups")
        columns = (TableColumn("method"), *measures, *tests, *others)
        table = Table(title=f"Grouping methods: {facts.name}", columns=columns, rows=tuple(rows))
        empty = {gaps: not families, gaps + 1: not family}
        yield table.only(*(at for at in range(len(table.columns)) if not empty.get(at)))

    def filed(self) -> Table:
        names = ("set", "method", "measure", "value", "difference", "p_holm", "seconds", "memory_mb")
        rows: list[Row] = []
        for cell in self.cells:
            against = self.against(cell.set, cell.system)
            for measure in MEASURES if cell.figures else ("",):
                own = against if measure == MAIN else None
                figure = cell.figures.get(measure, Figure(None))
                tested = (own.difference.value, own.corrected) if own else (None, None)
                costs = cell.seconds, cell.memory_mb, cell.why_not, cell.signature
                rows.append((cell.set, cell.system, measure, figure, *tested, *costs))
        return results.long_table((*names, "why_not", "signature"), rows)


FILE: Final = results.BenchmarkFile(GroupBenchmark, "group", "grouping methods", "benchmark groups")


class OpenedTimeline(NamedTuple):
    facts: results.BenchmarkSet
    timeline: Timeline
    gold: Sequence[Hashable]


def signed(scorer: str) -> str:
    """The signature of a named scorer; "auto" stays, since each timeline has its own."""
    return scorer if scorer == AUTOMATIC else pair_scorers.signature(scorer_of(scorer))


@dataclass(frozen=True, slots=True, eq=False)
class GroupPlan(BenchmarkPlan[GroupBenchmark]):
    """Grouping methods on timelines, cut where a timeline itself suggests; no gold group chooses anything."""

    sets: Sequence[str]
    systems: Sequence[results.BenchmarkSystem]
    scorer: str
    resamples: int

    table: type[GroupBenchmark] = GroupBenchmark

    def open(self, key: str, runtime: Runtime) -> OpenedTimeline:
        timeline = load_named(key)
        engine.require_gold(timeline)
        gold, count = timeline.table[Field.GOLD].tolist(), len(timeline)
        about: dict[str, Any] = {"items": "headlines", "unit": "gold groups", "units": len(set(gold))}
        about |= {"count": count, "whole": count, "language": timeline_language(timeline.texts)}
        facts = results.BenchmarkSet(key=key, name=timeline.name, fingerprint=timeline.fingerprint, **about)
        return OpenedTimeline(facts, timeline, gold)

    def closed(self, key: str, error: CoreError) -> results.BenchmarkSet:
        reason = error.message if isinstance(error, UnknownNameError) else f"{error.message} {error.hint}"
        return results.BenchmarkSet(key=key, name=PurePath(key).name, why_not=reason)

    def depends_on(
        self, system: results.BenchmarkSystem, data: OpenedTimeline, runtime: Runtime
    ) -> Sequence[str]:
        if system.baseline:
            return ()
        encoder = encoders.parse(default_encoder(data.facts.language))
        scorer = scorer_of(self.scorer, reading=data.timeline.reading)
        method = groupers.parse(system.signature)
        code = {code_digest(type(part).__module__, within=("core.",)) for part in everything_inside(method)}
        return [fingerprint_of(pair_scorers.signature(scorer), scorer, encoder), *sorted(code)]

    def measure(self, system: results.BenchmarkSystem, data: OpenedTimeline, runtime: Runtime) -> Outcome:
        count, cut = len(data.timeline), ""
        started = time.perf_counter()
        with memory_rise() as rise:
            if system.baseline:
                ids = np.arange(count) if system.key == ALONE else np.zeros(count, dtype=np.int64)
                signature = f"{PROGRAM} · data:{data.facts.fingerprint} · {system.key}"
            else:
                settings = Settings(scorer=self.scorer, method=system.signature)
                grouping = regroup(prepare(data.timeline, settings, runtime.quietly()))
                ids, signature = grouping.ids, grouping.signature
                cut = f"Cut at {grouping.granularity:.2f}."
        seconds = time.perf_counter() - started
        draws = {"resamples": self.resamples, "seed": runtime.seed}
        measured, drawn = quality(ids, data.gold, **draws), resampled(ids, data.gold, **draws)[MAIN]
        about: dict[str, Any] = {"count": count, "whole": count, "seconds": seconds}
        about |= {"figures": measured.scores, "memory_mb": None if np.isnan(rise()) else rise()}
        about["notes"] = tuple(filter(None, (f"{measured.groups:,} groups.", cut)))
        signature = f"{signature} · seed:{runtime.seed} · resamples:{self.resamples}"
        cell = results.BenchmarkCell(set=data.facts.key, system=system.key, signature=signature, **about)
        return Outcome((cell,), {"drawn": drawn})

    def compare(
        self, data: OpenedTimeline, outcomes: Mapping[str, Outcome]
    ) -> Sequence[results.SystemComparison]:
        base = outcomes.get(DEFAULT)
        if base is None or base.cell.why_not:
            return ()
        comparisons = []
        for key, outcome in outcomes.items():
            value, rival = outcome.cell.value(MAIN), base.cell.value(MAIN)
            if outcome is base or value is None or rival is None:
                continue
            facts, drawn = data.facts, (outcome.arrays["drawn"], base.arrays["drawn"])
            gap = paired_bootstrap(*drawn, value - rival, count=facts.units, units=facts.unit)
            names, gap = (facts.key, key, DEFAULT, MAIN), replace(gap, unit="", resamples=0)
            comparisons.append(results.SystemComparison(*names, gap, count=facts.count))
        return results.corrected(comparisons)

    def settings(self) -> Mapping[str, Any]:
        return {"scorer": self.scorer}


def measure_grouping(
    runtime: Runtime,
    *,
    sets: Sequence[str] = SETS,
    methods: Sequence[str] = (),
    scorer: str = Settings().scorer,
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
) -> GroupBenchmark:
    methods = methods or groupers.names()
    systems = (*BASELINES, *map(_system, dict.fromkeys(methods)))
    resamples = max(resamples, enough_resamples(len(methods) + 1))
    plan = GroupPlan(list(dict.fromkeys(sets)) or SETS, systems, signed(scorer), resamples)
    return engine.run_plan(plan, runtime, machine=machine, on_outcome=on_outcome)


def _system(name: str) -> results.BenchmarkSystem:
    signature = groupers.signature(groupers.parse(name))
    key = name.rpartition(".v")[0] if "|" not in name and ".v" in name else name
    return results.BenchmarkSystem(key=key, name=key.replace("_", " ").capitalize(), signature=signature)
