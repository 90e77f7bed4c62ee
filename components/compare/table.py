"""The metric table: values with intervals, two systems against each other, what was published, downloads."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.charts.menu import show_chart
from components.charts.numerals import score_chart
from components.compare import state
from components.compare.duel import column_choice, duel
from components.compare.opened import (
    METRICS,
    Scene,
    published,
    quick_metrics,
    shown_systems,
    slow_metrics,
    table_of,
)
from components.compare.voting import votes_download
from components.markdown import plain
from components.page import Download, downloads
from components.tables import show_table
from core.headlines.comparison.comparison import Comparison, ComparisonColumn
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.report import as_csv, as_latex, notes, papers_beside
from core.headlines.comparison.table import ComparisonTable, in_order, spanned
from core.headlines.side_by_side.votes import votes_table
from core.headlines.writing.suggesting import title_of
from core.results.table import stars, text_rows

NONE = "no test"
AGAINST = "compare-against"


def scores_table(scene: Scene, comparison: Comparison) -> None:
    """Draws the table, its picture, a duel of two systems, and the downloads."""
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = {one.key: one for one in in_order(shown)}
    if not columns:
        st.info("Nothing could be measured on these articles.", icon=":material/table_chart:")
        return
    left, right = st.columns(2)
    with left:
        place = column_choice(columns, shown, key="compare-column")
    with right:
        against = _against(shown)
    _, found = table_of(comparison, blind=scene.blind, against=against)
    at = found.places.index(place)
    entries = [row[at] for row in found.entries]
    show_chart(
        score_chart(place.column, found.systems, entries),
        name="compare",
        title=f"{place.column.label} of each system, with 95 % intervals",
        source=f"Source: Headline Lab, {len(scene.articles):,} articles of {scene.opened.title}",
        data=lambda: [
            ["system", place.column.label, "low", "high"],
            *([name, one.value, one.low, one.high] for name, one in zip(found.systems, entries, strict=True)),
        ],
    )
    st.caption(plain(f"{place.column.label}: {place.column.help}."))
    _grid(found, list(columns.values()))
    for line in notes(shown, found):
        st.caption(plain(line))
    _ask_for_more()
    duel(shown)
    if not scene.blind:
        _published(scene, comparison)
    _papers(scene)
    _downloads(scene, shown, found)


def _against(comparison: Comparison) -> str:
    if len(comparison.systems) < 2:
        return ""
    chosen = st.selectbox(
        "Test every system against",
        [NONE, *comparison.systems],
        key=AGAINST,
        help="Stars behind a value say that the two differ by more than chance (paired bootstrap, Holm).",
    )
    return "" if chosen == NONE else str(chosen)


def _grid(found: ComparisonTable, places: list[ComparisonColumn]) -> None:
    at = [found.places.index(place) for place in places]
    show_table(
        {
            "System": found.systems,
            **{
                found.places[one].column.label: [
                    spanned(found.places[one].column, row[one]) + stars(row[one].p) for row in found.entries
                ]
                for one in at
            },
        },
        alt="Every system in every metric, each with its 95 % interval",
        columns={
            "System": st.column_config.TextColumn(pinned=True),
            **{place.column.label: _help(place) for place in places},
        },
    )


def _help(place: ComparisonColumn) -> str:
    better = {True: " Higher is better.", False: " Lower is better.", None: " Neither end is better."}
    return plain(f"{place.column.help}.") + better[place.column.higher_is_better]


def _ask_for_more() -> None:
    slow = slow_metrics()
    if slow:
        st.multiselect(
            "Also measure",
            slow,
            format_func=title_of,
            key=METRICS,
            persist_state="session",
            help=f"These read every headline with a model. Measured already: {len(quick_metrics())} metrics.",
        )


def _published(scene: Scene, comparison: Comparison) -> None:
    if not any(one.published for one in scene.outputs):
        return
    st.header("Scores that came with the headlines", anchor=False)
    found = published(scene, comparison)
    if found is None:
        return
    show_table(
        {
            "System": [one.system for one in found],
            "Score": [one.name for one in found],
            "As published": [f"{one.published:.4f}" for one in found],
            "Ours": ["–" if one.ours is None else f"{one.ours:.4f}" for one in found],
            "What ours is": [one.label or one.why_not for one in found],
            "Headlines": [f"{one.headlines:,}" for one in found],
            "Equal": ["–" if one.ours is None else f"{one.equal:,}" for one in found],
            "Correlation": ["–" if one.correlation is None else f"{one.correlation:.3f}" for one in found],
        },
        alt="Scores as they were published, with ours on the same headlines",
    )
    st.caption(
        "As published: means of the figures in the file, by the authors of the file. The table "
        "above has ours."
    )


def _papers(scene: Scene) -> None:
    found = papers_beside(scene.articles)
    if not found:
        return
    with st.expander("Systems as published", icon=":material/menu_book:"):
        for one in found:
            show_table(
                pd.DataFrame(text_rows(one)[1:], columns=text_rows(one)[0]), alt=f"Figures of {one.title}"
            )
            st.caption(plain(f"As published: {one.title}. {one.notes[0]}"))


def _downloads(scene: Scene, shown: Comparison, found: ComparisonTable) -> None:
    name = scene.articles.name[:40]
    votes = votes_table(state.votes(), scene.articles, *shown_systems(scene))
    downloads(
        Download(
            "CSV",
            lambda: as_csv(shown, found),
            f"{name}-comparison.csv",
            "The table: values, intervals and p-values.",
        ),
        Download(
            "LaTeX",
            lambda: as_latex(shown, found),
            f"{name}-comparison.tex",
            "The table for a paper, with booktabs.",
        ),
        Download(
            "JSON",
            lambda: as_json(shown, found, votes=votes),
            f"{name}-comparison.json",
            "All values, every pair of systems, what each column is, and your votes.",
        ),
        Download(
            "Every headline (CSV)",
            lambda: scores_csv(shown),
            f"{name}-headlines.csv",
            "One line an article and system: the headline and all its scores.",
        ),
        key="compare-export",
    )
    if state.votes():
        votes_download(scene)
