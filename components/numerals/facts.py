"""What the numbers of an article state, as a table to correct: every verdict on the article follows."""

from collections.abc import Iterator
from typing import Any, Final

import streamlit as st

from components.markdown import plain
from components.page import errors_kept, show_error, show_kept_error
from components.resources import owner
from components.widgets import TABLES, button, show_table
from core.digests import digest
from core.errors import CoreError
from core.headlines import article_facts
from core.headlines.article_facts import FactCorrection
from core.journal.journal import the_journal

NUMBER, COUNTS, STRUCK = "Number", "What it counts", "Struck"
_UNDONE: Final = "numerals_facts_undone"
_BEGUN: Final = "numerals_facts_begun"
"""The corrections that the table began with; it keeps by itself what was typed since."""


def read_corrected(article: str) -> article_facts.CorrectedArticle:
    return article_facts.correct(article, article_facts.corrections_of(the_journal(), article, owner()))


def facts_fold(article: str) -> None:
    """Draws the facts of an article, which is as it stands, in a fold, and below what was corrected."""
    show_kept_error()
    look = {"icon": ":material/fact_check:", "key": "numerals-facts", "on_change": "rerun"}
    if (fold := st.expander("Facts of the article", **look)).open:
        with fold:
            st.caption("Correct a number or its words, or strike a fact out: every verdict follows at once.")
            _table(article)
    with st.container(horizontal=True, vertical_alignment="center", key="numerals-facts-corrected"):
        for note in (notes := read_corrected(article).notes):
            st.markdown(f":material/edit: {plain(note)}", width="content")
        if notes:
            button("Undo the last", "numerals-facts-undo", _undo, article, icon="undo", type="tertiary")


def _table(article: str) -> None:
    key = f"numerals-facts-{digest(article, digits=16)}-{st.session_state.get(_UNDONE, 0)}"
    if key not in st.session_state:
        st.session_state[_BEGUN] = read_corrected(article).corrections
    lines = []
    for fact in article_facts.facts_of(article):
        made = st.session_state[_BEGUN].get(fact.place, fact.place)
        cells = {NUMBER: made.value or made.number, COUNTS: made.words or fact.words, STRUCK: made.struck}
        more = {"Who": fact.who, "When": fact.when, "How sure": fact.hedge, "Sentence": made.sentence}
        lines.append(cells | more)
    show_table(lines, key=key, on_change=_take, args=(key, article), **TABLES["facts"])
    for change in _typed(key, article):
        if isinstance(change, CoreError):
            show_error(change)


def _typed(key: str, article: str) -> Iterator[FactCorrection | CoreError]:
    rows: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    for row, cells in rows.items():
        fact = article_facts.facts_of(article)[row]
        made = st.session_state[_BEGUN].get(fact.place, fact.place)
        number, words = cells.get(NUMBER, made.value) or "", cells.get(COUNTS, made.words) or ""
        try:
            yield article_facts.corrected(fact, number, words, struck=cells.get(STRUCK, made.struck) is True)
        except CoreError as error:
            yield error


@errors_kept()
def _take(key: str, article: str) -> None:
    here = read_corrected(article).corrections
    for change in _typed(key, article):
        if isinstance(change, FactCorrection) and change != here.get(change.fact, change.fact):
            article_facts.save(the_journal(), article, change, owner())


@errors_kept()
def _undo(article: str) -> None:
    article_facts.save(the_journal(), article, None, owner())
    st.session_state[_UNDONE] = st.session_state.get(_UNDONE, 0) + 1
