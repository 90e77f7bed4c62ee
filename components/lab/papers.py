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
from research.papers import CODE, HERE, NEEDS, PAIRS, PAPERS, SUBSTITUTE, Paper

ITEMS, FIGURES = "Items", "Figures"
_STATES: Final = {HERE: "run here", SUBSTITUTE: "substitutes", NEEDS: "not here"}


@st.cache_resource(show_spinner=False, max_entries=1)
def _blocks() -> tuple[Counter[str], str]:
    """How many items of all papers are in each state, and a block a paper."""
    states = {key: paper.states() for key, paper in PAPERS.items()}
    keys = "".join(f'<span class="key {state}"><i></i>{said}</span>' for state, said in _STATES.items())
    most = max(counts.total() for counts in states.values())
    blocks = (_block(paper, states[key], most) for key, paper in PAPERS.items())
    listed = f'<ul class="rows papers"><li class="heads">{keys}</li>{"".join(blocks)}</ul>'
    return sum(states.values(), Counter()), listed


def _block(paper: Paper, states: Counter[str], most: int) -> str:
    counts = "".join(
        f'<span class="number">{states[state]}<span class="heard"> {said}</span></span>'
        for state, said in _STATES.items()
    )
    parts = "".join(
        f'<i class="{state}" style="flex:{states[state]}"></i>' for state in _STATES if states[state]
    )
    about = f"<b>{escape(paper.title)}</b><small>{escape(paper.source)} · {len(paper.items)} items</small>"
    items = "".join(_item(*row) for row in paper.table().rows)
    parts = f'<span class="parts" style="width:{states.total() / most:.1%}">{parts}</span>'
    head = f'<summary><span class="about">{about}</span><span class="bar">{parts}</span>{counts}</summary>'
    return f'<li><details>{head}<ul class="rows items">{items}</ul></details></li>'


def _item(place: str, item: str, state: str, by: str) -> str:
    kind, _, why = state.partition(" ")
    kind = kind.rstrip(":")
    said = sign(kind, {HERE: "run here", NEEDS: state}.get(kind, kind)) + f" {escape(why)}" * (kind != NEEDS)
    run = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", CODE.sub(r"<code>\1</code>", escape(by)))
    cells = f"<small>{escape(place)}</small><b>{escape(item)}</b><span>{said}</span><small>{run}</small>"
    return f"<li>{cells}</li>"


@st.cache_resource(show_spinner="Reading the results", max_entries=8)
def _figures(key: str, versions: str) -> list[Table]:
    return list(PAPERS[key].figures())


def papers() -> None:
    if segments("Show", [ITEMS, FIGURES], str, "papers-shown", persist_state="session") == ITEMS:
        states, blocks = _blocks()
        with st.container(key="papers-finding"):
            said = f"{states[HERE]} of {states.total()} items run as in the {len(PAPERS)} papers"
            st.header(said, anchor=False)
            said = f"{states[SUBSTITUTE]} run with another model or other data; {states[NEEDS]} need"
            st.markdown(f":gray[{said} something that is not here.]")
        st.html(ROWS)
        st.html(blocks)
        return
    key = pick("Paper", PAPERS, lambda key: f"{PAPERS[key].source} · {PAPERS[key].title}", "papers-paper")
    for table in _figures(key, PAIRS.version()):
        st.subheader(plain(table.title), anchor=False)
        show_result(table, alt=table.title)
