"""Choosing a pair set, its pictures and pairs, and pairs of one's own."""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components.frame import progress
from components.frame.charts.measures import day_chart, part_chart, ratio_chart
from components.frame.charts.theme import show_chart
from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.markdown import WORDS, plain
from components.frame.subject import now_about, signature
from components.frame.widgets import TABLES, button, notice, part_link, pick, show_table
from components.opened import resources
from components.opened.column_form import column_form, first_rows, meanings
from components.opened.importer import looked_at, read
from components.opened.recipes import recipe_form
from components.opened.resources import cached
from components.opened.views import timeline as state
from core.bounded_work import apart
from core.data.files import SAMPLES
from core.data.pair_sets import pair_set as labelled
from core.data.pair_sets.annotated import PAPER, build_pair_set
from core.data.pair_sets.given import GivenPairs
from core.data.pair_sets.kept import keep_pairs, own_sets, take_away
from core.data.pair_sets.load import sets_by_name
from core.data.pair_sets.pair_columns import sniff_pairs
from core.data.pair_sets.pair_statistics import PairStatistics, pair_statistics
from core.data.pair_sets.pair_writer import FORMATS, write_pairs
from core.data.pair_sets.sampling import Sampling
from core.data.timelines.timeline import Field
from core.errors import CoreError
from core.parts import Part
from core.results.render import count_words
from core.runtime import Runtime, workshop

DEFAULT = "uci.v1"
COMPARED = {"MRPC": "mrpc.v1", "STS-B": "stsb.v1"}
"""The corpora that the HLGD paper compares its wording with."""

PICKED = "pair-set"  # key of the choice


class OpenedPairSet(NamedTuple):
    signature: str
    pairs: labelled.PairSet
    figures: PairStatistics
    compared: dict[str, npt.NDArray[np.float64]]


def choose_set(key: str, names: list[str], first: str) -> str:
    choose_added(key)
    if st.session_state.get(key) not in names:
        st.session_state[key] = first if first in names else names[0]
    name = str(pick("Pair set", names, set_title, key))
    now_about(name)
    return name


def set_title(key: str) -> str:
    source = sets_by_name().get(key)
    name = key.partition(".v")[0].replace("_", " ")
    if source is None:
        return name
    return f"{name} · {'A file of your own' if isinstance(source, GivenPairs) else source.summary}"


def choose() -> labelled.PairSource:
    here = {name: path for name, source in sets_by_name().items() if (path := source.find()) is not None}
    own = own_sets()
    names = sorted(here, key=lambda name: (name not in own, not here[name].is_relative_to(SAMPLES), name))
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        name = choose_set(PICKED, names, DEFAULT)
    source = sets_by_name()[name]
    with right, st.popover("Settings", icon=":material/tune:", width="stretch"):
        if isinstance(source, GivenPairs):
            st.caption("A file of your own has no settings.")
        else:
            source = recipe_form(source, key=f"pair-set-{name}")
    st.caption(f"Licence: {plain(source.licence)}.")
    return source


def show_missing_sets() -> None:
    reasons: dict[str, str] = {}
    for name, source in sets_by_name().items():
        if source.find() is None:
            try:
                source.load()
            except CoreError as error:
                reasons[plain(name.partition(".")[0])] = plain(str(error))
    if reasons:
        with st.expander(f"Not on this computer: {', '.join(reasons)}", icon=":material/download:"):
            st.markdown("\n\n".join(f"**{name}** — {reason}" for name, reason in reasons.items()))


def open_pairs(source: labelled.PairSource) -> OpenedPairSet:
    # A file of one's own is told by its name: where it lies is nobody else's business.
    own = isinstance(source, GivenPairs)
    path = source.find()
    signature = path.name.partition(".")[0] if own and path else labelled.pair_sources.signature(source)
    changed = path.stat().st_mtime_ns if own and path else ""

    def work(runtime: Runtime) -> OpenedPairSet:
        step = "Reading the pair set"
        pairs = apart(source.load, runtime=runtime, step=step) if own else source.load()
        compared = {}
        for title, name in COMPARED.items():
            other = labelled.pair_sources.parse(name)
            if other.find() is not None and name.partition(".")[0] != pairs.name:
                compared[title] = pair_statistics(other.load()).ratios
        return OpenedPairSet(signature, pairs, pair_statistics(pairs), compared)

    return progress.result_of(
        f"pair-set|{signature}|{path}|{changed}", "Reading the pair set", work, long=False
    )


def _counts(figures: PairStatistics) -> tuple[int, int]:
    return sum(part.same for part in figures.parts), sum(part.different for part in figures.parts)


def show_figures(found: OpenedPairSet) -> None:
    pairs, (same, different) = found.pairs, _counts(found.figures)
    headlines = count_words(len(pairs.texts), "headline", "headlines")
    timelines = count_words(found.figures.timelines, "timeline", "timelines")
    balance = f" (1 : {different / same:.1f})" if same else ""
    st.markdown(
        f"**{count_words(len(pairs), 'pair', 'pairs')}** of {headlines} · {timelines} · "
        f"{same:,} same event, {different:,} different{balance}"
    )


def pictures(found: OpenedPairSet) -> None:
    figures, name = found.figures, found.pairs.name
    source = f"{len(found.pairs):,} pairs of {name}"
    left, right = st.columns(2)
    with left:
        st.header("Days between the headlines", anchor=False)
        if figures.same_by_day.sum() + figures.different_by_day.sum():
            chart = day_chart(figures.same_by_day, figures.different_by_day)
            title = f"Days between the headlines of the pairs of {name}"
            show_chart(chart, name="pair-days", title=title, source=source)
            if figures.undated:
                st.caption(f"{figures.undated:,} pairs have an unknown date and are not in the picture.")
        else:
            notice("pairs_undated")
    with right:
        st.header("Wording that the positives share", anchor=False)
        if len(figures.ratios):
            chart = ratio_chart({name: figures.ratios, **found.compared})
            title = "Wording that headlines of one event share"
            show_chart(chart, name="pair-ratios", title=title, source=source)
        else:
            notice("pairs_none_same")
    said = []
    if figures.inside is not None:
        within = f"were published within {figures.window_days:g} days (98 % in HLGD)"
        said.append(f"{100 * figures.inside:.0f} % of the same-event pairs {within}.")
    if figures.mean_ratio is not None:
        said.append(f"Their mean Levenshtein ratio is {figures.mean_ratio:.2f} (HLGD: 0.51, as published).")
    st.caption(" ".join(said))
    st.header("Parts", anchor=False)
    show_chart(part_chart(figures.parts), name="pair-parts", title=f"Parts of {name}", source=source)


LABELS = {labelled.SAME: "same", labelled.DIFFERENT: "different", labelled.UNKNOWN: "not labelled"}


def pair_table(pairs: labelled.PairSet) -> None:
    st.header("Pairs", anchor=False)
    table = _table(pairs)
    keep = pd.Series(True, index=table.index)
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair-filters"):
        look = {"placeholder": "words in either headline", "icon": ":material/search:"}
        words = st.text_input("Search", key="pair-words", **look)
        for name, order in (("Label", [*LABELS.values()]), ("Part", [*Part]), ("Tags", None)):
            there = set(table[name].dropna())
            options = [str(value) for value in order or sorted(there) if value in there]
            if len(options) > 1 and (chosen := st.multiselect(name, options, key=f"pair-{name.lower()}")):
                keep &= table[name].isin(chosen)
    both = (table["One headline"] + "\n" + table["The other"]).str.casefold()
    for word in words.casefold().split():
        keep &= both.str.contains(word, regex=False)
    shown = table[keep].dropna(axis="columns", how="all")
    st.markdown(f"**{len(shown):,}** of {len(table):,} pairs")
    if shown.empty:
        notice("pairs_no_match")
        return
    show_table(shown, **TABLES["pair_set"])


@cached(max_entries=4)
def _table(pairs: labelled.PairSet) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Label": [LABELS[label] for label in pairs.labels.tolist()],
            "Days apart": pairs.days_apart,
            "One headline": [pairs.texts[row] for row in pairs.left.tolist()],
            "The other": [pairs.texts[row] for row in pairs.right.tolist()],
            "Part": pairs.pair_parts,
            "Tags": [", ".join(words) for words in pairs.tags] if pairs.tags else None,
        }
    )


def choose_added(chosen: str) -> None:
    """Chooses the pairs that were just added, alone or next to others; called before the choice is drawn."""
    name = st.session_state.pop(f"{chosen}-added", None)
    if name is not None:
        before = st.session_state.get(chosen)
        st.session_state[chosen] = list(dict.fromkeys([*before, name])) if isinstance(before, list) else name


def bring_pairs(chosen: str, *, key: str) -> None:
    if workshop():
        return
    if said := st.session_state.pop(f"{key}-said", ""):
        st.success(said, icon=":material/check_circle:")
    with st.expander("Your own pairs", icon=":material/upload_file:", key=f"{key}-box"):
        st.markdown(WORDS["texts"]["own_pairs"])
        given = st.file_uploader("File of labelled pairs", key=f"{key}-file")
        if given is not None and st.session_state.get(f"{key}-taken") != given.file_id:
            with errors_shown("Your own pairs"):
                _understand(given, chosen, key)
        show_kept_error()
        stored = list(own_sets())
        if stored:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.selectbox("Stored here", stored, key=f"{key}-kept")
                button("Remove", f"{key}-away", _drop, name, key, icon="delete")


def _understand(given: UploadedFile, chosen: str, key: str) -> None:
    asked = "Reading the pairs", sniff_pairs, given.getvalue(), given.name
    preview = looked_at(*asked, remembered=f"{key}-seen", mark=given.file_id)
    problem = st.container()
    st.markdown(f"**{preview.row_count:,} rows** of {plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    proposed = {name: (column,) for name, column in preview.proposed.items()}
    columns = column_form(meanings("pairs"), preview.columns, proposed, key=f"{key}-map")
    lacks = not {"headline_a", "headline_b", "label"} <= set(columns)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", key=f"{key}-name-{given.file_id}", placeholder="as the file", width=240)
        look = "secondary" if lacks else "primary"
        add = button("Add these pairs", f"{key}-add", icon="check", type=look, disabled=lacks)
    at_once = preview.named and st.session_state.get(f"{key}-tried") != given.file_id
    st.session_state[f"{key}-tried"] = given.file_id
    if not add and not at_once:
        return
    usual = preview.named and columns == proposed
    meant = None if usual else {name: names[0] for name, names in columns.items()}
    with problem, errors_shown("Your own pairs"):
        work = partial(keep_pairs, name=name.strip(), columns=meant)
        name = read("Reading the pairs", work, given.getvalue(), given.name)
        st.session_state[f"{chosen}-added"] = name
        st.session_state[f"{key}-said"] = f"These pairs are now called **{plain(name)}**."
        st.session_state[f"{key}-taken"] = given.file_id
        st.rerun()


@errors_kept()
def _drop(name: str, key: str) -> None:
    take_away(name)
    st.session_state[f"{key}-said"] = f"**{plain(name)}** was removed."


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
    figures = pair_statistics(built, window_days=window)
    same, _ = _counts(figures)
    said = f"**{len(built):,} pairs**: {same:,} same event, {len(built) - same:,} different."
    if figures.inside is not None:
        said += f" {100 * figures.inside:.0f} % of the positives lie in the window."
    st.markdown(said)
    urls = [url if isinstance(url, str) else "" for url in timeline.table[Field.URL]]
    name = stem(timeline.name, "timeline")
    labels = {kind: "JSON, as HLGD" if kind == "json" else kind.upper() for kind in FORMATS}
    made = {kind: partial(write_pairs, built, kind, urls=urls) for kind in FORMATS}
    files = [(labels[kind], made[kind], f"{name}-pairs.{kind}") for kind in FORMATS]
    downloads(*files, key="pairs-made")


def pair_set() -> None:
    source = choose()
    bring_pairs(PICKED, key="pair-sets-own")
    pairs = open_pairs(source)
    show_figures(pairs)
    pictures(pairs)
    pair_table(pairs.pairs)
    signature(f"{pairs.signature} · pairs:{pairs.pairs.fingerprint}")
    show_missing_sets()
    builder()
