"""Headlines and days of documents by their addresses."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from core import limits
from core.data.timelines import column_names, dates, tables
from core.data.timelines.column_names import require
from core.data.timelines.decode import decode
from core.errors import DataSourceError, InputError
from core.files import read_tables
from core.text.normalise import clean_line

TABLES = (".jsonl", ".ndjson", ".csv", ".tsv")
PAGES = (".html", ".htm")
_COLUMNS: Final = {name: (name,) for name in ("url", "title", "timestamp", "date")}
FEWEST_WORDS: Final = 4  # words of letters in a part of an address that is a headline, no section or keyword
_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:n|id|nid|t|a|post)?\d{4,}|[0-9a-f]{16,}", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z'’]+", re.IGNORECASE)
_RULES: Final = [(re.compile(latin), letters) for latin, letters in read_tables(__file__)["cyrillic"].items()]
_SIGNS: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz'’", "абцдефгхижклмнопкрстуввхызьь")


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

    Tables hold `url`, `title`, and perhaps `timestamp` or `date`; HTML holds `og:url` and `og:title`.
    """
    if not os.path.exists(path):  # False also for names that nothing can have
        message = f"There is no file or folder {str(path)[:200]}."
        raise DataSourceError(message, hint="Check the path of the archive.")
    endings = TABLES + PAGES
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix.lower() in endings)
    documents: dict[str, Document] = {}
    for file in files:
        for url, title, day in _rows(file):
            headline = clean_line(title)
            if url.strip() and headline and len(headline) <= limits.HEADLINE_CHARACTERS.value:
                documents.setdefault(address_key(url), Document(headline, day))
    if not documents:
        message = f"{path} holds no document with an address and a headline."
        raise InputError(message, hint=f"Documents come as {', '.join(endings)} with `url` and `title`.")
    return documents


def _rows(file: Path) -> Iterator[tuple[str, str, float]]:
    ending, data = file.suffix.lower(), tables.read_bytes(file)
    if ending in PAGES:
        head = _Head()
        head.feed(decode(data).text)
        urls, titles, times = ([head.properties.get(name, "")] for name in _Head.wanted)
    elif ending in TABLES:
        table = tables.whole_table(data, file.name)
        mapping = column_names.find(table.columns, _COLUMNS)
        needed = {"url": "the addresses", "title": "the headlines"}
        require(mapping, needed, table.columns, file.name)
        urls, titles, stamps, days = (
            [cell or "" for cell in table.column(mapping[name])] if name in mapping else [""] * len(table)
            for name in _COLUMNS
        )
        times = [stamp or day for stamp, day in zip(stamps, days, strict=True)]
    else:
        raise InputError(f"{file.name} is no archive.", hint=f"It must end in {', '.join(TABLES + PAGES)}.")
    read = dates.parse_column(times, now=datetime.now(UTC))
    yield from zip(urls, titles, read.days.tolist(), strict=True)


class _Head(HTMLParser):
    wanted = ("og:url", "og:title", "article:published_time")

    def __init__(self) -> None:
        super().__init__()
        self.properties: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("property")
        if tag == "meta" and name and given.get("content"):
            self.properties.setdefault(name, given["content"] or "")


def documents_at(days: Mapping[str, float], documents: Mapping[str, Document] | None) -> dict[str, Document]:
    """The document at each address; without documents, the headline in the address and its day."""
    if documents is None:
        at = {url: Document(pseudo_headline(url), day) for url, day in days.items()}
    else:
        at = {url: documents[key] for url in days if (key := address_key(url)) in documents}
    return {url: document for url, document in at.items() if document.headline}


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


def no_headlines() -> InputError:
    hint = "Give the archives of 25, 27 and 29 May 2020 of the Telegram data clustering contest."
    return InputError("None of the judged pairs has both of its headlines in the documents.", hint=hint)
