"""The user's own copy of an archive of news documents: addresses with real headlines.

A file of JSON lines, a table in CSV or TSV, one HTML document, or a folder of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from core import limits
from core.data.articles.article_file import whole_table
from core.data.timelines import column_names, dates
from core.data.timelines.decode import decode
from core.data.timelines.load import read_bytes
from core.data.timelines.timeline import SECONDS_PER_DAY
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line

TABLES = (".jsonl", ".ndjson", ".csv", ".tsv")
PAGES = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Document:
    """What is known of one document.

    Attributes:
        headline: One clean line.
        day: Publication time in days since 1970 UTC; NaN where unknown.
    """

    headline: str
    day: float


def address_key(url: str) -> str:
    """An address without what does not tell pages apart: scheme, "www.", the last slash, the fragment."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:  # no address at all
        return url.strip()
    host = parts.netloc.casefold().removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}"


def read_documents(path: Path) -> dict[str, Document]:
    """Documents by `address_key`; of two with one address the first counts.

    JSON lines and tables hold `url` and `title`, and may hold `timestamp` (seconds since 1970) or `date`
    (ISO 8601). HTML documents hold `og:url` and `og:title` in their head, as the archives of the Telegram
    data clustering contest do. Documents without address or headline are passed over.
    """
    if not _there(path):
        raise DataSourceError(
            f"There is no file or folder {str(path)[:200]}.", hint="Check the path of the archive."
        )
    endings = TABLES + PAGES
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix.lower() in endings)
    found: dict[str, Document] = {}
    for file in files:
        for url, title, day in _rows(file):
            headline = clean_line(title)
            if url.strip() and headline and len(headline) <= limits.HEADLINE_CHARACTERS.value:
                found.setdefault(address_key(url), Document(headline, day))
    if not found:
        raise InputError(
            f"{path} holds no document with an address and a headline.",
            hint=f"Documents come as {', '.join(endings)} with `url` and `title`.",
        )
    return found


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _rows(file: Path) -> Iterator[tuple[str, str, float]]:
    ending, data = file.suffix.lower(), read_bytes(file)
    if ending in PAGES:
        head = _Head()
        head.feed(decode(data).text)
        urls, titles, times = ([head.found.get(name, "")] for name in _Head.wanted)
    elif ending in TABLES:
        cells = whole_table(data, file.name).cells
        keys = column_names.by_key(cells.columns)
        if not {"url", "title"} <= keys.keys():
            raise InputError(f"{file.name} has no columns `url` and `title`.", hint="Name them so.")
        urls, titles, stamps, days = (
            [cell or "" for cell in cells[keys[name]]] if name in keys else [""] * len(cells)
            for name in ("url", "title", "timestamp", "date")
        )
        times = [stamp or day for stamp, day in zip(stamps, days, strict=True)]
    else:
        raise InputError(f"{file.name} is no archive.", hint=f"It must end in {', '.join(TABLES + PAGES)}.")
    read = dates.parse_column(times, now=datetime.now(UTC)).published
    known = np.where(np.isnat(read), np.nan, read.astype(np.int64) / 1e6 / SECONDS_PER_DAY)
    yield from zip(urls, titles, known.tolist(), strict=True)


class _Head(HTMLParser):
    wanted = ("og:url", "og:title", "article:published_time")

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("property")
        if tag == "meta" and name and given.get("content"):
            self.found.setdefault(name, given["content"] or "")
