"""One headline on which people differ: who put it with what, and what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import streamlit as st

from components.agreement import state
from components.annotate import entries
from components.annotate.state import annotator
from components.evaluate import identity
from components.markdown import plain, shorten
from components.page import keep_error
from core.errors import CoreError, InputError
from core.people.agreement.divided import ALONE, DECIDED, adjudicated, companions, decide, decisions
from core.results.text import count_words

if TYPE_CHECKING:
    from components.agreement.groups import ComparedPeople

IntArray = npt.NDArray[np.int64]


def adjudicate(here: ComparedPeople) -> IntArray:
    """Draws the headline that is chosen; gives the global groups with all decisions, int64 [n]."""
    decided = decisions(entries.read(here.stream), len(here.timeline))
    identity.judge_field()
    row = state.now().row
    if row is None:
        st.caption(
            "Choose a headline in the list to see who put it with what, and to decide under your name."
        )
    else:
        _card(here, row, decided.get(row))
    if decided:
        st.caption(
            f":material/gavel: {count_words(len(decided), 'decision', 'decisions')} of adjudicators; "
            "the annotated timeline holds them in global_group."
        )
    return adjudicated(here.found.merged, decided)


def _card(here: ComparedPeople, row: int, last: tuple[int, str] | None) -> None:
    names, texts = here.names, here.timeline.texts
    with st.container(border=True, key="agreement-card"):
        st.markdown(f"**{plain(texts[row])}**")
        for at, one in enumerate(companions(here.annotators, row, here.model)):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    "Same event",
                    key=f"adjudicate-{row}-{at}",
                    type="primary" if last is not None and last[0] == one.row else "secondary",
                    on_click=_decide,
                    args=(here.stream, row, one.row),
                    disabled=not annotator(),
                )
                together = ", ".join(plain(names[who]) for who in one.together)
                apart = ", ".join(plain(names[who]) for who in one.apart) or "nobody"
                model = "together" if one.model else "apart"
                st.markdown(
                    f"{plain(shorten(texts[one.row], 120))}  \n"
                    f":gray[together: {together} · apart: {apart} · model: {model}]",
                    width="stretch",
                )
        st.button(
            "No other headline reports this event",
            key=f"adjudicate-{row}-alone",
            type="primary" if last is not None and last[0] == ALONE else "secondary",
            on_click=_decide,
            args=(here.stream, row, ALONE),
            disabled=not annotator(),
        )
        if last is not None:
            st.caption(f"Decided by {plain(last[1])}")


def _decide(stream: str, row: int, other: int) -> None:
    try:
        if not annotator():
            raise InputError("Nobody has said who decides.", hint="Type your name or initials first.")
        entries.record(stream, DECIDED, decide(row, other))
    except CoreError as error:
        keep_error(error)
