"""The articles that systems are measured on; nothing is chosen or trained on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.data.articles.articles import Articles
from core.data.articles.load import load_articles
from core.data.articles.outputs import Outputs, load_outputs
from core.data.files import sample
from core.errors import CoreError, UnknownNameError
from core.headlines.comparison.table import PREDICTIONS
from core.headlines.writing import drawn_articles
from core.parts import Part
from core.runtime import data_folder
from research.benchmark.headlines.generation import HeadlineSystem
from research.benchmark.results import Benchmark, BenchmarkCell, BenchmarkSet, timed
from research.benchmark.saved import BenchmarkFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """One column of a set's table.

    Attributes:
        key: Name of the value in `HeadlineCell.figures`.
        label: For people.
        percent: It goes from 0 to 1 and is shown times 100.
        metric: Signature of the metric that it is of.
    """

    key: str
    label: str
    percent: bool
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSetFacts(BenchmarkSet):
    """One set of articles.

    Attributes:
        columns: What was measured.
        metrics: Library and settings of each metric, by signature; why not, where it could not run.
        main: Key of the column that systems are ranked and tested by; "" for none.
    """

    items: str = "articles"
    columns: tuple[ColumnFacts, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    main: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineCell(BenchmarkCell):
    """One system on one set; figures by key of the column, seconds of writing without loading."""

    empty: int = 0

    @property
    def summary(self) -> str:
        return self.why_not or f"{self.count:,} headlines{timed(self.seconds)}"


HeadlineBenchmark = Benchmark[HeadlineSetFacts, HeadlineSystem, HeadlineCell]
FILE: Final = BenchmarkFile(
    HeadlineBenchmark,
    "headline_benchmark",
    "a benchmark of headline systems",
    "headline-lab benchmark headlines",
)


def against_baseline(benchmark: HeadlineBenchmark, set_key: str, system_key: str) -> float | None:
    """p of a set's main column against the first sentence, by Holm; None where there is nothing to test."""
    found = benchmark.against(set_key, system_key)
    return found.corrected if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSet:
    """A set of the benchmark.

    Attributes:
        key: As `--set` takes it.
        name: For people.
        articles: Registered article set.
        part: The part that is measured; None for all of it, and then only untrained systems are.
        events: One article an event is read, and all headlines of the event are references.
        language: ISO 639-1 code.
        about: What it is, in a sentence or two.
    """

    key: str
    name: str
    articles: str
    part: Part | None = Part.TEST
    events: bool = False
    language: str = "en"
    about: str = ""


SETS: Final = (
    HeadlineSet(
        key="numhg",
        name="NumHG held out",
        articles="numhg",
        about="The held-out 11 % of NumHG's annotated training rows; our systems learned from the training "
        "part and were chosen on the validation part.",
    ),
    HeadlineSet(
        key="numeval",
        name="SemEval-2024 development",
        articles="numeval",
        about="The public test set of SemEval-2024 task 7, with the headlines of two participants.",
    ),
    HeadlineSet(
        key="telegram_ru",
        name="Telegram contest, Russian",
        articles="telegram_ru",
        language="ru",
        about="The test part of the Russian articles that the contest's annotators saw.",
    ),
    HeadlineSet(
        key="telegram_ru_events",
        name="Telegram contest, Russian events",
        articles="telegram_ru",
        part=None,
        events=True,
        language="ru",
        about="Events that annotators called the same, as in Dialogue 2021: of each a random article is "
        "read, and a headline counts against the best of all headlines of the event.",
    ),
    HeadlineSet(
        key="telegram_en",
        name="Telegram contest, English",
        articles="telegram_en",
        about="The test part of the English articles that the contest's annotators saw.",
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class OpenedArticles:
    """A set with its articles."""

    about: HeadlineSet
    facts: HeadlineSetFacts
    articles: Articles
    predictions: Mapping[str, Outputs] = field(default_factory=dict)


def find_set(key: str) -> HeadlineSet:
    for known in SETS:
        if known.key == key:
            return known
    raise UnknownNameError(
        f"The benchmark has no set called {key!r}.", hint=f"Choose one of: {', '.join(s.key for s in SETS)}."
    )


def open_set(about: HeadlineSet, *, limit: int = 0, seed: int = 0) -> OpenedArticles:
    articles = load_articles(about.articles, part=about.part)
    if about.events:
        articles = one_an_event(articles, seed=seed)
    rows = sample(len(articles), limit, seed=seed)
    note = ""
    if len(rows) < len(articles):
        note = f"{len(rows):,} of {len(articles):,} articles, drawn with seed {seed}."
    predictions = _predictions(articles, rows) if about.key == "numeval" else {}
    drawn = articles.at(rows)
    facts = replace(
        facts_of(about),
        fingerprint=drawn.fingerprint,
        count=len(drawn),
        whole=len(articles),
        notes=(note,) if note else (),
    )
    return OpenedArticles(about, facts, drawn, predictions)


def facts_of(about: HeadlineSet) -> HeadlineSetFacts:
    """What is known of a set before it is read."""
    return HeadlineSetFacts(key=about.key, name=about.name, about=about.about, language=about.language)


def one_an_event(articles: Articles, *, seed: int = 0) -> Articles:
    """One article of each event of two or more, drawn at random, with the headlines of the whole event."""
    members: dict[str, list[int]] = {}
    for row, cluster in enumerate(articles.clusters):
        if cluster:
            members.setdefault(cluster, []).append(row)
    drawn = drawn_articles(articles, seed)
    rows = [drawn[group[0]] for group in members.values()]
    picked = articles.at(rows)
    given = [
        tuple(dict.fromkeys(line for row in group for line in articles.references[row]))
        for group in members.values()
    ]
    return replace(picked, name=f"{articles.name} events", references=tuple(given))


def _predictions(articles: Articles, rows: list[int]) -> dict[str, Outputs]:
    path: Path = data_folder() / PREDICTIONS
    try:
        outputs = load_outputs(path, articles) if path.is_file() else []
    except CoreError:
        return {}
    return {
        output.system: replace(
            output,
            headlines=tuple(output.headlines[row] for row in rows),
            published={name: values[rows] for name, values in output.published.items()},
        )
        for output in outputs
    }
