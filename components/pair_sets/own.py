"""Pair sets of one's own: from a file, or made of the open timeline."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import jobs, resources
from components.downloads import Download, downloads, stem
from components.markdown import plain
from components.open.reading import read
from components.page import keep_error, show_kept_error
from components.timeline import state
from core.data.pair_sets.builder import PAPER, build_pair_set
from core.data.pair_sets.drawing import Sampling
from core.data.pair_sets.own import keep_pairs, own_sets, take_away
from core.data.pair_sets.pair_set import PairSet
from core.data.pair_sets.statistics import pair_statistics
from core.data.pair_sets.writers import FORMATS, write_pairs
from core.data.timelines.timeline import Field, Timeline
from core.errors import CoreError
from core.runtime import Runtime, workshop


def bring_pairs(chosen: str, *, key: str, many: bool = False) -> None:
    """Draws the place for a file of pairs; what is dropped is kept under a name and chosen at once.

    It is chosen in the widget of the key `chosen`, beside the others if that holds `many` sets. Draws
    nothing in a workshop: what is kept is there for everybody, and anybody could remove it.
    """
    if workshop():
        return
    # Said outside the box: it would be hidden with it when the page is drawn again.
    show_kept_error()
    if said := st.session_state.pop(f"{key}-said", ""):
        st.success(said, icon=":material/check_circle:")
    with st.expander("Your own pairs", icon=":material/upload_file:"):
        st.markdown(
            "A table with the columns `headline_a`, `headline_b` and `label` (1 same event, 0 not), and "
            "`date_a`, `date_b` and `part` (train, validation, test) where they are known. Without `part`, "
            "whole events are drawn for each part. The file stays on this computer, under its name, until it "
            "is removed; the command line knows it by the same name."
        )
        st.file_uploader(
            "File of labelled pairs",
            key=f"{key}-file",
            on_change=_keep,
            args=(chosen, key, many),
        )
        kept = list(own_sets())
        if kept:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.selectbox("Kept here", kept, key=f"{key}-kept")
                st.button(
                    "Remove", key=f"{key}-away", icon=":material/delete:", on_click=_drop, args=(name, key)
                )


def _keep(chosen: str, key: str, many: bool) -> None:
    given = st.session_state[f"{key}-file"]
    if given is None:
        return
    try:
        name = read("Reading the pairs", keep_pairs, given.getvalue(), given.name)
    except CoreError as error:
        keep_error(error)
        return
    before = st.session_state.get(chosen, [])
    st.session_state[chosen] = list(dict.fromkeys([*before, name])) if many else name
    st.session_state[f"{key}-said"] = f"These pairs are now called **{plain(name)}**."


def _drop(name: str, key: str) -> None:
    try:
        take_away(name)
    except CoreError as error:
        keep_error(error)
        return
    st.session_state[f"{key}-said"] = f"**{plain(name)}** was removed."


def builder() -> None:
    """Draws pairs of the open timeline as HLGD was made, with downloads."""
    st.header("Make pairs of your own timeline", anchor=False)
    timeline = resources.timeline(state.now().data)
    st.markdown(
        f"The open timeline is **{plain(timeline.name)}**. Every pair of headlines that people put into one "
        "group is a positive; pairs that are near in time are negatives, drawn down at random."
    )
    if not timeline.table[Field.GOLD].notna().any() and not timeline.annotators:
        st.info(
            "It has no human groups. Open a timeline with a column gold_group, or with "
            "annot_1_group, annot_2_group and so on.",
            icon=":material/group_off:",
        )
        st.page_link("pages/open.py", label="Open a file", icon=":material/upload_file:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="builder"):
        window = st.number_input("Days apart, at most", 0.0, 10_000.0, PAPER.window_days, 1.0, format="%g")
        ratio = st.number_input("Negatives for each positive", 0.0, 1_000.0, PAPER.ratio, 1.0, format="%g")
        seed = st.number_input("Seed", 0, 2**31 - 1, PAPER.seed, 1)
    sampling = Sampling(window_days=window, ratio=ratio, seed=seed)

    def work(runtime: Runtime) -> PairSet:
        return build_pair_set([timeline], name=timeline.name, sampling=sampling)

    built = jobs.result_of(f"builder|{timeline.fingerprint}|{sampling}", "Drawing pairs", work, long=False)
    _result(timeline, built, window)


def _result(timeline: Timeline, built: PairSet, window: float) -> None:
    figures = pair_statistics(built, window_days=window)
    same = sum(counts.same for counts in figures.parts)
    inside = (
        "" if figures.inside is None else f" {100 * figures.inside:.0f} % of the positives lie in the window."
    )
    st.markdown(f"**{len(built):,} pairs**: {same:,} same event, {len(built) - same:,} different.{inside}")
    urls = [url if isinstance(url, str) else "" for url in timeline.table[Field.URL]]
    name = stem(timeline.name, "timeline")
    downloads(
        *(
            Download(
                "JSON, as HLGD" if kind == "json" else kind.upper(),
                partial(write_pairs, built, kind, urls=urls),
                f"{name}-pairs.{kind}",
            )
            for kind in FORMATS
        ),
        key="pairs-made",
    )
