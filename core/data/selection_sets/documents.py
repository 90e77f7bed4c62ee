"""The user's own copy of an archive of news documents: addresses with real headlines.

A file of JSON lines, a table in CSV or TSV, one HTML document, or a folder of them.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from core import limits
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line

ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv", ".html", ".htm")
_ADDRESS = "og:url"
_TITLE = "og:title"
_TIME = "article:published_time"


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

    Args:
        path: A file, or a folder that is searched with all folders in it.

    Raises:
        DataSourceError: There is no such file or folder, or it cannot be read.
        InputError: A file is damaged, of another kind, or none of them holds a document.
    """
    if not path.exists():
        raise DataSourceError(f"There is no file or folder {path}.", hint="Check the path of the archive.")
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix.lower() in ENDINGS)
    found: dict[str, Document] = {}
    for file in files:
        for url, title, when in _rows(file):
            headline = clean_line(title)
            if url.strip() and headline and len(headline) <= limits.HEADLINE_CHARACTERS.value:
                found.setdefault(address_key(url), Document(headline, _day(when)))
    if not found:
        raise InputError(
            f"{path} holds no document with an address and a headline.",
            hint=f"Documents come as {', '.join(ENDINGS)} with `url` and `title`.",
        )
    return found


def _rows(file: Path) -> Iterator[tuple[str, str, str]]:
    """Address, headline and time of each document of a file."""
    try:
        if file.stat().st_size > limits.FILE_MEGABYTES.value * 1_000_000:
            raise InputError(
                f"{file.name} is larger than {limits.FILE_MEGABYTES.value} MB.",
                hint=f"Divide it, or raise {limits.FILE_MEGABYTES.variable}.",
            )
        text = file.read_text(encoding="utf-8-sig")
    except OSError:
        raise DataSourceError(f"{file} cannot be read.", hint="Check the file.") from None
    except UnicodeDecodeError:
        raise InputError(f"{file.name} is not UTF-8.", hint="Save it as UTF-8.") from None
    ending = file.suffix.lower()
    if ending in {".jsonl", ".ndjson"}:
        yield from _json_lines(file, text)
    elif ending in {".csv", ".tsv"}:
        yield from _table(file, text, "\t" if ending == ".tsv" else ",")
    elif ending in {".html", ".htm"}:
        yield _html(text)
    else:
        raise InputError(f"{file.name} is no archive.", hint=f"It must end in {', '.join(ENDINGS)}.")


def _json_lines(file: Path, text: str) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            url, title = row["url"], row["title"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f"Line {number:,} of {file.name} is not a JSON object with `url` and `title`.",
                hint='A line looks like {"url": "https://…", "title": "…"}.',
            ) from None
        yield str(url), str(title), str(row.get("timestamp", row.get("date", "")))


def _table(file: Path, text: str, delimiter: str) -> Iterator[tuple[str, str, str]]:
    csv.field_size_limit(max(csv.field_size_limit(), limits.FILE_MEGABYTES.value * 1_000_000))
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        if not {"url", "title"} <= set(rows.fieldnames or ()):
            raise InputError(
                f"{file.name} has no columns `url` and `title`.", hint="Name them so in its first line."
            )
        for row in rows:
            yield row["url"] or "", row["title"] or "", row.get("timestamp") or row.get("date") or ""
    except csv.Error as error:
        raise InputError(f"{file.name} is not a table: {error}.", hint="Save it again.") from None


class _Head(HTMLParser):
    """Collects the `meta` properties of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps the first value of each property."""
        given = dict(attrs)
        name = given.get("property")
        if tag == "meta" and name and given.get("content"):
            self.found.setdefault(name, given["content"] or "")


def _html(text: str) -> tuple[str, str, str]:
    head = _Head()
    head.feed(text)
    return head.found.get(_ADDRESS, ""), head.found.get(_TITLE, ""), head.found.get(_TIME, "")


def _day(when: str) -> float:
    """Days since 1970 of a time in seconds or in ISO 8601; NaN for anything else."""
    if re.fullmatch(r"\d{9,10}", when.strip()):
        return int(when) / 86_400
    try:
        moment = datetime.fromisoformat(when.strip())
    except ValueError:
        return math.nan
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() / 86_400
