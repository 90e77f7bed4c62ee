"""The facts of an event: its newest numbers, the grid of which outlet states what, and numbers over time."""

from collections.abc import Sequence
from functools import partial
from zlib import crc32
from zoneinfo import ZoneInfo

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.charts.theme import ink, is_dark
from components.frame.downloads import Saved, stem
from components.frame.markdown import HELPS, plain, quiet, shorten
from components.frame.publish import Publication, publish
from components.frame.widgets import button, steps
from components.opened.reader_zone import reader_zone
from components.opened.resources import cached
from components.timeline.correct import event_title
from components.timeline.numbers import newest, over_time
from components.timeline.workspace import View
from core.events.facts import FactsGrid, facts_grid
from core.events.facts_columns import arranged
from core.events.facts_html import STYLE, colour_rules, grid_html, grid_page, one_column_rule
from core.events.facts_picture import facts_body, facts_note, facts_words
from core.events.facts_text import NOTE_IN, grid_table
from core.events.number_lines import number_lines
from core.events.published_source import published_source
from core.groups.card import GroupCard
from core.results.chart import ChartSize
from core.results.render import count_words
from core.results.table_files import as_csv

FIRST_OUTLETS = 14
_COPIES = 40  # copies whose evidence is listed
_NAME = 40  # letters of a column's name
_compared = cached(
    lambda view, group, _line, zone: facts_grid(view.timeline, _line, zone=ZoneInfo(zone)), max_entries=32
)


def facts(view: View, card: GroupCard) -> None:
    lines = number_lines(view.timeline, card.summary.rows)
    newest(view, lines)
    _states(view, card)
    over_time(view, card.summary, lines)


def _states(view: View, card: GroupCard) -> None:
    zone = str(reader_zone())
    grid = _compared(view, card.summary.group, card.summary, zone)
    if len(grid.rows) < 2:
        st.caption("Only one outlet reports this event, so there is nothing to compare.")
        return
    if not grid.columns:
        st.markdown(plain(grid.lead))
        st.caption("The outlets' headlines share no number, name, place or verb.")
        return
    _grid(view, card, grid)
    if grid.reports > grid.origins:
        counted = count_words(grid.origins, "origin", "origins")
        with st.expander(f"Why {count_words(grid.reports, 'report', 'reports')} are {counted}"):
            for copy in grid.copies[:_COPIES]:
                both = (view.timeline.texts[row] for row in (copy.row, copy.beside))
                text, other = (plain(shorten(each, 110)) for each in both)
                st.markdown(f"- {text}  \n  {quiet(f'{copy.why}:')} {other}")
            if (more := len(grid.copies) - _COPIES) > 0:
                st.caption(f"and {more:,} more")
            st.caption("All reports of one outlet are one origin.")
    st.caption(NOTE_IN.format(zone))


@st.fragment
def _grid(view: View, card: GroupCard, whole: FactsGrid) -> None:
    texts = view.timeline.texts
    with st.container(horizontal=True, vertical_alignment="center", key="facts-controls"):
        st.markdown(plain(whole.lead), width="stretch")
        pager = st.container(key="facts-steps")  # on a phone one fact at a time
        columns = st.popover("Columns", icon=":material/view_column:", type="tertiary")
        wide = button("Full width", "facts-wide", icon="open_in_full", type="tertiary")
    named = _chosen(whole, card.summary.group, columns)
    grid = arranged(whole, named)
    if not grid.columns:
        st.caption("No column is chosen.")
        return
    at = min(st.session_state.get("facts-column", 0), len(grid.columns) - 1)
    with pager:
        said = f"{at + 1} of {len(grid.columns)}: **{plain(grid.columns[at].head)}**"
        go = partial(st.session_state.__setitem__, "facts-column")
        steps(said, at, len(grid.columns), go, what="fact", keys=False)
    paper = f".facts-grid{{--facts-paper:{ink().paper}}}"
    rules = f"<style>{STYLE}{colour_rules(dark=is_dark())}{one_column_rule(at)}{paper}</style>"
    few = len(grid.rows) <= FIRST_OUTLETS + 3  # a switch for a row or two would be longer than they are
    most = None if few or st.session_state.get("all-outlets") else FIRST_OUTLETS
    st.container(key="facts-grid").html(rules + grid_html(grid, texts, most=most))
    if not few:
        st.toggle(f"Show all {len(grid.rows)} outlets", key="all-outlets", persist_state="session")
    title = event_title(view, card.summary.group, card.summary.representative)
    if wide:
        st.dialog(shorten(title, 110), width="large")(st.html)(rules + grid_html(grid, texts))
    source, signature = published_source(view.timeline, card.summary.rows), view.grouping.signature

    def contents(_: ChartSize) -> Publication:
        grid = arranged(_compared(view, card.summary.group, card.summary, "UTC"), named)

        def files(heading: str, *_: object) -> Sequence[Saved]:
            about = {"source": f"{source} · Headline Lab", "signature": signature}
            page = partial(grid_page, grid, texts, title=heading, **about)
            file, help = f"{stem(title, 'event')}-page.html", "The whole grid, for a wall or a slide."
            return (("Page (HTML)", page, file, help),)

        drawn, csv = facts_body(grid, texts), lambda: as_csv(grid_table(grid, view.timeline))
        return Publication(lambda _: drawn, facts_note(grid), facts_words(grid), csv, files)

    publish("grid", contents, name="facts", title=title, source=source, signature=signature)


def _chosen(grid: FactsGrid, group: int, place: DeltaGenerator) -> list[tuple[int, str]]:
    """The columns as the reader has arranged them: what is shown is what is published."""
    heads = [column.head for column in grid.columns]
    key = f"facts-columns-{group}-{crc32(' '.join(heads).encode()):08x}"
    stays, every = {"persist_state": "session"}, range(len(heads))
    with place:
        look = {"format_func": heads.__getitem__, "key": key, "help": HELPS["facts-columns"]}
        shown = st.multiselect("Columns", every, every, **look, **stays)
        named = []
        for at in shown:
            look = {"max_chars": _NAME, "key": f"{key}-{at}"}
            typed = st.text_input(f"Name of “{heads[at]}”", heads[at], **look, **stays)
            named.append((at, typed.strip() or heads[at]))
    return named
