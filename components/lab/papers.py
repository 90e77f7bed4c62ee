"""Each paper: its items, and its figures beside ours."""

import re
from collections import Counter
from html import escape
from typing import Final

import streamlit as st

from components.frame.markdown import plain
from components.frame.rows import ROWS, sign
from components.frame.tables import show_result
from components.frame.widgets import pick, segments
from core.results.table import Table
from research.papers import CODE, HEADLINES, HERE, NEEDS, PAIRS, PAPERS, SUBSTITUTE, Paper

ITEMS, FIGURES = "Items", "Figures"
_STATES: Final = {HERE: "{} run here", SUBSTITUTE: "{} substitutes", NEEDS: "{} not here"}


@st.cache_resource(show_spinner=False, max_entries=1)
def _blocks() -> tuple[Counter[str], str]:
    """How many items of all papers are in each state, and a block a paper."""
    states = {key: paper.states() for key, paper in PAPERS.items()}
    blocks = (_block(paper, states[key]) for key, paper in PAPERS.items())
    return sum(states.values(), Counter()), f'<div class="blocks">{"".join(blocks)}</div>'


def _block(paper: Paper, states: Counter[str]) -> str:
    signs = (sign(state, said.format(states[state])) for state, said in _STATES.items() if states[state])
    head = f"<b>{escape(paper.title)}</b><small>{escape(paper.source)} · {len(paper.items)} items</small>"
    lines = "".join(_line(*row) for row in paper.table().rows)
    head = f"<summary>{head}<span>{''.join(signs)}</span></summary>"
    return f'<details>{head}<ul class="rows papers">{lines}</ul></details>'


def _line(place: str, item: str, state: str, by: str) -> str:
    kind, _, more = state.partition(" ")
    kind = kind.rstrip(":")
    said, why = {HERE: ("run here", ""), NEEDS: (state, "")}.get(kind, (kind, more))
    run = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", CODE.sub(r"<code>\1</code>", escape(by)))
    head = f'<span class="quiet">{escape(place)}</span><b>{escape(item)}</b>'
    return f'<li>{head}<span>{sign(kind, said)} {escape(why)}</span><span class="quiet">{run}</span></li>'


@st.cache_resource(show_spinner="Reading the results", max_entries=8)
def _figures(key: str, versions: str) -> list[Table]:
    return list(PAPERS[key].figures())


def papers() -> None:
    if segments("Show", [ITEMS, FIGURES], str, "papers-shown", persist_state="session") == ITEMS:
        states, blocks = _blocks()
        st.markdown(
            f"Of {states.total()} items of {len(PAPERS)} papers **{states[HERE]}** run as in the paper, "
            f"**{states[SUBSTITUTE]}** with another model or other data. "
            f"**{states[NEEDS]}** need something that is not here."
        )
        st.html(ROWS)
        st.html(blocks)
        return
    key = pick("Paper", PAPERS, lambda key: f"{PAPERS[key].source} · {PAPERS[key].title}", "papers-paper")
    for table in _figures(key, PAIRS.version() + HEADLINES.version()):
        st.subheader(plain(table.title), anchor=False)
        show_result(table, alt=table.title)
