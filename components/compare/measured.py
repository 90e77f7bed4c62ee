"""Scores of the open systems: measured in the background, once for everybody who asks."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from components import jobs
from components.compare.opened import Scene
from components.resources import cached
from core.headlines.comparison.agreement import Agreement, agreements
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.orders import disagreement, headline_words
from core.headlines.comparison.slices import Slice, bins_of, slices
from core.headlines.comparison.table import ComparisonTable, all_missing, table
from core.headlines.metrics.metric import headline_metrics, in_order
from core.headlines.side_by_side.blind import blinded_comparison
from core.headlines.side_by_side.browsing import ArticleMeasure, Traced, haystack, traced

METRICS = "compare-metrics"
"""Widget of the metrics that are measured beside the quick ones."""


def quick_metrics() -> list[str]:
    """Metrics that are measured without being asked for."""
    return [name for name in in_order() if headline_metrics.get(name).quick]


def slow_metrics() -> list[str]:
    """Metrics that read every headline with a model; they are measured when somebody asks for them."""
    return [name for name in in_order() if not headline_metrics.get(name).quick]


def compared(scene: Scene) -> Comparison | None:
    """The comparison under the true names; None, with its progress drawn here, while it is measured."""
    metrics = [*quick_metrics(), *st.session_state.get(METRICS, [])]

    key = f"compare|{scene.key}|{','.join(metrics)}"
    work = partial(compare, scene.articles, scene.outputs, metrics)
    return jobs.finished(key, "Measuring the headlines", work, long=True)


def article_support(scene: Scene) -> Traced | None:
    """What the systems copy and what is not supported; None, with its progress drawn, until it is known."""
    work = partial(traced, scene.articles, scene.outputs)
    return jobs.finished(f"traced|{scene.key}", "Reading the articles", work, long=True)


@cached(max_entries=16)
def table_of(comparison: Comparison, *, blind: bool, against: str = "") -> tuple[Comparison, ComparisonTable]:
    """The comparison as it may be shown, and its table, tested against a system under its shown name."""
    shown = blinded_comparison(comparison) if blind else comparison
    return shown, table(shown, against=against)


def measures_of(scene: Scene, comparison: Comparison | None) -> dict[str, ArticleMeasure]:
    """What articles can be sorted and filtered by; nothing while it is measured."""
    if comparison is None:
        return {}
    held = article_support(scene)
    return _measures(comparison, held, known=held is not None)


@cached(max_entries=16)
def _measures(comparison: Comparison, _traced: Traced | None, *, known: bool) -> dict[str, ArticleMeasure]:
    lengths = headline_words(comparison).astype(np.float64)
    found = [
        ArticleMeasure("disagreement", "Disagreement between systems", disagreement(comparison)[None, :]),
        ArticleMeasure("words", "Length (words)", lengths),
    ]
    if _traced is not None:
        found.append(
            ArticleMeasure("unsupported", "Names and numbers not in the article", _traced.unsupported)
        )
    found += [
        ArticleMeasure(place.key, place.column.label, comparison.scores(place.key))
        for place in comparison.places
        if not all_missing(comparison, place)
    ]
    return {one.key: one for one in found}


@cached(max_entries=4)
def hay_of(scene: Scene) -> tuple[str, ...]:
    """What a search looks through."""
    return haystack(scene.articles, scene.outputs)


_bins = cached(bins_of, max_entries=4)


@cached(max_entries=32)
def slices_of(comparison: Comparison, column: str) -> tuple[Slice, ...]:
    """Systems in one column on parts of the articles; the comparison as it is shown."""
    return slices(comparison, column, _bins(comparison.articles))


def published(scene: Scene, comparison: Comparison) -> tuple[Agreement, ...] | None:
    """Scores that came with the headlines beside ours; None while ours are measured."""
    work = partial(agreements, comparison)
    return jobs.finished(f"published|{scene.key}", "Measuring what was published", work, long=True)
