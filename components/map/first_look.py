"""What there is to look at while many headlines are grouped: a map and the stories of a growing sample."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future, wait

import streamlit as st

from components import jobs
from components.charts.maps import HEIGHT, by_group, map_chart, map_figure
from components.charts.maps import box as card
from components.charts.menu import show_chart
from components.markdown import plain, shorten
from components.tables import show_table
from core.data.timelines.timeline import Timeline
from core.events.first_look import FirstLook, first_look
from core.maps.labels import NAME_CHARACTERS, labels_for_map
from core.runtime import Runtime

SIZES = (500, 1_000, 2_000)  # headlines of the sample, a step every few seconds
SECONDS = 4
SHOWN = 15
_STEP = "_first_look"


def _asked(timeline: Timeline, step: int) -> Future[FirstLook]:
    def work(runtime: Runtime) -> FirstLook:
        return first_look(timeline.texts, most=SIZES[step], runtime=runtime)

    return jobs.ask(f"first-look|{timeline.fingerprint}|{step}", work, long=False).future


@st.fragment(run_every=SECONDS)
def look(timeline: Timeline) -> None:
    """Draws a map of a sample and its largest stories; every few seconds of a larger sample."""
    kept, step = st.session_state.get(_STEP, ("", -1))
    step = step if kept == timeline.fingerprint else -1
    larger = min(step + 1, len(SIZES) - 1)
    asked = _asked(timeline, larger)
    wait([asked], 0.0 if step >= 0 else jobs.PATIENCE_SECONDS)
    step = larger if asked.done() else step
    st.session_state[_STEP] = (timeline.fingerprint, step)
    if step < 0 or not (looked := _asked(timeline, step)).done():
        return
    found = looked.result()
    texts = [timeline.texts[row] for row in found.rows.tolist()]
    sizes = Counter(found.groups.tolist())
    st.markdown(
        f"**A first look at {len(found.rows):,} of {len(timeline):,} headlines**, grouped by the words that "
        "they share. The groups of all headlines replace it when they are ready."
    )
    picture, stories = st.columns([3, 2], gap="large")
    with picture, st.container(key="first-look"):
        colouring = by_group(found.groups.tolist(), {group for group, size in sizes.items() if size == 1})
        labels = labels_for_map(
            found.positions,
            found.groups,
            texts=_titles(timeline, found),
            most=6,
            characters=NAME_CHARACTERS,
            lines=2,
            plot=(327, HEIGHT),
        )
        boxes = [
            card(text, f"one of {sizes[group]} in this sample")
            for text, group in zip(texts, found.groups.tolist(), strict=True)
        ]
        show_chart(
            map_figure(found.positions, boxes, colouring, labels=labels, selected=()),
            published=lambda: map_chart(found.positions, texts, colouring, labels=labels, selected=()),
            name="first-look",
            title=timeline.name,
            source=f"Source: Headline Lab, a sample of {len(found.rows):,} of {len(timeline):,} headlines",
            key=f"first-look-{step}",
            alt="Map of a sample of the headlines; the list beside it names its largest stories",
        )
    with stories:
        large = [(row, size) for row, size in found.stories if size > 1][:SHOWN]
        if large:
            show_table(
                {
                    "Headlines": [size for _, size in large],
                    "Story": [shorten(timeline.texts[row], 120) for row, _ in large],
                },
                alt="The largest stories of the sample",
                columns={"Headlines": (80, "In this sample")},
            )
        else:
            st.caption(plain("No two headlines of the sample share enough words yet."))


def _titles(timeline: Timeline, found: FirstLook) -> dict[int, str]:
    group_of = dict(zip(found.rows.tolist(), found.groups.tolist(), strict=True))
    return {group_of[row]: timeline.texts[row] for row, _ in found.stories}
