"""A file of pairs that somebody brings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.pair_file import read_pair_file
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, PairSource, by_event, pair_sources
from core.errors import InputError
from core.parts import Part

BY_EVENT = "by_event"
SHARES = (0.6, 0.2, 0.2)


@pair_sources.register("pair_file.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GivenPairs(PairSource):
    """Labelled pairs in HLGD's JSON or a table with headline_a, headline_b and label.

    Where parts are to be drawn and no row says its part, whole events go to one part, and pairs between two
    parts are left out. A file too small for that, so that a part would lack one of the labels, is test.

    Every row must be usable; a row that is not stops the reading with its number. See `parse_pairs`
    for the columns.
    """

    summary: ClassVar[str] = "Any file of labelled pairs"
    licence: ClassVar[str] = "That of the file"

    path: str = field(default="", metadata={"help": "a file of pairs"})
    part: str = field(
        default=Part.TEST.value,
        metadata={
            "help": "part of pairs that do not say; by_event draws whole events 60, 20, 20 % where none says",
            "choices": (*(part.value for part in Part), BY_EVENT),
        },
    )

    def find(self) -> Path | None:
        path = Path(self.path)
        return path if os.path.isfile(path) else None  # False also for names that no file can have

    def load(self) -> PairSet:
        if not self.path:
            raise InputError("No file of pairs was named.", hint="Give it as `pair_file.v1|path:FILE`.")
        drawn = self.part == BY_EVENT
        read = read_pair_file(self.path, part=Part.TRAIN if drawn else Part(self.part))
        pairs = replace(read.strict(), name=Path(self.path).name.partition(".")[0])
        if not drawn or read.says_parts:
            return pairs
        parted = by_event(pairs, SHARES, seed=0)
        if all(_both_labels(parted.part(part)) for part in (Part.TRAIN, Part.TEST)):
            return parted
        return replace(pairs, parts=np.full(len(pairs.texts), Part.TEST.value))


def _both_labels(pairs: PairSet) -> bool:
    return {SAME, DIFFERENT} <= set(pairs.labels.tolist())
