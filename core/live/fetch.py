"""Asks an address, and only what is public: no other protocol, no private network, within the limits."""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from core import __version__, limits
from core.data.timelines import readers
from core.errors import DataSourceError, InputError

_LONGEST: Final = 2_000  # characters of an address
_REDIRECTS: Final = 5
_PIECE: Final = 65_536
_PLAINLY: Final = {"Accept-Encoding": "identity", "Connection": "close"}
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_ENDINGS: Final = (("json", "json"), ("csv", "csv"), ("xml", "xml"), ("rss", "xml"), ("atom", "xml"))
"""What a content type says of the format, where the address does not."""

Fetched = tuple[bytes, str]  # the body, and a name whose ending says the format, where it is known


def is_address(given: str) -> bool:
    return "://" in given[:40]


@dataclass(slots=True, eq=False)
class Fetcher:
    """An address that is asked again and again; what did not change is not sent again."""

    url: str  # the address, http or https
    private: bool = False  # addresses of this computer and of private networks may be asked
    _answered: str = ""
    _tag: str = ""
    _changed: str = ""

    def __post_init__(self) -> None:
        checked(self.url)

    @property
    def shown(self) -> str:
        """The address for people, without its query, which may hold a key."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}{parts.path}"[:200]

    def check(self) -> None:
        parts = checked(self.url)
        try:
            _public(parts.hostname or "", _port(parts), private=self.private)
        except OSError as error:
            raise _failed(self.shown, _why(error)) from error

    def fetch(self) -> Fetched | None:
        url = self.url
        until = time.monotonic() + limits.FETCH_SECONDS.value
        for _ in range(_REDIRECTS + 1):
            parts = checked(url)
            try:
                place = _public(parts.hostname or "", _port(parts), private=self.private)
                with _asked(parts, place, self._headers(url), until) as answer:
                    if answer.status in _MOVED:
                        url = _target(url, answer.getheader("Location"))
                        continue
                    if answer.status == http.client.NOT_MODIFIED:
                        return None
                    if answer.status != http.client.OK:
                        raise _failed(self.shown, f"it answered with status {answer.status}")
                    data = _body(answer, until, self.shown)
                    self._answered = url
                    self._tag = answer.getheader("ETag") or ""
                    self._changed = answer.getheader("Last-Modified") or ""
                    return data, _filename(parts, answer.getheader("Content-Type") or "")
            except (TimeoutError, http.client.HTTPException, OSError) as error:
                if isinstance(error, DataSourceError):
                    raise
                late = time.monotonic() >= until or isinstance(error, TimeoutError)
                why = f"it took longer than {limits.FETCH_SECONDS.value} seconds" if late else _why(error)
                raise _failed(self.shown, why) from error
        raise _failed(self.shown, f"it leads on more than {_REDIRECTS} times")

    def forget(self) -> None:
        """Asks for everything the next time, since the last answer could not be used as a whole."""
        self._answered = ""

    def _headers(self, url: str) -> dict[str, str]:
        headers = {"User-Agent": f"headline-lab/{__version__}", **_PLAINLY}
        if url != self._answered:
            return headers  # marks of an answer mean nothing elsewhere: a redirect may lead to another place
        if self._tag:
            headers["If-None-Match"] = self._tag
        if self._changed:
            headers["If-Modified-Since"] = self._changed
        return headers


def post(url: str, body: bytes, *, outside: bool) -> None:
    """Sends JSON, to one's own network unless `outside`; DataSourceError where it is not taken."""
    parts, until = checked(url), time.monotonic() + limits.FETCH_SECONDS.value
    headers = {"User-Agent": f"headline-lab/{__version__}", "Content-Type": "application/json", **_PLAINLY}
    why = ""
    try:
        places = _places(parts.hostname or "", _port(parts))
        if not outside and any(map(_is_public, places)):
            why = "it is an address of the internet"
        else:
            with _asked(parts, places[0], headers, until, body) as answer:
                why = "" if answer.status // 100 == 2 else f"it answered with status {answer.status}"
    except (http.client.HTTPException, OSError) as error:
        late = time.monotonic() >= until or isinstance(error, TimeoutError)
        why = f"it took longer than {limits.FETCH_SECONDS.value} seconds" if late else _why(error)
    if why:
        message = f"{origin_of(url)} was not told: {why}."  # the rest may be a key
        raise DataSourceError(message, hint="See that it runs, and at which address.")


def origin_of(url: str) -> str:
    parts = checked(url)
    return f"{parts.scheme}://{parts.netloc}"


def host_of(url: str) -> str:
    return (checked(url).hostname or "").removesuffix(".")


def checked(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or len(url) > _LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        hint = "Give one that begins with https:// or http://, written as the browser sends it."
        raise InputError(f"{url[:120]!r} is not an address that can be asked.", hint=hint)
    if parts.username is not None or parts.password is not None:
        raise InputError("The address holds a name or password.", hint="Give an address that needs neither.")
    return parts


def _public(host: str, port: int, *, private: bool) -> str:
    addresses = _places(host, port)
    if not private and not all(map(_is_public, addresses)):
        hint = "Ask public addresses (the command asks others where --private is given)."
        raise InputError(f"{host[:200]} is an address of this computer or of a private network.", hint=hint)
    return addresses[0]


def _places(host: str, port: int) -> list[str]:
    # Looked up once: a name that means something else a moment later changes nothing.
    return [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _is_public(text: str) -> bool:
    ip = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        # Addresses of version 4 that are written as, or reached through, ones of version 6.
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None and not _is_public(str(inner)):
            return False
        if ip.ipv4_mapped is not None:
            return True
    return ip.is_global and not ip.is_multicast


@contextmanager
def _asked(
    parts: SplitResult, place: str, headers: dict[str, str], until: float, body: bytes | None = None
) -> Iterator[http.client.HTTPResponse]:
    host, port = parts.hostname or "", _port(parts)
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    sock = socket.create_connection((place, port), timeout=left)
    # Each wait for bytes is bounded by the socket; this bounds all of them together.
    watch = threading.Timer(left, _cut, [sock])
    watch.daemon = True
    watch.start()
    try:
        if parts.scheme == "https":
            sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = sock
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        method = "GET" if body is None else "POST"
        connection.request(method, path, body, headers={"Host": parts.netloc, **headers})
        with connection.getresponse() as answer:
            yield answer
    finally:
        watch.cancel()
        sock.close()


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _body(answer: http.client.HTTPResponse, until: float, shown: str) -> bytes:
    most = limits.FETCH_MEGABYTES.value * 1_000_000
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read(_PIECE):
        size += len(piece)
        if size > most:
            raise _failed(shown, f"it sends more than {limits.FETCH_MEGABYTES.value} MB")
        if time.monotonic() > until:
            raise TimeoutError
        pieces.append(piece)
    if time.monotonic() > until:
        raise TimeoutError
    if answer.length:
        raise _failed(shown, "the answer was cut off")
    return b"".join(pieces)


def _target(url: str, location: str | None) -> str:
    if not location:
        raise DataSourceError("The address leads on without saying where.", hint="Check it in a browser.")
    target = urljoin(url, location)
    if url.startswith("https:") and target.startswith("http:"):
        message = "The address leads from https to http, where anybody on the way could change what it says."
        raise InputError(message, hint="Give the address that it leads to, if you trust it.")
    return target


def _filename(parts: SplitResult, kind: str) -> str:
    name = PurePosixPath(parts.path).name
    bare = name.lower().removesuffix(".gz")
    if bare.rpartition(".")[2] in readers.suffixes() and "." in bare:
        return name
    return next((f"answer.{ending}" for word, ending in _ENDINGS if word in kind.lower()), "answer")


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate cannot be trusted"
    if isinstance(error, socket.gaierror):
        return "there is no such name, or no network"
    return "no answer came, or one that is none"


def _failed(shown: str, why: str) -> DataSourceError:
    message = f"{shown} was not read: {why}."
    return DataSourceError(message, hint="Check the address in a browser, or try later.")
