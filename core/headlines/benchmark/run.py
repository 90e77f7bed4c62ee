"""The whole table: every system writes for every set, and everything is measured together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from core import __version__
from core.data.articles.outputs import Outputs
from core.errors import Cancelled, CoreError, InputError, UnknownNameError
from core.headlines.benchmark.generation import headlines_of
from core.headlines.benchmark.models import ModelFacts, model_facts
from core.headlines.benchmark.published import PUBLISHED, SOURCES
from core.headlines.benchmark.results import (
    Cell,
    ColumnFacts,
    HeadlineBenchmark,
    RowFacts,
    SetFacts,
)
from core.headlines.benchmark.rows import BASELINE, ROWS, Row
from core.headlines.benchmark.sets import SETS, HeadlineSet, Opened, find_set, open_set
from core.headlines.comparison.compare import compare, default_metrics, written_of
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.kept import statistics_of
from core.headlines.comparison.shown import main_place
from core.headlines.comparison.table import Entry, Table, table
from core.headlines.generator import headline_generators
from core.headlines.metrics.metric import headline_metrics
from core.results.stored import this_machine
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES
from core.statistics.figure import Figure
from core.statistics.paired import enough_resamples

OnRow = Callable[[SetFacts, RowFacts, Cell, Outputs | None], None]
LEAD_ONE: Final = "lead_one"
LANGUAGES: Final = {"en": "English", "it": "Italian", "ru": "Russian"}
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Filled:
    """A set as far as it was measured."""

    facts: SetFacts
    cells: tuple[Cell, ...]


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[Row] = ROWS,
    metrics: Sequence[str] = (),
    limit: int = 0,
    limits: Mapping[str, int] = MappingProxyType({}),
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_row: OnRow | None = None,
) -> HeadlineBenchmark:
    """Fills the table.

    A set that is not here, a system without its weights and a metric without its model say so in the table
    and stop nothing else. Headlines and what metrics read off them are kept in the runtime's cache: a run
    that was stopped goes on where it stood.

    Args:
        runtime: Device, seed, cache, progress and stop.
        sets: Keys of sets; empty for all.
        rows: Which systems.
        metrics: Names or signatures; empty for all.
        limit: Articles of a set at most, drawn with the seed; 0 for all.
        limits: The same for single sets, by key.
        resamples: Of the intervals; more where the corrected p-values of so many systems need them.
        machine: What to write down as the machine; found out if None.
        on_row: Told of each system as it has written for a set, before it is measured, with its headlines.

    Raises:
        UnknownNameError: There is no such set or metric.
        InputError: No system is asked for.
        Cancelled: The runtime's stop was set.
    """
    wanted = [find_set(key) for key in dict.fromkeys(sets)] or list(SETS)
    if not rows:
        raise InputError("There is no system to run.", hint="Name at least one.")
    measured = [
        headline_metrics.signature(headline_metrics.parse(name)) for name in metrics or default_metrics()
    ]
    described = {row.key: describe(row) for row in rows}
    resamples = max(resamples, enough_resamples(len(rows) - 1))
    filled = [
        _fill(
            about,
            rows,
            described,
            measured,
            runtime,
            limit=limits.get(about.key, limit),
            resamples=resamples,
            on_row=on_row,
        )
        for about in wanted
    ]
    return HeadlineBenchmark(
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        program=f"headline-lab {__version__}",
        machine=machine or this_machine(),
        seed=runtime.seed,
        resamples=resamples,
        sets=tuple(one.facts for one in filled),
        rows=tuple(described.values()),
        cells=tuple(cell for one in filled for cell in one.cells),
        sources=SOURCES,
        published=PUBLISHED,
    )


def describe(row: Row) -> RowFacts:
    """What the table says of a system, whether or not it can run here."""
    facts: ModelFacts | None = None
    signature = ""
    if row.generator:
        try:
            recipe = headline_generators.parse(row.generator)
            signature, facts = headline_generators.signature(recipe), model_facts(recipe)
        except CoreError:
            signature = ""
    return RowFacts(
        key=row.key,
        name=row.name,
        kind=row.kind,
        generator=signature,
        model=facts,
        base_parameters=row.parameters,
        chosen_on=row.chosen_on or (facts.chosen_on if facts else ""),
    )


def cannot_run(row: Row, facts: RowFacts, opened: Opened) -> str:
    """Why a system has no place on a set, in a sentence; "" where it has."""
    about = opened.about
    if row.predictions:
        return "" if row.predictions in opened.predictions else "It wrote for the SemEval-2024 set alone."
    if row.key == LEAD_ONE and not about.events:
        return "These articles stand alone, and for such it is the first sentence."
    if about.part is None and row.trained and not row.hub:
        return "The set has its training part in it, so systems that were trained here are left out."
    own = facts.model.language if facts.model else ""
    languages = (own,) if own else row.languages or _languages(row.generator)
    if languages and about.language not in languages:
        return f"It writes {', '.join(LANGUAGES.get(one, one) for one in languages)} only."
    return ""


def _languages(generator: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(headline_generators.parse(generator).languages))
    except CoreError:
        return ()


def _fill(
    about: HeadlineSet,
    rows: Sequence[Row],
    described: Mapping[str, RowFacts],
    metrics: Sequence[str],
    runtime: Runtime,
    *,
    limit: int,
    resamples: int,
    on_row: OnRow | None,
) -> _Filled:
    empty = SetFacts(key=about.key, name=about.name, about=about.about, language=about.language)
    try:
        opened = open_set(about, limit=limit, seed=runtime.seed)
    except CoreError as error:
        return _Filled(replace(empty, why_not=f"{error.message} {error.hint}"), ())
    facts = replace(
        empty,
        fingerprint=opened.articles.fingerprint,
        articles=len(opened.articles),
        whole=opened.whole,
        note=opened.note,
    )
    cells: dict[str, Cell] = {}
    outputs: dict[str, Outputs] = {}
    for row in rows:
        cells[row.key], found = _write(row, described[row.key], opened, metrics, runtime)
        if found is not None:
            outputs[row.key] = replace(found, system=row.key)
        if on_row is not None:
            on_row(facts, described[row.key], cells[row.key], found)
    if not outputs:
        return _Filled(replace(facts, why_not="No system could run on it."), tuple(cells.values()))
    comparison = compare(
        opened.articles,
        list(outputs.values()),
        metrics,
        runtime,
        language=about.language,
        resamples=resamples,
    )
    return _measured(facts, cells, comparison)


def _write(
    row: Row, facts: RowFacts, opened: Opened, metrics: Sequence[str], runtime: Runtime
) -> tuple[Cell, Outputs | None]:
    """The headlines of one system, with every metric's statistics on the disk; a reason where it has none."""
    cell = Cell(set=opened.about.key, row=row.key)
    reason = cannot_run(row, facts, opened)
    if reason:
        return replace(cell, why_not=reason), None
    try:
        seconds: float | None = None
        if row.predictions:
            found = opened.predictions[row.predictions]
        else:
            step = f"{opened.about.name}: {row.name}"
            written = headlines_of(opened.articles.texts, row.generator, runtime, step=step)
            found = Outputs(system=row.name, headlines=written.headlines, source=written.signature)
            seconds = written.seconds
        _score(found, opened, metrics, runtime)
    except Cancelled:
        raise
    except UnknownNameError as error:
        return replace(cell, why_not=error.message), None
    except CoreError as error:
        needs = "Needs the hub: " if row.hub else ""
        return replace(cell, why_not=f"{needs}{error.message} {error.hint}"), None
    except Exception as error:  # a bug in one system must not cost the figures of the others
        _LOG.exception("The system %s failed on the set %s", row.key, opened.about.key)
        reason = f"It stopped with an error of the program ({type(error).__name__})."
        return replace(cell, why_not=reason), None
    signature = (
        f"headline-lab {__version__} · articles:{opened.articles.fingerprint} · "
        f"{found.source} · seed:{runtime.seed}"
    )
    return replace(cell, signature=signature, seconds=seconds), found


def _score(found: Outputs, opened: Opened, metrics: Sequence[str], runtime: Runtime) -> None:
    """Puts what every metric reads off the headlines on the disk; one that cannot run is told of later."""
    written = written_of(opened.articles, found, opened.about.language)
    for signature in metrics:
        try:
            statistics_of(signature, written, runtime)
        except Cancelled:
            raise
        except CoreError:
            continue


def _measured(facts: SetFacts, cells: Mapping[str, Cell], comparison: Comparison) -> _Filled:
    rows = list(comparison.systems)
    found = table(comparison, against=BASELINE if BASELINE in rows and len(rows) > 1 else "")
    main = main_place(comparison)
    at = found.places.index(main) if main is not None else None
    filled = dict(cells)
    for row, key in enumerate(rows):
        filled[key] = replace(
            cells[key],
            figures=_figures(found, row),
            against_baseline=None if at is None else found.entries[row][at].p,
            empty=found.empty[row],
        )
    return _Filled(
        replace(
            facts,
            columns=tuple(
                ColumnFacts(
                    key=place.key,
                    label=place.column.label,
                    percent=place.column.high == 1,
                    metric=comparison.measured[place.metric].signature,
                )
                for place in found.places
            ),
            metrics={one.signature: one.library or one.why_not for one in comparison.measured},
            main=main.key if main is not None else "",
        ),
        tuple(filled.values()),
    )


def _figures(found: Table, row: int) -> dict[str, Figure]:
    return {place.key: _figure(entry) for place, entry in zip(found.places, found.entries[row], strict=True)}


def _figure(entry: Entry) -> Figure:
    return Figure(entry.value, entry.reason, entry.low, entry.high, entry.warning)
