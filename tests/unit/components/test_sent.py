"""What the browser loads first: compressed scripts, and a page that says where its server is."""

from __future__ import annotations

import gzip

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from benchmarks.browser import MENU
from components.sent import SCRIPT_NAMES, STATIC, Front, Static, addresses, pages, scripts


@pytest.mark.parametrize("name", SCRIPT_NAMES)
def test_the_pinned_streamlit_has_each_script_once(name: str) -> None:
    assert len(list((STATIC / "static" / "js").glob(f"{name}.*.js"))) == 1


@pytest.fixture
def client() -> TestClient:
    def page(_request: object) -> Response:
        return Response("<html><head><title>x</title></head></html>", media_type="text/html")

    def data(_request: object) -> Response:
        return JSONResponse({})

    def text(_request: object) -> Response:
        return PlainTextResponse("ok")

    routes = [Route("/", page), Route("/map", page), Route("/data", data), Route("/{rest:path}", text)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Static), Middleware(Front)]))


def test_pages_say_what_they_need_and_nothing_else_does(client: TestClient) -> None:
    link = client.get("/").headers["link"]
    assert link.count("rel=modulepreload") == len(SCRIPT_NAMES) == len(addresses())
    assert all(f"<{address}>" in link for address in addresses())
    assert "link" not in client.get("/data").headers
    assert "link" not in client.get("/text").headers


def test_every_page_says_where_its_server_is_before_any_other_script(client: TestClient) -> None:
    # Phones open Join, which the menu does not list.
    assert len(pages()) - 1 == sum(map(len, MENU.values()))
    for address in ("/", "/map"):
        answer = client.get(address)
        assert answer.text.startswith("<html><head><script>{")
        assert "BACKEND_BASE_URL" in answer.text
        assert int(answer.headers["content-length"]) == len(answer.content)


def test_scripts_are_sent_compressed_to_those_who_can_read_them(client: TestClient) -> None:
    path, file = min(scripts().items())
    answer = client.get(path)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == file.read_bytes()
    assert int(answer.headers["content-length"]) == len(gzip.compress(file.read_bytes(), 6, mtime=0))
    assert client.get(path, headers={"accept-encoding": "identity"}).text == "ok"


def test_only_streamlits_own_scripts_are_answered_for(client: TestClient) -> None:
    for path in ("/static/js/nothing.js", "/static/js/../../index.html", "/static/media/x.woff2"):
        assert "content-encoding" not in client.get(path).headers
