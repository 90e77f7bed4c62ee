"""What tells the outlets of an event apart, as a table with a download."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components.downloads import Download, download, stem
from components.markdown import plain, shorten
from components.tables import text_table
from components.timeline.workspace import View
from core.events.cards import outlets_of
from core.events.outlets import FIRST, OutletGrid, OutletLine, Said, Share, grid_csv, named_outlets
from core.groups.card import GroupSummary
from core.results.text import count_words

FIRST_OUTLETS = 10
_ONLY, _DISPUTED = ":green-background[**{}**]", ":red-background[**{}**]"


def outlet_table(view: View, line: GroupSummary) -> None:
    """Draws who of an event's outlets says what."""
    grid = outlets_of(view.prepared, line)
    if len(grid.lines) < 2:
        st.caption("Only one report of this event is known, so there is nothing to compare.")
        return
    st.markdown(_lead(grid))
    show_all = st.session_state.get("all-outlets", False)
    lines = grid.lines if show_all else grid.lines[:FIRST_OUTLETS]
    columns = {kind: grid.of(kind) for kind in Said if grid.of(kind)}
    common = {
        kind: [place for place in places if grid.sayings[place].share is Share.ALL]
        for kind, places in columns.items()
    }
    rows = []
    if any(common.values()):
        rows.append(
            {"Outlet": f"**All {len(grid.lines)}**"}
            | {kind.value: _cell(grid, places) for kind, places in common.items()}
        )
    for one in lines:
        rows.append(
            {"Outlet": _outlet(view, grid, one)}
            | {
                kind.value: _cell(
                    grid, [place for place in places if place in one.says and place not in common[kind]]
                )
                for kind, places in columns.items()
            }
        )
    with st.container(key="outlet-grid"):
        text_table(rows)
    if len(grid.lines) > FIRST_OUTLETS:
        st.toggle(f"Show all {len(grid.lines)} outlets", key="all-outlets", persist_state="session")
    if marks := _legend(grid):
        st.markdown(f":small[{marks}]")
    st.caption(
        "Who: names and people that a headline begins with, that speak, or by whom something "
        "is done. They are read from capitals and small lists of words, so some are missed."
    )
    download(
        Download(
            "CSV",
            partial(grid_csv, grid, view.timeline),
            f"{stem(view.timeline.name, 'headlines')}-event-{line.group}-outlets.csv",
            "One row for each outlet, one column for each fact.",
        ),
        key="export-outlets",
    )


def _lead(grid: OutletGrid) -> str:
    dated = [line for line in grid.lines if line.after is not None]
    outlets = count_words(len(grid.lines), "outlet", "outlets")
    more = f" {grid.more} more are not compared." if grid.more else ""
    if undated := len(grid.lines) - len(dated):
        more += (
            f" {count_words(undated, 'outlet has', 'outlets have')} no date here and may have been earlier."
        )
    if not dated:
        return f"{outlets} in no order: the times of their reports are not known.{more}"
    first = [line for line in dated if grid.when(line) in FIRST]
    names = [plain(line.outlet) or "an unknown outlet" for line in first]
    who = (
        f"**{names[0]}**"
        if len(names) == 1
        else f"**{names[0]}** and {count_words(len(names) - 1, 'other', 'others')}"
    )
    day = " on the first day" if grid.day_only else "first" if len(names) == 1 else "first, at the same time"
    last = grid.when(dated[-1])
    of = count_words(len(dated), "dated outlet", "dated outlets") if undated else outlets
    then = f"; the last of {of} came {last}" if last not in FIRST else f", {of} in all"
    return f"{who} reported {day.strip()}{plain(then)}.{more}"


def _legend(grid: OutletGrid) -> str:
    marks = []
    if any(one.share is Share.ONE for one in grid.sayings):
        marks.append(_ONLY.format("only this outlet"))
    if any(one.disputed for one in grid.sayings):
        marks.append(_DISPUTED.format("more outlets give another number"))
    return " · ".join(marks)


def _outlet(view: View, grid: OutletGrid, line: OutletLine) -> str:
    name = (
        f"**{plain(line.outlet)}**" if line.outlet else plain(shorten(view.timeline.texts[line.rows[0]], 50))
    )
    details = [grid.when(line)] if line.after is not None else []
    details += [f"{len(line.rows)} reports"] if len(line.rows) > 1 else []
    details += [named_outlets(line.also_in, most=3)] if line.also_in else []
    return f"{name}  \n:small[:gray[{plain(' · '.join(details))}]]" if details else name


def _cell(grid: OutletGrid, places: list[int]) -> str:
    found = []
    for place in places:
        one = grid.sayings[place]
        style = _DISPUTED if one.disputed else _ONLY if one.share is Share.ONE else "{}"
        found.append(style.format(plain(one.text)))
    return ", ".join(found)
