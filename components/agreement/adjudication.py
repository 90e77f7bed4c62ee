"""One headline on which people differ: what it may belong with, and what is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from components.agreement import state
from components.annotate import state as annotate
from components.annotate.state import annotator
from components.buttons import button
from components.evaluate import identity
from components.markdown import plain, shorten
from components.page import errors_kept
from core.data.identity import Answers
from core.errors import InputError
from core.journal.journal import Entry
from core.people.agreement import Companion, companions
from core.people.grouping import (
    ALONE,
    BLIND,
    DECIDED,
    SHOWN,
    TAKEN_BACK,
    decisions,
    said_of,
    shown_for,
    shown_to,
)
from core.people.ratings import judge_key

if TYPE_CHECKING:
    from components.agreement.groups import ComparedPeople


def keep_shown(answers: Answers) -> None:
    """Stores, before they are drawn, that annotators and model are shown to who is here."""
    if state.shown() and shown_to(answers.read(), annotator()) == BLIND:
        annotate.record(answers, SHOWN, {})


def adjudicate(here: ComparedPeople) -> dict[int, Entry]:
    """Draws the headline that is chosen; gives what adjudicators have decided so far."""
    said = here.answers.read()
    decided = decisions(said, len(here.timeline))
    own = decisions((one for one in said if judge_key(one.who) == judge_key(annotator())), len(here.timeline))
    identity.judge_field()
    row = state.now().row
    if row is None:
        st.caption("Choose a headline in the list to decide what it belongs with, under your name.")
    else:
        _card(here, row, (decided if state.shown() else own).get(row))
    if told := said_of(decided):
        st.caption(f":material/gavel: {told}")
    return decided


def _card(here: ComparedPeople, row: int, last: Entry | None) -> None:
    texts = here.timeline.texts
    with st.container(border=True, key="agreement-card"):
        st.markdown(f"**{plain(texts[row])}**")
        # Blind, the order says nothing either.
        found = companions(here.annotators, row, here.model)
        for one in found if state.shown() else sorted(found, key=lambda one: one.row):
            with st.container(horizontal=True, vertical_alignment="center"):
                _button("Same event", here.answers, row, one.row, last)
                said = plain(shorten(texts[one.row], 120))
                if state.shown():
                    said += f"  \n:gray[{_who(here.names, one)}]"
                st.markdown(said, width="stretch")
        with st.container(horizontal=True, vertical_alignment="center"):
            _button("No other headline reports this event", here.answers, row, ALONE, last)
            if last is not None and judge_key(last.who) == judge_key(annotator()):
                back = here.answers, TAKEN_BACK, {"of": last.id}
                button("Take back", f"adjudicate-{row}-back", _record, *back, icon="undo", type="tertiary")
        if last is not None:
            st.caption(
                f"Decided by {plain(last.who)}, "
                + ("blind" if shown_for(last) == BLIND else "who had seen the annotators and the model")
            )


def _who(names: list[str], one: Companion) -> str:
    together = ", ".join(plain(names[who]) for who in one.together)
    apart = ", ".join(plain(names[who]) for who in one.apart) or "nobody"
    return f"together: {together} · apart: {apart} · model: {'together' if one.model else 'apart'}"


def _button(label: str, answers: Answers, row: int, other: int, last: Entry | None) -> None:
    said = answers, DECIDED, {"row": row, "with": other}
    look = "primary" if last is not None and last.body["with"] == other else "secondary"
    button(label, f"adjudicate-{row}-{other}", _record, *said, type=look, disabled=not annotator())


def _record(answers: Answers, kind: str, body: dict[str, object]) -> None:
    with errors_kept():
        if not annotator():
            raise InputError("Nobody has said who decides.", hint="Type your name or initials first.")
        annotate.record(answers, kind, {**body, "shown": shown_to(answers.read(), annotator())})
