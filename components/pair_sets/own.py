"""Pair sets of one's own: from a file, or made of the open timeline."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components import jobs, resources
from components.buttons import button
from components.markdown import plain
from components.open.reading import ColumnMeaning, column_form, first_rows, looked_at, read
from components.page import Download, downloads, keep_error, show_error, show_kept_error, stem
from components.timeline import state
from core.data.pair_sets.assembly import PAPER, build_pair_set
from core.data.pair_sets.drawing import Sampling, pair_statistics
from core.data.pair_sets.load import keep_pairs, own_sets, take_away
from core.data.pair_sets.pair_file import sniff_pairs
from core.data.pair_sets.pair_set import FORMATS, PairSet, write_pairs
from core.data.timelines.timeline import Field
from core.errors import CoreError
from core.runtime import Runtime, workshop

MEANINGS: Final = (
    ColumnMeaning("headline_a", "One headline", "The first of the two headlines."),
    ColumnMeaning("headline_b", "The other", "The second of the two headlines."),
    ColumnMeaning("label", "Label", "1 for the same event, 0 for another."),
    ColumnMeaning(
        "part", "Part", "train, validation or test. Without it, whole events are drawn for each part."
    ),
    ColumnMeaning("date_a", "Date of the first", "Day or timestamp."),
    ColumnMeaning("date_b", "Date of the other", "Day or timestamp."),
    ColumnMeaning("timeline", "Timeline", "Tells collections apart whose headlines are never paired."),
)


def choose_added(chosen: str) -> None:
    """Chooses the pairs that were just added, alone or next to others; called before the choice is drawn."""
    name = st.session_state.pop(f"{chosen}-added", None)
    if name is not None:
        before = st.session_state.get(chosen)
        st.session_state[chosen] = list(dict.fromkeys([*before, name])) if isinstance(before, list) else name


def bring_pairs(chosen: str, *, key: str) -> None:
    """Draws the place for a file of pairs; they are kept under a name, and `choose_added` chooses them."""
    if workshop():
        return
    if said := st.session_state.pop(f"{key}-said", ""):
        st.success(said, icon=":material/check_circle:")
    with st.expander("Your own pairs", icon=":material/upload_file:", key=f"{key}-box"):
        st.markdown(
            "A table with two headlines and a label in each row: `headline_a`, `headline_b`, `label` (1 same "
            "event, 0 not), GLUE's `sentence1`, `sentence2`, `label`, or other names; you choose what they "
            "mean. The file stays on this computer, under its name, until it is removed; the command line "
            "knows it by the same name."
        )
        given = st.file_uploader("File of labelled pairs", key=f"{key}-file")
        if given is not None and st.session_state.get(f"{key}-taken") != given.file_id:
            try:
                _understand(given, chosen, key)
            except CoreError as error:
                show_error(error)
        show_kept_error()
        kept = list(own_sets())
        if kept:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.selectbox("Stored here", kept, key=f"{key}-kept")
                button("Remove", f"{key}-away", _drop, name, key, icon="delete")


def _understand(given: UploadedFile, chosen: str, key: str) -> None:
    preview = looked_at(
        "Reading the pairs",
        sniff_pairs,
        given.getvalue(),
        given.name,
        remembered=f"{key}-seen",
        mark=given.file_id,
    )
    problem = st.container()
    st.markdown(f"**{preview.row_count:,} rows** of {plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    proposed = {name: (column,) for name, column in preview.proposed.items()}
    columns = column_form(MEANINGS, preview.columns, proposed, key=f"{key}-map")
    lacks = not {"headline_a", "headline_b", "label"} <= set(columns)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", key=f"{key}-name-{given.file_id}", placeholder="as the file", width=240)
        add = button(
            "Add these pairs",
            f"{key}-add",
            icon="check",
            type="secondary" if lacks else "primary",
            disabled=lacks,
        )
    at_once = preview.named and st.session_state.get(f"{key}-tried") != given.file_id
    st.session_state[f"{key}-tried"] = given.file_id
    if not add and not at_once:
        return
    usual = preview.named and columns == proposed
    meant = None if usual else {name: names[0] for name, names in columns.items()}
    with problem:
        try:
            work = partial(keep_pairs, name=name.strip(), columns=meant)
            name = read("Reading the pairs", work, given.getvalue(), given.name)
        except CoreError as error:
            show_error(error)
            return
    st.session_state[f"{chosen}-added"] = name
    st.session_state[f"{key}-said"] = f"These pairs are now called **{plain(name)}**."
    st.session_state[f"{key}-taken"] = given.file_id
    st.rerun()


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
        "group is a positive; pairs close in time are negatives, of which some are sampled."
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
