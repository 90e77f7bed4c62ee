"""Pairs that are drawn from the open timeline."""

from functools import partial

import streamlit as st

from components.frame import progress
from components.frame.downloads import downloads, stem
from components.frame.markdown import plain
from components.frame.widgets import notice, part_link
from components.opened import resources
from components.opened.views import timeline as state
from core.data.pair_sets import pair_set as labelled
from core.data.pair_sets import pair_statistics, pair_writer
from core.data.pair_sets.annotated import PAPER, build_pair_set
from core.data.pair_sets.sampling import Sampling
from core.data.timelines.timeline import Field
from core.runtime import Runtime


def builder() -> None:
    st.header("Make pairs of your own timeline", anchor=False)
    timeline = resources.timeline(state.now().data)
    st.markdown(
        f"The open timeline is **{plain(timeline.name)}**. Two headlines that people put into one group "
        "are a positive pair. Negative pairs are drawn from headlines close in time."
    )
    if not timeline.table[Field.GOLD].notna().any() and not timeline.annotators:
        notice("pairs_no_groups")
        part_link("Open a file", "open", "upload_file")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="builder"):
        window = st.number_input("Days apart, at most", 0.0, 10_000.0, PAPER.window_days, 1.0, format="%g")
        ratio = st.number_input("Negatives for each positive", 0.0, 1_000.0, PAPER.ratio, 1.0, format="%g")
        seed = st.number_input("Seed", 0, 2**31 - 1, PAPER.seed, 1)
    sampling = Sampling(window_days=window, ratio=ratio, seed=seed)

    def work(_: Runtime) -> labelled.PairSet:
        return build_pair_set([timeline], name=timeline.name, sampling=sampling)

    built = progress.result_of(
        f"builder|{timeline.fingerprint}|{sampling}", "Drawing pairs", work, long=False
    )
    figures = pair_statistics.pair_statistics(built, window_days=window)
    same = sum(part.same for part in figures.parts)
    said = f"**{len(built):,} pairs**: {same:,} same event, {len(built) - same:,} different."
    if figures.inside is not None:
        said += f" {100 * figures.inside:.0f} % of the positives lie in the window."
    st.markdown(said)
    urls = [url if isinstance(url, str) else "" for url in timeline.table[Field.URL]]
    name = stem(timeline.name, "timeline")
    labels = {kind: "JSON, as HLGD" if kind == "json" else kind.upper() for kind in pair_writer.FORMATS}
    made = {kind: partial(pair_writer.write_pairs, built, kind, urls=urls) for kind in pair_writer.FORMATS}
    files = [(labels[kind], made[kind], f"{name}-pairs.{kind}") for kind in pair_writer.FORMATS]
    downloads(*files, key="pairs-made")
