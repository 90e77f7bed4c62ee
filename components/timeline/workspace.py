"""The open view: the controls above every page about a timeline, and the groups that they choose."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame import links, page_state
from components.frame.controlled import controlled
from components.frame.errors import show_error
from components.frame.markdown import HELPS, WORDS
from components.frame.mounting import mounted
from components.frame.subject import now_about, signature
from components.frame.view_state import Part
from components.frame.widgets import button, choose_here, metrics, notice
from components.opened import resources
from components.opened.importer import excluded_rows, reading_strip
from components.opened.own_file import keep_file, own_file
from components.opened.own_vectors import encoder_in_force, own_vectors
from components.opened.recipes import few_choice, recipe_choice
from components.opened.resources import cached
from components.opened.views import timeline as state
from core.data.timelines import samples
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.formats import count_formats
from core.data.timelines.periods import whole
from core.data.timelines.timeline import Field, Timeline
from core.errors import UnknownNameError
from core.events.corrections import Corrections
from core.events.grouping import Grouping, Prepared, Settings, method_of, start_of
from core.events.grouping_summary import LABELS, method_notes
from core.groups.grouper import groupers
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.scorer import pair_scorers
from core.results.number_forms import written
from core.results.render import count_words
from core.runtime import DEVICES
from core.text.language import NAMES
from core.text.timeline_reading import TimelineReading

SETTINGS = "grouping-settings"
_METHODS: Final = ("encoder", "scorer", "method", "granularity")
_duplicates = cached(lambda file: find_duplicates(file.texts, publishers=file.publishers), max_entries=32)
MARKS = "level-marks"
_TITLES: Final = "title_language"
MOST: Final = "most"
_MARKS: Final = '<div class="marks" role="group" aria-label="Suggested levels"></div>'
_draw_marks = mounted(__file__, "marks", _MARKS)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    timeline: Timeline
    prepared: Prepared
    grouping: Grouping
    corrections: Corrections


def choose_timeline(key: str, changed: Callable[[], None] = lambda: None, **look: Any) -> None:
    def take(name: str) -> None:
        state.open_data(name)
        changed()

    look = {"width": 300} | look
    choose_here("Headlines", resources.known(), resources.title, key, state.now().data, take, **look)


def open_view(
    *others: Part, look: Callable[[Timeline], None] = lambda _: None,
    offer: Callable[[View], None] = lambda _: None, regroups: bool = True, shown: bool = True,
) -> View:  # fmt: skip
    """Draws the controls that are `shown`, and computes the groups; until then `look` ends the script."""
    regroups &= shown
    if resources.gone(state.now().data):
        state.open_data(state.DEFAULT_DATA)
        notice("file_gone")
    # Before anything is computed: a reload meanwhile comes back to the same file.
    state.write_address(*others)
    now_about(state.now().data)
    with st.container(horizontal=True, vertical_alignment="center", key="open-view"):
        if shown:
            choose_timeline("pick-data", label_visibility="collapsed" if regroups else "visible")
        slider, back, offers, about, notes = _controls() if regroups else [st.empty()] * 5
    resources.timeline(state.now().data)
    if shown:
        reading_strip(state.now().data)
    now = state.now()
    scorer = AUTOMATIC if now.scorer == state.DEFAULT_SCORER else now.scorer
    methods = Settings(encoder=encoder_in_force(), scorer=scorer, method=now.method)
    settings = replace(methods, fold=now.fold, events_alone=not now.formats)
    try:
        prepared = resources.prepared(now.data, settings, meanwhile=look)
    except UnknownNameError as error:
        show_error(UnknownNameError(error.message, hint=WORDS["texts"]["unknown_method"]))
        button("Use the usual methods", "usual-methods", state.reset, *_METHODS, type="primary")
        st.stop()
    corrections = resources.corrections(prepared)
    if regroups:
        with slider:
            start = round(start_of(prepared, corrections), 2)
            level = start if now.granularity is None else round(now.granularity, 2)
            bound = controlled("pick-granularity", level, lambda chosen: state.put(granularity=chosen))
            label = "Narrower ↔ broader"
            st.slider(label, 0.0, 1.0, step=0.01, label_visibility="collapsed", **bound)
            level_marks(prepared, corrections)
        if now.granularity is not None:
            label, back_to = f"Back to the suggested {start:.2f}", partial(state.put, granularity=None)
            with back:
                button(label, "automatic", back_to, icon="undo", type="tertiary")
    corrected = {"corrections": corrections or None, "titles": title_language(prepared.timeline.reading)}
    grouping = resources.grouping(prepared, now.granularity, **corrected)
    _forget_what_is_gone(prepared, grouping)
    page_state.write_address(state.part(), *others)
    view = View(prepared.timeline, prepared, grouping, corrections)
    if regroups:
        with offers:
            offer(view)
        with about:
            _choose_title_language(view.timeline.reading)
            _figures(view)
        with notes:
            _notes(view)
    return view


def _forget_what_is_gone(prepared: Prepared, grouping: Grouping) -> None:
    now = state.now()
    group, rows = now.group, tuple(row for row in now.rows if row < len(prepared.timeline))
    if rows != now.rows and links.came_by_link("rows"):
        wants = f"rows of {len(prepared.timeline):,} headlines, which count from 0"
        links.refuse_link("rows", ",".join(map(str, now.rows)), wants)
    if group is not None and group not in grouping.ids:
        if links.came_by_link("group"):
            links.refuse_link("group", str(group), "the number of an event of these groups")
        group = int(grouping.ids[rows[0]]) if rows else None
    if (group, rows) != (now.group, now.rows):
        state.select(group=group, rows=rows, by="")


def title_language(reading: TimelineReading) -> str:
    """That of the address, else the reader's own, else, where most are in none, the browser's; or ""."""
    if wanted := state.now().titles:
        return "" if wanted == MOST else wanted
    browser = "" if reading.desk_language else (st.context.locale or "").casefold()[:2]
    kept = own_file(_TITLES).decode("utf-8", "replace")
    return next((code for code in (kept, browser) if code in reading.by_language), "")


def _choose_title_language(reading: TimelineReading) -> None:
    if len(reading.by_language) < 2:
        return
    named = {MOST: "that of most headlines", **{code: NAMES.get(code, code) for code in reading.by_language}}
    here = title_language(reading) or MOST
    named.setdefault(here, here)

    def take(code: str) -> None:
        keep_file(_TITLES, code.encode())
        state.put(titles=code)

    look = {"label_visibility": "visible", "help": HELPS["pick-titles"]}
    choose_here("Language of titles", named, named, "pick-titles", here, take, **look)


def _notes(view: View) -> None:
    prepared = view.prepared
    refitted = view.corrections.level(method_of(prepared)) is not None
    suggested = "refitted from your corrections" if refitted else "chosen from the timeline itself"
    lines = [WORDS["texts"]["slider"].format(suggested)]
    if state.now().data in samples.names():
        info = samples.info(state.now().data)
        lines.append(f"{info.source}. Licence: {info.licence}.")
    lines.append(f":material/memory: {DEVICES[prepared.device]} · {prepared.encoder.partition('|')[0]}")
    st.caption("  \n".join(lines))
    signature(view.grouping.signature)


def _figures(view: View) -> None:
    prepared, quality, timeline = view.prepared, view.grouping.quality, view.timeline
    language = timeline.reading.language
    events, duplicates = view.grouping.events, _duplicates(prepared.source)
    singles = len(np.unique(view.grouping.ids)) - events
    too_vague = sum(vagueness.is_vague for vagueness in timeline.reading.vague)
    said = "Headlines that repeat an earlier one word for word or nearly so (syndicated duplicates)."
    figures = [
        ("Headlines", f"{len(timeline):,}", None),
        ("Events", f"{events:,}", "Groups of two or more headlines."),
        ("Single reports", f"{singles:,}", "Headlines that no other headline joins."),
        ("Too vague", f"{too_vague:,}", "Headlines that are too vague to place: they name no event."),
        ("Outlets", f"{timeline.table[Field.PUBLISHER].nunique():,}", None),
        ("Language", NAMES.get(language, language), None),
        ("Duplicates", f"{duplicates.exact + duplicates.near:,}", said),
    ]
    metrics(figures, key="all-facts")
    if quality is not None and not page_state.is_large():
        st.markdown("**Match with human groups**")
        known = ((quality[name], label, said) for name, (label, said) in LABELS.items())
        values = ((label, written(of.value, "{:.3f}".format), of.reason or said) for of, label, said in known)
        metrics(((label[0].upper() + label[1:], *rest) for label, *rest in values), key="quality")
    if prepared.source.report.rejected:
        st.markdown("**Excluded rows**")
        excluded_rows(prepared.source)


def _controls() -> list[DeltaGenerator]:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, width=340, key="granularity"):
        st.caption("Narrower", width="content")
        slider = st.container()
        st.caption("Broader", width="content")
    back = st.container(width="content")
    menu = st.popover("Settings", icon=":material/tune:", type="tertiary", key=SETTINGS, on_change="rerun")
    with menu.container(key="settings-body"):
        offers, about, now = st.container(), st.container(), state.now()
        st.toggle("Hide duplicates", **controlled("pick-fold", now.fold, state.choose_fold))
        keeping = controlled("pick-formats", now.formats, state.choose_formats)
        st.toggle("Group formats that repeat", **keeping)
        if few_choice("Compare headlines by", "scorers", pair_scorers, now.scorer, _regroup("scorer")):
            recipe_choice("Similarity", pair_scorers, now.scorer, _regroup("scorer"))
            recipe_choice("Method", groupers, now.method, _regroup("method"))
            if not own_vectors(choose := _regroup("encoder")):
                recipe_choice("Model", encoders, encoder_in_force(), choose, automatic=AUTOMATIC)
        notes = st.container()
    return [slider, back, offers, about, notes]


def _regroup(name: str) -> Callable[[str], None]:
    # Another way starts at the granularity that it thinks best.
    return lambda signature: state.put(**{name: signature}, granularity=None)


def show_timeline_facts(view: View) -> None:
    timeline, events = view.timeline, view.grouping.events
    outlets, quality = timeline.table[Field.PUBLISHER].nunique(), view.grouping.quality
    singles = len(np.unique(view.grouping.ids)) - events
    agreed, days = None if quality is None or page_state.is_large() else quality["ami"].value, whole(timeline)
    low, high = resources.reviewing(view.prepared, view.grouping).accepted_events
    accepted = f" ({low:,} to {high:,} at levels that people accept)" if low < high else ""
    years = "" if days is None else f"{days.first:%b %Y} – {days.last:%b %Y}"
    copies = int((view.prepared.copies != np.arange(len(timeline))).sum())
    repeats = f" ({len(timeline) - copies:,} different)" if copies else ""
    said = [
        count_words(len(timeline), "headline", "headlines") + repeats,
        count_words(events, "event", "events") + accepted,
        count_words(singles, "single report", "single reports") if singles else None,
        count_words(outlets, "outlet", "outlets") if outlets else None,
        days.words if days is not None and days.first.year == days.last.year else years,
        None if agreed is None else f"match with human groups {agreed:.2f}",
    ]
    st.container(key="facts").markdown(" · ".join(filter(None, said)))


def show_timeline_notes(view: View) -> None:
    timeline, aside = view.timeline, view.prepared.set_aside
    if aside:
        with st.container(horizontal=True, vertical_alignment="center", key="set-aside"):
            said = f":material/repeat: In no event, as formats that repeat: {count_formats(aside)}."
            st.caption(said, width="content")
            button("Group them, too", "keep-formats", state.choose_formats, True, type="tertiary")
    if timeline.undated:
        have = "has no date; it is" if timeline.undated == 1 else "have no date; they are"
        count = f"{timeline.undated:,} of {len(timeline):,} headlines {have} compared by words"
        whole_ = "None of these headlines has a date, so time is ignored"
        st.caption(f":material/event_busy: {whole_ if timeline.undated == len(timeline) else count}.")
    for note in method_notes(view.prepared, view.grouping):
        st.caption(f":material/tune: {note}")
    if state.now().since and resources.shelf().get(state.now().since) is None:
        said = "The earlier file is not open here, so events have new numbers. Open it first, then this one."
        st.caption(f":material/link_off: {said}")


def level_marks(prepared: Prepared, corrections: Corrections) -> None:
    """Draws the marks below the slider, where two rules give other groups."""
    start, shown = prepared.start, state.now().granularity
    if corrections.level(method_of(prepared)) is not None or start.granularity == start.shapeliest:
        return
    levels = sorted((start.granularity, start.shapeliest))
    narrow, broad = (resources.grouping(prepared, level, corrections=corrections or None) for level in levels)
    if np.array_equal(narrow.ids, broad.ids):
        return
    shown = start.granularity if shown is None else shown
    names = {"narrow": narrow, "broad": broad}
    labels = [f"{name}: {len(np.unique(at.ids)):,} groups" for name, at in names.items()]
    known = zip(levels, labels, strict=True)
    marks = [{"at": at, "label": label, "chosen": abs(at - shown) < 0.005} for at, label in known]

    def choose() -> None:
        level = round(float(st.session_state[MARKS].chosen), 2)
        state.put(granularity=None if level == round(start.granularity, 2) else level)

    _draw_marks(key=MARKS, data={"marks": marks}, on_chosen_change=choose)
