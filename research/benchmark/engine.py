"""The run loop of every benchmark: systems × sets, each finished cell stored, each failure a reason."""

from __future__ import annotations

import hashlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec
import numpy as np

from core import __version__
from core.code_digest import code_digest
from core.disk_cache import DiskCache
from core.errors import Cancelled, CoreError, UnknownNameError
from core.results.stored import this_machine
from core.runtime import Runtime
from research.benchmark.results import (
    Benchmark,
    BenchmarkCell,
    BenchmarkSet,
    BenchmarkSystem,
    SystemComparison,
)

FOLDER: Final = "benchmark_cells"
PROGRAM: Final = f"headline-lab {__version__}"
_LOG = logging.getLogger(__name__)

S = TypeVar("S", bound=BenchmarkSet)
S_co = TypeVar("S_co", bound=BenchmarkSet, covariant=True)
Y = TypeVar("Y", bound=BenchmarkSystem)
C = TypeVar("C", bound=BenchmarkCell)


class OpenedSet(Protocol[S_co]):
    """A set with its data."""

    @property
    def facts(self) -> S_co:
        """What the table says of it."""
        ...


D = TypeVar("D", bound=OpenedSet[Any])


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(Generic[C]):
    """What measuring one system on one set gave.

    Attributes:
        cells: The cell of the whole set first, then those of its parts.
        arrays: What comparing needs: decisions, scores, by name; they are stored with the cells.
        about: Plain values that are stored with them.
        extra: What the caller gets and nothing stores, such as the texts that were written.
    """

    cells: tuple[C, ...]
    arrays: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    extra: Any = None

    @property
    def cell(self) -> C:
        """The cell of the whole set."""
        return self.cells[0]


class BenchmarkPlan(ABC, Generic[D, S, Y, C]):
    """What a subject declares: its sets, its systems, how one is measured on the other, what is compared.

    Attributes:
        subject: Short name.
        cell: The class of its cells.
        sets: Keys of the sets to measure on, in order.
        systems: The systems, in order.
        resamples: Of the intervals.
        fresh: Measure again what is stored.
    """

    subject: ClassVar[str]
    cell: ClassVar[type[Any]] = BenchmarkCell
    sets: Sequence[str]
    systems: Sequence[Y]
    resamples: int
    fresh: bool = False

    @abstractmethod
    def open(self, key: str, runtime: Runtime) -> D:
        """Reads a set."""

    @abstractmethod
    def closed(self, key: str, error: CoreError) -> S:
        """What the table says of a set that could not be read."""

    @abstractmethod
    def measure(self, system: Y, data: D, runtime: Runtime) -> Outcome[C]:
        """Measures a system on a set."""

    def cannot_run(self, system: Y, data: D) -> str:
        """Why a system has no place on a set, in a sentence; "" where it has."""
        del system
        return str(data.facts.why_not)

    def nothing(self, system: Y, data: D, reason: str) -> Outcome[C]:
        """The outcome of a system that has no figures on a set."""
        whole = data.facts.count
        return Outcome((self.cell(set=data.facts.key, system=system.key, why_not=reason, whole=whole),))

    def reason(self, system: Y, error: CoreError) -> str:
        """An error as the table says it."""
        del system
        unknown = isinstance(error, UnknownNameError)
        return error.message if unknown else f"{error.message} {error.hint}".rstrip()

    def depends_on(self, system: Y, data: D, runtime: Runtime) -> Sequence[str] | None:
        """All that a cell depends on beside the code of the plan; None where cells are not stored."""
        del system, data, runtime
        return None

    def compare(self, data: D, outcomes: Mapping[str, Outcome[C]]) -> Sequence[SystemComparison]:
        """Paired comparisons of the systems of a set."""
        del data, outcomes
        return ()

    def finish(
        self, data: D, outcomes: Mapping[str, Outcome[C]], runtime: Runtime
    ) -> tuple[S, Sequence[C], Sequence[SystemComparison]]:
        """The facts, cells and comparisons of a set, once all systems have run on it."""
        del runtime
        cells = [cell for one in outcomes.values() for cell in one.cells]
        return data.facts, cells, self.compare(data, outcomes)

    def settings(self) -> Mapping[str, Any]:
        """What else was set, as plain values."""
        return {}

    def settings_line(self) -> str:
        """The same in words, for the record of each set."""
        return ""


OnOutcome = Callable[[S, Y, Outcome[C]], None]
"""Called with each cell as it is filled: the set, the system, and the outcome."""
OnSet = Callable[[Benchmark[S, Y, C]], None]
"""Called with the table after each set."""


def run(
    plan: BenchmarkPlan[D, S, Y, C],
    runtime: Runtime,
    *,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome[S, Y, C] | None = None,
    on_set: OnSet[S, Y, C] | None = None,
) -> Benchmark[S, Y, C]:
    """Fills the table.

    A set that cannot be read and a system that cannot run say why in the table and stop nothing else. Each
    finished cell is stored in the runtime's cache by all that it depends on, so that a run that was stopped
    resumes where it was.

    Args:
        plan: The subject, with the sets and systems that were asked for.
        runtime: Progress, stop, seed and cache.
        machine: What to write down as the machine; found out if None.
        on_outcome: See `OnOutcome`.
        on_set: See `OnSet`.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    told = [PROGRAM, date, f"seed:{runtime.seed}", f"resamples:{plan.resamples}", plan.settings_line()]
    found: Benchmark[S, Y, C] = Benchmark(
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
        facts = replace(facts, measured=" · ".join(filter(None, told)))
        found = replace(
            found,
            sets=(*found.sets, facts),
            cells=(*found.cells, *cells),
            comparisons=(*found.comparisons, *comparisons),
        )
        if on_set is not None:
            on_set(found)
    return replace(found, complete=True)


def measure(plan: BenchmarkPlan[D, S, Y, C], system: Y, data: D, runtime: Runtime) -> Outcome[C]:
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
    plan: BenchmarkPlan[D, S, Y, C], key: str, runtime: Runtime, on_outcome: OnOutcome[S, Y, C] | None
) -> tuple[S, Sequence[C], Sequence[SystemComparison]]:
    try:
        data = plan.open(key, runtime)
    except Cancelled:
        raise
    except CoreError as error:
        return plan.closed(key, error), (), ()
    outcomes: dict[str, Outcome[C]] = {}
    for done, system in enumerate(plan.systems):
        runtime.report(f"{data.facts.name}: {system.name}", done, len(plan.systems))
        if runtime.stop.is_set():
            raise Cancelled("The benchmark")
        outcomes[system.key] = measure(plan, system, data, runtime)
        if on_outcome is not None:
            on_outcome(data.facts, system, outcomes[system.key])
    return plan.finish(data, outcomes, runtime)


def _key(plan: BenchmarkPlan[D, S, Y, C], system: Y, data: D, runtime: Runtime) -> str:
    own = plan.depends_on(system, data, runtime)
    if own is None:
        return ""
    code = code_digest(type(plan).__module__, within=("core",))
    whole = [PROGRAM, code, plan.subject, repr(system), data.facts.key, data.facts.fingerprint, *own]
    whole += [str(runtime.seed), str(plan.resamples)]
    return hashlib.sha256("\x1f".join(whole).encode("utf-8", errors="surrogatepass")).hexdigest()[:32]


def _read(plan: BenchmarkPlan[D, S, Y, C], cache: DiskCache, key: str) -> Outcome[C] | None:
    entry = cache.get(key)
    if entry is None:
        return None
    cells: tuple[C, ...] = msgspec.convert(entry.about["cells"], tuple[plan.cell, ...])  # type: ignore[name-defined]
    return Outcome(cells, entry.arrays, entry.about["about"])
