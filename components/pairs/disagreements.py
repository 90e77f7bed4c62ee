"""Where two scorers part ways, and where scorers and people do, on the map."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.maps import disagreement_figure
from components.charts.menu import show_chart
from components.markdown import plain
from components.pairs.errors import pair_card
from components.pairs.measuring import evaluated, opened, row_choice
from components.tables import choose_row
from core.arrays import Float32Array
from research.benchmark.pairs.errors import disagreement_by_headline, disagreements, places_of
from research.benchmark.pairs.sets import MeasuredSet


def split(chosen: str) -> None:
    """Two scorers' disagreements side by side, and two maps of disagreement with people."""
    data = opened(chosen)
    left, right = st.columns(2, gap="large")
    with left:
        one = row_choice("System", first="cosine", key="split-one")
    with right:
        other = row_choice("and", first="event_similarity", key="split-other")
    first, second = evaluated(chosen, one), evaluated(chosen, other)
    for found in (first, second):
        if found.cell.why_not:
            st.info(plain(found.cell.why_not), icon=":material/info:")
            return
    positions = _positions(data)
    for column, found, name in ((left, first, one), (right, second, other)):
        with column:
            wrong = disagreement_by_headline(data.test, found)
            show_chart(
                disagreement_figure(positions, data.test.texts, wrong),
                name=f"split-{'one' if column is left else 'other'}",
                title=f"Headlines whose pairs are judged otherwise than by people: {name}",
                source=f"Source: Headline Lab, {len(data.test.texts):,} headlines of {chosen}",
                key=f"split-map-{name}-{column is left}",
                alt="Headlines on a map; the darker, the more of its pairs are judged otherwise by people",
            )
    st.caption(
        "The same headlines on both maps. The larger and redder a point, the more of its pairs the system "
        "judges otherwise than people."
    )
    found = disagreements(data.test, first, second)
    if not found:
        st.success("The two systems decide every pair alike.")
        return
    called = dict(zip(first.places.tolist(), first.called.tolist(), strict=True))
    right_one = sum((d.label == 1) == called[d.place] for d in found)
    st.markdown(
        f"They decide **{len(found):,}** pairs differently; people side with the first on **{right_one:,}** "
        f"and with the second on **{len(found) - right_one:,}**."
    )
    texts, test = data.test.texts, data.test
    shown = pd.DataFrame(
        {
            "People": ["same" if d.label == 1 else "different" for d in found],
            "First": [d.one for d in found],
            "Second": [d.other for d in found],
            "Headline": [texts[int(test.left[d.place])] for d in found],
            "and": [texts[int(test.right[d.place])] for d in found],
        }
    ).head(200)
    number = st.column_config.NumberColumn(format="%.3f", width=70)
    line = choose_row(
        shown,
        key=f"split-{chosen}-{one}-{other}",
        alt="Pairs on which the two systems decide differently; selecting one opens it",
        most=320,
        columns={"First": number, "Second": number, "People": 90},
    )
    picked = found[line or 0]
    pair_card(data, picked.place, second.scorer, picked.other)


def _positions(data: MeasuredSet) -> Float32Array:
    key = f"split-places|{data.facts.fingerprint}"
    return jobs.result_of(key, "Drawing the map", partial(places_of, data.test), long=True)
