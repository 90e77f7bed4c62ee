"""A file of pairs that somebody brings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from core.errors import InputError
from core.pair_sets.pair_file import read_pair_file
from core.pair_sets.pair_set import PairSet, pair_sources
from core.parts import Part


@pair_sources.register("pair_file.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class GivenPairs:
    """Labelled pairs in HLGD's JSON or a table with headline_a, headline_b and label.

    Every row must be usable; a row that is not stops the reading with its number. See `parse_pairs`
    for the columns.
    """

    summary: ClassVar[str] = "Any file of labelled pairs"
    licence: ClassVar[str] = "That of the file"

    path: str = field(default="", metadata={"help": "a file of pairs"})
    part: str = field(
        default=Part.TEST.value,
        metadata={"help": "part of pairs that do not say", "choices": tuple(part.value for part in Part)},
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        path = Path(self.path)
        return path if self.path and path.is_file() else None

    def load(self) -> PairSet:
        """See `PairSource`."""
        if not self.path:
            raise InputError("No file of pairs was named.", hint="Give it as pair_file.v1|path:FILE.")
        pairs = read_pair_file(self.path, part=Part(self.part)).strict()
        return replace(pairs, name=Path(self.path).stem)
