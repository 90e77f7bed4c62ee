"""Files of pairs that somebody brings."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets import grouped, pair_file, pair_set
from core.data.pair_sets.division import by_event
from core.errors import InputError
from core.parts import Part
from core.registry import told

BY_EVENT = "by_event"


@pair_set.pair_sources.register("pair_file.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GivenPairs(pair_set.PairSource):
    """Labelled pairs in HLGD's JSON or a table with headline_a, headline_b and label.

    Where parts are drawn and one would lack one of the labels, all pairs are test. Every row must be usable.
    """

    summary: ClassVar[str] = "Any file of labelled pairs"
    licence: ClassVar[str] = "That of the file"

    path: str = field(default="", metadata={"help": "a file of pairs"})
    part: str = told(
        Part.TEST.value,
        "part of pairs that do not say; by_event draws whole events 60, 20, 20 % where none says",
        choices=(*(part.value for part in Part), BY_EVENT),
    )

    def find(self) -> Path | None:
        path = Path(self.path)
        return path if os.path.isfile(path) else None  # False also for names that no file can have

    def load(self) -> pair_set.PairSet:
        if not self.path:
            raise InputError("No file of pairs was named.", hint="Give it as `pair_file.v1|path:FILE`.")
        drawn = self.part == BY_EVENT
        read = pair_file.read_pair_file(self.path, part=Part.TRAIN if drawn else Part(self.part))
        pairs = replace(read.strict(), name=Path(self.path).name.partition(".")[0])
        if not drawn or read.says_parts:
            return pairs
        parted = by_event(pairs, grouped.SHARES, seed=0)
        learned, measured = (set(parted.part(part).labels.tolist()) for part in (Part.TRAIN, Part.TEST))
        if {pair_set.SAME, pair_set.DIFFERENT} <= learned & measured:
            return parted
        return replace(pairs, parts=np.full(len(pairs.texts), Part.TEST.value))
