"""The open view: the controls above every page about a timeline, and the groups that they choose."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import page_state, resources
from components.page import now_about
from components.page_state import Part, controlled
from components.recipes import recipe_choice
from components.timeline import state
from components.timeline.chooser import choose_timeline
from core.data.timelines import samples
from core.data.timelines.timeline import Timeline
from core.events.corrections.apply import Corrections
from core.events.grouping import Grouping, Prepared, Settings, method_of, start_of
from core.groups.grouper import groupers
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.scorer import pair_scorers
from core.runtime import DEVICES

GRANULARITY = (
    "Narrower ↔ broader: how wide an event may be. To the left only headlines that say nearly the same are "
    "joined; to the right whole stories run together."
)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the pages draw.

    Attributes:
        timeline: The headlines.
        prepared: All that does not depend on the slider.
        grouping: The groups where the slider stands, as corrected.
        corrections: As they stand now.
    """

    timeline: Timeline
    prepared: Prepared
    grouping: Grouping
    corrections: Corrections


def open_view(*others: Part) -> View:
    """Draws the controls and computes the groups; the script ends here while that runs.

    Args:
        others: What else the page has in its address.

    Raises:
        CoreError: The timeline or a method cannot be used.
    """
    # Before anything is computed: a reload meanwhile comes back to the same file.
    state.write_address(*others)
    now_about(state.now().data)
    with st.container(horizontal=True, vertical_alignment="center", key="open-view"):
        choose_timeline("pick-data")
        with st.container(
            horizontal=True, vertical_alignment="center", wrap=False, width=340, key="granularity"
        ):
            st.caption("Narrower", width="content")
            slider = st.container()
            st.caption("Broader", width="content")
        back = st.container(width="content")
        with st.popover("Settings", icon=":material/tune:", type="tertiary", key="grouping-settings"):
            _how()
            about = st.container()
    resources.timeline(state.now().data)
    settings = Settings(
        encoder=state.now().encoder,
        scorer=state.now().scorer,
        method=state.now().method,
        fold=state.now().fold,
    )
    prepared = resources.prepared(state.now().data, settings, meanwhile=_meanwhile)
    corrections = resources.corrections(prepared)
    with slider:
        start = _granularity(prepared, corrections)
    with back:
        _back_to(start)
    with about:
        _about(prepared, corrections)
    grouping = resources.grouping(prepared, state.now().granularity, corrections=corrections or None)
    _keep_selection_possible(prepared.timeline, grouping)
    page_state.write_address(state.part(), *others)
    return View(prepared.timeline, prepared, grouping, corrections)


def _meanwhile(timeline: Timeline) -> None:
    # Not at the top: only a large timeline needs it, and the first page is drawn sooner without.
    from components.map.first_look import look

    look(timeline)


def _keep_selection_possible(timeline: Timeline, grouping: Grouping) -> None:
    rows = tuple(row for row in state.now().rows if row < len(timeline))
    group = state.now().group
    if rows != state.now().rows and page_state.came_by_link("rows"):
        given = ",".join(map(str, state.now().rows))
        page_state.refuse_link("rows", given, f"rows of {len(timeline):,} headlines, which count from 0")
    if group is not None and group not in set(grouping.ids.tolist()):
        if page_state.came_by_link("group"):
            page_state.refuse_link("group", str(group), "the number of an event of these groups")
        state.select(group=int(grouping.ids[rows[0]]) if rows else None, rows=rows, by="")
    elif rows != state.now().rows:
        state.select(group=group, rows=rows, by="")


def _how() -> None:
    recipe_choice(
        "Method",
        groupers,
        state.now().method,
        lambda signature: state.regroup(method=signature),
        help="Average linkage did best on most of the benchmark; the others are there to compare.",
    )
    recipe_choice(
        "Similarity",
        pair_scorers,
        state.now().scorer,
        lambda signature: state.regroup(scorer=signature),
        help="What makes two headlines similar.",
    )
    recipe_choice(
        "Model",
        encoders,
        state.now().encoder,
        lambda signature: state.regroup(encoder=signature),
        help="What reads the headlines: chosen by language, or your own folder or hub model.",
        automatic=AUTOMATIC,
    )
    st.toggle(
        "Hide duplicates",
        **controlled("pick-fold", state.now().fold, state.choose_fold),
        help="Syndicated duplicates of an earlier headline are not shown; in exports they are in its group.",
    )


def _granularity(prepared: Prepared, corrections: Corrections) -> float:
    start = round(start_of(prepared, corrections), 2)
    shown = state.now().granularity
    st.slider(
        "Narrower ↔ broader",
        0.0,
        1.0,
        step=0.01,
        label_visibility="collapsed",
        **controlled(
            "pick-granularity",
            start if shown is None else round(shown, 2),
            lambda chosen: state.put(granularity=chosen),
        ),
    )
    return start


def _back_to(start: float) -> None:
    if state.now().granularity is not None:
        st.button(
            f"Back to the suggested {start:.2f}",
            key="automatic",
            on_click=state.put,
            kwargs={"granularity": None},
            icon=":material/undo:",
            type="tertiary",
        )


def _about(prepared: Prepared, corrections: Corrections) -> None:
    refitted = corrections.level(method_of(prepared)) is not None
    suggested = "refitted from your corrections" if refitted else "chosen from the timeline itself"
    lines = [f"{GRANULARITY} The suggested setting is {suggested}."]
    if state.now().data in samples.names():
        info = samples.info(state.now().data)
        lines.append(f"{info.source}. Licence: {info.licence}.")
    encoder = prepared.encoder.partition("|")[0]
    language = {"mixed": "mixed languages"}.get(prepared.language, f"language: {prepared.language}")
    lines.append(f":material/memory: {DEVICES[prepared.device]} · {encoder} · {language}")
    st.caption("  \n".join(lines))
