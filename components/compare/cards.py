"""A table: a line an article, a column a system, differences from the original headline marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.compare import state
from components.compare.opened import Scene, hidden, placed, table_of
from components.markdown import LEGEND, marked, plain, shorten
from components.stepper import steps
from core.arrays import IntArray
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import main_place, number, spanned
from core.headlines.side_by_side.browsing import marks_against, own_marks

PAGE_ARTICLES = 8
BESIDE = 5
"""Systems beside each other in one line; more go below."""
LEAD_CHARACTERS = 120
STYLE = """<style>
.st-key-compare-table [class*="st-key-cell-name-"] { display: none; }
.st-key-compare-table [data-testid="stColumn"] > [data-testid="stVerticalBlock"] { gap: 0.25rem; }
@media (max-width: 640px) {
  .st-key-compare-page { flex-direction: column-reverse; }
  .st-key-compare-head { display: none; }
  .st-key-compare-table [class*="st-key-cell-name-"] { display: flex; }
}
</style>"""
"""Where columns lie below each other, each cell says its system and the header is not drawn."""


def cards(scene: Scene, rows: IntArray, comparison: Comparison | None) -> None:
    """One page of a table of articles and systems, with buttons to the next page and the one before."""
    if not len(rows):
        st.info("No matches. Search for fewer words, or remove a filter.", icon=":material/search_off:")
        return
    pages = -(-len(rows) // PAGE_ARTICLES)
    page = min(int(state.now().page), pages - 1)
    first = page * PAGE_ARTICLES
    shown = rows[first : first + PAGE_ARTICLES].tolist()
    st.html(STYLE)
    with st.container(key="compare-table"):
        if not scene.blind and len(scene.outputs) <= BESIDE:
            _header(scene, comparison)
        for row in shown:
            card(scene, row, comparison)
    compared = "the original headline" if scene.articles.references[shown[0]] else "the other systems"
    st.markdown(f":small[Compared with {compared}: {LEGEND}.]")
    said = f"Articles **{first + 1:,}–{first + len(shown):,}** of {len(rows):,}"
    steps(said, page, pages, lambda to: state.put(page=to), what="page")


def _header(scene: Scene, comparison: Comparison | None) -> None:
    scores = [""] * len(scene.outputs)
    place = None if comparison is None else main_place(comparison)
    if comparison is not None and place is not None:
        shown, found = table_of(comparison, blind=False)
        at = found.places.index(shown.place(place.key))
        scores = [f"{place.column.label} {spanned(place.column, row[at])}" for row in found.entries]
    with st.container(border=True, key="compare-head"):
        first, *columns = _columns(len(scene.outputs))
        first.markdown(":small[:gray[Article]]")
        for column, name, score in zip(columns, scene.systems, scores, strict=True):
            column.markdown(f"**{plain(name)}**  \n:small[:gray[{plain(score)}]]")


def _columns(systems: int) -> list[DeltaGenerator]:
    return st.columns([3, *([2] * min(systems, BESIDE))], gap="medium")


def card(scene: Scene, row: int, comparison: Comparison | None) -> None:
    """One line: the article with its original headline, and a column a system."""
    articles = scene.articles
    with st.container(border=True, key=f"card-{row}"):
        first, *columns = _columns(max(1, len(scene.outputs)))
        with first:
            st.markdown(f"{people(articles.references[row])}  \n:small[:gray[{_lead(articles.texts[row])}]]")
            st.button(
                "Read",
                key=f"read-{row}",
                icon=":material/article:",
                type="tertiary",
                on_click=state.open_article,
                args=(articles.ids[row],),
            )
        _cells(scene, row, comparison, columns)


def side_by_side(scene: Scene, row: int, comparison: Comparison | None) -> None:
    """The systems' headlines of one article in columns, their differences marked."""
    with st.container(key="compare-side-by-side"):
        _cells(scene, row, comparison, st.columns(max(1, min(len(scene.outputs), BESIDE)), gap="medium"))


def _cells(scene: Scene, row: int, comparison: Comparison | None, columns: Sequence[DeltaGenerator]) -> None:
    order = placed(scene, scene.articles.ids[row])
    texts = tuple(scene.outputs[place].headlines[row] for place, _ in order)
    references = scene.articles.references[row]
    article = scene.articles.texts[row]
    marks = marks_against(references[0], texts, article) if references else own_marks(texts)
    scores = _scores(scene, comparison, row)
    headed = not scene.blind and len(order) <= BESIDE
    for at, (place, name) in enumerate(order):
        body = marked(texts[at], marks[at]) if texts[at].strip() else ":gray[*no headline*]"
        score = f"  \n:small[:gray[{scores[place]}]]" if scores and scores[place] else ""
        with columns[at % len(columns)]:
            with st.container(key=f"cell-name-{row}-{at}" if headed else f"cell-{row}-{at}"):
                st.markdown(f":small[:gray[{plain(name)}]]")
            st.markdown(f"{body}{score}")


def people(references: tuple[str, ...]) -> str:
    """The headlines that people gave, as markdown."""
    if not references:
        return ":gray[No original headline]"
    more = "".join(f"  \n{plain(one)}" for one in references[1:])
    return f"**{plain(references[0])}**{more} :small[:gray[original headline]]"


def _lead(text: str) -> str:
    return plain(shorten(text[: 4 * LEAD_CHARACTERS], LEAD_CHARACTERS))


def _scores(scene: Scene, comparison: Comparison | None, row: int) -> list[str]:
    place = None if comparison is None else main_place(comparison)
    if comparison is None or place is None or hidden(scene, scene.articles.ids[row]):
        return []
    values = comparison.scores(place.key)[:, row]
    return [
        "" if np.isnan(value) else f"{place.column.label} {number(place.column, float(value))}"
        for value in values
    ]
