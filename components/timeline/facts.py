"""What the open timeline holds in one line, its figures, and their match with human groups."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components import large_text, resources
from components.page import signature
from components.tables import metrics
from components.timeline import state
from components.timeline.workspace import View
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.periods import whole
from core.data.timelines.timeline import Field, Timeline
from core.events.cards import vague
from core.events.summary import LABELS
from core.results.text import count_words


@resources.cached(max_entries=32)
def _copies(timeline: Timeline) -> int:
    found = find_duplicates(timeline.texts, publishers=timeline.publishers)
    return found.exact + found.near


LANGUAGES = {"en": "English", "ru": "Russian", "it": "Italian", "mixed": "several"}


def facts(view: View) -> None:
    """One line on the timeline, and all its figures on demand."""
    timeline, ids = view.timeline, view.grouping.ids
    _, sizes = np.unique(ids, return_counts=True)
    events, outlets = int((sizes > 1).sum()), timeline.table[Field.PUBLISHER].nunique()
    said = [count_words(len(timeline), "headline", "headlines"), count_words(events, "event", "events")]
    if outlets:
        said.append(count_words(outlets, "outlet", "outlets"))
    if (span := _span(timeline)) is not None:
        said.append(span)
    quality = view.grouping.quality
    agreed = None if quality is None or large_text.on() else quality["ami"].value
    if agreed is not None:
        said.append(f"match with human groups {agreed:.2f}")
    with st.container(horizontal=True, vertical_alignment="center", key="facts"):
        st.markdown(" · ".join(said), width="content")
        with st.popover("Details", icon=":material/info:", type="tertiary", key="details"):
            _details(view, sizes, events)
    if timeline.undated == len(timeline):
        st.caption(":material/event_busy: None of these headlines has a date, so time is ignored.")
    elif timeline.undated:
        st.caption(
            f":material/event_busy: {timeline.undated:,} of {len(timeline):,} headlines have no date; "
            "pairs with one of them are compared without time."
        )
    if state.now().since and resources.shelf().get(state.now().since) is None:
        st.caption(
            ":material/link_off: The earlier file whose group numbers this view keeps is not open here, "
            "so the groups are numbered anew. Open the earlier file first, then the longer one."
        )


def _details(view: View, sizes: np.ndarray, events: int) -> None:
    singles = int((sizes == 1).sum())
    too_vague = sum(one.is_vague for one in vague(view.prepared))
    language = LANGUAGES.get(view.prepared.language, view.prepared.language)
    lines = [
        ("Headlines", f"{len(view.timeline):,}", None),
        ("Events", f"{events:,}", "Groups of two or more headlines."),
        ("Single reports", f"{singles:,}", "Headlines that no other headline joins."),
        ("Too vague", f"{too_vague:,}", "Headlines that are too vague to place: they name no event."),
        ("Outlets", f"{view.timeline.table[Field.PUBLISHER].nunique():,}", None),
        ("From – to", _span(view.timeline) or "no dates", None),
        ("Language", language, None),
        (
            "Duplicates",
            f"{_copies(view.prepared.source):,}",
            "Headlines that repeat an earlier one word for word or nearly so (syndicated duplicates).",
        ),
    ]
    metrics(lines, key="all-facts")
    quality = view.grouping.quality
    if quality is not None and not large_text.on():
        st.markdown("**Match with human groups**")
        scores = [(label, said, quality[name]) for name, (label, said) in LABELS.items()]
        values = [
            (
                label[0].upper() + label[1:],
                "–" if one.value is None else f"{one.value:.3f}",
                one.reason or said,
            )
            for label, said, one in scores
        ]
        metrics(values, key="quality")
    signature(view.grouping.signature)


def _span(timeline: Timeline) -> str | None:
    span = whole(timeline)
    if span is None:
        return None
    return f"{span.first:%b %Y} – {span.last:%b %Y}" if span.first.year != span.last.year else span.words
