"""Each paper: its items, and its figures beside ours."""

from collections import Counter

import pandas as pd
import streamlit as st

from components.frame.markdown import plain
from components.frame.tables import show_result, text_table
from components.frame.widgets import pick, segments
from core.results.table import Table
from research.papers import HEADLINES, HERE, NEEDS, PAIRS, PAPERS, SUBSTITUTE

ITEMS, FIGURES = "Items", "Figures"


@st.cache_resource(show_spinner=False, max_entries=8)
def _items(key: str) -> tuple[Table, Counter[str]]:
    return PAPERS[key].table(), PAPERS[key].states()


@st.cache_resource(show_spinner="Reading the results", max_entries=8)
def _figures(key: str, versions: str) -> list[Table]:
    return list(PAPERS[key].figures())


def papers() -> None:
    key = pick("Paper", PAPERS, lambda key: f"{PAPERS[key].source} · {PAPERS[key].title}", "papers-paper")
    items, states = _items(key)
    st.markdown(
        f"Of {len(items.rows)} items **{states[HERE]}** run as in the paper, "
        f"**{states[SUBSTITUTE]}** with another model or other data. "
        f"**{states[NEEDS]}** need something that is not here."
    )
    if segments("Show", [ITEMS, FIGURES], str, "papers-shown", persist_state="session") == ITEMS:
        lines = ((f"{at} · {item}", state, by) for at, item, state, by in items.rows)
        text_table(pd.DataFrame(lines, columns=["Item", "State", "By"]))
        return
    for table in _figures(key, PAIRS.version() + HEADLINES.version()):
        st.subheader(plain(table.title), anchor=False)
        show_result(table, alt=table.title)
