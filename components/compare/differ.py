"""Where two systems differ: on which kinds of articles, and on which articles most."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pandas as pd
import streamlit as st

from components.charts.headline_scores import slice_chart
from components.compare import state
from components.compare.duel import pair_choice
from components.compare.measured import slices_of, table_of
from components.compare.opened import Scene
from components.compare.table import column_choice
from components.tables import choose_row
from core.headlines.comparison.comparison import Comparison, Place
from core.headlines.comparison.orders import order
from core.headlines.comparison.shown import all_missing, number

LISTED = 100


def differences(scene: Scene, comparison: Comparison) -> None:
    """Draws the parts of the articles, and the articles on which the two are furthest apart."""
    shown, _ = table_of(comparison.fingerprint, "", scene.blind, comparison)
    columns = {one.key: one for one in shown.places if not all_missing(shown, one)}
    pair = pair_choice(shown, key="differ")
    if pair is None or not columns:
        return
    place = column_choice(columns, shown, key="differ-column")
    one, other = map(shown.system, pair)
    _parts(shown, place, one, other)
    _furthest(scene, shown, place, one, other)


def _parts(shown: Comparison, place: Place, one: int, other: int) -> None:
    found = slices_of(shown.fingerprint, place.key, shown)
    kinds = [(kind, list(parts)) for kind, parts in groupby(found, key=lambda part: part.kind)]
    if not kinds:
        st.caption("The articles are too much alike, or too few, to be told apart.")
        return
    for start in range(0, len(kinds), 2):
        for column, (kind, parts) in zip(st.columns(2, gap="large"), kinds[start : start + 2], strict=False):
            column.markdown(f"**{kind}**")
            column.altair_chart(
                slice_chart(place.column, {shown.systems[at]: at for at in (one, other)}, parts),
                width="stretch",
                key=f"slices-{kind}",
            )


def _furthest(scene: Scene, shown: Comparison, place: Place, one: int, other: int) -> None:
    """Articles on which the one is ahead of the other or behind it; selecting one opens it."""
    scores = shown.scores(place.key)
    apart = scores[one] - scores[other]
    rows = order(np.abs(apart))
    rows = rows[~np.isnan(apart[rows])][:LISTED]
    if not len(rows):
        return
    st.header("Articles on which they are furthest apart", anchor=False)
    table = pd.DataFrame(
        {
            "Difference": [number(place.column, float(apart[row])) for row in rows],
            shown.systems[one]: [shown.outputs[one].headlines[row] for row in rows],
            shown.systems[other]: [shown.outputs[other].headlines[row] for row in rows],
        }
    )
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
