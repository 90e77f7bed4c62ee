"""ECB+ first sentences: two events that are alike in every topic."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.assembly import from_groups
from core.data.pair_sets.ecbplus import read_ecbplus
from core.data.pair_sets.files import shipped
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources


@pair_sources.register("ecbplus_sentences.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlusSentences(GroupedSource):
    """Pairs drawn from the first sentences of all ECB+ documents; the subtopic is the gold group.

    The two subtopics of a topic are alike and yet different events (two people who entered the same
    clinic, two earthquakes in one place). Split as `EcbPlus`; all sentences of a part are one timeline,
    unless `by_topic` makes each topic one: then every negative is such a near miss. The body of each
    is its first two sentences.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = "First sentences of 86 events, two alike in each topic (ECB+)"
    licence: ClassVar[str] = "CC BY 3.0; texts belong to their publishers"

    by_topic: bool = field(
        default=False, metadata={"help": "negatives are the other event of the same topic"}
    )

    def find(self) -> Path | None:
        """See `PairSource`."""
        return shipped("ecbplus")

    def load(self) -> PairSet:
        """See `PairSource`."""
        headlines = read_ecbplus(
            self.find(), "ecbplus_first_sentences.csv.gz", by_topic=self.by_topic, bodies=True
        )
        return from_groups("ecbplus_sentences", headlines, self.sampling)
