"""The pairs of a pair set, with filters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components.tables import show_table
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.parts import Part

LABELS = {SAME: "same", DIFFERENT: "different", UNKNOWN: "not labelled"}


def pair_table(pairs: PairSet) -> None:
    """The pairs as a table; every filter that can do something is drawn."""
    st.header("Pairs", anchor=False)
    table = _table(pairs)
    kept = _filtered(table)
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


@st.cache_data(show_spinner=False, max_entries=4, hash_funcs={PairSet: lambda pairs: pairs.fingerprint})
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


def _filtered(table: pd.DataFrame) -> pd.DataFrame:
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
    return table[keep]


def _choice(values: pd.Series, label: str, order: list[str]) -> list[str]:
    """Values to keep; none chosen keeps all."""
    there = set(np.unique(values.dropna().astype(str)))
    options = [value for value in order if value in there]
    return st.multiselect(label, options, key=f"pair-{label.lower()}") if len(options) > 1 else []
