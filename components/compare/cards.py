"""A page of articles: the systems' headlines beside each other, with what sets them apart marked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components.compare import state
from components.compare.opened import Scene, hidden, placed
from components.markdown import LEGEND, marked, plain, shorten
from components.stepper import steps
from core.headlines.comparison.comparison import Comparison, IntArray
from core.headlines.comparison.table import main_place, number
from core.headlines.side_by_side.browsing import own_marks

PAGE_ARTICLES = 8
BESIDE = 3
"""Headlines beside each other; more go below."""
LEAD_CHARACTERS = 170


def cards(scene: Scene, rows: IntArray, comparison: Comparison | None) -> None:
    """One page of articles, with buttons to the next and the one before."""
    if not len(rows):
        st.info("No matches. Search for fewer words, or remove a filter.", icon=":material/search_off:")
        return
    pages = -(-len(rows) // PAGE_ARTICLES)
    page = min(int(state.now().page), pages - 1)
    first = page * PAGE_ARTICLES
    shown = rows[first : first + PAGE_ARTICLES].tolist()
    said = f"Articles **{first + 1:,}–{first + len(shown):,}** of {len(rows):,}"
    steps(said, page, pages, lambda to: state.put(page=to), what="page")
    st.markdown(f":small[Against the other systems: {LEGEND}.]")
    for row in shown:
        card(scene, row, comparison)


def card(scene: Scene, row: int, comparison: Comparison | None) -> None:
    """One article: the original headline, and a column a system."""
    articles = scene.articles
    article = articles.ids[row]
    with st.container(border=True, key=f"card-{row}"):
        told, button = st.columns([6, 1])
        told.markdown(f"{people(articles.references[row])}  \n:small[:gray[{_lead(articles.texts[row])}]]")
        button.button(
            "Read",
            key=f"read-{row}",
            icon=":material/article:",
            on_click=state.open_article,
            args=(article,),
            help="The article, with what each headline copies and what is not in it.",
        )
        side_by_side(scene, row, comparison)


def side_by_side(scene: Scene, row: int, comparison: Comparison | None) -> None:
    """The systems' headlines of one article in columns, their differences marked."""
    order = placed(scene, scene.articles.ids[row])
    texts = tuple(scene.outputs[place].headlines[row] for place, _ in order)
    marks = own_marks(texts)
    scores = _scores(scene, comparison, row)
    width = min(len(order), BESIDE)
    for start in range(0, len(order), BESIDE):
        for column, at in zip(
            st.columns(width, gap="medium"), range(start, min(start + BESIDE, len(order))), strict=False
        ):
            place, name = order[at]
            body = marked(texts[at], marks[at]) if texts[at].strip() else ":gray[*no headline*]"
            column.markdown(f":small[:gray[{plain(name)}{scores[place] if scores else ''}]]  \n{body}")


def people(references: tuple[str, ...]) -> str:
    """The headlines that people gave, as markdown."""
    if not references:
        return ":gray[No original headline]"
    more = "".join(f"  \n{plain(one)}" for one in references[1:])
    return f"**{plain(references[0])}**{more} :small[:gray[original headline]]"


def _lead(text: str) -> str:
    return plain(shorten(text[: 4 * LEAD_CHARACTERS], LEAD_CHARACTERS))


def _scores(scene: Scene, comparison: Comparison | None, row: int) -> list[str]:
    """What stands behind each system's name: its main score for this article, unless it would tell."""
    place = None if comparison is None else main_place(comparison)
    if comparison is None or place is None or hidden(scene, scene.articles.ids[row]):
        return []
    values = comparison.scores(place.key)[:, row]
    return [
        "" if np.isnan(value) else f" · {place.column.label} {number(place.column, float(value))}"
        for value in values
    ]
