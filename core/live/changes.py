"""What happens to the groups of a stream, as it is stored."""

from datetime import datetime
from enum import StrEnum

import msgspec

from core.live.arrivals import Arrival, Stored


class ChangeKind(StrEnum):
    OPENED = "opened"
    JOINED = "joined"
    EDITED = "edited"
    MERGED = "merged"
    SPLIT = "split"
    MOVED = "moved"


class StreamChange(Stored, frozen=True, kw_only=True, omit_defaults=True):
    kind: ChangeKind  # what happened
    group: int  # number of the group that headlines are in now
    source: int = 0  # number of the group that they were in before; 0 for a headline that has just come
    keys: tuple[str, ...] = ()  # the headlines; none for a merger, which takes all of `source`
    alike: float | None = None  # mean similarity at the time; None for a headline that opens a group alone
    line: float  # mean similarity from which two groups are one at this level, 0 to 1

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "line", round(self.line, 4))
        if self.alike is not None:
            msgspec.structs.force_setattr(self, "alike", round(self.alike, 4))

    @property
    def reason(self) -> str:
        line = f"groups are joined from {self.line:.2f}"
        alike = "not at all" if self.alike is None else f"{self.alike:.2f}"
        headlines = "1 headline" if len(self.keys) == 1 else f"{len(self.keys):,} headlines"
        if self.kind is ChangeKind.OPENED:
            return f"It resembles no group enough: {alike} to the nearest, and {line}."
        if self.kind is ChangeKind.JOINED:
            return f"It resembles group {self.group} by {alike} on average, and {line}."
        if self.kind is ChangeKind.MERGED:
            fits = self.alike is not None and self.alike >= self.line
            groups = f"Groups {self.source} and {self.group} resemble each other by {alike} on average"
            return f"{groups}, and {line}{'' if fits else ', by way of headlines between them'}."
        if self.kind is ChangeKind.EDITED:
            return f"Its outlet changed the headline of an article that is in group {self.group}."
        where = f"{headlines} of group {self.source}"
        resemble = "resembles" if len(self.keys) == 1 else "resemble"
        if self.alike is not None and self.alike < self.line:
            return f"{where} {resemble} the others of it by {alike} on average, and {line}."
        return f"{where} {resemble} other headlines more than the rest of it."


class StreamRecord(Stored, frozen=True, kw_only=True, omit_defaults=True):
    """What is stored at once: a headline with what it changed, or a regrouping."""

    number: int  # place in the stream, from 1
    time: datetime  # when it was decided, UTC
    headline: Arrival | None = None  # what came; None for a regrouping
    level: float | None = None  # granularity that a regrouping found, 0 to 1; None for a headline
    line: float | None = None  # mean similarity from which headlines join until the next one, 0 to 1
    ends_look: bool = False  # a look at the source ended with it
    changes: tuple[StreamChange, ...]  # in their order
    # Of a regrouping: headlines of which a reading failed, by it.
    unread: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
