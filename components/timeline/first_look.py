"""A sample of many headlines, until all are grouped."""

from functools import partial

import numpy as np
import streamlit as st

from components.frame.charts.colouring import by_group
from components.frame.markdown import WORDS
from components.frame.tables import TABLES, show_table
from components.server import queue
from components.timeline.headline_map import draw_points
from core.archive.timeline_points import place_points
from core.data.timelines.timeline import Timeline
from core.events.lanes import first_look


@st.fragment(run_every=2)
def look(timeline: Timeline) -> None:
    """A sample of many headlines, grouped by their words, until the groups of all are there."""
    job = queue.ask(f"first-look|{timeline.fingerprint}", partial(first_look, timeline.texts), long=False)
    if not job.future.done():
        return
    sample = job.future.result()
    rows, ids = sample.rows.tolist(), sample.groups.tolist()
    texts, large = [timeline.texts[row] for row in rows], [each for each in sample.stories if each[1] > 1]
    st.markdown(WORDS["texts"]["first_look"].format(len(rows), len(timeline)))
    picture, stories = st.columns([3, 2], gap="large")
    with picture, st.container(key="first-look"):
        colouring = by_group(ids, set(ids) - {ids[rows.index(row)] for row, _ in large})
        titles = {ids[rows.index(row)]: timeline.texts[row] for row, _ in large}
        points = place_points(sample.positions, np.array(ids), titles)
        shown = points, timeline.fingerprint, [(text,) for text in texts], colouring, []
        draw_points(*shown, key="look", choose=lambda _: None, surround=lambda _: None)
    with stories:
        lines = [{"Headlines": size, "Story": timeline.texts[row]} for row, size in large[:15]]
        show_table(lines, **TABLES["stories"])
