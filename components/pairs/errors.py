"""The error browser: the worst mistakes of a scorer, slice by slice."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from components import jobs
from components.charts.menu import show_chart
from components.charts.pairs import reliability_chart
from components.markdown import plain
from components.pairs.measuring import evaluated, opened, row_choice
from components.pairs.pair_card import pair_card
from components.tables import choose_row
from core.results.forms import decimals, spanned
from core.statistics.figure import Figure
from research.benchmark.pairs.errors import Mistake, worst
from research.benchmark.pairs.evaluate import Evaluated
from research.benchmark.pairs.sets import MeasuredSet
from research.benchmark.pairs.slices import PairSlice, slice_quality, slices, tag_slices
from research.benchmark.pairs.tags import user_tags

FIRST = "event_blend"


def errors(chosen: str) -> None:
    """Slices, reliability, and the worst mistakes with one of them opened."""
    data = opened(chosen)
    key = row_choice("System", first=FIRST, key="errors-row")
    found = evaluated(chosen, key)
    if found.cell.why_not:
        st.info(plain(found.cell.why_not), icon=":material/info:")
        return
    cut = _cut(data)
    picked = _slices(data, found, cut)
    _mistakes(data, found, cut[picked])
    with st.expander("Is a score a probability?", icon=":material/show_chart:"):
        show_chart(
            reliability_chart(found.cell.curves.get("score", ())),
            name="reliability",
            title=f"Scores and how many pairs with such a score report the same event: {found.cell.system}",
            source=f"Source: Headline Lab, test pairs of {chosen}",
        )


def _cut(data: MeasuredSet) -> tuple[PairSlice, ...]:
    key = f"slices|{data.facts.key}|{data.facts.fingerprint}"
    cut = jobs.result_of(key, "Cutting slices", partial(slices, data.test), long=True)
    return (*cut, *tag_slices(data.test, user_tags().of(data.test)))


def _slices(data: MeasuredSet, found: Evaluated, cut: tuple[PairSlice, ...]) -> int:
    lines = [slice_quality(data.test, one, found.places, found.called) for one in cut]
    shown = pd.DataFrame(
        {
            "Pairs like this": [line.name for line in lines],
            "Pairs": [line.pairs for line in lines],
            "Same event": [line.positives for line in lines],
            "F1": [spanned(Figure(line.f1.value), decimals(3)) for line in lines],
            "Precision": [spanned(Figure(line.precision.value), decimals(3)) for line in lines],
            "Recall": [spanned(Figure(line.recall.value), decimals(3)) for line in lines],
            "False alarms": [spanned(Figure(line.false_alarms.value), decimals(3)) for line in lines],
        }
    )
    chosen = choose_row(
        shown,
        key=f"slices-{data.facts.key}",
        alt="The scorer on slices of the pairs; selecting a slice filters the mistakes below",
        most=420,
        columns={"False alarms": "Share of pairs of different events that were called the same"},
    )
    return chosen or 0


def _mistakes(data: MeasuredSet, found: Evaluated, part: PairSlice) -> None:
    st.header("Mistakes", anchor=False)
    kind = st.segmented_control(
        "Kind of mistake",
        [one.value for one in Mistake],
        default=Mistake.FALSE_POSITIVE.value,
        required=True,
        key="mistake",
        label_visibility="collapsed",
    )
    places = [place for place in worst(data.test, found, Mistake(kind)).tolist() if part.pairs[place]]
    where = "" if part.kind == "all" else plain(f" among pairs like this: {part.name}")
    if not places:
        st.success(f"No errors match this filter{where}.")
        return
    scores = dict(zip(found.places.tolist(), found.scores.tolist(), strict=True))
    st.markdown(f"**{len(places):,}**{where}, those furthest from the threshold first.")
    texts, test = data.test.texts, data.test
    shown = pd.DataFrame(
        {
            "Score": [scores[place] for place in places],
            "Headline": [texts[row] for row in test.left[places].tolist()],
            "and": [texts[row] for row in test.right[places].tolist()],
            "Days": test.days_apart[places],
        }
    ).head(200)
    chosen = choose_row(
        shown,
        key=f"mistakes-{data.facts.key}-{kind}-{part.name}",
        alt="Pairs that the scorer got wrong; selecting one opens it",
        most=320,
        columns={
            "Score": st.column_config.NumberColumn(format="%.3f", width=70),
            "Days": st.column_config.NumberColumn(format="%d", width=60),
        },
    )
    place = places[chosen or 0]
    pair_card(data, place, found.scorer, scores[place])
