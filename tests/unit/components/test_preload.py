"""The header that tells the browser what the first page needs."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from components.ahead import SCRIPT_NAMES, SCRIPTS, Preload, addresses


@pytest.mark.parametrize("name", SCRIPT_NAMES)
def test_the_pinned_streamlit_has_each_script_once(name: str) -> None:
    assert len(list(SCRIPTS.glob(f"{name}.*.js"))) == 1


def test_pages_say_what_they_need_and_nothing_else_does() -> None:
    def page(_request: object) -> Response:
        return Response("<h1>", media_type="text/html")

    def data(_request: object) -> Response:
        return JSONResponse({})

    def text(_request: object) -> Response:
        return PlainTextResponse("ok")

    app = Starlette(
        routes=[Route("/", page), Route("/data", data), Route("/text", text)],
        middleware=[Middleware(Preload)],
    )
    client = TestClient(app)
    link = client.get("/").headers["link"]
    assert link.count("rel=modulepreload") == len(SCRIPT_NAMES) == len(addresses())
    assert all(f"<{address}>" in link for address in addresses())
    assert "link" not in client.get("/data").headers
    assert "link" not in client.get("/text").headers
