"""What is selected of an archive: its card, its groups and its headlines, page by page."""

import asyncio
import math
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from components.frame.downloads import download, stem
from components.frame.markdown import plain, shorten
from components.frame.widgets import TABLES, button, choose_row, headline_columns, metrics, notice, show_table
from components.opened import resources
from components.opened.views.archive import ARCHIVE
from core import limits
from core.archive.kept import is_shared, shown_archives
from core.archive.opened import ArchiveAnswer, OpenArchive, open_archive
from core.archive.points import SPAN
from core.data.timelines.periods import Period, written_day
from core.data.timelines.timeline import Field
from core.digests import digest
from core.errors import CoreError
from core.results import render
from core.results.delimited import delimited
from core.results.render import count_words, safe_link
from core.runtime import workshop

_TITLE: Final = 140


def selection_card(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    now = ARCHIVE.now()
    event, count = archive.place_of(now.group), len(answer.rows)
    title = "All headlines" if count == len(archive) else "What you selected"
    counted = "Groups", f"{len(answer.groups):,}"
    if event is not None:
        chosen = archive.events.iloc[event]
        title, counted = shorten(chosen["title"], _TITLE), ("Outlets", f"{chosen['outlets']:,}")
    st.header(plain(title), anchor=False)
    dated = answer.rows[answer.rows < len(archive.days)]
    days = _between(*archive.table(dated[[0, -1]])[Field.PUBLISHED.value]) if len(dated) else "–"
    metrics([("Headlines", f"{count:,}"), counted, ("Days", days)], key="archive-figures")
    with st.container(horizontal=True, key="archive-actions"):
        if count:
            most = limits.FILE_ROWS.value
            help = None if count <= most else f"A timeline holds {most:,} headlines: select fewer."
            look = {"icon": "view_timeline", "disabled": count > most, "help": help}
            if button("Open as a Timeline", "archive-open", **look):
                whole = archive.path.name if count == len(archive) else title
                resources.open_file(archive.timeline(answer.rows, whole))
                st.switch_page("pages/timeline.py")
        if now.query != type(now)().query:
            clear = partial(select_group, 0)
            button("Clear the selection", "archive-clear", clear, icon="close", type="tertiary")


def select_group(group: int) -> None:
    ARCHIVE.reset("words", "outlet", "first", "last", "lasso")
    ARCHIVE.put(group=group)


def groups_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if ARCHIVE.now().group or not len(answer.groups):
        return
    part = _page(len(answer.groups), 10, "groups")
    events = archive.events.iloc[answer.groups[part]]
    table = {
        "Headlines": answer.counts[part],
        "Group": [shorten(title, _TITLE) for title in events["title"]],
        "Days": list(map(_between, events["first"], events["last"])),
    }
    row = choose_row(table, key=f"archive-groups-{_digest()}-{part.start}", **TABLES["groups"])
    if row is not None:
        select_group(int(events["group"].iloc[row]))
        st.rerun()


def headlines_list(archive: OpenArchive, answer: ArchiveAnswer) -> None:
    if not len(answer.rows):
        notice("archive_empty")
        return
    st.header("Headlines", anchor=False)
    rows = archive.table(answer.rows[_page(len(answer.rows), 25, "headlines")])
    links = rows[Field.URL.value].map(safe_link)
    names = Field.PUBLISHED.value, Field.HEADLINE.value, Field.PUBLISHER.value, "archive_group"
    table = dict(zip(("Published, UTC", "Headline", "Outlet", "Group"), map(rows.get, names), strict=True))
    columns = headline_columns("Published, UTC", format="D MMM YYYY, HH:mm", timezone="UTC", width=150)
    if links.notna().any():
        table["Link"] = links
    show_table(table, alt="Headlines of what is selected, by date", most=960, columns=columns)
    now = ARCHIVE.now()
    event = archive.place_of(now.group)
    title = now.words or archive.path.name if event is None else archive.events["title"].iloc[event]

    def csv() -> str:
        whole = archive.table(answer.rows)
        texts = whole.astype(object).where(whole.notna(), None)
        return delimited([list(whole.columns), *texts.itertuples(index=False)])

    download(("Download CSV", csv, f"{stem(title, 'archive')}.csv"), key="archive-csv")


def _page(count: int, at_once: int, of: str) -> slice:
    pages = math.ceil(count / at_once)
    page = st.pagination(pages, key=f"archive-page-{of}-{_digest()}") if pages > 1 else 1
    return slice((page - 1) * at_once, min(page * at_once, count))


def _digest() -> str:
    return digest(f"{ARCHIVE.now().archive} {ARCHIVE.now().query!r}", digits=12)


def _between(first: pd.Timestamp, last: pd.Timestamp) -> str:
    return "–" if pd.isna(first) else Period(first.date(), last.date()).words


_NAMED: Final = {1: 400, 8: 10, 40: 2}
"""How many groups the map may name in each part, by the parts of a side: more, the nearer one looks."""
_SHORT_TITLE, _MAP_TITLE = 60, 100
_KEEP: Final = {"cache-control": "private, immutable, max-age=31536000"}
"""The version stands in the address: it never means anything else."""


def answer(name: str, version: str, what: str, _before: str = "") -> Response:
    """Points, names or a headline by the number of its point; 404 for what is not there or not for all."""
    path = shown_archives().get(name)
    if path is None or (workshop() and not is_shared(path)):
        return Response(status_code=404)
    with suppress(CoreError):  # the page says what is wrong
        archive = open_archive(path)
        if archive.version != version:
            return Response(status_code=404)
        if what == "points":
            packed = {"content-encoding": "gzip", **_KEEP}
            return Response(archive.points, media_type="application/octet-stream", headers=packed)
        if what == "names":
            return JSONResponse(names(archive), headers=_KEEP)
        if what.isascii() and what.isdecimal() and len(what) < 10 and int(what) < len(archive):
            return JSONResponse(headline(archive, int(what)), headers=_KEEP)
    return Response(status_code=404)


def names(archive: OpenArchive) -> list[list[Any]]:
    """Titles of the largest groups, and of the largest in each part of the map, with a point of each."""
    titles = archive.events["title"][archive.events["headlines"] > 1]
    ends = len(archive) - np.cumsum(archive.events["headlines"].to_numpy()[: len(titles)])
    rows = archive.order[ends]  # the first of each group
    named = np.zeros(len(titles), dtype=bool)
    for parts, most in _NAMED.items():
        across, up = (side[rows].astype(np.int64) * parts // (SPAN + 1) for side in (archive.x, archive.y))
        part = across + parts * up
        named |= (pd.Series(part).groupby(part).cumcount() < most).to_numpy()
    chosen = zip(titles[named], ends[named].tolist(), strict=True)
    return [[shorten(title, _MAP_TITLE), point] for title, point in chosen]


def headline(archive: OpenArchive, point: int) -> dict[str, str]:
    row = archive.order[point : point + 1]
    record = archive.table(row).iloc[0]
    size = int(archive.events["headlines"].iloc[archive.events_of_rows[row[0]]])
    day = None if record.isna()[Field.PUBLISHED] else written_day(record[Field.PUBLISHED])
    about = " · ".join(render.shorten(part, _SHORT_TITLE) for part in (record[Field.PUBLISHER], day) if part)
    group = "single report" if size == 1 else f"{count_words(size, 'headline', 'headlines')} in its group"
    return {"headline": render.shorten(record[Field.HEADLINE], 240), "about": about, "group": group}


PATH: Final = "archive-data"


async def _asked(request: Request) -> Response:
    return await asyncio.to_thread(answer, **request.path_params)


async def _nothing(_: Request) -> Response:
    return PlainTextResponse("There is nothing at this address.\n", status_code=404)


_HERE: Final = f"/{{_before:path}}{PATH}"
ROUTES: Final = (
    Route(_HERE + "/{name}/{version}/{what}", _asked),
    # Else Streamlit would answer with its page: to it, any address is one of a page.
    Route(_HERE, _nothing),
    Route(_HERE + "/{rest:path}", _nothing),
)
