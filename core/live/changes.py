"""What happens to the groups of a stream, and what is stored of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from core.live.arrival import Arrival


class ChangeKind(StrEnum):
    """What happened to a group."""

    OPENED = "opened"
    JOINED = "joined"
    MERGED = "merged"
    SPLIT = "split"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChange:
    """One change.

    Attributes:
        kind: What happened.
        group: Number of the group that headlines are in now.
        source: Number of the group that they were in before; 0 for a headline that has just come.
        keys: The headlines; none for a merger, which takes all of `source`.
        alike: Mean similarity at the time: of a new headline to the group, of what merged, of what split
            off or moved to what it left. None for a headline that opens a group alone.
        line: Mean similarity from which two groups are one at this level, 0 to 1.
    """

    kind: ChangeKind
    group: int
    source: int = 0
    keys: tuple[str, ...] = ()
    alike: float | None = None
    line: float

    def __post_init__(self) -> None:
        """Rounds, so that what is read from a file equals what was written."""
        object.__setattr__(self, "line", round(self.line, 4))
        if self.alike is not None:
            object.__setattr__(self, "alike", round(self.alike, 4))

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        line = f"the level joins from {self.line:.2f} on"
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
        where = f"{headlines} of group {self.source}"
        resemble = "resembles" if len(self.keys) == 1 else "resemble"
        if self.alike is not None and self.alike < self.line:
            return f"{where} {resemble} the others of it by {alike} on average, and {line}."
        return f"{where} {resemble} other headlines more than the rest of it."

    def body(self) -> dict[str, Any]:
        """As plain JSON values."""
        found: dict[str, Any] = {"kind": self.kind.value, "group": self.group}
        if self.source:
            found["source"] = self.source
        if self.keys:
            found["keys"] = list(self.keys)
        if self.alike is not None:
            found["alike"] = self.alike
        return found | {"line": self.line}

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> StreamChange:
        """What `body` wrote."""
        return cls(**{**body, "kind": ChangeKind(body["kind"]), "keys": tuple(body.get("keys", ()))})


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRecord:
    """What is stored at once: a headline with what it changed, or a regrouping.

    Attributes:
        number: Place in the stream, from 1.
        time: When it was decided, UTC.
        headline: What came; None for a regrouping.
        level: Granularity that a regrouping found, 0 to 1; None for a headline.
        changes: In their order.
        ends_look: A look at the source ended with it.
    """

    number: int
    time: datetime
    headline: Arrival | None = None
    level: float | None = None
    changes: tuple[StreamChange, ...] = ()
    ends_look: bool = False

    def body(self) -> dict[str, Any]:
        """As plain JSON values."""
        found: dict[str, Any] = {"number": self.number, "time": self.time.astimezone(UTC).isoformat()}
        if self.headline is not None:
            found["headline"] = self.headline.body()
        if self.level is not None:
            found["level"] = self.level
        if self.ends_look:
            found["ends_look"] = True
        return found | {"changes": [change.body() for change in self.changes]}

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> StreamRecord:
        """What `body` wrote."""
        headline = body.get("headline")
        return cls(
            number=int(body["number"]),
            time=datetime.fromisoformat(body["time"]),
            headline=None if headline is None else Arrival.of(headline),
            level=body.get("level"),
            changes=tuple(map(StreamChange.of, body["changes"])),
            ends_look=bool(body.get("ends_look")),
        )
