"""The choices of Dialogue 2021: which of two Russian headlines of one event people found better.

The task gives addresses and verdicts, no texts. Texts come from the user's own copy of the Telegram
contest's archives, by the address; without one, from the addresses that hold a headline in Latin letters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.addresses import Document, address_key, pseudo_headline
from core.data.files import DataPlace, read_columns
from core.data.pair_sets.pair_set import numbers
from core.data.timelines.duplicates import components
from core.errors import InputError
from core.parts import Part


class Verdict(StrEnum):
    """The answers of Dialogue 2021, section 4.1."""

    LEFT = "left"
    RIGHT = "right"
    DRAW = "draw"
    BAD = "bad"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SelectionSet:
    """n headlines with text, and m judged pairs of them.

    Attributes:
        name: Of the set.
        texts: The headlines.
        urls: Their addresses.
        days: Publication time in days since 1970 UTC, float64 [n]; NaN where unknown.
        pseudo: Whether the text was rebuilt from the address instead of read, bool [n].
        left: Row of the left headline of each pair, int64 [m].
        right: That of the right one.
        verdicts: What people said, m of them.
        parts: Part of each pair, m of them.
        files: Which of the task's files each pair is from ("0525"), m of them.
        groups: Headlines that pairs of one event join, directly or over others, int64 [n] from 0; a
            group lies within one part.
        without_text: Pairs of the files, "bad" ones left out, of which a headline has no text.
    """

    name: str
    texts: tuple[str, ...]
    urls: tuple[str, ...]
    days: npt.NDArray[np.float64]
    pseudo: npt.NDArray[np.bool_]
    left: IntArray
    right: IntArray
    verdicts: tuple[Verdict, ...]
    parts: tuple[Part, ...]
    files: tuple[str, ...]
    groups: IntArray
    without_text: int

    def __len__(self) -> int:
        return len(self.verdicts)

    @property
    def fingerprint(self) -> str:
        told = (*self.texts, *self.verdicts, *self.parts, *self.files)
        digest = hashlib.sha256("\x1f".join(told).encode("utf-8", "surrogatepass"))
        for array in (self.days, self.left, self.right):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def part(self, *wanted: Part) -> SelectionSet:
        """The pairs of some parts; all headlines stay."""
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
        kept = [
            pair
            for pair, (part, file) in enumerate(zip(self.parts, self.files, strict=True))
            if (not parts or part in parts) and (not files or file in files)
        ]
        return np.array(kept, dtype=np.int64)

    def members(self) -> list[IntArray]:
        """Rows of the headlines of each group, by its number."""
        order = np.argsort(self.groups, kind="stable")
        _, starts = np.unique(self.groups[order], return_index=True)
        return [np.asarray(rows, dtype=np.int64) for rows in np.split(order, starts[1:]) if len(rows)]


NAME: Final = "dialogue2021"
PLACE: Final = DataPlace("Dialogue 2021", "ru_news_dialogue2021")
FILES: Final = {"0525": Part.TRAIN, "0527": Part.TEST, "0529": Part.TEST}
"""The task's files by day of May 2020: the first to learn from, then the public and the private test."""

VALIDATION_SHARE: Final = 0.2
"""Of the groups of the first file; a group's place is a hash of one of its addresses."""


def load_dialogue2021(documents: Mapping[str, Document] | None = None) -> SelectionSet:
    """The pairs whose headlines both have a text; "bad" pairs with texts among them."""
    folder = PLACE.require()
    rows = [row for file in FILES for row in _read(folder, file)]
    found = {}
    for row in rows:
        for url in (row.left, row.right):
            if documents is not None:
                document = documents.get(address_key(url))
            else:
                day = float((date(2020, 5, int(row.file[2:])) - date(1970, 1, 1)).days)
                document = Document(pseudo_headline(url), day)
            if document is not None and document.headline:
                found[url] = document
    known = found
    kept = [row for row in rows if row.left in known and row.right in known]
    if not kept:
        raise InputError(
            "None of the judged pairs has both of its headlines in the documents.",
            hint="Give the archives of 25, 27 and 29 May 2020 of the Telegram data clustering contest.",
        )
    urls = sorted({url for row in kept for url in (row.left, row.right)})
    place = {url: number for number, url in enumerate(urls)}
    left = np.array([place[row.left] for row in kept], dtype=np.int64)
    right = np.array([place[row.right] for row in kept], dtype=np.int64)
    same = np.array([row.verdict is not Verdict.BAD for row in kept])
    groups = numbers(
        components(len(urls), zip(left[same].tolist(), right[same].tolist(), strict=True)).tolist()
    )
    held_out = _held_out(urls, groups)
    return SelectionSet(
        name=NAME,
        texts=tuple(known[url].headline for url in urls),
        urls=tuple(urls),
        days=np.array([known[url].day for url in urls], dtype=np.float64),
        pseudo=np.full(len(urls), documents is None),
        left=left,
        right=right,
        verdicts=tuple(row.verdict for row in kept),
        parts=tuple(
            Part.VALIDATION if FILES[row.file] is Part.TRAIN and groups[one] in held_out else FILES[row.file]
            for row, one in zip(kept, left.tolist(), strict=True)
        ),
        files=tuple(row.file for row in kept),
        groups=groups,
        without_text=sum(row.verdict is not Verdict.BAD for row in rows) - int(same.sum()),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    file: str
    left: str
    right: str
    verdict: Verdict


def _read(folder: Path, file: str) -> list[_Row]:
    path = folder / f"data__headline_selection__titles_markup_{file}_urls.tsv"
    table = read_columns(path, delimiter="\t")
    try:
        return [
            _Row(file, left, right, Verdict(quality))
            for quality, left, right in zip(
                table["quality"], table["left_url"], table["right_url"], strict=True
            )
        ]
    except (KeyError, ValueError) as error:
        raise InputError(
            f"{path.name} does not hold `quality` (left, right, draw, bad), `left_url` and `right_url`.",
            hint="Get the original files of the shared task.",
        ) from error


def _held_out(urls: list[str], groups: IntArray) -> set[int]:
    first: dict[int, str] = {}
    for url, group in zip(urls, groups.tolist(), strict=True):
        first.setdefault(group, url)
    return {
        group
        for group, url in first.items()
        if int.from_bytes(hashlib.sha256(url.encode()).digest()[:4], "big") / 2**32 < VALIDATION_SHARE
    }
