"""Dialogue 2021's choices between two Russian headlines of one event."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.addressed_documents import Document, documents_at, no_headlines
from core.data.column_files import read_columns
from core.data.files import DataPlace
from core.data.timelines.duplicates import components
from core.digests import share_of
from core.errors import InputError
from core.parts import Part

NAME: Final = "dialogue2021"
PLACE: Final = DataPlace("Dialogue 2021", "ru_news_dialogue2021")
FILES: Final = {"0525": Part.TRAIN, "0527": Part.TEST, "0529": Part.TEST}
"""The task's files by day of May 2020: the first to learn from, then the public and the private test."""
VALIDATION_SHARE: Final = 0.2  # of the groups of the first file, by a hash of one of a group's addresses


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
    days: FloatArray  # publication time in days since 1970 UTC, float64 [n]; NaN where unknown
    pseudo: BoolArray  # whether the text was rebuilt from the address instead of read, bool [n]
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

    def part(self, *wanted: Part) -> "SelectionSet":
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
        rows = zip(table["left_url"], table["right_url"], table["quality"], strict=True)
        return [(file, left, right, Verdict(quality)) for left, right, quality in rows]
    except (KeyError, ValueError) as error:
        message = f"{path.name} does not hold `quality` (left, right, draw, bad), `left_url` and `right_url`."
        raise InputError(message, hint="Get the original files of the shared task.") from error
