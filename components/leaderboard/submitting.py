"""How a system gets onto the leaderboard: the command to copy, and what a system is."""

from __future__ import annotations

import streamlit as st

COMMAND = 'headline-lab judge --name "My system" --articles sample:articles -- python3 my_system.py'
SYSTEM = """\
import json
import sys

for line in sys.stdin:
    article = json.loads(line)
    print(article["text"].split(". ")[0])
"""


def empty() -> None:
    """What to do where nothing was judged yet."""
    st.info(
        "**No system has been judged yet.**  \nThe command below runs one on articles without their "
        "headlines, and puts its scores here.",
        icon=":material/leaderboard:",
    )
    _how()


def how() -> None:
    """The same, folded away."""
    with st.expander("Submit a system", icon=":material/terminal:"):
        _how()


def _how() -> None:
    st.code(COMMAND, language=None, wrap_lines=True)
    st.markdown(
        "A system is a command. It reads articles on stdin, one JSON object with `id` and `text` a line, and "
        "writes one headline a line. On Linux it runs without network, sees only the files that the command "
        "names, and is labelled **isolated** where that held; elsewhere it is labelled **not isolated**. "
        "This one is complete:"
    )
    st.code(SYSTEM, language=None, wrap_lines=True)
