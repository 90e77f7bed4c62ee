"""What was corrected, with undo and exchange; the lanes, and everything that can be saved."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from datetime import date
from functools import partial

import streamlit as st

from components.frame import progress
from components.frame.charts.swimlane import WIDE, swimlane_chart, swimlane_figure
from components.frame.charts.theme import show_chart
from components.frame.downloads import download, downloads, stem
from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.markdown import HELPS, plain, shorten
from components.frame.page_state import is_large
from components.frame.widgets import button, copy_button, mounted, notice
from components.opened import resources
from components.opened.importer import read
from components.opened.views import timeline as state
from components.server import queue
from components.timeline.correct import event_title, record, signed, stay
from components.timeline.group_list import marked_title
from components.timeline.headline_map import detailed_map
from components.timeline.workspace import View
from core import limits
from core.data.timelines.periods import Period, rows_within, whole, written_day
from core.errors import InputError
from core.events.correcting import OFFERED_AFTER, Refit, corrected_groups, refit
from core.events.correction import Correction, History, Kind, log_bytes, read_log
from core.events.corrections import described
from core.events.export import FORMATS, gold_bytes, report, report_bundle, table_bytes
from core.events.lanes import lanes
from core.groups.card import GroupSummary
from core.results.alt_text import tally_text
from core.results.render import count_words
from core.runtime import workshop

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
            button(name.capitalize(), f"correction-{name}", _step, view, kind, step, help=help, **look)
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
            button(label, f"correction-{correction.id}", _step, view, kind, correction, type="tertiary")
    if len(listed) > LISTED:
        st.caption(f"The last {LISTED} of {len(listed):,}; the exported log has all of them.")


def _step(view: View, kind: Kind, correction: Correction) -> None:
    with errors_kept():
        store = resources.correction_store(view.prepared)
        do, done = (store.undo, "Undone") if kind is Kind.UNDO else (store.redo, "Done again")
        do(correction, signed(view))
        # Another window may have corrected since this one was drawn: say what it was.
        st.toast(f"{done}: {plain(described(correction))}", icon=":material/undo:")
        stay(view)


def corrections_exchange(view: View) -> None:
    history = view.corrections.history
    with st.expander("Corrections", icon=":material/edit:", key="corrections-exchange"):
        if history.corrections:
            name = stem(view.timeline.name, "headlines")
            log = "Export corrections", lambda: log_bytes(history), f"{name}-corrections.json"
            gold = partial(gold_bytes, view.prepared, view.grouping)
            downloads(log, ("Save as gold", gold, f"{name}-gold.csv"), key="export-corrections")
        look = {"key": f"import-corrections-{state.now().epoch}", "help": HELPS["import-corrections"]}
        given = st.file_uploader("Add corrections from a file", type="json", **look)
        if given is not None:
            content, most, new = given.getvalue(), limits.FILE_MEGABYTES.value, None
            with errors_shown("Corrections"):
                if len(content) > most * 1e6:
                    said = f"The file is larger than {most:,} megabytes."
                    raise InputError(said, hint="Export the log alone.")
                given_log = read("Reading the corrections", read_log, content)
                new = resources.correction_store(view.prepared).merge(given_log)
            if new:
                stay(view)
                st.rerun()
            elif new is not None:
                notice("corrections_known")


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
        state.answer([], 0)
        record(view, lambda now: now.level(found.level))

    with st.container(horizontal=True):
        button("Refit", "refit-apply", apply, type="primary")
        button("Keep the present level", "refit-close", close)


VIEW = "swimlane"
FIRST_LANES = 12
MORE_LANES = 60
_LANES = "lanes-width"
_measure = mounted(__file__, "lanes", '<div class="width"></div>')


def swimlane(view: View, groups: Sequence[GroupSummary]) -> list[GroupSummary]:
    """A lane for each of some groups; a click selects it, a span the period. Gives those with lanes."""
    if view.timeline.undated == len(view.timeline):
        notice("no_lanes")
        return list(groups)
    most = MORE_LANES if st.session_state.get("all-lanes") else FIRST_LANES
    group, ids = state.now().group, view.grouping.ids
    selected = {int(ids[row]) for row in state.now().rows} if group is None else {group}
    by_time = state.LIST.now().sorted_by == "first"
    ranked = sorted(groups, key=lambda event: -event.size) if by_time else groups
    picked = [event for event in ranked[most:] if event.group in selected][:FIRST_LANES]
    wanted = {event.group for event in [*ranked[:most], *picked]}
    shown = [event for event in groups if event.group in wanted]
    titles = [(event.group, marked_title(view, event.group, event.representative)) for event in shown]
    rows = lanes(view.timeline, ids, titles, within=rows_within(view.timeline, state.now().period))
    times = [mark.time for lane in rows for mark in lane.marks if mark.time is not None]
    period = f", {written_day(min(times))} to {written_day(max(times))}" if times else ""

    def choose(group: object) -> None:
        state.select(group=int(str(group)), by=VIEW)

    clicked = {"on_chosen_change": lambda: choose(st.session_state[_LANES].chosen)}
    drawn = _measure(key=_LANES, on_width_change=lambda: None, **clicked)
    width = float(drawn.width or WIDE)
    key = f"{state.view_key(VIEW)}-{width:g}"  # Plotly would not move what it has drawn for another width
    buttons = ["select2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]

    def pick() -> None:
        picked = st.session_state[key]["selection"]
        dated = [box["x"] for box in picked["box"] if isinstance(box["x"][0], str)]
        if dated and (span := whole(view.timeline)):
            first, last = sorted(date.fromisoformat(end[:10]) for end in dated[0])
            days = Period(max(first, span.first), min(last, span.last))
            state.choose_period(days if days.first <= days.last and days != span else None)
        elif picked["points"]:
            place = picked["points"][0].get("customdata")
            choose(place[0] if isinstance(place, list) else place)

    heading = f"{view.timeline.name}: what happened when"
    texts = [view.grouping.title(event.group, view.timeline.texts[event.representative]) for event in shown]
    unsigned = [replace(lane, title=text) for lane, text in zip(rows, texts, strict=True)]

    def reports() -> list[tuple[object, ...]]:
        return [(lane.group, lane.title, *astuple(mark)[1:]) for lane in unsigned for mark in lane.marks]

    bar = {"displaylogo": False, "scrollZoom": True, "modeBarButtons": [buttons]}
    with st.container(key="lanes"):
        show_chart(
            swimlane_figure(rows, selected=selected, width=width),
            published=lambda across: swimlane_chart(unsigned, selected=selected, width=across),
            name="swimlane",
            title=heading,
            source=f"{len(view.timeline):,} headlines{period}",
            data=lambda: [("event", "title", "when", "outlet", "headline"), *reports()],
            words=lambda: tally_text(heading, [title for _, title, *_ in reports()], of="reports"),
            alt=f"Timeline of {len(rows)} events; the list of events holds the same numbers",
            **{"key": key, "on_select": pick, "selection_mode": ("points", "box"), "config": bar},
        )
    if len(groups) > FIRST_LANES:
        label = f"Show up to {MORE_LANES} lanes (of {len(groups):,})"
        st.toggle(label, key="all-lanes", persist_state="session")
    return shown


def exports(view: View) -> None:
    if is_large():
        return
    drawing = detailed_map(view, ahead=True)
    with st.popover("Export", icon=":material/download:", key="export-menu"):
        name, shown = stem(view.timeline.name, "headlines"), (view.prepared, view.grouping)
        with st.container(horizontal=True, key="export"):
            page = "Report (HTML)", lambda: report(*shown, queue.wait(drawing)), f"{name}-report.html"
            download(page, key="export-report", type="primary")
            for kind in FORMATS:
                make, help = partial(table_bytes, *shown, kind), HELPS["export-table"]
                download((kind.upper(), make, f"{name}-groups.{kind}", help), key=f"export-{kind}")
            bundle = "Bundle (ZIP)", lambda: report_bundle(*shown, queue.wait(drawing)), f"{name}-bundle.zip"
            download(bundle, key="export-bundle")
        corrections_exchange(view)
        elsewhere = "In another browser" if workshop() else "On another computer"
        own = f" {elsewhere} the file has to be opened first." * state.now().data.startswith(resources.FILE)
        with st.container(horizontal=True, vertical_alignment="center", key="export-link"):
            copy_button("Copy the link", key="copy-link")
            st.caption(f"The address of this page holds the whole view: send it to reopen it.{own}")
