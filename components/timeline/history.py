"""What was corrected: undo and redo, the list, exchange with others, and the offer to refit."""

from __future__ import annotations

import streamlit as st

from components import jobs, resources
from components.buttons import button
from components.markdown import plain, shorten
from components.open.reading import read
from components.page import Download, downloads, keep_error, show_error, show_kept_error, stem
from components.timeline import state
from components.timeline.correct import event_title, record, signed, stay
from components.timeline.workspace import View
from core import limits
from core.errors import CoreError, InputError
from core.events.correcting import OFFERED_AFTER, Correcting, Refit, corrected_groups, refit
from core.events.corrections.apply import said_by
from core.events.corrections.correction import Correction, Kind, log_bytes, read_log
from core.events.export import gold_bytes
from core.results.render import count_words
from core.runtime import Runtime

LISTED = 50  # corrections in the list, the last one first
NAMED = 8  # events that a refit would change, by title
_ASKED = "refit-asked"


def corrections_bar(view: View) -> None:
    """How many corrections there are, with undo, redo and the list; nothing where there are none."""
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
        last = history.last
        button(
            "Undo",
            "correction-undo",
            _step,
            view,
            Kind.UNDO,
            last,
            icon="undo",
            type="tertiary",
            disabled=last is None,
            shortcut="z",
            help=None if last is None else f"Undoes what was last done: {plain(_what(last))}.",
        )
        again = history.undone[-1] if history.undone else None
        button(
            "Redo",
            "correction-redo",
            _step,
            view,
            Kind.REDO,
            again,
            icon="redo",
            type="tertiary",
            disabled=again is None,
            shortcut="shift+z",
            help=None if again is None else f"Does again what was undone: {plain(_what(again))}.",
        )
        opened = st.popover("History", icon=":material/history:", key="correction-history", on_change="rerun")
        if opened.open:
            with opened:
                _history(view)
    _refit_offer(view)


def _step(view: View, kind: Kind, correction: Correction | None) -> None:
    if correction is None:
        return
    store = resources.correction_store(view.prepared)
    try:
        (store.undo if kind is Kind.UNDO else store.redo)(correction, signed(view))
    except CoreError as error:
        keep_error(error)
        return
    # Another window may have corrected since this one was drawn: say what it was.
    done = "Undone" if kind is Kind.UNDO else "Done again"
    st.toast(f"{done}: {plain(_what(correction))}", icon=":material/undo:")
    stay(view)


def _what(correction: Correction) -> str:
    heads = correction.headlines
    if correction.kind is Kind.LEVEL:
        return f"level {float(correction.text):.2f}, {said_by(correction)}"
    if not heads:
        return said_by(correction)
    named = f"“{shorten(heads[0].text, 50)}”" + (f" and {len(heads) - 1:,} more" if len(heads) > 1 else "")
    return f"{named}, {said_by(correction)}"


def _history(view: View) -> None:
    history = view.corrections.history
    in_force = {one.id for one in history.in_force}
    undone = {one.id for one in history.undone}
    listed = [one for one in reversed(history.corrections) if one.id in in_force | undone]
    for one in listed[:LISTED]:
        with st.container(horizontal=True, vertical_alignment="center"):
            gone = one.id in undone
            text = plain(_what(one))
            st.markdown(f":small[:gray[{text} (undone)]]" if gone else f":small[{text}]")
            button(
                "Redo" if gone else "Undo",
                f"correction-{one.id}",
                _step,
                view,
                Kind.REDO if gone else Kind.UNDO,
                one,
                type="tertiary",
            )
    if len(listed) > LISTED:
        st.caption(f"The last {LISTED} of {len(listed):,}; the exported log has all of them.")


def corrections_exchange(view: View) -> None:
    """Downloads of the log and of the corrected timeline, and the log of somebody else."""
    history = view.corrections.history
    with st.expander("Corrections", icon=":material/edit:", key="corrections-exchange"):
        name = stem(view.timeline.name, "headlines")
        if history.corrections:
            downloads(
                Download(
                    "Export corrections",
                    lambda: log_bytes(history),
                    f"{name}-corrections.json",
                    "All corrections with who made them and when, also those that were undone.",
                ),
                Download(
                    "Save as gold",
                    lambda: gold_bytes(view.prepared, view.grouping),
                    f"{name}-gold.csv",
                    "The timeline with these events as human groups: open it to measure other settings.",
                ),
                key="export-corrections",
            )
        given = st.file_uploader(
            "Add corrections from a file",
            type="json",
            key=f"import-corrections-{state.now().epoch}",
            help="What “Export corrections” or the JSON export of somebody else wrote; each counts once.",
        )
        if given is not None:
            content = given.getvalue()
            try:
                most = limits.FILE_MEGABYTES.value
                if len(content) > most * 1e6:
                    raise InputError(
                        f"The file is larger than {most:,} megabytes.", hint="Export the log alone."
                    )
                new = resources.correction_store(view.prepared).merge(
                    read("Reading the corrections", read_log, content)
                )
            except CoreError as error:
                show_error(error)
                return
            if new:
                stay(view)
                st.rerun()
            st.info("All of these corrections are here already.", icon=":material/check:")


def _refit_offer(view: View) -> None:
    history = view.corrections.history
    if corrected_groups(history) < OFFERED_AFTER:
        return
    if not st.session_state.get(_ASKED):
        button(
            "Refit the level from your corrections",
            "refit-ask",
            st.session_state.__setitem__,
            _ASKED,
            True,
            icon="auto_fix_high",
            help="Looks for the setting of the slider that agrees with most of what you corrected, and shows "
            "what would change before anything does.",
        )
        return
    prepared, grouping = view.prepared, view.grouping

    def work(runtime: Runtime) -> Refit:
        return refit(prepared, grouping, history)

    found = jobs.finished(
        f"refit|{view.grouping.signature}", "Refitting the level", work, long=len(view.timeline) > 2_000
    )
    if found is not None:
        with st.container(border=True, key="refit"):
            _proposal(view, found)


def _proposal(view: View, found: Refit) -> None:
    def close() -> None:
        st.session_state.pop(_ASKED, None)

    if not found.better:
        st.markdown(
            f"**The present level, {found.present:.2f}, agrees with your corrections as well as any other.**"
        )
        button("Close", "refit-close", close)
        return
    before, after = (len(set(one.ids.tolist())) for one in (found.before, found.after))
    st.markdown(
        f"**Level {found.present:.2f} → {found.level:.2f}.** By itself it agrees with "
        f"{100 * found.satisfied_now:.0f} % → {100 * found.satisfied:.0f} % of what you corrected. "
        f"Groups, single reports counted: {before:,} → {after:,}."
    )
    if found.changed:
        lines = [f"- {plain(shorten(_title(view, group), 90))}" for group in found.changed[:NAMED]]
        if len(found.changed) > NAMED:
            lines.append(f"- and {len(found.changed) - NAMED:,} more")
        count = count_words(len(found.changed), "event", "events")
        st.markdown("\n".join([f"{count} would change:", *lines]))
    else:
        st.markdown("No event would change.")

    def apply() -> None:
        def make(now: Correcting) -> Correction:
            return now.level(found.level)

        close()
        state.put(granularity=None)
        record(view, make)

    with st.container(horizontal=True):
        button("Refit", "refit-apply", apply, type="primary")
        button("Keep the present level", "refit-close", close)


def _title(view: View, group: int) -> str:
    row = view.grouping.ids.tolist().index(group)
    return event_title(view, group, row)
