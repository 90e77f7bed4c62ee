"""One pair: what differs, what explains the score, and tags."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from components import jobs, resources
from components.charts.menu import show_chart
from components.charts.pairs import driver_chart
from components.markdown import LEGEND, marked
from components.page import keep_error, show_kept_error
from core.errors import CoreError
from core.pairs.scorer import PairScorer, pair_scorers
from core.runtime import workshop
from core.text.differences import compare
from research.benchmark.pairs.errors import explain
from research.benchmark.pairs.sets import MeasuredSet
from research.benchmark.pairs.tags import MOST, NEGATIVE, POSITIVE, fingerprint_of, user_tags


def pair_card(data: MeasuredSet, place: int, scorer: PairScorer | None, score: float | None) -> None:
    """Draws the pair at a place of the test part."""
    test = data.test
    left, right = int(test.left[place]), int(test.right[place])
    texts = test.texts[left], test.texts[right]
    differences = compare(*texts)
    apart = test.days_apart[place]
    when = (
        "dates unknown"
        if np.isnan(apart)
        else "same day"
        if not apart
        else "1 day apart"
        if apart == 1
        else f"{apart:.0f} days apart"
    )
    same = "the same event" if test.labels[place] == 1 else "different events"
    with st.container(border=True):
        st.markdown(marked(texts[0], differences.left_marks))
        st.markdown(marked(texts[1], differences.right_marks))
        said = "" if score is None else f" · score **{score:.3f}**"
        st.markdown(f":gray[{when} · people say {same}]{said}")
        st.markdown(f":small[{LEGEND}]")
        if not workshop():
            _tags(data, place)
        if scorer is not None and score is not None:
            _drivers(data, place, scorer, score)


def _drivers(data: MeasuredSet, place: int, scorer: PairScorer, score: float) -> None:
    weights = resources.scorer_weights(pair_scorers.signature(scorer))
    key = f"drive|{data.facts.fingerprint}|{place}|{weights}"
    work = partial(explain, data.test, place, scorer, score)
    drives = jobs.result_of(key, "Explaining the score", work, long=False)
    if len(drives) < 2:
        return
    show_chart(
        driver_chart([(one.name, one.value) for one in drives]),
        name="drivers",
        title="What the score of this pair is made of",
        source=f"Source: Headline Lab, {pair_scorers.signature(scorer)}",
    )


def _tags(data: MeasuredSet, place: int) -> None:
    show_kept_error()
    fingerprint = fingerprint_of(data.test, place)
    current = list(user_tags().all().get(fingerprint, ()))[:MOST]
    offered = POSITIVE if data.test.labels[place] == 1 else NEGATIVE
    key = f"tags-{fingerprint}"
    st.multiselect(
        "Tags",
        list(dict.fromkeys([*offered, *current])),
        default=current,
        key=key,
        accept_new_options=True,
        on_change=_write,
        args=(fingerprint, key),
        max_selections=MOST,
        help="The paper's phenomena, or words of your own; they become slices of the figures.",
        placeholder="what kind of pair is this?",
    )


def _write(fingerprint: str, key: str) -> None:
    try:
        user_tags().set(fingerprint, st.session_state[key])
    except CoreError as error:
        keep_error(error)
