"""The user's own copy of an archive of news documents: addresses with real headlines.

A file of JSON lines, a table in CSV or TSV, one HTML document, or a folder of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import numpy as np

from core import limits
from core.data.articles.load import whole_table
from core.data.timelines import dates, raw
from core.data.timelines.decode import decode
from core.data.timelines.load import read_bytes
from core.data.timelines.timeline import SECONDS_PER_DAY
from core.errors import DataSourceError, InputError
from core.text.normalise import clean_line

TABLES = (".jsonl", ".ndjson", ".csv", ".tsv")
PAGES = (".html", ".htm")
_COLUMNS: Final = {name: (name,) for name in ("url", "title", "timestamp", "date")}


@dataclass(frozen=True, slots=True)
class Document:
    headline: str
    day: float  # since 1970 UTC; NaN where unknown


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
        table = whole_table(data, file.name)
        found = raw.find(table.columns, _COLUMNS)
        needed = {"url": "the addresses", "title": "the headlines"}
        raw.require(found, needed, table.columns, file.name)
        urls, titles, stamps, days = (
            [cell or "" for cell in table.column(found[name])] if name in found else [""] * len(table)
            for name in _COLUMNS
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


FEWEST_WORDS: Final = 4
"""A part of an address with fewer words of letters is a section or a keyword, not a headline."""

_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:n|id|nid|t|a|post)?\d{4,}|[0-9a-f]{16,}", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z'’]+", re.IGNORECASE)

# In this order; several schemes at once, because each outlet has its own.
_RULES: Final = tuple(
    (re.compile(latin), letters)
    for latin, letters in (
        ("shch|sch|shh", "щ"),
        ("zh", "ж"),
        ("kh", "х"),
        ("ts(?=[yji]a)", "тс"),
        ("ts", "ц"),
        ("ch", "ч"),
        ("sh", "ш"),
        ("i[yj]$", "ий"),
        ("y[yij]$", "ый"),
        ("(?<=[aeo])i$", "й"),
        ("[yj]u|(?<=[aeiou])iu", "ю"),
        ("[yj]a|(?<=[aeouмтсвлнрьь])ia", "я"),
        ("(?<=[aeiouy])[yj](?![aeiou])", "й"),
        ("[yj]o", "ё"),
        ("yi", "ы"),
        ("j(?=e)", ""),
        ("j(?=i)", "ж"),
    )
)
_SIGNS: Final = str.maketrans(
    dict(zip("abcdefghijklmnopqrstuvwxyz'’", "абцдефгхижклмнопкрстуввхызьь", strict=True))
)


def pseudo_headline(url: str) -> str:
    """The headline that an address holds, in Cyrillic; "" where it holds none."""
    words = slug_words(url)
    text = " ".join(cyrillic(word) for word in words)
    return text[:1].upper() + text[1:]


def slug_words(url: str) -> list[str]:
    """The words of that part of the address as they stand, in lower case; [] where there is none."""
    try:
        path = urlsplit(url).path
    except ValueError:  # no address at all
        return []
    for part in reversed(unquote(path).split("/")):
        words = [word for word in re.split(r"[^\w'’]+|_+", _ENDING.sub("", part).casefold()) if word]
        while words and _NUMBERED.fullmatch(words[0]):
            words = words[1:]
        while words and _NUMBERED.fullmatch(words[-1]):
            words = words[:-1]
        if sum(word.isalpha() for word in words) >= FEWEST_WORDS:
            return words
    return []


def cyrillic(word: str) -> str:
    """A word in Latin letters written in Cyrillic ones; anything else as it stands."""
    if not _LETTERS.fullmatch(word):
        return word
    for latin, letters in _RULES:
        word = latin.sub(letters, word)
    return word.translate(_SIGNS)
