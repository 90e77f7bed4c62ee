"""The headlines that match what is searched for, and their table beside the map."""

import zlib
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from components.frame.markdown import WORDS
from components.frame.tables import height_for
from components.frame.widgets import notice
from components.opened.reader_zone import reader_zone
from components.opened.views import timeline as state
from components.timeline import filters
from components.timeline.group_list import events
from components.timeline.workspace import View
from core.data.timelines.timeline import Field
from core.results.render import safe_link, zone_name
from core.results.text_lines import broken
from core.text.normalise import searched

TABLE = "headline-table"
_SCOPE = "headline-table-scope"
LINE, LINES = 44, 9  # pixels of a row, of one line; rows beside a map
LETTERS = 33.0  # widths of a letter in a headline: what is longer is drawn with "…", and kept whole
STYLED = 20_000  # cells of a table up to which the grid is told how to draw them; beyond, it cuts them
COLUMNS = {
    "Headline": Field.HEADLINE,
    "Published": Field.PUBLISHED,
    "Outlet": Field.PUBLISHER,
    "Language": Field.LANGUAGE,
    "Link": Field.URL,
}


class HeadlineMatches(NamedTuple):
    table: pd.DataFrame
    rows: list[int]  # those that match
    active: bool  # whether anything was searched for


def matching_headlines(view: View) -> HeadlineMatches:
    table = view.timeline.table.assign(event=view.grouping.ids)
    keep = pd.Series(filters.kept(view), index=table.index)
    words = searched(state.LIST.now().find).split()
    for word in words:
        keep &= table[Field.HEADLINE].map(searched).str.contains(word, regex=False)
    active = bool(words or state.now().period or filters.filtered())
    return HeadlineMatches(table, table.index[keep].tolist(), active)


def headline_table(view: View, matches: HeadlineMatches) -> None:
    """What was searched for among all headlines; without a search the selection, or everything."""
    if not matches.active and state.now().moved_by != TABLE:
        st.session_state[_SCOPE] = (state.now().rows, state.now().group)
    matching, (rows, group) = matches.table, st.session_state.get(_SCOPE, ([], None))
    if matches.active:
        matching = matching.loc[matches.rows]
    elif rows:
        matching = matching[matching.index.isin(rows)]
    elif group is not None:
        matching = matching[matching["event"] == group]
    elif first := [event.group for event in events(view)[:1]]:  # the one that the map has in colour
        matching = matching.sort_values("event", key=lambda each: each != first[0], kind="stable")
    ticked = state.now().rows if state.now().moved_by == TABLE else []
    shown, total = len(matching), len(matches.table)
    said = f" match{'es' if shown == 1 else ''}" if matches.active else ", those selected" * (shown < total)
    said += f", {len(ticked):,} ticked" if ticked else ""
    said += "; scroll for all" * (shown > LINES)
    st.markdown(f"**{shown:,}** of {total:,} headlines{said}. {WORDS['texts']['tick_rows']}")
    if matching.empty:
        notice("no_match")
        return
    columns = {label: name for label, name in COLUMNS.items() if matching[name].notna().any()}
    cells = pd.DataFrame({label: matching[name] for label, name in columns.items()})
    if "Link" in cells:
        # Whatever else a file calls a link (javascript:, file:) must not be opened by a click.
        cells["Link"] = cells["Link"].map(safe_link)
    # Ticks are places in the table, so a table of other rows is another widget.
    key = f"{state.view_key(TABLE)}-{zlib.crc32(matching.index.to_numpy().tobytes())}"
    select = partial(_ticked, key, matching.index.tolist(), matches.table["event"].tolist())
    day_only, head, time = matching["day_only"], "Published", "D MMM YYYY"
    if "Published" in cells and not day_only.all():
        zone, published = reader_zone(), cells["Published"].dt
        days = published.normalize()[~day_only].dropna().drop_duplicates()
        names = sorted({zone_name(day, zone) for day in days})
        head, time = f"Published ({'/'.join(names)})", f"{time} HH:mm"
        local = published.tz_convert(zone).dt.tz_localize(None)
        cells["Published"] = local.mask(day_only, published.tz_localize(None))
    columns = {
        "Published": st.column_config.DatetimeColumn(head, format=time),
        # Within a table next to a map: Arabic begins at its end.
        "Headline": st.column_config.TextColumn(width=446),
        "Link": st.column_config.LinkColumn(display_text="open", width=60),
    }
    chosen = {"rows": np.flatnonzero(matching.index.isin(ticked)).tolist()}
    look = {"key": key, "selection_mode": "multi-row", "selection_default": {"selection": chosen}}
    look |= {"height": height_for(shown, 434, LINE), "column_config": columns, "hide_index": True}
    look["row_height"] = LINE
    if cells.size <= STYLED:
        cells = cells.style.format({"Headline": _in_one_line})
    st.dataframe(cells, on_select=select, alt="Headlines with their date, outlet and link", **look)


@lru_cache(maxsize=STYLED)
def _in_one_line(text: str) -> str:
    return "".join(broken(text, LETTERS, most=1))


def _ticked(key: str, rows: list[int], groups: list[int]) -> None:
    ticked = {rows[place] for place in st.session_state[key]["selection"]["rows"]}
    if state.now().moved_by == TABLE:
        # Ticks that a filter hides at the moment.
        ticked |= set(state.now().rows) - set(rows)
    events = {groups[row] for row in ticked}
    state.select(group=events.pop() if len(events) == 1 else None, rows=ticked, by=TABLE)
