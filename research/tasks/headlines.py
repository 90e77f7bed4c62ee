"""Tasks on headlines: how good are those that systems write for articles?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.opening import open_articles
from core.data.articles.outputs import Outputs, load_outputs
from core.errors import InputError
from core.headlines.comparison.compare import find_language, statistics_of, written_of
from core.headlines.generator import headline_generators
from core.headlines.metrics import headline_metrics
from core.headlines.writing import system_name
from core.pairs.recipe_fingerprint import fingerprint_of
from core.parts import Part
from core.results.table import Value
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, unit_sums, units_of
from core.text.tokens import words
from research.benchmark.headlines.generated import headlines_of
from research.benchmark.results import BenchmarkSet
from research.tasks import items
from research.tasks.items import Answered, Answers, Estimates, Items
from research.tasks.task import Task, TaskSystem

if TYPE_CHECKING:
    import pandas as pd

DEFAULT: Final = ("rouge", "chrf", "numbers_in_article")
_BETTER: Final = {True: "higher", False: "lower", None: ""}


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineItems(Items):
    slices: ClassVar[tuple[str, ...]] = ("length", "language", "common words")
    articles: Articles
    table: "pd.DataFrame"  # the same rows with all their columns
    metrics: tuple[str, ...]  # signatures

    def signature(self, system: TaskSystem) -> str:
        return headline_generators.signature(headline_generators.parse(system_name(system.method)))

    def depends_on(self, system: TaskSystem, runtime: Runtime) -> Sequence[str]:
        method = self.signature(system)
        known = [fingerprint_of(name, headline_metrics.parse(name)) for name in self.metrics]
        return [fingerprint_of(method, headline_generators.parse(method)), *known]

    def ask(self, system: TaskSystem, runtime: Runtime) -> Answered:
        if system.file:
            given = load_outputs(system.file, self.articles)
            named = [outputs for outputs in given if outputs.system == system.name]
            if len(given) > 1 and not named:
                hint = f"Call the system as one of them: {', '.join(one.system for one in given)[:200]}."
                raise InputError(f"{Path(system.file).name} holds {len(given)} systems.", hint=hint)
            outputs = (named or given)[0]
        else:
            made = headlines_of(self.articles.texts, self.signature(system), runtime, step=system.name)
            outputs = Outputs(system=system.name, headlines=made.headlines, source=made.signature)
        written = written_of(self.articles, outputs, self.facts.language)
        statistics = {name: statistics_of(name, written, runtime) for name in self.metrics}
        notes = filter(None, [outputs.marked_note])
        return Answered(statistics, outputs.source, tuple(notes))

    def answered(self, answers: Answers) -> BoolArray:
        return np.ones(len(self.articles), dtype=np.bool_)

    def estimate(self, answers: Answers, rows: IntArray, *, resamples: int, seed: int) -> Estimates:
        units, found = self._units(rows), {}
        for name in self.metrics:
            metric, statistics = headline_metrics.parse(name), answers[name][rows]
            sums = bootstrap_sums(unit_sums(statistics, units), resamples=resamples, seed=seed)
            values, drawn = metric.values(statistics.sum(axis=0)), metric.values(sums)
            for at, column in enumerate(metric.columns):
                known = None if np.isnan(values[at]) else float(values[at])
                found[column.name] = known, drawn[:, at]
        return found

    def _units(self, rows: IntArray) -> IntArray:
        return units_of([self.articles.clusters[row] for row in rows.tolist()])

    def units(self, rows: IntArray) -> tuple[int, str]:
        count = len(np.unique(self._units(rows)))
        return count, "articles" if count == len(rows) else "events"

    def values(self, name: str) -> Sequence[float | str | None]:
        texts, given = self.articles.texts, self.articles.references
        if name == "length":
            return [len(words(text)) for text in texts]
        if name == "language":
            return items.languages(texts)
        if name == "common words":
            both = zip(texts, given, strict=True)
            return [items.common_words(text, people[0]) if people else None for text, people in both]
        column = name.removeprefix(items.COLUMN)
        if column not in self.table.columns:
            raise items.no_column(column, list(self.table.columns))
        return items.numbers_or_words(self.table[column].tolist())

    def listed(self) -> Mapping[str, Sequence[Value]]:
        people = [given[0] if given else "" for given in self.articles.references]
        return {"id": self.articles.ids, "reference": people}

    def shown(self, answers: Answers) -> Sequence[Value]:
        first = headline_metrics.parse(self.metrics[0])
        scores: list[Value] = first.values(answers[self.metrics[0]])[:, 0].tolist()
        return scores


def open_headlines(task: Task, place: str) -> HeadlineItems:
    metrics = [headline_metrics.parse(name) for name in task.metrics or DEFAULT]
    opened = open_articles(place, part=None)
    if len(opened.table) != len(opened.articles):
        raise InputError(f"{opened.name} has rows that are no articles.", hint="Take them out.")
    articles, wanted = opened.articles, task.split or Part.TEST
    rows = [row for row, part in enumerate(articles.parts) if part is wanted]
    if 0 < task.sample < len(rows):
        rows = sorted(np.random.default_rng(0).permutation(rows)[: task.sample].tolist())
    if not rows:
        raise InputError(f"{opened.name} has no article of {wanted}.", hint="Choose another split.")
    articles = articles.at(rows)
    columns = [column for metric in metrics for column in metric.columns]
    facts = BenchmarkSet(
        key=task.data,
        name=articles.name,
        language=find_language(articles),
        fingerprint=articles.fingerprint,
        items="articles",
        count=len(rows),
        whole=len(opened.articles),
    )
    made = HeadlineItems(
        facts=facts,
        better={column.name: _BETTER[column.higher_is_better] for column in columns},
        articles=articles,
        table=opened.table.iloc[rows],
        metrics=tuple(dict.fromkeys(map(headline_metrics.signature, metrics))),
    )
    count, unit = made.units(np.arange(len(rows)))
    return replace(made, facts=replace(facts, units=count, unit=unit))
