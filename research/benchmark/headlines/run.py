"""The whole table: every system writes for every set of articles, and all are measured together."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from core import files
from core.data.articles.articles import Articles
from core.data.articles.opening import load_articles
from core.data.articles.outputs import Outputs, load_outputs
from core.data.files import sample
from core.data.timelines.samples import PREFIX
from core.errors import Cancelled, CoreError, InputError, UnknownNameError
from core.headlines.comparison.compare import compare, find_language, statistics_of, written_of
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.published import PREDICTIONS
from core.headlines.comparison.table import comparison_table, main_place
from core.headlines.generator import headline_generators
from core.headlines.metrics import default_metrics, headline_metrics
from core.headlines.writing import drawn_articles
from core.parts import Part
from core.runtime import Runtime, data_folder
from core.statistics.bootstrap import RESAMPLES, Figure, enough_resamples
from research.benchmark import engine
from research.benchmark.engine import PROGRAM, BenchmarkPlan, OnOutcome, Outcome
from research.benchmark.headlines import generated, tables
from research.benchmark.results import SystemComparison, set_named

EVENTS: Final = "telegram_ru_events"
"""The set of which one article an event is read; all headlines of the event are references. It is of all
parts, so only systems that learned nothing here run on it."""
SETS: Final = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, tuple[tables.HeadlineSetFacts, ...]]
)["sets"]
LANGUAGES: Final = {"en": "English", "it": "Italian", "ru": "Russian"}


class OpenedArticles(NamedTuple):
    facts: tables.HeadlineSetFacts
    articles: Articles
    predictions: Mapping[str, Outputs]


def find_set(key: str) -> tables.HeadlineSetFacts:
    """A set of the benchmark, or a file or sample of articles with people's headlines."""
    if all(known.key != key for known in SETS) and (os.path.exists(key) or key.startswith(PREFIX)):
        return tables.HeadlineSetFacts(key=key, name=Path(key.removeprefix(PREFIX)).stem)
    return set_named(SETS, key, "The benchmark")


def open_set(about: tables.HeadlineSetFacts, *, limit: int = 0, seed: int = 0) -> OpenedArticles:
    part = None if about.key == EVENTS else Part.TEST
    articles = load_articles(about.key.removesuffix("_events"), part=part)
    if about.key == EVENTS:
        articles = one_an_event(articles, seed=seed)
    rows, whole = sample(len(articles), limit, seed=seed), len(articles)
    drawn, note = articles.at(rows), f"{len(rows):,} of {whole:,} articles, drawn with seed {seed}."
    outputs, path = list[Outputs](), data_folder() / PREDICTIONS
    if about.key == "numeval" and path.is_file():
        with suppress(CoreError):
            outputs = load_outputs(path, articles)
    predictions = {}
    for output in outputs:
        published = {name: values[rows] for name, values in output.published.items()}
        headlines = tuple(output.headlines[row] for row in rows)
        predictions[output.system] = replace(output, headlines=headlines, published=published)
    facts = replace(about, fingerprint=drawn.fingerprint, count=len(drawn), whole=whole)
    facts = replace(facts, language=about.language or find_language(drawn))
    facts = replace(facts, notes=(note,) if len(rows) < whole else ())
    return OpenedArticles(facts, drawn, predictions)


def one_an_event(articles: Articles, *, seed: int = 0) -> Articles:
    """One article of each event of two or more, drawn at random, with the headlines of the whole event."""
    members: dict[str, list[int]] = {}
    for row, cluster in enumerate(articles.clusters):
        if cluster:
            members.setdefault(cluster, []).append(row)
    drawn = drawn_articles(articles, seed)
    rows = [drawn[group[0]] for group in members.values()]
    picked = articles.at(rows)
    lines = ([line for row in group for line in articles.references[row]] for group in members.values())
    given = [tuple(dict.fromkeys(own)) for own in lines]
    return replace(picked, name=f"{articles.name} events", references=tuple(given))


@dataclass(frozen=True, slots=True, eq=False)
class HeadlinePlan(BenchmarkPlan[tables.HeadlineBenchmark]):
    sets: Sequence[str]
    systems: Sequence[tables.HeadlineSystem]
    metrics: Sequence[str]
    limits: Mapping[str, int]
    resamples: int

    cell: ClassVar[type[tables.HeadlineCell]] = tables.HeadlineCell
    table: type[tables.HeadlineBenchmark] = tables.HeadlineBenchmark

    def open(self, key: str, runtime: Runtime) -> OpenedArticles:
        return open_set(find_set(key), limit=self.limits[key], seed=runtime.seed)

    def closed(self, key: str, error: CoreError) -> tables.HeadlineSetFacts:
        return replace(find_set(key), why_not=f"{error.message} {error.hint}")

    def cannot_run(self, system: tables.HeadlineSystem, data: OpenedArticles) -> str:
        if system.predictions:
            known = system.predictions in data.predictions
            return "" if known else "It wrote for the SemEval-2024 set alone."
        if system.key == "lead_one" and data.facts.key != EVENTS:
            return "These articles stand alone, and for such it is the first sentence."
        if system.trained and not system.hub and data.facts.key == EVENTS:
            return "The set has its training part in it, so systems that were trained here are left out."
        own = system.model.language if system.model else ""
        languages = (own,) if own else system.languages or _languages(system.signature)
        if languages and data.facts.language not in languages:
            return f"It writes {', '.join(LANGUAGES.get(language, language) for language in languages)} only."
        return ""

    def reason(self, system: tables.HeadlineSystem, error: CoreError) -> str:
        if isinstance(error, UnknownNameError):
            return error.message
        return f"{'Needs the hub: ' if system.hub else ''}{error.message} {error.hint}"

    def measure(self, system: tables.HeadlineSystem, data: OpenedArticles, runtime: Runtime) -> Outcome:
        seconds: float | None = None
        if system.predictions:
            own = data.predictions[system.predictions]
        else:
            step = f"{data.facts.name}: {system.name}"
            made = generated.headlines_of(data.articles.texts, system.signature, runtime, step=step)
            own = Outputs(system=system.name, headlines=made.headlines, source=made.signature)
            seconds = made.seconds
        written = written_of(data.articles, own, data.facts.language)
        for metric in self.metrics:
            try:
                statistics_of(metric, written, runtime)
            except Cancelled:
                raise
            except CoreError:
                continue
        cell = tables.HeadlineCell(
            set=data.facts.key,
            system=system.key,
            signature=f"{PROGRAM} · articles:{data.facts.fingerprint} · {own.source} · seed:{runtime.seed}",
            count=len(own.headlines),
            whole=data.facts.whole,
            seconds=seconds,
        )
        return Outcome((cell,), extra=own)

    def finish(
        self, data: OpenedArticles, outcomes: Mapping[str, Outcome], runtime: Runtime
    ) -> tuple[tables.HeadlineSetFacts, Sequence[tables.HeadlineCell], Sequence[SystemComparison]]:
        cells = {key: outcome.cell for key, outcome in outcomes.items()}
        outputs = [replace(run.extra, system=key) for key, run in outcomes.items() if run.extra is not None]
        if not outputs:
            facts = replace(data.facts, why_not="No system could run on it.")
            return facts, tuple(cells.values()), ()
        how: dict[str, Any] = {"language": data.facts.language, "resamples": self.resamples}
        comparison = compare(data.articles, outputs, self.metrics, runtime, **how)
        return _measured(data.facts, cells, comparison)


def measure_writers(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    rows: Sequence[tables.HeadlineSystem] = tables.ROWS,
    metrics: Sequence[str] = (),
    limit: int = 0,
    limits: Mapping[str, int] = MappingProxyType({}),
    resamples: int = RESAMPLES,
    machine: Mapping[str, Any] | None = None,
    on_outcome: OnOutcome | None = None,
) -> tables.HeadlineBenchmark:
    wanted = [find_set(key).key for key in dict.fromkeys(sets)] or [known.key for known in SETS]
    if not rows:
        raise InputError("There is no system to run.", hint="Name at least one.")
    parsed = map(headline_metrics.parse, metrics or default_metrics())
    plan = HeadlinePlan(
        sets=wanted,
        systems=[describe(row) for row in rows],
        metrics=[headline_metrics.signature(metric) for metric in parsed],
        limits={key: limits.get(key, limit) for key in wanted},
        resamples=max(resamples, enough_resamples(len(rows) - 1)),
    )
    return engine.run_plan(plan, runtime, machine=machine, on_outcome=on_outcome)


def write_headlines(folder: Path, system: str, headlines: Sequence[str]) -> None:
    files.make_folder(folder)
    name = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in system)[:80]
    files.write(folder / f"{name}.txt", ("\n".join(headlines) + "\n").encode())


def describe(row: tables.HeadlineSystem) -> tables.HeadlineSystem:
    """A system with its full signature and what is known of its weights, whether or not it can run here."""
    signature, facts = row.signature, None
    if row.signature:
        with suppress(CoreError):
            recipe = headline_generators.parse(row.signature)
            signature, facts = headline_generators.signature(recipe), tables.model_facts(recipe)
    chosen_on = row.chosen_on or (facts.chosen_on if facts else "")
    return replace(row, signature=signature, model=facts, chosen_on=chosen_on)


def _languages(generator: str) -> tuple[str, ...]:
    with suppress(CoreError):
        return tuple(sorted(headline_generators.parse(generator).languages))
    return ()


def _measured(
    facts: tables.HeadlineSetFacts, cells: dict[str, tables.HeadlineCell], comparison: Comparison
) -> tuple[tables.HeadlineSetFacts, Sequence[tables.HeadlineCell], Sequence[SystemComparison]]:
    rows = list(comparison.systems)
    scored = comparison_table(
        comparison, against=tables.BASELINE if tables.BASELINE in rows and len(rows) > 1 else ""
    )
    main = main_place(comparison)
    for row, key in enumerate(rows):
        figures = {place.key: entry for place, entry in zip(scored.places, scored.entries[row], strict=True)}
        cells[key] = replace(cells[key], figures=figures, empty=scored.empty[row])
    metrics = [comparison.measured[place.metric].signature for place in scored.places]
    columns = tuple(
        tables.ColumnFacts(place.key, place.column.label, place.column.high == 1, metric)
        for place, metric in zip(scored.places, metrics, strict=True)
    )
    libraries = {metric.signature: metric.library or metric.why_not for metric in comparison.measured}
    measured = replace(facts, columns=columns, metrics=libraries, main="" if main is None else main.key)
    if main is None:
        return measured, tuple(cells.values()), ()
    at = scored.places.index(main)
    chances = {key: entry[at].p for key, entry in zip(rows, scored.entries, strict=True)}
    tested = {key: p for key, p in chances.items() if p is not None}
    base = cells[tables.BASELINE].value(main.key) if tested else None
    gaps = {key: Figure((cells[key].value(main.key) or 0.0) - (base or 0.0)) for key in tested}
    compared = tuple(
        SystemComparison(facts.key, key, tables.BASELINE, main.key, gaps[key], p, len(tested), facts.count)
        for key, p in tested.items()
    )
    return measured, tuple(cells.values()), compared
