"""Corrections of a timeline: what was done, undo and redo, and the level refitted from them."""

from functools import partial

import streamlit as st

from components.frame import progress
from components.frame.errors import errors_kept, show_kept_error
from components.frame.markdown import plain, shorten
from components.frame.widgets import button
from components.opened import resources
from components.timeline.correct import event_title, record, signed, stay
from components.timeline.workspace import View
from core.events.correcting import OFFERED_AFTER, Refit, corrected_groups, refit
from core.events.correction import Correction, History, Kind
from core.events.corrections import described
from core.results.render import count_words

LISTED = 50  # corrections in the list, the last one first
NAMED = 8  # events that a refit would change, by title
_ASKED = "refit-asked"


def corrections_bar(view: View) -> None:
    show_kept_error()
    corrections = view.corrections
    history = corrections.history
    if corrections.problem:
        st.warning(plain(corrections.problem), icon=":material/warning:")
    if not history.corrections:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="corrections"):
        count = count_words(len(history.in_force), "correction", "corrections")
        st.markdown(f":material/edit: **{count}**", width="content")
        undone = history.undone[-1] if history.undone else None
        for name, kind, shortcut, step, what in (
            ("undo", Kind.UNDO, "z", history.last, "Undoes what was last done"),
            ("redo", Kind.REDO, "shift+z", undone, "Does again what was undone"),
        ):
            look = {"icon": name, "type": "tertiary", "shortcut": shortcut, "disabled": step is None}
            help = None if step is None else f"{what}: {plain(described(step))}."
            button(name.capitalize(), f"correction-{name}", take_step, view, kind, step, help=help, **look)
        opened = st.popover("History", icon=":material/history:", key="correction-history", on_change="rerun")
        if opened.open:
            with opened:
                _listed(view, history)
    if corrected_groups(history) >= OFFERED_AFTER:
        if not st.session_state.get(_ASKED):
            label, ask = "Refit the level from your corrections", st.session_state.__setitem__
            button(label, "refit-ask", ask, _ASKED, True, icon="auto_fix_high")
            return
        prepared, grouping, long = view.prepared, view.grouping, len(view.timeline) > 2_000
        key, label = f"refit|{grouping.signature}", "Refitting the level"
        proposal = progress.finished(key, label, lambda _: refit(prepared, grouping, history), long=long)
        if proposal is not None:
            with st.container(border=True, key="refit"):
                _proposal(view, proposal)


def _listed(view: View, history: History) -> None:
    undone = {correction.id for correction in history.undone}
    known = undone.union(correction.id for correction in history.in_force)
    listed = [correction for correction in reversed(history.corrections) if correction.id in known]
    for correction in listed[:LISTED]:
        with st.container(horizontal=True, vertical_alignment="center"):
            gone, text = correction.id in undone, plain(described(correction))
            st.markdown(f":small[:gray[{text} (undone)]]" if gone else f":small[{text}]")
            label, kind = ("Redo", Kind.REDO) if gone else ("Undo", Kind.UNDO)
            button(label, f"correction-{correction.id}", take_step, view, kind, correction, type="tertiary")
    if len(listed) > LISTED:
        st.caption(f"The last {LISTED} of {len(listed):,}; the exported log has all of them.")


def take_step(view: View, kind: Kind, correction: Correction) -> None:
    with errors_kept():
        store = resources.correction_store(view.prepared)
        do, done = (store.undo, "Undone") if kind is Kind.UNDO else (store.redo, "Done again")
        do(correction, signed(view))
        # Another window may have corrected since this one was drawn: say what it was.
        st.toast(f"{done}: {plain(described(correction))}", icon=":material/undo:")
        stay(view)


def _proposal(view: View, found: Refit) -> None:
    close = partial(st.session_state.pop, _ASKED, None)
    if not found.better:
        said = "agrees with your corrections as well as any other"
        st.markdown(f"**The present level, {found.present:.2f}, {said}.**")
        button("Close", "refit-close", close)
        return
    before, after = (len(set(grouping.ids.tolist())) for grouping in (found.before, found.after))
    st.markdown(
        f"**Level {found.present:.2f} → {found.level:.2f}.** By itself it agrees with "
        f"{100 * found.satisfied_now:.0f} % → {100 * found.satisfied:.0f} % of what you corrected. "
        f"Groups, single reports counted: {before:,} → {after:,}."
    )
    ids, count, more = view.grouping.ids.tolist(), len(found.changed), len(found.changed) - NAMED
    titles = (event_title(view, group, ids.index(group)) for group in found.changed[:NAMED])
    lines = [f"{count_words(count, 'event', 'events')} would change:" if count else "No event would change."]
    lines += [f"- {plain(shorten(title, 90))}" for title in titles]
    st.markdown("\n".join([*lines, *[f"- and {more:,} more"] * (more > 0)]))

    def apply() -> None:
        close()
        record(view, lambda now: now.level(found.level))

    with st.container(horizontal=True):
        button("Refit", "refit-apply", apply, type="primary")
        button("Keep the present level", "refit-close", close)
