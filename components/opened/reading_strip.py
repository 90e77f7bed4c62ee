"""Questions about how an opened file was read, each with a button that settles it."""

from functools import partial

import streamlit as st

from components.frame.markdown import plain
from components.frame.widgets import button
from components.opened import resources
from core.data.timelines.reading_check import ReadingQuestion, check_reading

_LEFT = "reading-left"  # questions that a person wants no more of, with the file

_questions = resources.cached(lambda name: check_reading(resources.timeline(name)), max_entries=32)


def reading_strip(name: str) -> None:
    """Draws what to ask before the headlines are grouped; nothing where the file was read well."""
    left: set[tuple[str, str]] = st.session_state.setdefault(_LEFT, set())
    asked = _questions(name) if name.startswith(resources.FILE) else []
    asked = [each for each in asked if (name, each.name) not in left]
    if not asked:
        return
    with st.container(border=True, key="reading-check", gap="small"):
        for each in asked:
            with st.container(horizontal=True, vertical_alignment="center", key=f"reading-{each.name}"):
                st.markdown(f":material/help: **{plain(each.asks)}** {plain(each.because)}", width="stretch")
                act, leave = partial(_settle, each), partial(left.add, (name, each.name))
                button(plain(each.act), f"settle-{each.name}", act, type="primary")
                button("Keep as it is", f"leave-{each.name}", leave, type="tertiary")


def _settle(question: ReadingQuestion) -> None:
    resources.open_file(question.settled())
