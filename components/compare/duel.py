"""Two systems compared: difference, significance, wins and losses, and where they differ most."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import streamlit as st

from components.charts.menu import show_chart
from components.charts.numerals import slice_chart
from components.compare import state
from components.compare.opened import Scene, slices_of, table_of
from components.resources import cached
from components.tables import choose_row, show_table
from core.headlines.comparison.comparison import Comparison, ComparisonColumn, Duel, duels
from core.headlines.comparison.slices import order
from core.headlines.comparison.table import all_missing, main_place, number
from core.results.table import chance, footnotes, marked


def pair_choice(comparison: Comparison, *, key: str) -> tuple[str, str] | None:
    """Two different systems, the first two to begin with; None where there are not two."""
    systems = list(comparison.systems)
    if len(systems) < 2:
        st.caption("There is one system. Load or write the headlines of another one to compare them.")
        return None
    left, right = st.columns(2)
    one = str(left.selectbox("One system", systems, key=f"{key}-one"))
    others = [name for name in systems if name != one]
    other = str(right.selectbox("against", others, key=f"{key}-other"))
    return one, other


def column_choice(
    columns: dict[str, ComparisonColumn], comparison: Comparison, *, key: str
) -> ComparisonColumn:
    """Which column is drawn; the one that systems are ranked by at first."""
    first = main_place(comparison)
    keys = list(columns)
    chosen = st.selectbox(
        "Score",
        keys,
        index=keys.index(first.key) if first is not None and first.key in keys else 0,
        format_func=lambda one: columns[one].column.label,
        key=key,
        persist_state="session",
    )
    return columns[chosen]


def duel(comparison: Comparison) -> None:
    """Draws the choice of two systems and how they stand in every column."""
    st.header("Two systems against each other", anchor=False)
    pair = pair_choice(comparison, key="duel")
    if pair is None:
        return
    found = {one.key: one for one in _duels(comparison, *pair)}
    places = [place for place in comparison.places if not all_missing(comparison, place)]
    lines = [_line(place, found[place.key]) for place in places]
    show_table(
        lines,
        alt="The two systems in every score: difference with interval, p-values, wins, ties and losses",
        columns={
            "Difference": "Difference (A − B), with its 95 % interval",
            "p": "Two-sided paired bootstrap, of no difference; from the resamples of the interval",
            "p (Holm)": f"Corrected for the {max(one.family for one in found.values())} scores of this list",
            "Wins": "Articles on which the one is better",
            "Losses": "Articles on which the other is better",
        },
    )
    for line in footnotes(one.difference.warning for one in found.values()):
        st.caption(line)


_duels = cached(duels, max_entries=32)


def _line(place: ComparisonColumn, one: Duel) -> dict[str, str]:
    found = one.difference
    gap = number(place.column, found.value)
    if found.value is not None and found.low is not None and found.high is not None:
        gap = (
            f"{'+' if found.value > 0 else ''}{gap} "
            f"[{number(place.column, found.low)}, {number(place.column, found.high)}]"
        )
    counts = {"Wins": one.wins, "Ties": one.ties, "Losses": one.losses}
    return {
        "Score": place.column.label,
        "Difference": marked(gap, found.warning) if found.value is not None else gap,
        "p": chance(found.p),
        "p (Holm)": chance(one.corrected),
        **{name: "–" if count is None else f"{count:,}" for name, count in counts.items()},
    }


LISTED = 100


def differences(scene: Scene, comparison: Comparison) -> None:
    """Draws the parts of the articles, and the articles on which the two are furthest apart."""
    shown, _ = table_of(comparison, blind=scene.blind)
    columns = {one.key: one for one in shown.places if not all_missing(shown, one)}
    pair = pair_choice(shown, key="differ")
    if pair is None or not columns:
        return
    place = column_choice(columns, shown, key="differ-column")
    one, other = map(shown.system, pair)
    _parts(shown, place, one, other)
    _furthest(scene, shown, place, one, other)


def _parts(shown: Comparison, place: ComparisonColumn, one: int, other: int) -> None:
    found = slices_of(shown, place.key)
    kinds = [(kind, list(parts)) for kind, parts in groupby(found, key=lambda part: part.kind)]
    if not kinds:
        st.caption("The articles are too much alike, or too few, to be told apart.")
        return
    for start in range(0, len(kinds), 2):
        for column, (kind, parts) in zip(st.columns(2, gap="large"), kinds[start : start + 2], strict=False):
            column.markdown(f"**{kind}**")
            with column:
                show_chart(
                    slice_chart(place.column, {shown.systems[at]: at for at in (one, other)}, parts),
                    name=f"slices-{kind}",
                    title=f"{place.column.label} by {kind[:1].lower()}{kind[1:]}",
                    source=f"Source: Headline Lab, {len(shown.outputs[one].headlines):,} articles",
                    key=f"slices-{kind}",
                )


def _furthest(scene: Scene, shown: Comparison, place: ComparisonColumn, one: int, other: int) -> None:
    scores = shown.scores(place.key)
    apart = scores[one] - scores[other]
    rows = order(np.abs(apart))
    rows = rows[~np.isnan(apart[rows])][:LISTED]
    if not len(rows):
        return
    st.header("Articles on which they are furthest apart", anchor=False)
    table = {
        "Difference": [number(place.column, float(apart[row])) for row in rows],
        shown.systems[one]: [shown.outputs[one].headlines[row] for row in rows],
        shown.systems[other]: [shown.outputs[other].headlines[row] for row in rows],
    }
    picked = choose_row(
        table,
        key=f"furthest-{shown.fingerprint}-{place.key}-{one}-{other}",
        alt="Articles by how far the two systems' scores lie apart; selecting one offers to open it",
        most=320,
        columns={"Difference": 90},
    )
    if picked is not None:
        st.button(
            "Open this article",
            key="furthest-open",
            icon=":material/article:",
            on_click=_open,
            args=(scene.articles.ids[rows[picked]],),
        )


def _open(article: str) -> None:
    state.open_article(article)
    state.put(shown=state.HEADLINES)
