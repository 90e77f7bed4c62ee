"""What the browser loads first: compressed scripts, and a page that says where its server is."""

import asyncio
import gzip
import re
import socket

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from benchmarks.browser import MENU
from components.sessions import SCRIPT_NAMES, STATIC, Front, Static, addresses, pages, scripts, send_at_once


@pytest.fixture
def client():
    def page(_request):
        return Response("<html><head><title>x</title></head></html>", media_type="text/html")

    def data(_request):
        return JSONResponse({})

    def text(_request):
        return PlainTextResponse("ok")

    routes = [Route("/", page), Route("/map", page), Route("/data", data), Route("/{rest:path}", text)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Static), Middleware(Front)]))


def test_pages_say_what_they_need_and_nothing_else_does(client):
    link = client.get("/").headers["link"]
    assert link.count("rel=modulepreload") == len(addresses())
    assert all(f"<{address}>" in link for address in addresses())
    assert len(set(addresses())) == len(addresses())
    assert "link" not in client.get("/data").headers
    assert "link" not in client.get("/text").headers


def test_every_page_says_where_its_server_is_before_any_other_script(client):
    # Phones open Join, which the menu does not list.
    assert len(pages()) - 1 == sum(map(len, MENU.values()))
    for address in ("/", "/map"):
        answer = client.get(address)
        assert answer.text.startswith("<html><head><script>{")
        assert "BACKEND_BASE_URL" in answer.text
        assert int(answer.headers["content-length"]) == len(answer.content)


def test_scripts_are_sent_compressed_to_those_who_can_read_them(client):
    path, file = min(scripts().items())
    answer = client.get(path)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == file.read_bytes()
    assert int(answer.headers["content-length"]) == len(gzip.compress(file.read_bytes(), 6, mtime=0))
    assert client.get(path, headers={"accept-encoding": "identity"}).text == "ok"


def test_what_a_script_imports_is_asked_for_with_it():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    named = [address.removeprefix("./static/js/") for address in addresses()]
    # Each once: what the page names itself, and what stands for it, is left out.
    assert [name for name in SCRIPT_NAMES if not any(one.startswith(f"{name}.") for one in named)] == []
    assert not any(name in page for name in named)
    left_out = set(re.findall(r"/static/js/([\w.$-]+\.js)", page))
    for name in sorted(left_out):
        left_out |= set(imports_of(name))
    assert {one for name in named for one in imports_of(name)} <= {*named, *left_out}


def imports_of(name):
    text = (STATIC / "static" / "js" / name).read_text(encoding="utf-8")
    return re.findall(r'(?:from|import)\s*"\./([\w.$-]+\.js)"', text)


def test_no_answer_waits_for_the_one_before_it_to_be_acknowledged():
    """The socket is made as Streamlit makes it, for which asyncio leaves the kernel's delay on."""
    found: list[int] = []

    class Asked(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted = transport.get_extra_info("socket")
            found.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def serve():
        loop = asyncio.get_running_loop()
        send_at_once(loop)
        listening = socket.socket(family=socket.AF_INET)
        listening.bind(("127.0.0.1", 0))
        server = await loop.create_server(Asked, sock=listening)
        async with server:
            _, writer = await asyncio.open_connection(*listening.getsockname())
            while not found:
                await asyncio.sleep(0.01)
            writer.close()

    asyncio.run(serve())
    assert [bool(one) for one in found] == [True]
