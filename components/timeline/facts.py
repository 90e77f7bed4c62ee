"""The strip of facts about the open timeline, and its match with human groups."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components import large_text, resources
from components.tables import metrics
from components.timeline import state
from components.timeline.workspace import View
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.periods import whole
from core.data.timelines.timeline import Field, Timeline
from core.events.cards import vague
from core.events.summary import LABELS


@resources.cached(max_entries=32)
def _copies(timeline: Timeline) -> int:
    found = find_duplicates(timeline.texts, publishers=timeline.publishers)
    return found.exact + found.near


LANGUAGES = {"en": "English", "ru": "Russian", "it": "Italian", "mixed": "several"}


def facts(view: View) -> None:
    """How many headlines, groups, publishers; what span, languages, duplicates."""
    timeline, ids = view.timeline, view.grouping.ids
    too_vague = sum(one.is_vague for one in vague(view.prepared))
    _, sizes = np.unique(ids, return_counts=True)
    singles = int((sizes == 1).sum())
    values = [
        ("Headlines", f"{len(timeline):,}", None),
        ("Events", f"{len(sizes) - singles:,}", "Groups of two or more headlines."),
        ("Single reports", f"{singles:,}", "Headlines that no other headline joins."),
        (
            "Too vague",
            f"{too_vague:,}",
            "Headlines that are too vague to place: they name no event.",
        ),
        ("Outlets", f"{timeline.table[Field.PUBLISHER].nunique():,}", None),
        ("From – to", _span(timeline), None),
        ("Language", LANGUAGES.get(view.prepared.language, view.prepared.language), None),
        (
            "Duplicates",
            f"{_copies(view.prepared.source):,}",
            "Headlines that repeat an earlier one word for word or nearly so (syndicated duplicates).",
        ),
    ]
    metrics(values, key="facts")
    if 0 < timeline.undated < len(timeline):
        st.caption(
            f":material/event_busy: {timeline.undated:,} of {len(timeline):,} headlines have no date; "
            "pairs with one of them are compared without time."
        )
    if state.now().since and resources.shelf().get(state.now().since) is None:
        st.caption(
            ":material/link_off: The earlier file whose group numbers this view keeps is not open here, "
            "so the groups are numbered anew. Open the earlier file first, then the longer one."
        )


def _span(timeline: Timeline) -> str:
    span = whole(timeline)
    if span is None:
        return "no dates"
    return f"{span.first:%b %Y} – {span.last:%b %Y}" if span.first.year != span.last.year else span.words


def quality_strip(view: View) -> None:
    """Agreement with the gold groups; nothing where there are none, or before a class."""
    quality = view.grouping.quality
    if quality is None or large_text.on():
        return
    box = st.expander("Match with human groups", expanded=True, icon=":material/rule:")
    with box.container(horizontal=True, key="quality"):
        for name, (label, help_text) in LABELS.items():
            score = quality[name]
            shown = "–" if score.value is None else f"{score.value:.3f}"
            st.metric(label[0].upper() + label[1:], shown, help=score.reason or help_text, width="content")
