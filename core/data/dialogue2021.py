"""Dialogue 2021's choices between two Russian headlines of one event, and headlines by their addresses."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import IntArray
from core.data.articles.articles import whole_table
from core.data.files import DataPlace, read_columns
from core.data.timelines import dates, raw
from core.data.timelines.decode import decode
from core.data.timelines.duplicates import components
from core.data.timelines.load import read_bytes
from core.digests import share_of
from core.errors import DataSourceError, InputError
from core.files import read_tables
from core.parts import Part
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
    ending, data = file.suffix.lower(), read_bytes(file)
    if ending in PAGES:
        head = _Head()
        head.feed(decode(data).text)
        urls, titles, times = ([head.properties.get(name, "")] for name in _Head.wanted)
    elif ending in TABLES:
        table = whole_table(data, file.name)
        mapping = raw.find(table.columns, _COLUMNS)
        needed = {"url": "the addresses", "title": "the headlines"}
        raw.require(mapping, needed, table.columns, file.name)
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


FEWEST_WORDS: Final = 4  # words of letters in a part of an address that is a headline, no section or keyword

_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:n|id|nid|t|a|post)?\d{4,}|[0-9a-f]{16,}", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z'’]+", re.IGNORECASE)

_RULES: Final = [(re.compile(latin), letters) for latin, letters in read_tables(__file__)["cyrillic"].items()]
_SIGNS: Final = str.maketrans(
    dict(zip("abcdefghijklmnopqrstuvwxyz'’", "абцдефгхижклмнопкрстуввхызьь", strict=True))
)


def pseudo_headline(url: str) -> str:
    """The headline that an address holds, in Cyrillic; "" where it holds none."""
    words = slug_words(url)
    text = " ".join(cyrillic(word) for word in words)
    return text[:1].upper() + text[1:]


def documents_at(days: Mapping[str, float], documents: Mapping[str, Document] | None) -> dict[str, Document]:
    """The document at each address; without documents, the headline in the address and its day."""
    if documents is None:
        at = {url: Document(pseudo_headline(url), day) for url, day in days.items()}
    else:
        at = {url: documents[key] for url in days if (key := address_key(url)) in documents}
    return {url: document for url, document in at.items() if document.headline}


def no_headlines() -> InputError:
    message = "None of the judged pairs has both of its headlines in the documents."
    hint = "Give the archives of 25, 27 and 29 May 2020 of the Telegram data clustering contest."
    return InputError(message, hint=hint)


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


class Verdict(StrEnum):
    """The answers of Dialogue 2021, section 4.1."""

    LEFT = "left"
    RIGHT = "right"
    DRAW = "draw"
    BAD = "bad"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SelectionSet:
    """n headlines with text, and m judged pairs of them."""

    name: str  # of the set
    texts: tuple[str, ...]  # the headlines
    urls: tuple[str, ...]  # their addresses
    days: npt.NDArray[np.float64]  # publication time in days since 1970 UTC, float64 [n]; NaN where unknown
    pseudo: npt.NDArray[np.bool_]  # whether the text was rebuilt from the address instead of read, bool [n]
    left: IntArray  # row of the left headline of each pair, int64 [m]
    right: IntArray  # that of the right one
    verdicts: tuple[Verdict, ...]  # what people said, m of them
    parts: tuple[Part, ...]  # part of each pair, m of them
    files: tuple[str, ...]  # which of the task's files each pair is from ("0525"), m of them
    groups: IntArray  # [n] from 0; what pairs of one event join, within one part
    without_text: int  # pairs of the files, "bad" ones left out, of which a headline has no text

    def __len__(self) -> int:
        return len(self.verdicts)

    @property
    def fingerprint(self) -> str:
        strings = (*self.texts, *self.verdicts, *self.parts, *self.files)
        digest = hashlib.sha256("\x1f".join(strings).encode("utf-8", "surrogatepass"))
        for array in (self.days, self.left, self.right):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def part(self, *wanted: Part) -> SelectionSet:
        rows = self.pairs(parts=wanted)
        return replace(
            self,
            left=self.left[rows],
            right=self.right[rows],
            verdicts=tuple(self.verdicts[row] for row in rows),
            parts=tuple(self.parts[row] for row in rows),
            files=tuple(self.files[row] for row in rows),
        )

    def pairs(self, *, parts: Sequence[Part] = (), files: Sequence[str] = ()) -> IntArray:
        """Numbers of the pairs of some parts and files, int64; of all where none is named."""
        numbers = [
            pair
            for pair, (part, file) in enumerate(zip(self.parts, self.files, strict=True))
            if (not parts or part in parts) and (not files or file in files)
        ]
        return np.array(numbers, dtype=np.int64)

    def members(self) -> list[IntArray]:
        """Rows of the headlines of each group, by its number."""
        order = np.argsort(self.groups, kind="stable")
        _, starts = np.unique(self.groups[order], return_index=True)
        return [np.asarray(rows, dtype=np.int64) for rows in np.split(order, starts[1:]) if len(rows)]


NAME: Final = "dialogue2021"
PLACE: Final = DataPlace("Dialogue 2021", "ru_news_dialogue2021")
FILES: Final = {"0525": Part.TRAIN, "0527": Part.TEST, "0529": Part.TEST}
"""The task's files by day of May 2020: the first to learn from, then the public and the private test."""

VALIDATION_SHARE: Final = 0.2  # of the groups of the first file, by a hash of one of a group's addresses


def load_dialogue2021(documents: Mapping[str, Document] | None = None) -> SelectionSet:
    """The pairs whose headlines both have a text; "bad" pairs with texts among them."""
    folder = PLACE.require()
    rows = [row for file in FILES for row in _read(folder, file)]
    since = {file: float((date(2020, 5, int(file[2:])) - date(1970, 1, 1)).days) for file in FILES}
    known = documents_at({url: since[file] for file, *pair, _ in rows for url in pair}, documents)
    pairs = [row for row in rows if row[1] in known and row[2] in known]
    if not pairs:
        raise no_headlines()
    files, lefts, rights, verdicts = zip(*pairs, strict=True)
    urls = sorted({*lefts, *rights})
    place = {url: number for number, url in enumerate(urls)}
    left, right = (np.array([place[url] for url in side], dtype=np.int64) for side in (lefts, rights))
    same = np.array([verdict is not Verdict.BAD for verdict in verdicts])
    joined = components(len(urls), zip(left[same].tolist(), right[same].tolist(), strict=True))
    _, firsts, groups = np.unique(joined, return_index=True, return_inverse=True)
    held_out = np.array([share_of(urls[row]) < VALIDATION_SHARE for row in firsts.tolist()])[groups]
    return SelectionSet(
        name=NAME,
        texts=tuple(known[url].headline for url in urls),
        urls=tuple(urls),
        days=np.array([known[url].day for url in urls], dtype=np.float64),
        pseudo=np.full(len(urls), documents is None),
        left=left,
        right=right,
        verdicts=verdicts,
        parts=tuple(
            Part.VALIDATION if FILES[file] is Part.TRAIN and apart else FILES[file]
            for file, apart in zip(files, held_out[left].tolist(), strict=True)
        ),
        files=files,
        groups=groups.astype(np.int64),
        without_text=sum(verdict is not Verdict.BAD for *_, verdict in rows) - int(same.sum()),
    )


def _read(folder: Path, file: str) -> list[tuple[str, str, str, Verdict]]:
    path = folder / f"data__headline_selection__titles_markup_{file}_urls.tsv"
    table = read_columns(path, delimiter="\t")
    try:
        return [
            (file, left, right, Verdict(quality))
            for quality, left, right in zip(
                table["quality"], table["left_url"], table["right_url"], strict=True
            )
        ]
    except (KeyError, ValueError) as error:
        message = f"{path.name} does not hold `quality` (left, right, draw, bad), `left_url` and `right_url`."
        raise InputError(message, hint="Get the original files of the shared task.") from error
