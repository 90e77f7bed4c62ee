"""The whole table: every system writes for every set, and all are measured together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final

from core.data.articles.outputs import Outputs
from core.errors import Cancelled, CoreError, InputError, UnknownNameError
from core.headlines.comparison.compare import compare, statistics_of, written_of
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import main_place, table
from core.headlines.generator import headline_generators
from core.headlines.metrics.metric import default_metrics, headline_metrics
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, enough_resamples
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.headlines.generation import (
    BASELINE,
    ROWS,
    HeadlineSystem,
    ModelFacts,
    headlines_of,
    model_facts,
)
from research.benchmark.headlines.sets import (
    SETS,
    ColumnFacts,
    HeadlineBenchmark,
    HeadlineCell,
    HeadlineSetFacts,
    OpenedArticles,
    facts_of,
    find_set,
    open_set,
)
from research.benchmark.results import SystemComparison

LEAD_ONE: Final = "lead_one"
LANGUAGES: Final = {"en": "English", "it": "Italian", "ru": "Russian"}


@dataclass(frozen=True, slots=True, eq=False)
class HeadlinePlan(BenchmarkPlan):
    """Headline systems on sets of articles.

    A cell is not stored whole: headlines are kept article by article, and what metrics read off them headline
    by headline, so that a run that was stopped within a set resumes there.
    """

    sets: Sequence[str]
    systems: Sequence[HeadlineSystem]
    metrics: Sequence[str]
    limits: Mapping[str, int]
    resamples: int

    subject: ClassVar[str] = "headlines"
    cell: ClassVar[type[HeadlineCell]] = HeadlineCell

    def open(self, key: str, runtime: Runtime) -> OpenedArticles:
        return open_set(find_set(key), limit=self.limits[key], seed=runtime.seed)

    def closed(self, key: str, error: CoreError) -> HeadlineSetFacts:
        return replace(facts_of(find_set(key)), why_not=f"{error.message} {error.hint}")

    def cannot_run(self, system: HeadlineSystem, data: OpenedArticles) -> str:
        about = data.about
        if system.predictions:
            known = system.predictions in data.predictions
            return "" if known else "It wrote for the SemEval-2024 set alone."
        if system.key == LEAD_ONE and not about.events:
            return "These articles stand alone, and for such it is the first sentence."
        if about.part is None and system.trained and not system.hub:
            return "The set has its training part in it, so systems that were trained here are left out."
        own = system.model.language if system.model else ""
        languages = (own,) if own else system.languages or _languages(system.signature)
        if languages and about.language not in languages:
            return f"It writes {', '.join(LANGUAGES.get(language, language) for language in languages)} only."
        return ""

    def reason(self, system: HeadlineSystem, error: CoreError) -> str:
        if isinstance(error, UnknownNameError):
            return error.message
        return f"{'Needs the hub: ' if system.hub else ''}{error.message} {error.hint}"

    def measure(self, system: HeadlineSystem, data: OpenedArticles, runtime: Runtime) -> Outcome:
        seconds: float | None = None
        if system.predictions:
            found = data.predictions[system.predictions]
        else:
            step = f"{data.facts.name}: {system.name}"
            written = headlines_of(data.articles.texts, system.signature, runtime, step=step)
            found = Outputs(system=system.name, headlines=written.headlines, source=written.signature)
            seconds = written.seconds
        self._score(found, data, runtime)
        cell = HeadlineCell(
            set=data.facts.key,
            system=system.key,
            signature=f"{PROGRAM} · articles:{data.facts.fingerprint} · {found.source} · seed:{runtime.seed}",
            count=len(found.headlines),
            whole=data.facts.whole,
            seconds=seconds,
        )
        return Outcome((cell,), extra=found)

    def finish(
        self, data: OpenedArticles, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[HeadlineSetFacts, Sequence[HeadlineCell], Sequence[SystemComparison]]:
        cells = {key: one.cell for key, one in outcomes.items()}
        outputs = [replace(one.extra, system=key) for key, one in outcomes.items() if one.extra is not None]
        if not outputs:
            facts = replace(data.facts, why_not="No system could run on it.")
            return facts, tuple(cells.values()), ()
        comparison = compare(
            data.articles,
            outputs,
            self.metrics,
            runtime,
            language=data.facts.language,
            resamples=self.resamples,
        )
        return _measured(data.facts, cells, comparison)

    def _score(self, found: Outputs, data: OpenedArticles, runtime: Runtime) -> None:
        written = written_of(data.articles, found, data.facts.language)
        for signature in self.metrics:
            try:
                statistics_of(signature, written, runtime)
            except Cancelled:
                raise
            except CoreError:
                continue


def run(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[HeadlineSystem] = ROWS,
    metrics: Sequence[str] = (),
    limit: int = 0,
    limits: Mapping[str, int] = MappingProxyType({}),
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_row: OnOutcome | None = None,
) -> HeadlineBenchmark:
    """Fills the table; see `research.benchmark.engine.run`."""
    wanted = [find_set(key).key for key in dict.fromkeys(sets)] or [known.key for known in SETS]
    if not rows:
        raise InputError("There is no system to run.", hint="Name at least one.")
    plan = HeadlinePlan(
        sets=wanted,
        systems=[describe(row) for row in rows],
        metrics=[
            headline_metrics.signature(headline_metrics.parse(name)) for name in metrics or default_metrics()
        ],
        limits={key: limits.get(key, limit) for key in wanted},
        resamples=max(resamples, enough_resamples(len(rows) - 1)),
    )
    return engine.run(plan, runtime, machine=machine, on_outcome=on_row)


def describe(row: HeadlineSystem) -> HeadlineSystem:
    """A system with its full signature and what is known of its weights, whether or not it can run here."""
    facts: ModelFacts | None = None
    signature = ""
    if row.signature:
        try:
            recipe = headline_generators.parse(row.signature)
            signature, facts = headline_generators.signature(recipe), model_facts(recipe)
        except CoreError:
            signature = row.signature
    chosen_on = row.chosen_on or (facts.chosen_on if facts else "")
    return replace(row, signature=signature, model=facts, chosen_on=chosen_on)


def _languages(generator: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(headline_generators.parse(generator).languages))
    except CoreError:
        return ()


def _measured(
    facts: HeadlineSetFacts, cells: dict[str, HeadlineCell], comparison: Comparison
) -> tuple[HeadlineSetFacts, Sequence[HeadlineCell], Sequence[SystemComparison]]:
    rows = list(comparison.systems)
    found = table(comparison, against=BASELINE if BASELINE in rows and len(rows) > 1 else "")
    main = main_place(comparison)
    for row, key in enumerate(rows):
        figures = {place.key: entry for place, entry in zip(found.places, found.entries[row], strict=True)}
        cells[key] = replace(cells[key], figures=figures, empty=found.empty[row])
    columns = tuple(
        ColumnFacts(
            key=place.key,
            label=place.column.label,
            percent=place.column.high == 1,
            metric=comparison.measured[place.metric].signature,
        )
        for place in found.places
    )
    measured = replace(
        facts,
        columns=columns,
        metrics={metric.signature: metric.library or metric.why_not for metric in comparison.measured},
        main=main.key if main is not None else "",
    )
    if main is None:
        return measured, tuple(cells.values()), ()
    at = found.places.index(main)
    tested = {key: one[at].p for key, one in zip(rows, found.entries, strict=True) if one[at].p is not None}
    base = cells[BASELINE].value(main.key) if tested else None
    compared = tuple(
        SystemComparison(
            set=facts.key,
            one=key,
            other=BASELINE,
            measure=main.key,
            difference=Figure((cells[key].value(main.key) or 0.0) - (base or 0.0)),
            corrected=p,
            family=len(tested),
            count=facts.count,
        )
        for key, p in tested.items()
    )
    return measured, tuple(cells.values()), compared
