"""What corpora are made of: sentences, words and numbers of articles, and who published headlines."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray
from core.data.articles.articles import article_sources
from core.data.articles.opening import load_articles
from core.data.timelines.timeline import Timeline
from core.errors import CoreError, InputError
from core.results import table as tables
from core.results.number_forms import decimals, percent, whole
from core.results.table import Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import ENOUGH, Figure
from core.text.language import language_of
from core.text.numerals.read import read_numerals
from core.text.sentences import split_sentences
from core.text.tokens import words

PUBLISHED: Final = (
    *(("Dolphin18K", 2.6, 30.6, 4.4), ("AQuA-RAT", 2.2, 32.5, 4.2), ("Math23K", 1.6, 28.0, 3.1)),
    *(("MathQA", 2.0, 37.9, 4.5), ("SVAMP", 2.8, 31.8, 3.2), ("NumHG, 27,746 articles", 9.4, 191.8, 13.7)),
)
"""Means for each text (Huang et al. 2023, table 3)."""
MEASURES: Final = ("sentences", "words", "numbers")
Corpora = dict[str, tuple[int, list[Figure]] | str]
"""Number of articles and mean of each of `MEASURES` with its interval, or why a set is not there."""


def measure_corpora(sets: Sequence[str], runtime: Runtime, *, limit: int = 0) -> Corpora:
    """Without sets, of all that are registered; of a set at most `limit` articles, drawn, or all for 0."""
    results: Corpora = {}
    for name in sets or article_sources.names():
        try:
            texts = load_articles(name, part=None).texts
        except CoreError as error:
            if sets:
                raise
            results[name] = f"{error.message} {error.hint}"
            continue
        if limit and len(texts) > limit:
            drawn = np.random.default_rng(runtime.seed).choice(len(texts), limit, replace=False)
            texts = tuple(texts[row] for row in sorted(drawn.tolist()))
        read = runtime.track(texts, f"Reading {name}")
        counts = np.array([_counts(text) for text in read], dtype=np.float64)
        if not len(counts):
            raise InputError(f"{name} holds no article.", hint="Give another set.")
        results[name] = len(texts), [_mean(column) for column in counts.T]
    return results


def _mean(counts: FloatArray) -> Figure:
    mean = float(counts.mean())
    if len(counts) < ENOUGH:
        return Figure(mean)
    half = 1.96 * float(counts.std(ddof=1)) / len(counts) ** 0.5
    return Figure(mean, low=mean - half, high=mean + half)


def _counts(text: str) -> tuple[int, int, int]:
    language = language_of(text)
    sentences, numerals = split_sentences(text, language=language), read_numerals(text, language=language)
    return len(sentences), len(words(text)), len(numerals)


def as_object(results: Corpora) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for name, means in results.items():
        if isinstance(means, str):
            rows.append({"corpus": name, "why_not": means})
        else:
            values = ([figure.value, figure.low, figure.high] for figure in means[1])
            rows.append({"corpus": name, "articles": means[0], **dict(zip(MEASURES, values, strict=True))})
    return {"benchmark": "corpora", "rows": rows, "published": [list(row) for row in PUBLISHED]}


def as_text(results: Corpora) -> str:
    means = (TableColumn(name, form=decimals(1)) for name in MEASURES)
    missing = (f"{name}: {why}" for name, why in results.items() if isinstance(why, str))
    table = Table(
        columns=(TableColumn("corpus"), TableColumn("articles", form=whole), *means),
        rows=tuple((name, own[0], *own[1]) for name, own in results.items() if not isinstance(own, str)),
        below=tuple((name, None, *values) for name, *values in PUBLISHED),
        notes=("Below the rule: published.", *missing),
    )
    return tables.as_text(table)


def outlets(timeline: Timeline, *, most: int = 5) -> Table:
    """The outlets with most headlines (Gusev and Smurov 2021, fig. 1), and all others together."""
    names = [name or "(unknown)" for name in timeline.publishers]
    publishers, counts = np.unique(np.array(names, dtype=object), return_counts=True)
    order = np.lexsort((publishers, -counts))
    rows: list[tuple[Any, ...]] = [
        (str(publishers[at]), int(counts[at]), counts[at] / len(names)) for at in order[:most].tolist()
    ]
    if len(order) > most:
        rest = int(counts[order[most:]].sum())
        rows.append((f"{len(order) - most:,} others", rest, rest / len(names)))
    columns = TableColumn("outlet"), TableColumn("headlines", form=whole), TableColumn("%", form=percent())
    return Table(columns=columns, rows=tuple(rows))
