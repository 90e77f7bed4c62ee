"""What the numbers of an article state, as a table to correct: every verdict on the article follows."""

from typing import Final

import streamlit as st
from msgspec.structs import replace

from components.frame.errors import errors_kept, keep_error, show_kept_error
from components.frame.markdown import plain
from components.frame.tables import TABLES, show_table
from components.frame.widgets import button
from components.opened.resources import owner
from core.digests import digest
from core.errors import CoreError
from core.headlines import article_facts
from core.journal.journal import the_journal

NUMBER, COUNTS, STRUCK = "Number", "What it counts", "Struck"
SAID: Final = {NUMBER: "value", COUNTS: "words", "Who": "who", "When": "when", "How sure": "hedge"}
_TABLE: Final = "numerals_facts_table"  # its number: another one begins with what holds
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
            st.caption("Correct what a fact says, or strike it out: every verdict follows at once.")
            _table(article)
    with st.container(horizontal=True, vertical_alignment="center", key="numerals-facts-corrected"):
        for note in (notes := read_corrected(article).notes):
            st.markdown(f":material/edit: {plain(note)}", width="content")
        if notes:
            button("Undo the last", "numerals-facts-undo", _undo, article, icon="undo", type="tertiary")


def _table(article: str) -> None:
    key = f"numerals-facts-{digest(article, digits=16)}-{st.session_state.get(_TABLE, 0)}"
    if key not in st.session_state:
        st.session_state[_BEGUN] = read_corrected(article).corrections
    lines = []
    for fact in article_facts.facts_of(article):
        made = st.session_state[_BEGUN].get(fact.place, fact.place)
        given = {"value": made.number} | {field: getattr(fact, field) for field in [*SAID.values()][1:]}
        cells = {name: getattr(made, field) or given[field] for name, field in SAID.items()}
        lines.append(cells | {STRUCK: made.struck, "Sentence": made.sentence})
    show_table(lines, key=key, on_change=_take, args=(key, article), **TABLES["facts"])


def _take(key: str, article: str) -> None:
    here = read_corrected(article).corrections
    for row, cells in st.session_state[key]["edited_rows"].items():
        fact = article_facts.facts_of(article)[row]
        made = st.session_state[_BEGUN].get(fact.place, fact.place)
        typed = {field: cells[name] or "" for name, field in SAID.items() if name in cells}
        struck = cells.get(STRUCK, made.struck) is True
        try:
            change = article_facts.corrected(fact, replace(made, struck=struck, **typed))
            if change != here.get(fact.place, fact.place):
                article_facts.save(the_journal(), article, change, owner())
        except CoreError as error:
            keep_error(error)
            _begin_anew()


@errors_kept()
def _undo(article: str) -> None:
    article_facts.save(the_journal(), article, None, owner())
    _begin_anew()


def _begin_anew() -> None:
    st.session_state[_TABLE] = st.session_state.get(_TABLE, 0) + 1
