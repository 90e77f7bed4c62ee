"""Where two systems differ: in scores, by parts of the articles, and on which articles."""

from functools import partial
from itertools import groupby

import numpy as np
import streamlit as st

from components.frame.charts.intervals import slice_chart
from components.frame.charts.show_chart import show_chart
from components.frame.publish import show_published
from components.frame.tables import TABLES, choose_row
from components.frame.widgets import button, pick
from components.headlines.compare.opened import Scene, table_of
from components.opened.resources import cached
from components.opened.views import compare as state
from core.headlines.comparison import comparison as comparing
from core.headlines.comparison import duels, slices
from core.headlines.comparison.table import all_missing, main_place, number
from core.results.number_forms import chance, footnotes, marked
from core.statistics.bootstrap import Figure

LISTED = 100
duels_of = cached(duels.duels, max_entries=32)
_bins = cached(slices.bins_of, max_entries=4)
_slices = cached(lambda shown, key: slices.slices(shown, key, _bins(shown.articles)), max_entries=32)


def pair_choice(comparison: comparing.Comparison, *, key: str) -> tuple[str, str] | None:
    systems = list(comparison.systems)
    if len(systems) < 2:
        st.caption("There is one system. Load or write the headlines of another one to compare them.")
        return None
    left, right = st.columns(2)
    systems.remove(first := left.selectbox("One system", systems, key=f"{key}-one"))
    return first, right.selectbox("against", systems, key=f"{key}-other")


def duel(comparison: comparing.Comparison) -> None:
    st.header("Two systems against each other", anchor=False)
    pair = pair_choice(comparison, key="duel")
    if pair is None:
        return
    by_key, lines = {duel.key: duel for duel in duels_of(comparison, *pair)}, []
    for key, place in measured_columns(comparison).items():
        duel, counts = by_key[key], ("Wins", "Ties", "Losses")
        line = {"Score": place.column.label}
        line["Difference"] = marked(gap(place, duel.difference), duel.difference.warning)
        line |= {"p": chance(duel.difference.p), "p (Holm)": chance(duel.corrected)}
        known = ((name, getattr(duel, name.lower())) for name in counts)
        lines.append(line | {name: "–" if count is None else f"{count:,}" for name, count in known})
    holm = f"Corrected for the {max(duel.family for duel in by_key.values())} scores of this list"
    columns, alt = TABLES["duel"]["columns"] | {"p (Holm)": holm}, TABLES["duel"]["alt"]
    title = f"{pair[0]} against {pair[1]} in every score"
    source = f"{len(comparison.articles):,} articles of {comparison.articles.name}"
    show_published(lines, name="duel", title=title, alt=alt, source=source, columns=columns)
    for line in footnotes(duel.difference.warning for duel in by_key.values()):
        st.caption(line)


def gap(place: comparing.ComparisonColumn, found: Figure) -> str:
    value, low, high = (number(place.column, end) for end in (found.value, found.low, found.high))
    if found.value is None:
        return value
    ends = "" if found.low is None or found.high is None else f" [{low}, {high}]"
    return f"{'+' if found.value > 0 else ''}{value}{ends}"


def measured_columns(comparison: comparing.Comparison) -> dict[str, comparing.ComparisonColumn]:
    return {place.key: place for place in comparison.places if not all_missing(comparison, place)}


def column_choice(
    columns: dict[str, comparing.ComparisonColumn], comparison: comparing.Comparison, *, key: str
) -> comparing.ComparisonColumn:
    first = main_place(comparison)
    chosen = pick("Score", columns, lambda name: columns[name].column.label, key, first=first and first.key)
    return columns[chosen]


def differences(scene: Scene, comparison: comparing.Comparison) -> None:
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = measured_columns(shown)
    pair = pair_choice(shown, key="differ")
    if pair is None or not columns:
        return
    place = column_choice(columns, shown, key="differ-column")
    left, other = map(shown.system, pair)
    _parts(shown, place, left, other)
    scores = shown.scores(place.key)
    apart = scores[left] - scores[other]
    rows = comparing.order(np.abs(apart))
    rows = rows[~np.isnan(apart[rows])][:LISTED]
    if not len(rows):
        return
    st.header("Articles on which they are furthest apart", anchor=False)
    table = {"Difference": [number(place.column, float(apart[row])) for row in rows]}
    table |= {shown.systems[at]: [shown.outputs[at].headlines[row] for row in rows] for at in (left, other)}
    key = f"furthest-{shown.fingerprint}-{place.key}-{left}-{other}"
    picked = choose_row(table, key=key, **TABLES["furthest"])
    if picked is not None:
        read = partial(state.open_article, scene.articles.ids[rows[picked]], shown=state.HEADLINES)
        button("Open this article", "furthest-open", read, icon="article")


def _parts(shown: comparing.Comparison, place: comparing.ComparisonColumn, left: int, other: int) -> None:
    cut, source = _slices(shown, place.key), f"{len(shown.articles):,} articles"
    if not cut:
        st.caption("The articles are too much alike, or too few, to be told apart.")
    for at, (kind, parts) in enumerate(groupby(cut, key=lambda part: part.kind)):
        if at % 2 == 0:
            columns = st.columns(2, gap="large")
        with columns[at % 2]:
            st.markdown(f"**{kind}**")
            show_chart(
                slice_chart(place.column, {shown.systems[at]: at for at in (left, other)}, list(parts)),
                name=f"slices-{kind}",
                title=f"{place.column.label} by {kind[:1].lower()}{kind[1:]}",
                source=source,
                key=f"slices-{kind}",
            )
