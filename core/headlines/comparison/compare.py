"""From articles and headlines to a comparison: every metric reads every headline once."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.errors import Cancelled, CoreError, InputError
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, Measured
from core.headlines.comparison.kept import digest_of, statistics_of
from core.headlines.metrics.metric import HeadlineMetric, MetricInput, default_metrics, headline_metrics
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, enough_resamples, unit_sums, units_of
from core.text.language import MIXED, timeline_language

STEP: Final = "Scoring headlines"


def compare(
    articles: Articles,
    outputs: Sequence[Outputs],
    metrics: Sequence[str] = (),
    runtime: Runtime | None = None,
    *,
    language: str = "",
    resamples: int = 0,
) -> Comparison:
    """Scores every headline by every metric and draws the resamples that all intervals come from.

    A metric that cannot run here says why in its columns and stops nothing else.

    Args:
        articles: What was written about, one or more.
        outputs: Systems with different names, each with one headline an article, one system or more.
        metrics: Names or signatures; empty for `default_metrics`.
        runtime: Seed, progress, stop, and the cache that statistics are kept in.
        language: ISO 639-1 code; "" to find it out.
        resamples: Of the bootstrap; 0 for enough to test any two systems, and two in every column.

    Raises:
        InputError: There is nothing to compare, a system has too few or too many headlines, two have one
            name, or the language is no code.
        UnknownNameError: A metric does not exist.
        Cancelled: The runtime's stop was set.
    """
    where = runtime or Runtime()
    check(articles, outputs)
    if language and not re.fullmatch("[a-z]{2}", language):
        raise InputError(
            f"{language[:40]!r} is not the code of a language.", hint="Give two letters, like en, ru or it."
        )
    signatures = list(
        dict.fromkeys(
            headline_metrics.signature(headline_metrics.parse(name)) for name in metrics or default_metrics()
        )
    )
    chosen = language or find_language(articles)
    written = [written_of(articles, one, chosen) for one in outputs]
    units = units_of(articles.clusters)
    digests = [digest_of(one) for one in written]
    read = [_read(signature, written, digests, where) for signature in where.track(signatures, STEP)]
    resamples = resamples or _resamples(read, len(outputs))
    drawn = _resampled([one.statistics for one in read], units, resamples=resamples, seed=where.seed)
    measured = tuple(_measured(one, sums) for one, sums in zip(read, drawn, strict=True))
    return Comparison(
        articles=articles,
        outputs=tuple(outputs),
        language=chosen,
        measured=measured,
        places=_places(measured),
        units=units,
        resamples=resamples,
        seed=where.seed,
        fingerprint=_fingerprint(articles, outputs, measured, f"{chosen} {resamples} {where.seed}"),
    )


def check(articles: Articles, outputs: Sequence[Outputs]) -> None:
    """Says at once what would make a comparison senseless.

    Raises:
        InputError: There is nothing to compare, a system has too few or too many headlines, or two have
            one name.
    """
    if not len(articles):
        raise InputError("There are no articles.", hint="Give a file with at least one article.")
    if not outputs:
        raise InputError(
            "There are no headlines to compare.", hint="Give the headlines of at least one system."
        )
    for one in outputs:
        if len(one.headlines) != len(articles):
            raise InputError(
                f"{one.system} has {len(one.headlines):,} headlines for {len(articles):,} articles.",
                hint="Give one headline an article, in the order of the articles.",
            )
    name, times = Counter(one.system for one in outputs).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} systems are called {name!r}.", hint="Give each system a name of its own.")


def find_language(articles: Articles) -> str:
    """The language of the headlines that people gave, or of the texts; English where they are mixed."""
    given = [one[0] for one in articles.references if one and one[0].strip()]
    found = timeline_language(given or [text[:500] for text in articles.texts])
    return "en" if found == MIXED else found


def written_of(articles: Articles, one: Outputs, language: str) -> MetricInput:
    """What a metric reads of one system."""
    return MetricInput(
        headlines=one.headlines,
        references=articles.references,
        articles=articles.texts,
        language=language,
        numbers=articles.numbers,
        operations=articles.operations,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    signature: str
    metric: HeadlineMetric
    library: str
    statistics: FloatArray
    why_not: str = ""


def _read(signature: str, written: Sequence[MetricInput], digests: Sequence[str], runtime: Runtime) -> _Read:
    metric = headline_metrics.parse(signature)
    try:
        found = np.stack(
            [
                statistics_of(signature, one, runtime, digest=digest)
                for one, digest in zip(written, digests, strict=True)
            ]
        )
        return _Read(signature, metric, metric.signature_text(written[0]), found)
    except Cancelled:
        raise
    except CoreError as error:
        nothing = np.empty((len(written), len(written[0].headlines), 0))
        return _Read(signature, metric, "", nothing, f"{error.message} {error.hint}")


def _resamples(read: Sequence[_Read], systems: int) -> int:
    columns = sum(len(one.metric.columns) for one in read if not one.why_not)
    return enough_resamples(max(columns, systems * (systems - 1) // 2))


def _resampled(
    statistics: Sequence[FloatArray], units: IntArray, *, resamples: int, seed: int
) -> list[FloatArray]:
    rows = [one.transpose(1, 0, 2).reshape(len(units), -1) for one in statistics]
    sums = bootstrap_sums(unit_sums(np.concatenate(rows, axis=1), units), resamples=resamples, seed=seed)
    ends = np.cumsum([row.shape[1] for row in rows])[:-1]
    return [
        part.reshape(resamples, *one.shape[::2])
        for part, one in zip(np.split(sums, ends, axis=1), statistics, strict=True)
    ]


def _measured(read: _Read, sums: FloatArray) -> Measured:
    systems, n, _ = read.statistics.shape
    columns, values = len(read.metric.columns), read.metric.values
    missing = bool(read.why_not)
    return Measured(
        signature=read.signature,
        library=read.library,
        metric=read.metric,
        statistics=read.statistics,
        scores=np.full((systems, n, columns), np.nan) if missing else values(read.statistics),
        values=np.full((systems, columns), np.nan) if missing else values(read.statistics.sum(axis=1)),
        resampled=np.full((len(sums), systems, columns), np.nan) if missing else values(sums),
        why_not=read.why_not,
    )


def _places(measured: Sequence[Measured]) -> tuple[ComparisonColumn, ...]:
    names = Counter(column.name for one in measured for column in one.metric.columns)
    return tuple(
        ComparisonColumn(
            key=column.name if names[column.name] == 1 else f"{column.name} ({one.signature})",
            column=column,
            metric=number,
            at=at,
        )
        for number, one in enumerate(measured)
        for at, column in enumerate(one.metric.columns)
    )


def _fingerprint(
    articles: Articles, outputs: Sequence[Outputs], measured: Sequence[Measured], settings: str
) -> str:
    digest = hashlib.sha256(f"{articles.fingerprint} {settings}".encode())
    for metric in measured:
        digest.update(f"\x1f{metric.signature} {metric.library} {metric.why_not}".encode())
    for one in outputs:
        digest.update(f"\x1e{one.system}\x1f{one.headlines!r}".encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()[:16]
