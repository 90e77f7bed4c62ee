"""The spellings of a value that is to be forgotten."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from core.text import normalise, visits

_PORTS: Final = re.compile(r":(80|443)?\Z")
_SCHEME: Final = re.compile(r"(https?:)?//")


class ErasureTarget(StrEnum):
    URL = "url"
    PUBLISHER = "publisher"
    PERSON = "person"
    ENTRY = "entry"  # one of the journal, by its id


def forms(kind: ErasureTarget, text: str) -> Iterator[str]:
    """A value however it is spelled; the first form is what a receipt holds the hash of."""
    if kind is ErasureTarget.ENTRY:
        yield text.strip()
    elif kind is ErasureTarget.PERSON:
        yield normalise.judge_key(text)
    else:
        yield address(text)
    yield from _older(kind, text)


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _older(kind: ErasureTarget, text: str) -> Iterator[str]:
    """The forms of receipts of older versions, and the host that a publisher may be called by."""
    folded = plain(text)
    if kind is ErasureTarget.PERSON:
        yield folded
        return
    bare = folded.partition("://")[2] if folded.startswith(("http://", "https://")) else folded
    yield bare.removeprefix("www.").partition("#")[0].rstrip("/")
    if kind is ErasureTarget.PUBLISHER and "://" in folded:
        with suppress(ValueError):
            yield (urlsplit(folded).hostname or "").removeprefix("www.")


def address(text: str) -> str:
    """An address without what does not tell pages apart: case, scheme, www, port, tracking, fragment."""
    line = " ".join(normalise.seen(text).split())
    if "." not in line and "/" not in line:
        return line
    bare, _, query = _SCHEME.sub("", line, count=1).partition("#")[0].partition("?")
    host, stroke, path = bare.partition("/")
    host = _PORTS.sub("", host.rpartition("@")[2]).removesuffix(".").removeprefix("www.")
    with suppress(UnicodeError):
        host = host.encode("ascii").decode("idna") if "xn--" in host else host
    cells = parse_qsl(query, keep_blank_values=True)
    left = sorted((name, value) for name, value in cells if not visits.VISITS.fullmatch(name))
    path = normalise.seen(unquote(f"{stroke}{path}")).rstrip("/")
    return f"{host}{path}" + (f"?{urlencode(left)}" if left else "")
