"""Choosing a pair set, its values, its pictures and its pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from components import jobs
from components.charts.menu import show_chart
from components.charts.pairs import day_chart, part_chart, ratio_chart
from components.markdown import plain
from components.page import now_about
from components.pair_sets.own import choose_added
from components.recipes import recipe_form
from components.resources import cached
from components.tables import show_table
from core.data.files import SAMPLES
from core.data.pair_sets.drawing import PairStatistics, pair_statistics
from core.data.pair_sets.load import sets_by_name
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet, PairSource, pair_sources
from core.data.pair_sets.sources.given_pairs import GivenPairs
from core.errors import CoreError
from core.parts import Part
from core.processes.apart import apart
from core.results.render import count_words
from core.runtime import Runtime

DEFAULT = "uci.v1"
COMPARED = {"MRPC": "mrpc.v1", "STS-B": "stsb.v1"}
"""The corpora that the HLGD paper compares its wording with."""

PICKED = "pair-set"  # key of the choice


@dataclass(frozen=True, slots=True, eq=False)
class OpenedPairSet:
    signature: str
    pairs: PairSet
    figures: PairStatistics
    compared: dict[str, npt.NDArray[np.float64]]


def choose() -> PairSource:
    """Draws the choice among the pair sets that are here, one's own first, and their parameters."""
    here, _ = _shelf()
    names = list(here)
    choose_added(PICKED)
    if st.session_state.get(PICKED) not in names:
        st.session_state[PICKED] = DEFAULT if DEFAULT in names else names[0]
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        name = st.selectbox(
            "Pair set",
            names,
            key=PICKED,
            format_func=lambda name: f"{name.partition('.')[0]} · {_about(here[name])}",
            persist_state="session",
        )
    now_about(name)
    source = here[name]
    with right, st.popover("Settings", icon=":material/tune:", width="stretch"):
        if isinstance(source, GivenPairs):
            st.caption("A file of your own has no settings.")
        else:
            source = recipe_form(source, key=f"pair-set-{name}")
    st.caption(f"Licence: {plain(source.licence)}.")
    return source


def missing() -> None:
    """The pair sets that are not on this computer, and where they belong; nothing where all are."""
    _, reasons = _shelf()
    if not reasons:
        return
    names = ", ".join(name.partition(".")[0] for name in reasons)
    with st.expander(f"Not on this computer: {plain(names)}", icon=":material/download:"):
        for name, reason in reasons.items():
            st.markdown(f"**{plain(name.partition('.')[0])}** — {plain(reason)}")


def _shelf() -> tuple[dict[str, PairSource], dict[str, str]]:
    here: dict[str, PairSource] = {}
    missing: dict[str, str] = {}
    for name, source in sets_by_name().items():
        if source.find() is not None:
            here[name] = source
            continue
        try:
            source.load()
        except CoreError as error:
            missing[name] = str(error)
    ships = {name: source.find().is_relative_to(SAMPLES) for name, source in here.items()}
    own = {name: isinstance(source, GivenPairs) for name, source in here.items()}
    order = sorted(here.items(), key=lambda item: (not own[item[0]], not ships[item[0]], item[0]))
    return dict(order), missing


def _about(source: PairSource) -> str:
    return "A file of your own" if isinstance(source, GivenPairs) else source.summary


def set_title(key: str) -> str:
    """The name of a pair set with what is in it, for a list to choose from."""
    source = sets_by_name().get(key)
    name = key.partition(".v")[0].replace("_", " ")
    return name if source is None else f"{name} · {_about(source)}"


def opened(source: PairSource) -> OpenedPairSet:
    # A file of one's own is told by its name: where it lies is nobody else's business.
    own = isinstance(source, GivenPairs)
    path = source.find()
    signature = path.name.partition(".")[0] if own and path else pair_sources.signature(source)
    changed = path.stat().st_mtime_ns if own and path else ""

    def work(runtime: Runtime) -> OpenedPairSet:
        step = "Reading the pair set"
        pairs = apart(source.load, runtime=runtime, step=step) if own else source.load()
        compared = {}
        for title, name in COMPARED.items():
            other = pair_sources.parse(name)
            if other.find() is not None and name.partition(".")[0] != pairs.name:
                compared[title] = pair_statistics(other.load()).ratios
        return OpenedPairSet(signature, pairs, pair_statistics(pairs), compared)

    return jobs.result_of(f"pair-set|{signature}|{path}|{changed}", "Reading the pair set", work, long=False)


def facts(found: OpenedPairSet) -> None:
    figures, pairs = found.figures, found.pairs
    same = sum(counts.same for counts in figures.parts)
    different = sum(counts.different for counts in figures.parts)
    said = [
        f"**{count_words(len(pairs), 'pair', 'pairs')}** of "
        f"{count_words(len(pairs.texts), 'headline', 'headlines')}",
        count_words(figures.timelines, "timeline", "timelines"),
        f"{same:,} same event, {different:,} different" + (f" (1 : {different / same:.1f})" if same else ""),
    ]
    st.markdown(" · ".join(said))


def _compared_with_the_paper(found: OpenedPairSet) -> None:
    figures, said = found.figures, []
    if figures.inside is not None:
        said.append(
            f"{100 * figures.inside:.0f} % of the same-event pairs were published within "
            f"{figures.window_days:g} days (98 % in HLGD)"
        )
    if figures.mean_ratio is not None:
        said.append(f"their mean Levenshtein ratio is {figures.mean_ratio:.2f} (0.51 in HLGD, as published)")
    if said:
        whole = "; ".join(said)
        st.caption(f"{whole[0].upper()}{whole[1:]}.")


def pictures(found: OpenedPairSet) -> None:
    figures = found.figures
    left, right = st.columns(2)
    with left:
        st.header("Days between the headlines", anchor=False)
        if figures.same_by_day.sum() + figures.different_by_day.sum():
            show_chart(
                day_chart(figures.same_by_day, figures.different_by_day),
                name="pair-days",
                title=f"Days between the headlines of the pairs of {found.pairs.name}",
                source=_source(found),
            )
            if figures.undated:
                st.caption(f"{figures.undated:,} pairs have an unknown date and are not in the picture.")
        else:
            st.info("The headlines of this set have no dates.", icon=":material/event_busy:")
    with right:
        st.header("Wording that the positives share", anchor=False)
        if len(figures.ratios):
            show_chart(
                ratio_chart({found.pairs.name: figures.ratios, **found.compared}),
                name="pair-ratios",
                title="Wording that headlines of one event share",
                source=_source(found),
            )
        else:
            st.info("No pair of this set is labelled the same event.", icon=":material/search_off:")
    _compared_with_the_paper(found)
    st.header("Parts", anchor=False)
    title = f"Parts of {found.pairs.name}"
    show_chart(part_chart(figures.parts), name="pair-parts", title=title, source=_source(found))


def _source(found: OpenedPairSet) -> str:
    return f"Source: Headline Lab, {len(found.pairs):,} pairs of {found.pairs.name}"


LABELS = {SAME: "same", DIFFERENT: "different", UNKNOWN: "not labelled"}


def pair_table(pairs: PairSet) -> None:
    """The pairs as a table; every filter that can do something is drawn."""
    st.header("Pairs", anchor=False)
    table = _table(pairs)
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair-filters"):
        words = st.text_input(
            "Search", key="pair-words", placeholder="words in either headline", icon=":material/search:"
        )
        label = _choice(table["Label"], "Label", list(LABELS.values()))
        part = _choice(table["Part"], "Part", [part.value for part in Part])
        tag = _choice(table["Tags"], "Tag", sorted(set(table["Tags"].dropna())))
    keep = pd.Series(True, index=table.index)
    both = table["One headline"].str.casefold() + "\n" + table["The other"].str.casefold()
    for word in words.casefold().split():
        keep &= both.str.contains(word, regex=False)
    for column, wanted in (("Label", label), ("Part", part), ("Tags", tag)):
        if wanted:
            keep &= table[column].isin(wanted)
    kept = table[keep]
    st.markdown(f"**{len(kept):,}** of {len(table):,} pairs")
    if kept.empty:
        st.info("No matches. Loosen the filters.", icon=":material/search_off:")
        return
    shown = kept.dropna(axis="columns", how="all")
    show_table(
        shown,
        alt="Pairs of headlines with label, days between, part and tags",
        most=420,
        columns={
            "Label": 90,
            "One headline": 330,
            "The other": 330,
            "Days apart": st.column_config.NumberColumn(width=90, format="%d"),
            "Part": 90,
        },
    )


@cached(max_entries=4)
def _table(pairs: PairSet) -> pd.DataFrame:
    gaps = pairs.days_apart
    tags = [", ".join(words) for words in pairs.tags] if pairs.tags else [None] * len(pairs)
    return pd.DataFrame(
        {
            "Label": [LABELS[label] for label in pairs.labels.tolist()],
            "Days apart": gaps,
            "One headline": [pairs.texts[row] for row in pairs.left.tolist()],
            "The other": [pairs.texts[row] for row in pairs.right.tolist()],
            "Part": pairs.pair_parts,
            "Tags": tags,
        }
    )


def _choice(values: pd.Series, label: str, order: list[str]) -> list[str]:
    there = set(np.unique(values.dropna().astype(str)))
    options = [value for value in order if value in there]
    return st.multiselect(label, options, key=f"pair-{label.lower()}") if len(options) > 1 else []
