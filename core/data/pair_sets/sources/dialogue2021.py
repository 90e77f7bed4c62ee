"""The judged pairs of Dialogue 2021: which two Russian articles of May 2020 are about one event."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.data.addresses.documents import address_key, pseudo_headline, read_documents
from core.data.files import DataPlace, read_columns
from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, PairSource, pair_sources
from core.errors import InputError
from core.parts import Part

_JUDGEMENTS: Final = {"OK": SAME, "BAD": DIFFERENT}
_EPOCH: Final = date(1970, 1, 1)
_FILES: Final = {
    "data__clustering__ru_clustering_0525_urls.tsv": (Part.TRAIN, date(2020, 5, 25), "validation"),
    "data__clustering__ru_clustering_0527_urls_final.tsv": (Part.VALIDATION, date(2020, 5, 27), "public"),
    "data__clustering__ru_clustering_0529_urls_final_v2.tsv": (Part.TEST, date(2020, 5, 29), "private"),
}


@pair_sources.register("dialogue2021.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue2021(PairSource):
    """31,811 judged pairs by address; each day of the shared task is one timeline.

    25 May, which the task calls validation, is train; 27 May, its public test, is validation; 29 May, its
    private test, is test. The task publishes addresses without texts. Headlines come from an archive of the
    Telegram contest where one is given; else from the addresses that hold a headline in Latin letters, and
    then they are pseudo-headlines: without capitals and signs, and rebuilt from a transliteration. Pairs
    in which either has none are left out; so are pairs with a wording of a later day.

    Source: Gusev and Smurov 2021, section 3.1.
    """

    summary: ClassVar[str] = "Russian articles of three days, pseudo-headlines from addresses (Dialogue 2021)"
    licence: ClassVar[str] = "None stated; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Dialogue 2021", "ru_news_dialogue2021", files=tuple(_FILES))

    archive: str = field(
        default="",
        metadata={"help": "a file or folder of documents with addresses and headlines; empty for none"},
    )

    def load(self) -> PairSet:
        folder = self.place.require()
        known = read_documents(Path(self.archive)) if self.archive else None

        def headline(url: str) -> str:
            if known is None:
                return pseudo_headline(url)
            document = known.get(address_key(url))
            return document.headline if document else ""

        sides: tuple[list[tuple[str, float, str]], ...] = ([], [])
        labels, parts, tags = [], [], []
        for file, (part, day, name) in _FILES.items():
            table = read_columns(folder / file, delimiter="\t")
            for first, second, quality in zip(
                *(table[column] for column in ("first_url", "second_url", "quality")), strict=True
            ):
                if quality not in _JUDGEMENTS:
                    raise InputError(
                        f"The judgement {quality[:20]!r} in {file} is neither OK nor BAD.",
                        hint="Get the original files of the shared task.",
                    )
                texts = headline(first), headline(second)
                if not all(texts) or first == second:
                    continue
                for side, text, url in zip(sides, texts, (first, second), strict=True):
                    side.append((text, float((day - _EPOCH).days), url))
                labels.append(_JUDGEMENTS[quality])
                parts.append(part.value)
                tags.append((name,))
        if not labels:
            raise InputError(
                "None of the judged pairs has both of its headlines in the documents.",
                hint="Give the archives of 25, 27 and 29 May 2020 of the Telegram data clustering contest.",
            )
        left, right = (_side(side) for side in sides)
        return from_pairs(
            self.name, left, right, np.array(labels, dtype=np.int64), parts=parts, timelines=parts, tags=tags
        )


def _side(mentions: list[tuple[str, float, str]]) -> Side:
    texts, days, urls = zip(*mentions, strict=True)
    return Side(texts, np.array(days, dtype=np.float64), urls)
