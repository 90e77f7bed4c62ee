"""Tasks and answers as files for other tools."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath

import streamlit as st

from components.frame.downloads import downloads
from core.data.exchange.projects import PROJECTS, packed
from core.data.exchange.table import AnswerTable
from core.data.exchange.writer import TOOLS, write_answers


def for_other_tools(made: Mapping[str, Callable[[], AnswerTable]], name: str, key: str) -> None:
    """Draws the menu of tasks and answers for other tools; `name` begins the names of the files."""
    with st.popover("For another tool", icon=":material/swap_horiz:", key=f"{key}-tools"):
        for tool, (title, ending, _) in TOOLS.items():
            files = []
            for what, table in made.items():
                file = f"{name}-{what}-{tool}.{ending}"
                saved = f"{PurePath(file).stem}.zip" if tool in PROJECTS else file
                files.append((f"{title}: {what}", partial(_made, table, tool, file), saved))
            downloads(*files, key=f"{key}-{tool}")


def _made(table: Callable[[], AnswerTable], tool: str, file: str) -> bytes:
    return packed(table(), tool, file) if tool in PROJECTS else write_answers(table(), tool)
