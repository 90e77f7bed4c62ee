"""Streamlit's page and scripts, as they are sent."""

import asyncio
import gzip
import json
import re
from collections.abc import Iterable
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from typing import Final

import streamlit
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from components.server.places import pages

STATIC: Final = Path(streamlit.__file__).parent / "static"
"""Streamlit's page and its scripts; each script is called NAME.HASH.js."""
KINDS: Final = {"js": "text/javascript", "css": "text/css"}
_SHARED: Final = Path(__file__).parents[1] / "share.png"  # what a link to the app looks like elsewhere
YEAR: Final = "public, immutable, max-age=31536000"  # A name with a hash in it never means anything else
_FILES: Final = {
    kind: {file.name: file for file in (STATIC / "static" / kind).glob(f"*.{kind}")} for kind in KINDS
}
LEVEL: Final = 6  # of compression; 9 takes twice as long for 1 % less
FIRST_SCRIPTS: Final = re.compile(
    r"(BidiComponent|Button|ButtonGroup|Checkbox|DownloadButton|Html|Selectbox|Slider|Table|TextInput)\.[^.]+\.js"
)
"""Scripts of the first page; Streamlit asks for each when its element arrives."""
_MEET: Final = Path(__file__).with_name("meet.js").read_text(encoding="utf-8")
_HERE: Final = re.compile(r"/static/js/([\w.$-]+\.js)")
_IMPORT: Final = re.compile(r'(?:from|import)\s*"\./([\w.$-]+\.js)"')


@lru_cache(maxsize=512)
def packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), LEVEL, mtime=0)


async def script(kind: str, request: Request) -> Response:
    """A script or style sheet of Streamlit's, compressed: over 1.6 Mbit/s ten seconds instead of thirty."""
    file = _FILES[kind].get(request.path_params["name"])
    if file is None:
        return Response("There is nothing at this address.\n", 404, media_type="text/plain")
    about = {"cache-control": YEAR, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(file, media_type=KINDS[kind], headers=about)
    body = await asyncio.to_thread(packed, file)
    return Response(body, media_type=KINDS[kind], headers=about | {"content-encoding": "gzip"})


SCRIPTS: Final = [
    *(Route(f"/{{before:path}}static/{kind}/{{name}}", partial(script, kind)) for kind in KINDS),
    Route(f"/{{before:path}}{_SHARED.name}", lambda _: FileResponse(_SHARED)),
]


def addresses() -> list[str]:
    """Addresses of the first scripts and their imports, without those that Streamlit's page names itself."""
    named = _HERE.findall((STATIC / "index.html").read_text(encoding="utf-8"))
    wanted = [name for name in _FILES["js"] if FIRST_SCRIPTS.fullmatch(name)]
    return [f"./static/js/{name}" for name in sorted(_with_imports(wanted) - _with_imports(named))]


def _with_imports(names: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in seen and name in _FILES["js"]:
            seen.add(name)
            left += _IMPORT.findall(_FILES["js"][name].read_text(encoding="utf-8"))
    return seen


def base_script() -> str:
    """Tells Streamlit's page where its server is: else it looks under the open page's address first."""
    code = Path(__file__).with_name("base.js").read_text(encoding="utf-8")
    return f"<script>{{const pages = {json.dumps(pages())};{code}}}</script>"


class Front(BaseHTTPMiddleware):
    """The page says where its server is, and which scripts it will need: proxies refuse long headers."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        links = "".join(f'<link rel="modulepreload" href="{address}">' for address in addresses())
        # One step of the reader is one entry in the browser's history.
        history = Path(__file__).with_name("history.js").read_text(encoding="utf-8")
        chrome = Path(__file__).with_name("chrome.css").read_text(encoding="utf-8")
        self._scripts = f"{base_script()}<script>{history}</script><style>{chrome}</style>{links}".encode()

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        path = request.url.path
        wants_page = "." not in path.rpartition("/")[2] and "/_stcore/" not in path
        if request.method != "GET" or not wants_page:
            return await call_next(request)
        # A compressed or unchanged page could not be added to.
        unwanted = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        request.scope["headers"] = [pair for pair in request.scope["headers"] if pair[0] not in unwanted]
        page = await call_next(request)
        if page.status_code != 200 or "text/html" not in page.headers.get("content-type", ""):
            return page
        body = b"".join([part async for part in page.body_iterator])
        asked = json.dumps(request.headers.get("host", "")).replace("<", "\\u003c")
        meet = f"<script>{{const asked = {asked};{_MEET}}}</script>".encode()
        place = f"{request.url.scheme}://{request.headers.get('host', '')}{path.rpartition('/')[0]}"
        shared = f'<meta property="og:image" content="{escape(place)}/{_SHARED.name}">'.encode()
        answer = Response(body.replace(b"<head>", b"<head>" + self._scripts + meet + shared, 1))
        answer.raw_headers += [pair for pair in page.raw_headers if pair[0] != b"content-length"]
        return answer
