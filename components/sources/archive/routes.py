"""What the map of an archive fetches: points, names and single headlines."""

import asyncio
from contextlib import suppress
from datetime import UTC, tzinfo
from typing import Any, Final

import numpy as np
import pandas as pd
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from components.frame.markdown import shorten
from components.opened.reader_zone import zone_of
from core.archive.kept import is_shared, shown_archives
from core.archive.opened import OpenArchive, open_archive
from core.archive.points import SPAN
from core.data.timelines.timeline import Field
from core.errors import CoreError
from core.results import render
from core.results.render import count_words, date_words
from core.runtime import workshop

_NAMED: Final = {1: 400, 8: 10, 40: 2}
"""How many groups the map may name in each part, by the parts of a side: more, the nearer one looks."""
_SHORT_TITLE, _MAP_TITLE = 60, 100
_KEEP: Final = {"cache-control": "private, immutable, max-age=31536000"}
"""The version stands in the address: it never means anything else."""
PATH: Final = "archive-data"
_HERE: Final = f"/{{_before:path}}{PATH}"


def answer(name: str, version: str, what: str, zone: str = "", _before: str = "") -> Response:
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
            return JSONResponse(headline(archive, int(what), zone_of(zone) or UTC), headers=_KEEP)
    return Response(status_code=404)


def names(archive: OpenArchive) -> list[list[Any]]:
    """Titles of the largest groups, and of those in each part of the map, each with a point and its place."""
    titles = archive.events["title"][archive.events["headlines"] > 1]
    ends = len(archive) - np.cumsum(archive.events["headlines"].to_numpy()[: len(titles)])
    rows = archive.order[ends]  # the first of each group
    named = np.zeros(len(titles), dtype=bool)
    for parts, most in _NAMED.items():
        across, up = (side[rows].astype(np.int64) * parts // (SPAN + 1) for side in (archive.x, archive.y))
        part = across + parts * up
        named |= (pd.Series(part).groupby(part).cumcount() < most).to_numpy()
    chosen = zip(titles[named], ends[named].tolist(), (np.flatnonzero(named) + 1).tolist(), strict=True)
    return [[shorten(title, _MAP_TITLE), point, place] for title, point, place in chosen]


def headline(archive: OpenArchive, point: int, zone: tzinfo = UTC) -> dict[str, str]:
    row = archive.order[point : point + 1]
    record = archive.table(row).iloc[0]
    size = int(archive.events["headlines"].iloc[archive.events_of_rows[row[0]]])
    when = None if record.isna()[Field.PUBLISHED] else record[Field.PUBLISHED]
    # A midnight is a day alone: an archive does not tell them apart.
    day = when and date_words(when, day_only=f"{when:%H:%M}" == "00:00", zone=zone)
    about = " · ".join(render.shorten(part, _SHORT_TITLE) for part in (record[Field.PUBLISHER], day) if part)
    group = "single report" if size == 1 else f"{count_words(size, 'headline', 'headlines')} in its group"
    return {"headline": render.shorten(record[Field.HEADLINE], 240), "about": about, "group": group}


async def _asked(request: Request) -> Response:
    return await asyncio.to_thread(answer, **request.path_params)


async def _nothing(_: Request) -> Response:
    return PlainTextResponse("There is nothing at this address.\n", status_code=404)


ROUTES: Final = (
    Route(_HERE + "/{name}/{version}/{what}", _asked),
    Route(_HERE + "/{name}/{version}/{zone:path}/{what}", _asked),
    # Else Streamlit would answer with its page: to it, any address is one of a page.
    Route(_HERE, _nothing),
    Route(_HERE + "/{rest:path}", _nothing),
)
