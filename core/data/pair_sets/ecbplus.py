"""ECB+ headlines: pairs that are near but different events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.assembly import GroupedHeadlines, from_groups
from core.data.pair_sets.files import cleaned, column, read_columns, require, shipped, whole_days
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import numbers
from core.parts import Part

TEST_TOPICS = frozenset(range(36, 46))
VALIDATION_TOPICS = frozenset({2, 5, 12, 18, 21, 23, 34, 35})
"""Cybulska and Vossen's usual split of ECB+'s topics."""


@pair_sources.register("ecbplus.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlus(GroupedSource):
    """Pairs drawn from the ECB+ documents whose first line is a headline; the subtopic is the gold group.

    The corpus' usual split: topics 36 to 45 are test, eight validation, the rest train. Every topic has
    one event among these documents, so all headlines of a part are one timeline. Dates are known for
    a third of the headlines; the others count as near.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = "Headlines of 43 events (ECB+)"
    licence: ClassVar[str] = "CC BY 3.0; headlines belong to their publishers"

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("ecbplus")

    def load(self) -> PairSet:
        """See `PairSource`."""
        headlines = read_ecbplus(self.find(), "ecbplus_headlines_only.csv.gz", by_topic=False)
        return from_groups("ecbplus", headlines, self.sampling)


def read_ecbplus(folder: Path | None, file: str, *, by_topic: bool, bodies: bool = False) -> GroupedHeadlines:
    """The documents of one of the sample's files.

    Args:
        folder: Where it lies.
        file: Its name.
        by_topic: Each topic is a timeline, else each part.
        bodies: Take the first two sentences for the body: all that there is of the articles.

    Raises:
        DataSourceError: It is not there.
    """
    path = require(folder, name="ECB+", wanted="ecbplus") / file
    table = read_columns(path)
    topics = [int(topic) for topic in column(table, "topic", path)]
    parts = _parts(topics)
    rooms = zip(parts.tolist(), topics, strict=True) if by_topic else parts.tolist()
    first = cleaned(column(table, "first_sentence_or_headline", path))
    following = cleaned(column(table, "next_sentence", path)) if bodies else ()
    return GroupedHeadlines(
        texts=first,
        days=whole_days(column(table, "url_date", path)),
        timelines=numbers(list(rooms)),
        parts=parts,
        groups=numbers(column(table, "subtopic", path)),
        bodies=[f"{a} {b}".strip() for a, b in zip(first, following, strict=True)] if bodies else (),
    )


def _parts(topics: list[int]) -> npt.NDArray[np.str_]:
    def part(topic: int) -> Part:
        if topic in TEST_TOPICS:
            return Part.TEST
        return Part.VALIDATION if topic in VALIDATION_TOPICS else Part.TRAIN

    return np.array([part(topic).value for topic in topics], dtype=np.str_)
