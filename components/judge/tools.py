"""Tasks and answers for the tools that others annotate with, in one menu."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from components.page import downloads
from core.people.exchange import TOOLS, AnswerTable, write_answers


def for_other_tools(made: Mapping[str, Callable[[], AnswerTable]], name: str, key: str) -> None:
    """Draws the menu of what can be saved; `name` begins the names of the files."""
    with st.popover("For another tool", icon=":material/swap_horiz:", key=f"{key}-tools"):
        for tool, (title, ending, _) in TOOLS.items():
            files = [
                (f"{title}: {what}", partial(_written, table, tool), f"{name}-{what}-{tool}.{ending}")
                for what, table in made.items()
            ]
            downloads(*files, key=f"{key}-{tool}")


def _written(table: Callable[[], AnswerTable], tool: str) -> bytes:
    return write_answers(table(), tool)
