"""The versions of edited headlines: what was taken out and put in."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.frame.markdown import quiet, styled
from core.events.edited_headlines import HeadlineEdit
from core.results.render import count_words

_STYLES: Final = {"": None, "-": ":red[~~{}~~]", "+": ":green-background[{}]"}
_SHOWN: Final = 40  # edits that are drawn; the table has all


def edit_lines(edits: Sequence[HeadlineEdit]) -> None:
    st.markdown(f"**{count_words(len(edits), 'edited headline', 'edited headlines')}**")
    for edit in edits[:_SHOWN]:
        diff = styled((f"{part.text} ", _STYLES[part.sign]) for part in edit.diff)
        st.markdown(f"{diff}  \n{quiet(edit.outlet, edit.said)}")
