"""Whole answers to what the map asks for by itself; see `components.archive.route`."""

from typing import Any, Final

from starlette.responses import JSONResponse, Response

from core.archive.opened import OpenArchive, is_shared, kept_archives, open_archive
from core.data.timelines.timeline import Field, written_day
from core.errors import CoreError
from core.results.render import count_words, shorten
from core.runtime import workshop

LABELS: Final = 2_000  # groups whose titles the map may write, the largest first
_TITLE: Final = 60
_HEADLINE: Final = 240
_KEEP: Final = {"cache-control": "private, immutable, max-age=31536000"}
"""The version stands in the address: it never means anything else."""


def answer(name: str, version: str, what: str) -> Response:
    """Points, labels or a headline by the number of its point; 404 for what is not there or not for all."""
    path = kept_archives().get(name)
    if path is None or (workshop() and not is_shared(path)):
        return Response(status_code=404)
    try:
        archive = open_archive(path)
        if archive.version != version:
            return Response(status_code=404)
        if what == "points":
            packed = {"content-encoding": "gzip", **_KEEP}
            return Response(archive.points, media_type="application/octet-stream", headers=packed)
        if what == "labels":
            return JSONResponse(labels(archive), headers=_KEEP)
        if what.isascii() and what.isdecimal() and len(what) < 10 and int(what) < len(archive):
            return JSONResponse(headline(archive, int(what)), headers=_KEEP)
    except CoreError:
        pass  # the page says what is wrong
    return Response(status_code=404)


def labels(archive: OpenArchive) -> list[list[Any]]:
    large = archive.events.iloc[:LABELS]
    large = large[large["headlines"] > 1]
    return [
        [shorten(title, _TITLE), int(archive.x[row]), int(archive.y[row])]
        for title, row in zip(
            large["title"], (archive.members(event)[0] for event in range(len(large))), strict=True
        )
    ]


def headline(archive: OpenArchive, point: int) -> dict[str, str]:
    """What is shown of a point: its headline, outlet and day, and how many headlines its group has."""
    row = archive.order[point : point + 1]
    one = archive.table(row).iloc[0]
    size = int(archive.events["headlines"].iloc[archive.events_of_rows[row[0]]])
    known = [one[Field.PUBLISHER], None if one.isna()[Field.PUBLISHED] else written_day(one[Field.PUBLISHED])]
    return {
        "headline": shorten(one[Field.HEADLINE], _HEADLINE),
        "about": " · ".join(shorten(part, _TITLE) for part in known if part),
        "group": "alone" if size == 1 else f"{count_words(size, 'headline', 'headlines')} in its group",
    }
