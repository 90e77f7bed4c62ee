"""Headlines that a search and filters match."""

from typing import NamedTuple

import pandas as pd
import streamlit as st

from components.opened.views import timeline as state
from components.timeline.workspace import View
from core.data.timelines.periods import rows_within
from core.data.timelines.timeline import Field
from core.text.normalise import searched

FILTERS = {Field.PUBLISHER: "Outlets", Field.LANGUAGE: "Languages", "event": "Events"}


class HeadlineMatches(NamedTuple):
    table: pd.DataFrame
    rows: list[int]  # those that match
    active: bool  # whether anything was searched for


def matching_headlines(view: View) -> HeadlineMatches:
    table = view.timeline.table.assign(event=view.grouping.ids)
    keep = pd.Series(True, index=table.index)
    words, period = searched(state.LIST.now().find).split(), state.now().period
    for word in words:
        keep &= table[Field.HEADLINE].map(searched).str.contains(word, regex=False)
    chosen = {field: st.session_state.get(f"filter-{field}") for field in FILTERS}
    for field, values in chosen.items():
        if values:
            keep &= table[field].isin(values)
    if period is not None:
        keep &= rows_within(view.timeline, period)
    active = bool(words or period or any(chosen.values()))
    return HeadlineMatches(table, table.index[keep].tolist(), active)
