"""The open view: the controls beside every page, and the timeline and groups that they choose."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import large_text, page_state, resources
from components.page_state import Part, controlled
from components.recipes import recipe_choice
from components.timeline import state
from core.data.timelines import samples
from core.data.timelines.timeline import Timeline
from core.events.corrections.apply import Corrections
from core.events.grouping import Grouping, Prepared, Settings, method_of, start_of
from core.groups.grouper import groupers
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.scorer import pair_scorers
from core.runtime import detect_device

GRANULARITY_HELP = (
    "How wide an event may be. To the left only headlines that say nearly the same are joined; to the "
    "right whole stories run together. It starts where the timeline itself suggests."
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
    with st.sidebar:
        _source()
    resources.timeline(state.now().data)
    with st.sidebar:
        slider = st.container()
        _how()
        footer = st.container()
    settings = Settings(
        encoder=state.now().encoder,
        scorer=state.now().scorer,
        method=state.now().method,
        fold=state.now().fold,
    )
    prepared = resources.prepared(state.now().data, settings)
    corrections = resources.corrections(prepared)
    with slider:
        _granularity(prepared, corrections)
    with footer:
        _what_computes(prepared)
    grouping = resources.grouping(prepared, state.now().granularity, corrections=corrections or None)
    _keep_selection_possible(prepared.timeline, grouping)
    page_state.write_address(state.part(), *others)
    return View(prepared.timeline, prepared, grouping, corrections)


def _keep_selection_possible(timeline: Timeline, grouping: Grouping) -> None:
    """A slider move or a forged link may leave a selection that is not there."""
    rows = tuple(row for row in state.now().rows if row < len(timeline))
    group = state.now().group
    if group is not None and group not in set(grouping.ids.tolist()):
        state.select(group=int(grouping.ids[rows[0]]) if rows else None, rows=rows, by="")
    elif rows != state.now().rows:
        state.select(group=group, rows=rows, by="")


def _source() -> None:
    options = resources.known()
    if state.now().data not in options:
        options = [state.now().data, *options]
    st.selectbox(
        "Headlines",
        options,
        format_func=resources.title,
        **controlled("pick-data", state.now().data, state.open_data),
        help="A sample, or a file that you opened.",
    )
    if state.now().data in samples.names() and not large_text.on():
        info = samples.info(state.now().data)
        st.caption(f"{info.source}. Licence: {info.licence}.")
    if not large_text.on():
        st.page_link("pages/open.py", label="Open your own headlines", icon=":material/upload_file:")


def _how() -> None:
    if large_text.on():
        return
    with st.expander("Grouping settings", icon=":material/tune:"):
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
            "Leave duplicates out",
            **controlled("pick-fold", state.now().fold, state.choose_fold),
            help="Syndicated duplicates of an earlier headline are hidden; exports give them its group.",
        )


def _granularity(prepared: Prepared, corrections: Corrections) -> None:
    start = round(start_of(prepared, corrections), 2)
    shown = state.now().granularity
    st.slider(
        "Narrower ↔ broader",
        0.0,
        1.0,
        step=0.01,
        help=GRANULARITY_HELP,
        **controlled(
            "pick-granularity",
            start if shown is None else round(shown, 2),
            lambda chosen: state.put(granularity=chosen),
        ),
    )
    if shown is None:
        refitted = corrections.level(method_of(prepared)) is not None
        st.caption("Refitted from your corrections." if refitted else "Chosen from the timeline itself.")
        return
    st.button(
        f"Back to the suggested {start:.2f}",
        key="automatic",
        on_click=state.put,
        kwargs={"granularity": None},
        help="The setting that the timeline itself, or a refit from your corrections, suggests.",
        icon=":material/undo:",
        width="stretch",
    )


def _what_computes(prepared: Prepared) -> None:
    if large_text.on():
        return
    device = {"cuda": "GPU (CUDA)", "mps": "GPU (Apple)", "cpu": "CPU"}[detect_device()]
    encoder = prepared.encoder.partition("|")[0]
    language = {"mixed": "mixed languages"}.get(prepared.language, f"language: {prepared.language}")
    st.caption(f":material/memory: {device} · {encoder} · {language}")
