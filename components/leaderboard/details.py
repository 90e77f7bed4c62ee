"""One submission: what was run, its sandbox, every score; and how a system gets onto the leaderboard."""

from __future__ import annotations

import shlex

import streamlit as st

from components.leaderboard.ranking import day, memory, written
from components.markdown import plain
from components.tables import show_table
from research.judging.submissions import Submission


def details(one: Submission) -> None:
    """Draws everything that is kept of a submission."""
    st.header(plain(one.name), anchor=False)
    facts = [day(one), f"{one.count:,} headlines"]
    if not one.baseline:
        facts += [f"{one.seconds:,.1f} seconds", f"memory {memory(one)}"]
    if one.empty:
        facts.append(f"{one.empty:,} of them empty")
    st.caption(plain(" · ".join(facts)))
    if one.isolation is None:
        st.markdown("The first sentence of each article: what every system has to beat.")
    else:
        icon = ":material/lock:" if one.isolation.label == "isolated" else ":material/lock_open:"
        st.markdown(f"{icon} {plain(one.isolation.sentence)}")
        st.code(shlex.join(one.command), language=None, wrap_lines=True)
    _scores(one)
    if one.stderr:
        with st.expander("What it said on stderr"):
            st.code(one.stderr, language=None, wrap_lines=True)
    allowed = ", ".join(f"{name.replace('_', ' ')} {value:,g}" for name, value in one.limits.items())
    st.caption(
        plain(
            " · ".join(
                [
                    f"headlines {one.headlines_fingerprint}",
                    f"articles {one.articles_fingerprint}",
                    *([f"allowed: {allowed}"] if allowed else []),
                    *one.metrics,
                    f"Headline Lab {one.program}",
                ]
            )
        )
    )


def _scores(one: Submission) -> None:
    with st.expander("All scores"):
        show_table(
            {
                "Score": [score.label for score in one.scores],
                "Value and 95 % interval": [written(score) for score in one.scores],
                "What it says": [score.help for score in one.scores],
            },
            alt="Every score of the submission",
            most=600,
        )


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
