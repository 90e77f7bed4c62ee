"""Scores of the open systems: measured in the background, once for everybody who asks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from components import jobs
from components.compare.opened import Scene
from core.headlines.comparison.agreement import Agreement, agreements
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.orders import disagreement, headline_words
from core.headlines.comparison.slices import Bin, Slice, bins_of, slices
from core.headlines.comparison.table import ComparisonTable, all_missing, table
from core.headlines.metrics.metric import headline_metrics, in_order
from core.headlines.side_by_side.blind import blinded_comparison
from core.headlines.side_by_side.browsing import Measure, Traced, haystack, traced
from core.runtime import Runtime

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

    def work(runtime: Runtime) -> Comparison:
        return compare(scene.articles, scene.outputs, metrics, runtime)

    return jobs.finished(
        f"compare|{scene.key}|{','.join(metrics)}", "Measuring the headlines", work, long=True
    )


def article_support(scene: Scene) -> Traced | None:
    """What the systems copy and what is not supported; None, with its progress drawn, until it is known."""

    def work(runtime: Runtime) -> Traced:
        return traced(scene.articles, scene.outputs, runtime)

    return jobs.finished(f"traced|{scene.key}", "Reading the articles", work, long=True)


@st.cache_resource(show_spinner=False, max_entries=16)
def table_of(
    key: str, against: str, blind: bool, _comparison: Comparison
) -> tuple[Comparison, ComparisonTable]:
    """The comparison as it may be shown, and its table.

    Args:
        key: Fingerprint of the comparison under its true names.
        against: System that the others are tested against, as it is shown; "" for none.
        blind: Whether names are hidden.
    """
    shown = blinded_comparison(_comparison) if blind else _comparison
    return shown, table(shown, against=against)


def measures_of(scene: Scene, comparison: Comparison | None) -> dict[str, Measure]:
    """What articles can be sorted and filtered by; nothing while it is measured."""
    if comparison is None:
        return {}
    held = article_support(scene)
    return _measures(f"{comparison.fingerprint} {held is not None}", comparison, held)


@st.cache_resource(show_spinner=False, max_entries=16)
def _measures(key: str, _comparison: Comparison, _traced: Traced | None) -> dict[str, Measure]:
    lengths = headline_words(_comparison).astype(np.float64)
    found = [
        Measure("disagreement", "Disagreement between systems", disagreement(_comparison)[None, :]),
        Measure("words", "Length (words)", lengths),
    ]
    if _traced is not None:
        found += [
            Measure("unsupported", "Names and numbers not in the article", _traced.unsupported),
        ]
    found += [
        Measure(place.key, place.column.label, _comparison.scores(place.key))
        for place in _comparison.places
        if not all_missing(_comparison, place)
    ]
    return {one.key: one for one in found}


@st.cache_resource(show_spinner=False, max_entries=4)
def hay_of(key: str, _scene: Scene) -> tuple[str, ...]:
    """What a search looks through."""
    return haystack(_scene.articles, _scene.outputs)


@st.cache_resource(show_spinner=False, max_entries=4)
def _bins(key: str, _comparison: Comparison) -> Sequence[Bin]:
    return bins_of(_comparison.articles)


@st.cache_resource(show_spinner=False, max_entries=32)
def slices_of(key: str, column: str, _comparison: Comparison) -> tuple[Slice, ...]:
    """Systems in one column on parts of the articles; the comparison as it is shown."""
    return slices(_comparison, column, _bins(_comparison.articles.fingerprint, _comparison))


def published(scene: Scene, comparison: Comparison) -> tuple[Agreement, ...] | None:
    """Scores that came with the headlines beside ours; None while ours are measured."""

    def work(runtime: Runtime) -> tuple[Agreement, ...]:
        return agreements(comparison, runtime)

    return jobs.finished(f"published|{scene.key}", "Measuring what was published", work, long=True)
