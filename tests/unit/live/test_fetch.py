import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.errors import CoreError, DataSourceError, InputError
from core.live import fetch
from core.live.fetch import Fetcher
from core.live.sources import source_of

FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>
<item><title>Storm closes the harbour</title><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate></item>
<item><title>Harbour closed by storm</title><pubDate>Mon, 06 May 2024 09:00:00 GMT</pubDate></item>
</channel></rss>"""

PUBLIC = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 80))


def _plain(handler, body, **headers):
    handler.send_response(200)
    for name, value in {"Content-Type": "application/rss+xml", **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def _feed(handler):
    if handler.headers["If-None-Match"] == '"one"':
        handler.send_response(304)
        handler.end_headers()
    else:
        _plain(handler, FEED, ETag='"one"')


def _slow(handler):
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        try:
            handler.wfile.write(b"<rss>")
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.1)


def _to(target):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    return answer


ANSWERS = {
    "/feed": _feed,
    "/cut": lambda handler: _plain(handler, FEED[:250]),
    "/large": lambda handler: _plain(handler, b"x" * 3_000_000),
    "/slow": _slow,
    "/moved": _to("/feed"),
    "/round": _to("/round"),
    "/file": _to("file:///etc/passwd"),
    "/gone": lambda handler: handler.send_error(404),
}


@pytest.fixture(scope="module")
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            ANSWERS[self.path](self)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


def test_a_feed_is_read_once_and_again_when_it_changed(server):
    source = source_of(f"{server}/feed", private=True)
    texts = [one.text for one in source.look(last=False, note=print)]
    assert texts == ["Harbour closed by storm", "Storm closes the harbour"]
    assert source.look(last=False, note=print) == []


def test_after_a_redirect_elsewhere_everything_is_asked_for(server, monkeypatch):
    fetcher = Fetcher(f"{server}/moved", private=True)
    first = fetcher.fetch()
    assert first[0] == FEED
    assert fetcher.fetch() is None
    # The other place uses the same mark for something else.
    monkeypatch.setitem(ANSWERS, "/other", _feed)
    monkeypatch.setitem(ANSWERS, "/moved", _to("/other"))
    found = fetcher.fetch()
    assert found[0] == FEED


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("large", "more than 1 MB"), ("slow", "longer than 1 seconds"),
        ("round", "leads on more than 5 times"), ("file", "not an address"), ("gone", "status 404"),
    ],
)  # fmt: skip
def test_what_is_too_large_too_slow_or_astray_is_refused(server, path, said, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FETCH_MEGABYTES", "1")
    monkeypatch.setenv("HEADLINE_LAB_FETCH_SECONDS", "1")
    with pytest.raises(CoreError, match=said):
        Fetcher(f"{server}/{path}", private=True).fetch()


def test_once_it_was_read_a_fault_is_a_note(server, monkeypatch):
    source = source_of(f"{server}/feed", private=True)
    source.look(last=False, note=print)
    monkeypatch.setitem(ANSWERS, "/feed", ANSWERS["/gone"])
    notes: list[str] = []
    assert source.look(last=False, note=notes.append) == []
    assert "status 404" in notes[0]


@pytest.mark.parametrize(
    "ip",
    [
        *("127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1"),
    ],
)
def test_no_private_address_is_asked_by_any_name(ip, monkeypatch):
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    asked: list[object] = []
    places = [(family, socket.SOCK_STREAM, 6, "", (ip, 80)), PUBLIC]
    monkeypatch.setattr(fetch.socket, "getaddrinfo", lambda *_, **__: places)
    monkeypatch.setattr(fetch.socket, "create_connection", lambda *place, **__: asked.append(place))
    with pytest.raises(InputError, match="private network"):
        Fetcher("http://news.example.org/feed").fetch()
    assert not asked


def test_a_name_is_looked_up_once_and_the_connection_goes_there(monkeypatch):
    answers = iter([[PUBLIC]])
    asked: list[tuple[str, int]] = []

    def refuse(place, **_):
        asked.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(fetch.socket, "getaddrinfo", lambda *_, **__: next(answers))
    monkeypatch.setattr(fetch.socket, "create_connection", refuse)
    with pytest.raises(DataSourceError):
        Fetcher("http://news.example.org/feed").fetch()
    assert asked == [("93.184.215.14", 80)]


def test_https_never_leads_to_http():
    with pytest.raises(InputError, match="from https to http"):
        fetch._target("https://news.example.org/feed", "http://news.example.org/feed")
