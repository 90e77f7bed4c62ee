"""A pair set: its choice, its pictures and its pairs, and how one is drawn of the open timeline."""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from components.frame import progress, tables
from components.frame.charts.pair_charts import day_chart, part_chart, ratio_chart
from components.frame.charts.show_chart import show_chart
from components.frame.downloads import downloads, stem
from components.frame.markdown import WORDS, plain
from components.frame.subject import now_about, signature
from components.frame.widgets import notice, part_link, pick
from components.lab.own_pairs import bring_pairs, choose_added
from components.opened import recipes, resources
from components.opened.views import timeline as state
from core.bounded_work import apart
from core.data.files import SAMPLES
from core.data.pair_sets import pair_set as labelled
from core.data.pair_sets import pair_writer
from core.data.pair_sets.annotated import PAPER, build_pair_set
from core.data.pair_sets.given import GivenPairs
from core.data.pair_sets.kept import own_sets
from core.data.pair_sets.load import sets_by_name
from core.data.pair_sets.pair_statistics import PairStatistics, pair_statistics
from core.data.pair_sets.sampling import Sampling
from core.data.timelines.timeline import Field
from core.errors import CoreError
from core.parts import Part
from core.results.render import count_words
from core.runtime import Runtime

DEFAULT = "uci.v1"
COMPARED = {"MRPC": "mrpc.v1", "STS-B": "stsb.v1"}  # what the HLGD paper compares its wording with
PICKED = "pair-set"  # key of the choice
LABELS = {labelled.SAME: "same", labelled.DIFFERENT: "different", labelled.UNKNOWN: "not labelled"}


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
    return f"{name} · A file of your own" if isinstance(source, GivenPairs) else source.summary


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
            source = recipes.recipe_form(source, key=f"pair-set-{name}")
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
        pairs = apart(source.load, runtime=runtime, step="Reading the pair set") if own else source.load()
        compared = {}
        for title, name in COMPARED.items():
            other = labelled.pair_sources.parse(name)
            if other.find() is not None and name.partition(".")[0] != pairs.name:
                compared[title] = pair_statistics(other.load()).ratios
        return OpenedPairSet(signature, pairs, pair_statistics(pairs), compared)

    key = f"pair-set|{signature}|{path}|{changed}"
    return progress.result_of(key, "Reading the pair set", work, long=False)


def pair_set_figures(found: OpenedPairSet) -> None:
    pairs, parts = found.pairs, found.figures.parts
    same, different = sum(part.same for part in parts), sum(part.different for part in parts)
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
    tables.show_table(shown, **tables.TABLES["pair_set"])


@resources.cached(max_entries=4)
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


def pair_set() -> None:
    source = choose()
    bring_pairs(PICKED, key="pair-sets-own")
    pairs = open_pairs(source)
    pair_set_figures(pairs)
    pictures(pairs)
    pair_table(pairs.pairs)
    signature(f"{pairs.signature} · pairs:{pairs.pairs.fingerprint}")
    show_missing_sets()
    builder()


def builder() -> None:
    st.header("Make pairs of your own timeline", anchor=False)
    timeline = resources.timeline(state.now().data)
    st.markdown(WORDS["texts"]["own_timeline"].format(plain(timeline.name)))
    if not timeline.table[Field.GOLD].notna().any() and not timeline.annotators:
        notice("pairs_no_groups")
        part_link("Open a file", "open", "upload_file")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="builder"):
        window = st.number_input("Days apart, at most", 0.0, 10_000.0, PAPER.window_days, 1.0, format="%g")
        ratio = st.number_input("Negatives for each positive", 0.0, 1_000.0, PAPER.ratio, 1.0, format="%g")
        seed = st.number_input("Seed", 0, 2**31 - 1, PAPER.seed, 1)
    sampling = Sampling(window_days=window, ratio=ratio, seed=seed)

    key = f"builder|{timeline.fingerprint}|{sampling}"
    draw = partial(build_pair_set, [timeline], name=timeline.name, sampling=sampling)
    built = progress.result_of(key, "Drawing pairs", lambda _: draw(), long=False)
    figures = pair_statistics(built, window_days=window)
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
