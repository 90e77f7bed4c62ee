"""Correcting events, on the card of one or of what is selected on the map."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from components.frame.controlled import controlled
from components.frame.errors import errors_kept
from components.frame.markdown import HELPS, plain, shorten, spoken
from components.frame.page_state import is_large
from components.frame.widgets import button
from components.opened import resources
from components.opened.reader_zone import time_here
from components.opened.views import timeline as state
from components.timeline.group_list import summaries
from components.timeline.workspace import View
from core.digests import digest
from core.events.correcting import Correcting
from core.events.correction import LONGEST_NOTE, LONGEST_TITLE, LONGEST_WHO, Correction, Kind
from core.events.corrections import said_by
from core.groups.card import GroupCard
from core.results.render import count_words

FIRST_ROWS = 15
MOST_ROWS = 200  # headlines of an event that can be ticked on its card; the table of Map takes more
_ALL = "correct-all"
MOST_EVENTS = 500  # events to choose from as a target: the nearest, then the largest
Make = Callable[[Correcting], Correction]


def record(view: View, make: Make, *, at: int | None = None) -> None:
    with errors_kept():
        store = resources.correction_store(view.prepared)
        store.add(make(Correcting(view.prepared, view.grouping, store.read(), signed(view))))
        follow(view, [] if at is None else [at])
        st.toast("Corrected. The key Z undoes it.", icon=":material/edit:")


def stay(view: View) -> None:
    """Opens the event that most headlines of the one that was open are in by now."""
    follow(view, np.flatnonzero(view.grouping.ids == state.now().group).tolist())


def follow(view: View, rows: Sequence[int]) -> None:
    """Opens the event that most of some headlines are in by now; none for no headlines."""
    prepared = view.prepared
    seen = resources.corrections(prepared)
    grouping = resources.grouping(prepared, state.now().granularity, corrections=seen or None)
    (best,) = Counter(grouping.ids[list(rows)].tolist()).most_common(1) or [(None, 0)]
    state.select(group=best[0], by="")


def signed(view: View) -> str:
    """Under which name this session corrects: the one that was given, or that of the last correction."""
    given = state.now().who
    last = view.corrections.history.corrections
    return given if given is not None else last[-1].who if last else ""


def event_title(view: View, group: int, row: int) -> str:
    return view.grouping.title(group, view.timeline.texts[row])


@st.fragment
def correct_event(view: View, card: GroupCard) -> None:
    """What can be done with the event of a card; a tick redraws nothing else."""
    group, first = card.summary.group, card.summary.rows[0]
    alone = card.summary.size == 1
    if not alone:
        _headlines(view, card)
    st.markdown("**Where does this headline belong?**" if alone else "**Is this one event?**")
    word = "Join" if alone else "Merge"
    other = _event_choice(view, f"{word} with", "correct-other", without={group}, near=card)
    with st.container(horizontal=True, key="correct-event"):
        _press(view, word, "correct-merge", lambda now: now.merge([group, other]), first, other)
        if not alone:
            _press(view, "Not an event", "correct-free", lambda now: now.not_an_event(group))
    _words(view, card)


def _headlines(view: View, card: GroupCard) -> None:
    line = card.summary
    st.markdown("**Which headlines do not belong here?**")
    shown = line.rows[: MOST_ROWS if st.session_state.get(_ALL) else FIRST_ROWS]
    texts, outlets = view.timeline.texts, view.timeline.publishers
    picked = []
    lines = st.container(gap="xsmall")
    for row in shown:
        with lines.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            if st.checkbox(spoken(texts[row]), key=f"correct-{state.now().epoch}-{row}"):
                picked.append(row)
            facts = filter(None, (time_here(view.timeline, row), outlets[row]))
            st.caption(plain(" · ".join(facts)), width="content")
    if line.size > FIRST_ROWS:
        st.toggle(f"Show all {line.size}", key=_ALL, persist_state="session")
    if len(shown) == MOST_ROWS < line.size:
        st.caption(f"The first {MOST_ROWS} of {line.size:,}; the table of Map has all of them.")
    stays = next((row for row in line.rows if row not in set(picked)), line.rows[0])
    goal = _event_choice(view, "Move to", "correct-goal", without={line.group}, near=card)
    with st.container(horizontal=True, key="correct-headlines"):
        needed = goal if picked else None
        _press(view, "Move", "correct-move", lambda now: now.move(picked, goal), stays, needed)
        needed = 0 < len(picked) < line.size or None
        _press(view, "Split off", "correct-split", lambda now: now.split(picked), stays, needed)


def _words(view: View, card: GroupCard) -> None:
    group, first = card.summary.group, card.summary.rows[0]
    marks = view.grouping.marks
    title, note = marks.titles.get(group, ""), marks.notes[group].text if group in marks.notes else ""
    # What is typed stays while something else is corrected, until what is stored is another text.
    stored = digest(title, note, str(group in marks.stars), digits=16)
    with st.form(f"correct-words-{group}-{stored}", border=False, enter_to_submit=True):
        headline = shorten(view.timeline.texts[card.summary.representative], 80)
        look = {"max_chars": LONGEST_TITLE, "placeholder": headline, "help": HELPS["correct-title"]}
        new_title = st.text_input("Title", title, key=f"correct-title-{group}-{stored}", **look)
        new_note = st.text_input("Note", note, max_chars=LONGEST_NOTE)
        starred = st.checkbox("Star", value=group in marks.stars)
        saved = st.form_submit_button("Save", icon=":material/save:")
    look = controlled("correct-who", signed(view), lambda name: state.put(who=name))
    st.text_input("Your name or initials", max_chars=LONGEST_WHO, **look)
    if not saved:
        return
    if new_title != title:
        record(view, lambda now: now.entitle(group, new_title), at=first)
    if new_note != note:
        record(view, lambda now: now.note(group, new_note), at=first)
    if starred != (group in marks.stars):
        record(view, lambda now: now.star(group, on=starred), at=first)
    st.rerun()


def _press(  # noqa: PLR0917 - as buttons take them
    view: View, label: str, key: str, make: Make, at: int | None = None, needed: Any = True
) -> None:
    """Draws a button that corrects, once what is `needed` is chosen, and opens the event of the row `at`."""
    if button(label, key, disabled=needed is None):
        record(view, make, at=at)
        st.rerun()


def _event_choice(
    view: View, label: str, key: str, *, without: set[int], near: GroupCard | None = None
) -> int | None:
    lines = {line.group: line for line in summaries(view)}
    close = [neighbour.group for neighbour in near.groups] if near is not None else []
    options = [line for line in dict.fromkeys([*close, *lines]) if line in lines and line not in without]

    def said(group: int) -> str:
        title = shorten(event_title(view, group, lines[group].representative), 90)
        return f"{title} (event {group}, {lines[group].size})"

    look = {"placeholder": "Choose an event", "disabled": not options, "index": None}
    key = f"{key}-{state.now().epoch}"
    return st.selectbox(label, options[:MOST_EVENTS], format_func=said, key=key, **look)


@st.fragment
def correct_selection(view: View) -> None:
    rows = state.now().rows
    if not rows or is_large():
        return
    said = count_words(len(rows), "headline", "headlines")
    groups = np.unique(view.grouping.ids[list(rows)]).tolist()
    panel = st.expander(f"Correct the {said} selected", icon=":material/edit:", key="correct-selection")
    with panel.container(horizontal=True, vertical_alignment="bottom", key="correct-rows"):
        without, key, first = set(groups) if len(groups) == 1 else set(), "correct-rows", rows[0]
        goal = _event_choice(view, "Move to", f"{key}-goal", without=without)
        _press(view, "Move", f"{key}-move", lambda now: now.move(rows, goal), first, goal)
        _press(view, "Make one event", f"{key}-split", lambda now: now.split(rows), first)
        if len(groups) > 1:
            label = f"Merge their {len(groups)} events"
            _press(view, label, f"{key}-merge", lambda now: now.merge(groups), first)


def mark_of(view: View, row: int) -> str:
    """What was done with a headline, by whom and when; "" where nothing was, or it was merged with others."""
    correction = view.grouping.marks.headlines.get(row)
    return "" if correction is None or correction.kind is Kind.MERGE else said_by(correction)
