"""MRPC: sentences of news that are paraphrases or not; a comparison corpus of the HLGD paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.files import Columns, cleaned, column, local, read_columns, require
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.timelines.components import components
from core.parts import Part

FOLDER = "mrpc"
TRAIN, TEST = "mrpc_train_clean.tsv", "mrpc_test_clean.tsv"
VALIDATION_SHARE = 0.1


@pair_sources.register("mrpc.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Mrpc:
    """Microsoft Research Paraphrase Corpus; label 1 is a paraphrase.

    The corpus' own test part; a tenth of its train part, drawn with a seed, is validation. Sentences
    that pairs of the train part share stay together, and train pairs with a sentence of another part
    are left out. All sentences of a part are one timeline, without dates.

    Source: Dolan, Quirk and Brockett 2004.
    """

    summary: ClassVar[str] = "Paraphrased sentences of news (MRPC)"
    licence: ClassVar[str] = "Microsoft Research licence, for research"

    seed: int = field(default=0, metadata={"help": "seed of the draw of validation pairs", "low": 0})

    def find(self) -> Path | None:
        """See `PairSource`."""
        folder = local(FOLDER)
        return folder if folder and (folder / TRAIN).is_file() and (folder / TEST).is_file() else None

    def load(self) -> PairSet:
        """See `PairSource`."""
        folder = require(self.find(), name="MRPC", wanted=f"{FOLDER}/{TRAIN} and {TEST}")
        table: Columns = {"label": [], "sentence1": [], "sentence2": []}
        sizes: list[int] = []
        for file in (TRAIN, TEST):
            read = read_columns(folder / file, delimiter="\t")
            for name, values in table.items():
                values.extend(column(read, name, folder / file))
            sizes.append(len(table["label"]) - sum(sizes))
        sides = [cleaned(table[name]) for name in ("sentence1", "sentence2")]
        validation = self._validation(sides[0][: sizes[0]], sides[1][: sizes[0]])
        parts = [Part.VALIDATION.value if chosen else Part.TRAIN.value for chosen in validation.tolist()]
        undated = np.full(sum(sizes), np.nan)
        return from_pairs(
            "mrpc",
            Side(sides[0], undated),
            Side(sides[1], undated),
            np.array(table["label"], dtype=np.int64),
            parts=parts + [Part.TEST.value] * sizes[1],
        )

    def _validation(self, left: list[str], right: list[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which train pairs are validation, bool [m]: whole chains of shared sentences."""
        rows: dict[str, int] = {}
        first = [rows.setdefault(text.casefold(), len(rows)) for text in left]
        second = [rows.setdefault(text.casefold(), len(rows)) for text in right]
        chain = components(len(rows), zip(first, second, strict=True))[first]
        chains = np.unique(chain)
        rng = np.random.default_rng(self.seed)
        chosen = rng.choice(chains, round(VALIDATION_SHARE * len(chains)), replace=False)
        return np.isin(chain, chosen)
