"""The run loop of every benchmark: systems × sets, each finished cell stored, each failure a reason."""

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

import msgspec
import numpy as np

from core import __version__
from core.data.timelines.timeline import Timeline
from core.digests import code_digest, digest
from core.disk_cache import DiskCache
from core.errors import Cancelled, CoreError, InputError, UnknownNameError
from core.models.endpoints import costs
from core.results.stored import this_machine
from core.runtime import Runtime
from research.benchmark.results import BenchmarkCell, BenchmarkSet, SystemComparison

FOLDER: Final = "benchmark_cells"
PROGRAM: Final = f"headline-lab {__version__}"
_LOG = logging.getLogger(__name__)
B = TypeVar("B", bound=Any)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What measuring a system on a set gave: cells, that of the whole set first, and what comparing needs."""

    cells: tuple[Any, ...]
    arrays: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    extra: Any = None

    @property
    def cell(self) -> Any:
        return self.cells[0]


class BenchmarkPlan(ABC, Generic[B]):
    """What a subject declares: its sets, its systems, how one is measured on the other, what is compared."""

    cell: ClassVar[type[Any]] = BenchmarkCell
    table: type[B]
    sets: Sequence[str]
    systems: Sequence[Any]
    resamples: int
    fresh: bool = False

    @abstractmethod
    def open(self, key: str, runtime: Runtime) -> Any:
        """Reads a set."""

    @abstractmethod
    def closed(self, key: str, error: CoreError) -> BenchmarkSet:
        """What the table says of a set that could not be read."""

    @abstractmethod
    def measure(self, system: Any, data: Any, runtime: Runtime) -> Outcome:
        """Measures a system on a set."""

    def cannot_run(self, system: Any, data: Any) -> str:
        """Why a system has no place on a set, in a sentence; "" where it has."""
        return str(data.facts.why_not)

    def nothing(self, system: Any, data: Any, reason: str) -> Outcome:
        whole = data.facts.count
        return Outcome((self.cell(set=data.facts.key, system=system.key, why_not=reason, whole=whole),))

    def reason(self, system: Any, error: CoreError) -> str:
        unknown = isinstance(error, UnknownNameError)
        return error.message if unknown else f"{error.message} {error.hint}".rstrip()

    def depends_on(self, system: Any, data: Any, runtime: Runtime) -> Sequence[str] | None:
        """All that a cell depends on beside the code of the plan; None where cells are not stored."""
        return None

    def compare(self, data: Any, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        return ()

    def finish(
        self, data: Any, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[Any, Sequence[Any], Sequence[SystemComparison]]:
        """The facts, cells and comparisons of a set, once all systems have run on it."""
        cells = [cell for outcome in outcomes.values() for cell in outcome.cells]
        return data.facts, cells, self.compare(data, outcomes)

    def settings(self) -> Mapping[str, Any]:
        """What else was set, as plain values."""
        return {}

    def settings_line(self) -> str:
        return " · ".join(f"{name}:{value}" for name, value in self.settings().items())


def require_gold(timeline: Timeline) -> None:
    if not timeline.has_gold:
        said = "Not every headline has a gold group, so there is nothing to measure against."
        raise InputError(said, hint="Give a timeline with a column of gold groups.")


OnOutcome = Callable[[Any, Any, Outcome], None]  # called with set, system and outcome of each cell


def run_plan(
    plan: BenchmarkPlan[B],
    runtime: Runtime,
    *,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
) -> B:
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    given: dict[str, Any] = {"seed": runtime.seed, "resamples": plan.resamples, "settings": plan.settings()}
    given |= {"machine": machine or this_machine(), "systems": tuple(plan.systems), "complete": False}
    table: Any = plan.table(date=date, program=PROGRAM, **given)
    how = (f"seed:{runtime.seed}", f"resamples:{plan.resamples}", plan.settings_line())
    measured = " · ".join(filter(None, (PROGRAM, date, *how)))
    for key in plan.sets:
        facts, cells, comparisons = _one_set(plan, key, runtime, on_outcome)
        sets = (*table.sets, replace(facts, measured=measured))
        cells, comparisons = (*table.cells, *cells), (*table.comparisons, *comparisons)
        table = replace(table, sets=sets, cells=cells, comparisons=comparisons)
    return cast("B", replace(table, complete=True))


def measure(plan: BenchmarkPlan[Any], system: Any, data: Any, runtime: Runtime) -> Outcome:
    """Measures one system on one set, or takes it from the cache; a cell says why it cannot run."""
    try:
        reason = plan.cannot_run(system, data)
        if reason:
            return plan.nothing(system, data, reason)
        own, key = plan.depends_on(system, data, runtime), ""
        cache = DiskCache(runtime.cache / FOLDER)
        if own is not None:
            code = code_digest(type(plan).__module__, within=("core.",))
            whole = [PROGRAM, code, repr(system), data.facts.key, data.facts.fingerprint, *own]
            key = digest(*whole, str(runtime.seed), str(plan.resamples), digits=32)
        entry = cache.get(key) if key and not plan.fresh else None
        if entry is not None:
            kind: Any = tuple[plan.cell, ...]  # type: ignore[name-defined]
            return Outcome(msgspec.convert(entry.about["cells"], kind), entry.arrays, entry.about["about"])
        outcome = plan.measure(system, data, asked := replace(runtime, used={}))
        cost = costs.total(asked.used.values())
        outcome = replace(outcome, cells=(replace(outcome.cell, cost=cost), *outcome.cells[1:]))
        if key:
            cache.put(key, outcome.arrays, cells=msgspec.to_builtins(outcome.cells), about=outcome.about)
        return outcome
    except Cancelled:
        raise
    except CoreError as error:
        reason = plan.reason(system, error)
    except Exception as error:  # a bug in one system must not cost the figures of the others
        _LOG.exception("The system %s failed on the set %s", system.key, data.facts.key)
        reason = f"It stopped with an error of the program ({type(error).__name__})."
    return plan.nothing(system, data, reason)


def _one_set(
    plan: BenchmarkPlan[Any], key: str, runtime: Runtime, on_outcome: OnOutcome | None
) -> tuple[Any, Sequence[Any], Sequence[SystemComparison]]:
    try:
        data = plan.open(key, runtime)
    except Cancelled:
        raise
    except CoreError as error:
        return plan.closed(key, error), (), ()
    outcomes: dict[str, Outcome] = {}
    for done, system in enumerate(plan.systems):
        runtime.report(f"{data.facts.name}: {system.name}", done, len(plan.systems))
        if runtime.stop.is_set():
            raise Cancelled("The benchmark")
        outcomes[system.key] = measure(plan, system, data, runtime)
        if on_outcome is not None:
            on_outcome(data.facts, system, outcomes[system.key])
    return plan.finish(data, outcomes, runtime)


@contextmanager
def memory_rise() -> Iterator[Callable[[], float]]:
    """Gives what tells afterwards by how many megabytes memory rose in the block; NaN where nobody knows."""
    status, before, highest = Path("/proc/self/status"), math.nan, math.nan

    def kilobytes(name: str) -> float:
        lines = (line.split() for line in status.read_text().splitlines())
        return next((float(words[1]) for words in lines if words[:1] == [f"{name}:"]), math.nan)

    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # sets the high-water mark to what is used now
        before = kilobytes("VmRSS")
    yield lambda: math.nan if math.isnan(highest) else max(0.0, highest - before) / 1024
    if not math.isnan(before):
        highest = kilobytes("VmHWM")
