"""The alarms of a stream as feeds of the server, at addresses that nobody guesses."""

import asyncio
from typing import Final
from urllib.parse import urljoin

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from components.server.server_keys import server_secret
from components.sources.streams import reader_of, stream_title
from core.digests import read_signed, signed
from core.errors import CoreError
from core.live.alarm_feeds import as_json_feed, as_rss
from core.live.kept import stream_file

_PLACE: Final = "alarms"
_FORMS: Final = {"xml": (as_rss, "application/rss+xml"), "json": (as_json_feed, "application/feed+json")}


def feed_address(stream: str, ending: str) -> str:
    token = signed(server_secret(), _PLACE, stream)
    return urljoin(st.context.url or "http://localhost:8501/", f"{_PLACE}/{token}.{ending}")


def answer(file: str) -> Response:
    token, _, ending = file.rpartition(".")
    stream = read_signed(server_secret(), _PLACE, token)
    if not stream or ending not in _FORMS:
        return Response(status_code=404)
    write, kind = _FORMS[ending]
    try:
        body = write(f"Alarms: {stream_title(stream)}", reader_of(stream_file(stream)).alarms())
    except (CoreError, FileNotFoundError):  # the stream was removed
        return Response(status_code=404)
    return Response(body, media_type=kind, headers={"cache-control": "no-store"})


async def _fetched(request: Request) -> Response:
    return await asyncio.to_thread(answer, request.path_params["file"])


ROUTES: Final = (Route(f"/{{_before:path}}{_PLACE}/{{file}}", _fetched),)
