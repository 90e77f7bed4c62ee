"""The groups of a stream so far: what all records together say."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.errors import InputError
from core.live.arrival import Arrival
from core.live.changes import ChangeKind, StreamRecord


@dataclass(slots=True, eq=False)
class StreamBook:
    """Headlines and groups after some records; `apply` takes the next one.

    Attributes:
        headlines: By key, in the order in which they came.
        group_of: Number of the group of each headline, by key.
        members: Keys of each group that has any, by number, in the order in which they came to it.
        highest: The highest number that a group ever had.
        records: How many were applied.
        level: Granularity of the last regrouping; None before the first.
        regrouped: How many headlines there were at the last regrouping.
        looked_at: How many there were when the last look at the source ended.
    """

    headlines: dict[str, Arrival] = field(default_factory=dict)
    group_of: dict[str, int] = field(default_factory=dict)
    members: dict[int, dict[str, None]] = field(default_factory=dict)
    highest: int = 0
    records: int = 0
    level: float | None = None
    regrouped: int = 0
    looked_at: int = 0

    def apply(self, record: StreamRecord) -> None:
        """Takes the next record."""
        if record.number != self.records + 1:
            raise InputError(
                f"Record {record.number:,} of the stream follows record {self.records:,}.",
                hint="The file was changed by hand: begin a new stream, or take a copy from before.",
            )
        if record.headline is not None:
            if record.headline.key in self.headlines:
                raise InputError(
                    f"Record {record.number:,} of the stream brings a headline for the second time.",
                    hint="The file was changed by hand: begin a new stream, or take a copy from before.",
                )
            self.headlines[record.headline.key] = record.headline
        for change in record.changes:
            keys = change.keys
            if change.kind is ChangeKind.MERGED:
                keys = tuple(self.members.get(change.source, ()))
            for key in keys:
                self._put(key, change.group)
            self.highest = max(self.highest, change.group)
        if record.level is not None:
            self.level, self.regrouped = record.level, len(self.headlines)
        if record.ends_look:
            self.looked_at = len(self.headlines)
        self.records = record.number

    def _put(self, key: str, group: int) -> None:
        before = self.group_of.get(key)
        if before is not None:
            left = self.members[before]
            del left[key]
            if not left:
                del self.members[before]
        self.group_of[key] = group
        self.members.setdefault(group, {})[key] = None
