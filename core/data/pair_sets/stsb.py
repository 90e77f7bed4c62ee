"""STS-B: sentences with a similarity of 0 to 5; a comparison corpus of the HLGD paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.files import Columns, cleaned, local, read_columns, require
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, pair_sources
from core.errors import InputError
from core.parts import Part

FOLDER = "stsb"
FILES = {
    Part.TRAIN: "data__sts-train.csv",
    Part.VALIDATION: "data__sts-dev.csv",
    Part.TEST: "data__sts-test.csv",
}
_COLUMNS = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")


@pair_sources.register("stsb.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class StsB:
    """Semantic Textual Similarity Benchmark; label 1 from a similarity of 4, 0 below 3.

    4 is "mostly equivalent, unimportant details differ", 3 "roughly equivalent, important information
    differs", 2 "not equivalent, share some details"; pairs from 3 up to 4 are left out as undecided.
    The corpus' own parts; pairs with a sentence that is also in a later part are left out. Of the news
    genre (`main-news`) alone unless all genres are asked for.

    Source: Cer et al. 2017, SemEval task 1.
    """

    summary: ClassVar[str] = "Similar sentences, mostly headlines (STS-B)"
    licence: ClassVar[str] = "For research; texts belong to their publishers"

    all_genres: bool = field(default=False, metadata={"help": "captions and forums beside the news"})
    same_from: float = field(
        default=4.0, metadata={"help": "least similarity of label 1", "low": 0.0, "high": 5.0}
    )
    different_below: float = field(
        default=3.0, metadata={"help": "similarity below which the label is 0", "low": 0.0, "high": 5.0}
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        folder = local(FOLDER)
        return folder if folder and all((folder / file).is_file() for file in FILES.values()) else None

    def load(self) -> PairSet:
        """See `PairSource`.

        Raises:
            InputError: A similarity would get both labels.
        """
        if self.different_below > self.same_from:
            raise InputError(
                "Label 0 cannot reach further up than where label 1 begins.",
                hint="Give different_below at most same_from.",
            )
        folder = require(self.find(), name="STS-B", wanted=f"{FOLDER}/{FILES[Part.TRAIN]}, …-dev, …-test")
        table: Columns = {name: [] for name in (*_COLUMNS, "part")}
        for part, file in FILES.items():
            read = read_columns(folder / file, delimiter="\t", quoted=False, names=_COLUMNS)
            read["part"] = [part.value] * len(read["score"])
            for name, values in table.items():
                values.extend(read[name])
        scores = np.array(table["score"], dtype=np.float64)
        wanted = (scores >= self.same_from) | (scores < self.different_below)
        if not self.all_genres:
            wanted &= np.array(table["genre"]) == "main-news"
        rows = np.flatnonzero(wanted)
        sides = [
            Side(cleaned([table[name][row] for row in rows.tolist()]), np.full(len(rows), np.nan))
            for name in ("sentence1", "sentence2")
        ]
        return from_pairs(
            "stsb",
            sides[0],
            sides[1],
            np.where(scores[rows] >= self.same_from, SAME, DIFFERENT),
            parts=[table["part"][row] for row in rows.tolist()],
        )
