"""AllSides stories: headlines of three outlets about the same news, April to September 2021."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from core.data.pair_sets.assembly import GroupedHeadlines, from_groups
from core.data.pair_sets.files import cleaned, column, local, read_columns, require, whole_days
from core.data.pair_sets.grouped_source import GroupedSource
from core.data.pair_sets.pair_set import PairSet, pair_sources
from core.data.pair_sets.splits import in_order, numbers, parts_of

FILE = "allsides_stories/allsides_stories.csv.gz"
SHARES = (0.6, 0.2, 0.2)


@pair_sources.register("allsides.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AllSides(GroupedSource):
    """Pairs drawn from AllSides' stories; a story is the gold group.

    Stories in order of date: the first 60 % are train, the next 20 % validation, the last test. All
    headlines of a part are one timeline. The source gives a story one time for all its headlines, to the
    second, which would tell the groups; only the day is kept, as it stands in the story's own time
    zone, and even it is weak evidence: positives are always of the same day here.
    """

    summary: ClassVar[str] = "Three outlets' headlines for each of 380 stories of 2021 (AllSides)"
    licence: ClassVar[str] = "Collected under MIT; headlines belong to their publishers"

    def find(self) -> Path | None:
        """See `PairSource`."""
        return local(FILE)

    def load(self) -> PairSet:
        """See `PairSource`."""
        path = require(self.find(), name="AllSides", wanted=FILE)
        table = read_columns(path)
        stories = column(table, "story_id", path)
        dates = column(table, "story_date", path)
        first = sorted(zip(whole_days(dates).tolist(), map(int, stories), stories, strict=True))
        ordered = list(dict.fromkeys(story for _, _, story in first))
        parts = parts_of(stories, in_order(ordered, SHARES))
        headlines = GroupedHeadlines(
            texts=cleaned(column(table, "title", path)),
            days=whole_days(dates),
            timelines=numbers(parts.tolist()),
            parts=parts,
            groups=numbers(stories),
        )
        return from_groups("allsides", headlines, self.sampling)
