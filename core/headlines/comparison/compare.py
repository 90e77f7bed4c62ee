"""From articles and headlines to a comparison: every metric reads every headline once."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core import __version__, digests
from core.arrays import FloatArray, IntArray
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.disk_cache import DiskCache
from core.errors import Cancelled, CoreError, InputError
from core.headlines.comparison.anchors import anchors_of
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, Measured
from core.headlines.metrics import MetricInput, default_metrics, headline_metrics
from core.models.networks.precision import numbers_signature
from core.pairs.recipe_fingerprint import fingerprint_of
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, enough_resamples, unit_sums, units_of
from core.text.language import MIXED, common_language
from core.text.reading import unread
from core.text.stems import mostly_ascii

STEP: Final = "Scoring headlines"
FOLDER: Final = "headline_statistics"
"""Of the cache: the same metric on the same headlines never runs twice."""
COMPARED: Final = 50  # columns that there are resamples for, always: more than all metrics have together


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

    A metric that cannot run here says why in its columns and stops nothing else. Without metrics the
    `default_metrics` run, "" finds the language out, and 0 are enough resamples to test any two systems, and
    two in every column, so that no interval depends on what else is measured.
    """
    where = runtime or Runtime()
    check(articles, outputs)
    if language not in ("", MIXED) and not re.fullmatch("[a-z]{2}", language):
        message = f"{language[:40]!r} is not the code of a language."
        raise InputError(message, hint=f"Give two letters, like en, ru or it, or {MIXED}.")
    recipes = map(headline_metrics.parse, metrics or default_metrics())
    signatures = list(dict.fromkeys(map(headline_metrics.signature, recipes)))
    chosen = language or find_language(articles)
    written = [written_of(articles, output, chosen) for output in outputs]
    units = units_of(articles.clusters)
    digests = [digest_of(metric_input) for metric_input in written]
    read = [_measured(signature, written, digests, where) for signature in where.track(signatures, STEP)]
    resamples = resamples or enough_resamples(max(COMPARED, len(outputs) * (len(outputs) - 1) // 2))
    measured = _resampled(read, units, resamples=resamples, seed=where.seed)
    names = Counter(column.name for entry in measured for column in entry.metric.columns)
    return Comparison(
        articles=articles,
        outputs=tuple(outputs),
        language=chosen,
        measured=measured,
        places=tuple(
            ComparisonColumn(
                key=column.name if names[column.name] == 1 else f"{column.name} ({entry.signature})",
                column=column,
                metric=number,
                at=at,
            )
            for number, entry in enumerate(measured)
            for at, column in enumerate(entry.metric.columns)
        ),
        units=units,
        resamples=resamples,
        seed=where.seed,
        fingerprint=_fingerprint(articles, outputs, measured, f"{chosen} {resamples} {where.seed}"),
    )


def check(articles: Articles, outputs: Sequence[Outputs]) -> None:
    """Says at once what would make a comparison senseless."""
    if not len(articles):
        raise InputError("There are no articles.", hint="Give a file with at least one article.")
    if not outputs:
        message = "There are no headlines to compare."
        raise InputError(message, hint="Give the headlines of at least one system.")
    for output in outputs:
        if len(output.headlines) != len(articles):
            raise InputError(
                f"{output.system} has {len(output.headlines):,} headlines for {len(articles):,} articles.",
                hint="Give one headline an article, in the order of the articles.",
            )
    name, times = Counter(output.system for output in outputs).most_common(1)[0]
    if times > 1:
        raise InputError(f"{times} systems are called {name!r}.", hint="Give each system a name of its own.")


def find_language(articles: Articles) -> str:
    """The language of articles and people's headlines together, or "mixed"."""
    given = (reference[0] for reference in articles.references if reference)
    texts = list(filter(str.strip, (*given, *(text[:500] for text in articles.texts))))
    return common_language(texts) or ("en" if all(map(mostly_ascii, texts)) else MIXED)


def written_of(articles: Articles, output: Outputs, language: str) -> MetricInput:
    """What a metric reads of one system."""
    return MetricInput(
        headlines=output.headlines,
        references=articles.references,
        articles=articles.texts,
        language=language,
        numbers=articles.numbers,
        operations=articles.operations,
    )


def statistics_of(signature: str, written: MetricInput, runtime: Runtime, *, digest: str = "") -> FloatArray:
    """Statistics of each headline, from the disk where they are known, float64 [n, k]."""
    cache, metric = DiskCache(runtime.cache / FOLDER), headline_metrics.parse(signature)
    about = (fingerprint_of(signature, metric), metric.signature_text(written), digest or digest_of(written))
    key = digests.digest(__version__, *about, *numbers_signature(runtime, metric), digits=32)
    known = cache.get(key)
    if known is not None:
        return known.arrays["statistics"]
    statistics = metric.statistics(written, runtime)
    if not unread([*written.headlines, *written.articles]):  # what failed is tried again
        cache.put(key, {"statistics": statistics})
    return statistics


def digest_of(written: MetricInput) -> str:
    """Hex digits over all that metrics read."""
    digest = hashlib.sha256(written.language.encode())
    columns = (written.headlines, written.references, written.articles, written.numbers, written.operations)
    for column in columns:
        digest.update(f"{tuple(column)!r}\x1f".encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()


def _measured(
    signature: str, written: Sequence[MetricInput], digests: Sequence[str], runtime: Runtime
) -> Measured:
    metric = headline_metrics.parse(signature)
    both = zip(written, digests, strict=True)
    try:
        anchors = anchors_of(metric, written[0], runtime)
        statistics = np.stack([statistics_of(signature, texts, runtime, digest=mark) for texts, mark in both])
    except Cancelled:
        raise
    except CoreError as error:
        scores = np.full((len(written), len(written[0].headlines), len(metric.columns)), np.nan)
        why_not = f"{error.message} {error.hint}"
        return Measured(signature, "", metric, scores[:, :, :0], scores, scores[:, 0], scores[:0], why_not)
    scores, values = metric.values(statistics), metric.values(statistics.sum(axis=1))
    library = " · ".join([metric.signature_text(written[0]), *numbers_signature(runtime, metric)])
    return Measured(signature, library, metric, statistics, scores, values, scores[:0], anchors=anchors)


def _resampled(
    read: Sequence[Measured], units: IntArray, *, resamples: int, seed: int
) -> tuple[Measured, ...]:
    statistics = [measured.statistics for measured in read]
    rows = [statistic.transpose(1, 0, 2).reshape(len(units), -1) for statistic in statistics]
    sums = bootstrap_sums(unit_sums(np.concatenate(rows, axis=1), units), resamples=resamples, seed=seed)
    ends = np.cumsum([row.shape[1] for row in rows])[:-1]
    return tuple(
        replace(
            measured,
            resampled=np.full((resamples, *measured.values.shape), np.nan)
            if measured.why_not
            else measured.metric.values(part.reshape(resamples, *measured.statistics.shape[::2])),
        )
        for part, measured in zip(np.split(sums, ends, axis=1), read, strict=True)
    )


def _fingerprint(
    articles: Articles, outputs: Sequence[Outputs], measured: Sequence[Measured], settings: str
) -> str:
    digest = hashlib.sha256(f"{articles.fingerprint} {settings}".encode())
    for metric in measured:
        digest.update(f"\x1f{metric.signature} {metric.library} {metric.why_not}".encode())
    for output in outputs:
        digest.update(f"\x1e{output.system}\x1f{output.headlines!r}".encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()[:16]
