"""Dialogue 2021: judged pairs of Russian articles by their addresses."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.data import addressed_documents, column_files
from core.data.files import DataPlace
from core.data.pair_sets import assembly, pair_set
from core.errors import InputError
from core.parts import Part
from core.registry import told

_JUDGEMENTS: Final = {"OK": pair_set.SAME, "BAD": pair_set.DIFFERENT}
_EPOCH: Final = date(1970, 1, 1)
_FILES: Final = {
    "data__clustering__ru_clustering_0525_urls.tsv": (Part.TRAIN, date(2020, 5, 25), "validation"),
    "data__clustering__ru_clustering_0527_urls_final.tsv": (Part.VALIDATION, date(2020, 5, 27), "public"),
    "data__clustering__ru_clustering_0529_urls_final_v2.tsv": (Part.TEST, date(2020, 5, 29), "private"),
}


@pair_set.pair_sources.register("dialogue2021.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue2021(pair_set.PairSource):
    """31,811 judged pairs by address; each day of the shared task is one timeline.

    The task publishes addresses alone. Headlines come from an archive of the Telegram contest where one is
    given, else from addresses in Latin letters; pairs without, or with a wording of a later day, are
    excluded.

    Source: Gusev and Smurov 2021, section 3.1.
    """

    summary: ClassVar[str] = "Russian articles of three days, pseudo-headlines from addresses (Dialogue 2021)"
    licence: ClassVar[str] = "None stated; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Dialogue 2021", "ru_news_dialogue2021", files=tuple(_FILES))

    archive: str = told("", "a file or folder of documents with addresses and headlines; empty for none")

    def load(self) -> pair_set.PairSet:
        folder = self.place.require()
        documents = addressed_documents.read_documents(Path(self.archive)) if self.archive else None
        files = {folder / file: file for file in _FILES}
        table, of_file = column_files.read_stacked(files, ("first_url", "second_url", "quality"))
        if not set(table["quality"]) <= set(_JUDGEMENTS):
            message = "A judgement is neither OK nor BAD."
            raise InputError(message, hint="Get the original files of the shared task.")
        both = list(zip(table["first_url"], table["second_url"], strict=True))
        known = addressed_documents.documents_at({url: 0.0 for pair in both for url in pair}, documents)
        rows = [row for row, (a, b) in enumerate(both) if a in known and b in known and a != b]
        if not rows:
            raise addressed_documents.no_headlines()
        chosen = [both[row] for row in rows]
        parts, days, tags = zip(*(_FILES[of_file[row]] for row in rows), strict=True)
        since = np.array([float((day - _EPOCH).days) for day in days])
        left, right = (
            assembly.Side([known[pair[at]].headline for pair in chosen], since, [pair[at] for pair in chosen])
            for at in (0, 1)
        )
        labels = np.array([_JUDGEMENTS[table["quality"][row]] for row in rows], dtype=np.int64)
        named = [part.value for part in parts]
        return assembly.from_pairs(
            self.name, left, right, labels, parts=named, timelines=named, tags=[(tag,) for tag in tags]
        )
