"""The facts grid of the selected event: which outlet states what, and when."""

from functools import partial

import streamlit as st

from components.charts.theme import ink, is_dark
from components.markdown import plain, shorten
from components.page import downloads, stem
from components.timeline.correct import event_title
from components.timeline.workspace import View
from core.events.cards import facts_of
from core.events.facts import FactsGrid, grid_csv
from core.events.report.facts_table import NOTE, STYLE, grid_html, grid_page, paints
from core.groups.card import GroupSummary
from core.results.render import count_words

FIRST_OUTLETS = 14
_COPIES = 40  # copies whose evidence is listed


def facts_table(view: View, line: GroupSummary) -> None:
    grid = facts_of(view.prepared, line)
    if len(grid.rows) < 2:
        st.caption("Only one outlet reports this event, so there is nothing to compare.")
        return
    st.markdown(plain(grid.lead))
    if not grid.columns:
        st.caption("No figure, name, place or verb that is known here stands in two outlets' headlines.")
        return
    texts = view.timeline.texts
    show_all = st.session_state.get("all-outlets", False)
    rules = f"{STYLE}{paints(dark=is_dark())}.facts-grid{{--facts-paper:{ink().paper}}}"
    with st.container(key="facts-grid"):
        st.html(f"<style>{rules}</style>{grid_html(grid, texts, most=None if show_all else FIRST_OUTLETS)}")
    if len(grid.rows) > FIRST_OUTLETS:
        st.toggle(f"Show all {len(grid.rows)} outlets", key="all-outlets", persist_state="session")
    _copies(grid, texts)
    st.caption(NOTE)
    title = event_title(view, line.group, line.representative)
    name = f"{stem(view.timeline.name, 'headlines')}-event-{line.group}-facts"
    source = f"{view.timeline.name} · {view.grouping.signature}"
    page = partial(grid_page, grid, texts, title=title, source=source)
    downloads(
        (
            "Picture (HTML)",
            page,
            f"{name}.html",
            "A page without a script that loads nothing, for a wall or a slide.",
        ),
        ("CSV", partial(grid_csv, grid, view.timeline), f"{name}.csv", "One row for each outlet."),
        key="export-facts",
    )


def _copies(grid: FactsGrid, texts: list[str]) -> None:
    if not grid.copies:
        return
    with st.expander(f"Why {count_words(len(grid.copies), 'report counts', 'reports count')} as duplicates"):
        lines = [
            f"- {plain(shorten(texts[one.row], 110))}  \n  :small[:gray[{plain(one.why)}:]] "
            f"{plain(shorten(texts[one.of], 110))}"
            for one in grid.copies[:_COPIES]
        ]
        more = len(grid.copies) - _COPIES
        st.markdown("\n".join([*lines, *([f"- and {more:,} more"] if more > 0 else [])]))
