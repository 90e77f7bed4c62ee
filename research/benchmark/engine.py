"""The run loop of every benchmark: systems × sets, each finished cell stored, each failure a reason."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Final

import msgspec
import numpy as np

from core import __version__
from core.digests import code_digest, digest
from core.disk_cache import DiskCache
from core.errors import Cancelled, CoreError, UnknownNameError
from core.results.page import this_machine
from core.runtime import Runtime
from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkSet, SystemComparison

FOLDER: Final = "benchmark_cells"
PROGRAM: Final = f"headline-lab {__version__}"
_LOG = logging.getLogger(__name__)


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


class BenchmarkPlan(ABC):
    """What a subject declares: its sets, its systems, how one is measured on the other, what is compared."""

    subject: ClassVar[str]
    cell: ClassVar[type[Any]] = BenchmarkCell
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
        del system
        return str(data.facts.why_not)

    def nothing(self, system: Any, data: Any, reason: str) -> Outcome:
        whole = data.facts.count
        return Outcome((self.cell(set=data.facts.key, system=system.key, why_not=reason, whole=whole),))

    def reason(self, system: Any, error: CoreError) -> str:
        del system
        unknown = isinstance(error, UnknownNameError)
        return error.message if unknown else f"{error.message} {error.hint}".rstrip()

    def depends_on(self, system: Any, data: Any, runtime: Runtime) -> Sequence[str] | None:
        """All that a cell depends on beside the code of the plan; None where cells are not stored."""
        del system, data, runtime
        return None

    def compare(self, data: Any, outcomes: Mapping[str, Outcome]) -> Sequence[SystemComparison]:
        del data, outcomes
        return ()

    def finish(
        self, data: Any, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[Any, Sequence[Any], Sequence[SystemComparison]]:
        """The facts, cells and comparisons of a set, once all systems have run on it."""
        del runtime
        cells = [cell for outcome in outcomes.values() for cell in outcome.cells]
        return data.facts, cells, self.compare(data, outcomes)

    def settings(self) -> Mapping[str, Any]:
        """What else was set, as plain values."""
        return {}

    def settings_line(self) -> str:
        return ""


OnOutcome = Callable[[Any, Any, Outcome], None]
"""Called with each cell as it is filled: the set, the system, and the outcome."""
OnSet = Callable[[Benchmark[Any, Any, Any]], None]  # called with the table after each set


def run(
    plan: BenchmarkPlan,
    runtime: Runtime,
    *,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
    on_set: OnSet | None = None,
) -> Benchmark[Any, Any, Any]:
    """Fills the table."""
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    found: Benchmark[Any, Any, Any] = Benchmark(
        date=date,
        program=PROGRAM,
        machine=machine or this_machine(),
        seed=runtime.seed,
        resamples=plan.resamples,
        settings=plan.settings(),
        systems=tuple(plan.systems),
        complete=False,
    )
    for key in plan.sets:
        facts, cells, comparisons = _one_set(plan, key, runtime, on_outcome)
        facts = replace(facts, measured=record(plan, runtime, date))
        found = replace(
            found,
            sets=(*found.sets, facts),
            cells=(*found.cells, *cells),
            comparisons=(*found.comparisons, *comparisons),
        )
        if on_set is not None:
            on_set(found)
    return replace(found, complete=True)


def record(plan: BenchmarkPlan, runtime: Runtime, date: str) -> str:
    """The program, day and settings of a run, in one line."""
    told = [PROGRAM, date, f"seed:{runtime.seed}", f"resamples:{plan.resamples}", plan.settings_line()]
    return " · ".join(filter(None, told))


def measure(plan: BenchmarkPlan, system: Any, data: Any, runtime: Runtime) -> Outcome:
    """Measures one system on one set, or takes it from the cache; a cell says why it cannot run."""
    try:
        reason = plan.cannot_run(system, data)
        if reason:
            return plan.nothing(system, data, reason)
        key, cache = _key(plan, system, data, runtime), DiskCache(runtime.cache / FOLDER)
        stored = _read(plan, cache, key) if key and not plan.fresh else None
        if stored is not None:
            return stored
        found = plan.measure(system, data, runtime)
        if key:
            cache.put(key, found.arrays, cells=msgspec.to_builtins(found.cells), about=found.about)
        return found
    except Cancelled:
        raise
    except CoreError as error:
        return plan.nothing(system, data, plan.reason(system, error))
    except Exception as error:  # a bug in one system must not cost the figures of the others
        _LOG.exception("The system %s failed on the set %s", system.key, data.facts.key)
        return plan.nothing(
            system, data, f"It stopped with an error of the program ({type(error).__name__})."
        )


def _one_set(
    plan: BenchmarkPlan, key: str, runtime: Runtime, on_outcome: OnOutcome | None
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


def _key(plan: BenchmarkPlan, system: Any, data: Any, runtime: Runtime) -> str:
    own = plan.depends_on(system, data, runtime)
    if own is None:
        return ""
    code = code_digest(type(plan).__module__, within=("core",))
    whole = [PROGRAM, code, plan.subject, repr(system), data.facts.key, data.facts.fingerprint, *own]
    whole += [str(runtime.seed), str(plan.resamples)]
    return digest(*whole, digits=32)


def _read(plan: BenchmarkPlan, cache: DiskCache, key: str) -> Outcome | None:
    entry = cache.get(key)
    if entry is None:
        return None
    cells: tuple[Any, ...] = msgspec.convert(entry.about["cells"], tuple[plan.cell, ...])  # type: ignore[name-defined]
    return Outcome(cells, entry.arrays, entry.about["about"])


_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class MemoryRise:
    """Measures the highest memory inside a `with` block above that at its start."""

    def __init__(self) -> None:
        self.megabytes = math.nan
        self._before = math.nan

    def __enter__(self) -> MemoryRise:
        try:
            _CLEAR.write_text("5")  # sets the high-water mark to what is used now
            self._before = _kilobytes("VmRSS")
        except OSError:
            self._before = math.nan
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not math.isnan(self._before):
            self.megabytes = max(0.0, _kilobytes("VmHWM") - self._before) / 1024


def _kilobytes(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    return math.nan
