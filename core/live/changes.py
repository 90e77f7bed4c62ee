"""What happens to the groups of a stream, and what is stored of it."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

import msgspec

from core.data.timelines.moments import SECONDS_PER_DAY
from core.data.timelines.timeline import Field, LoadReport, Timeline
from core.errors import InputError
from core.results.render import shorten
from core.text.reading import unread_sentences

_SHOWN: Final = 60  # characters of a headline in a sentence
_TEXTS: Final = (Field.PUBLISHER, Field.URL, Field.GOLD)  # kept next to headline and time; articles are not


class Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of what stands in a line of a stream; what is as by default is left out there."""

    def body(self) -> dict[str, Any]:
        plain = msgspec.to_builtins(self, builtin_types=(datetime,))
        content: dict[str, Any] = json.loads(json.dumps(plain, default=datetime.isoformat))
        return content


class Arrival(Stored, frozen=True, kw_only=True, omit_defaults=True):
    key: str  # what tells it from all others of the stream, 32 hex digits; see `arrivals_of`
    text: str  # the headline
    published: datetime | None = None  # when, in UTC; None where unknown
    day_only: bool = False  # the source gave a day without a time
    publisher: str | None = None  # name of the outlet
    url: str | None = None  # address of the article
    gold_group: str | None = None  # the group that people agreed on, where the source says it

    @property
    def day(self) -> float:
        """Publication time in days since 1970 UTC; NaN where unknown."""
        return float("nan") if self.published is None else self.published.timestamp() / SECONDS_PER_DAY

    @property
    def sort_key(self) -> str:
        """Time and key: sorts by first report, those without a time last."""
        time = "~" if self.published is None else self.published.strftime("%Y-%m-%dT%H:%M:%S.%f")
        return f"{time} {self.key}"


def arrivals_of(timeline: Timeline) -> list[Arrival]:
    """The headlines by time; one has the same key in another file, or in a file that has grown."""
    seen: Counter[str] = Counter()
    arrivals = []
    table = timeline.table.astype(object)
    for cells in table.where(table.notna(), None).to_dict("records"):
        when = cells[Field.PUBLISHED] and cells[Field.PUBLISHED].to_pydatetime()
        texts = {name.value: cells[name] for name in _TEXTS}
        said = (cells[Field.HEADLINE], str(when), texts["publisher"] or "", texts["url"] or "")
        content = "\0".join(said)
        named = f"{content}\0{seen[content]}".encode("utf-8", "surrogatepass")
        seen[content] += 1
        key = blake2b(named, digest_size=16).hexdigest()
        day_only = bool(cells["day_only"])
        arrivals.append(Arrival(key=key, text=said[0], published=when, day_only=day_only, **texts))
    return in_order(arrivals)


def in_order(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """By time, those without one where they stand after their neighbours."""
    last, times = datetime.min.replace(tzinfo=UTC), []
    for arrival in arrivals:
        last = arrival.published or last
        times.append(last)
    return [arrivals[row] for row in sorted(range(len(arrivals)), key=times.__getitem__)]


def timeline_of(arrivals: Sequence[Arrival], name: str) -> Timeline:
    import pandas as pd

    order = [field.value for field in Field if field is not Field.ANNOTATOR]
    data: dict[str, Any] = {
        column: pd.Series([getattr(arrival, column, None) for arrival in arrivals], dtype=object)
        for column in order
    }
    data[Field.HEADLINE.value] = pd.Series([arrival.text for arrival in arrivals], dtype=object)
    published = pd.to_datetime(pd.Series([arrival.published for arrival in arrivals], dtype=object), utc=True)
    data[Field.PUBLISHED.value] = published.astype("datetime64[us, UTC]")
    data["day_only"] = pd.Series([arrival.day_only for arrival in arrivals], dtype=bool)
    order.insert(2, "day_only")
    table = pd.DataFrame(data)[order]
    present = [Field.HEADLINE, Field.PUBLISHED, *_TEXTS]
    columns = {field: (field.value,) for field in present if table[field.value].notna().any()}
    original = table[[field.value for field in columns]].astype(object)
    texts = original.where(original.isna(), original.astype(str)).where(original.notna(), None)
    return Timeline(name=name, table=table, original=texts, report=LoadReport("stream", columns=columns))


class ChangeKind(StrEnum):
    OPENED = "opened"
    JOINED = "joined"
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
    ends_look: bool = False  # a look at the source ended with it
    changes: tuple[StreamChange, ...]  # in their order
    unread: dict[str, tuple[str, ...]] = {}  # of a regrouping: headlines of which a reading failed, by it


@dataclass(slots=True, eq=False)
class StreamBook:
    """Headlines and groups after some records; `apply` takes the next one."""

    headlines: dict[str, Arrival] = field(default_factory=dict)  # by key, in the order in which they came
    group_of: dict[str, int] = field(default_factory=dict)  # number of the group of each headline, by key
    members: dict[int, dict[str, None]] = field(default_factory=dict)
    highest: int = 0  # the highest number that a group ever had
    records: int = 0  # how many were applied
    level: float | None = None  # granularity of the last regrouping; None before the first
    regrouped: int = 0  # how many headlines there were at the last regrouping
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)  # as the last regrouping said
    looked_at: int = 0  # how many there were when the last look at the source ended

    def apply(self, record: StreamRecord) -> None:
        wrong = ""
        if record.number != self.records + 1:
            wrong = f"follows record {self.records:,}"
        elif record.headline is not None and record.headline.key in self.headlines:
            wrong = "brings a headline for the second time"
        if wrong:
            message = f"Record {record.number:,} of the stream {wrong}."
            hint = "The file was changed by hand: begin a new stream, or take a copy from before."
            raise InputError(message, hint=hint)
        if record.headline is not None:
            self.headlines[record.headline.key] = record.headline
        for change in record.changes:
            keys = change.keys
            if change.kind is ChangeKind.MERGED:
                keys = tuple(self.members.get(change.source, ()))
            for key in keys:
                self._put(key, change.group)
            self.highest = max(self.highest, change.group)
        if record.level is not None:
            self.level, self.regrouped, self.unread = record.level, len(self.headlines), record.unread
        if record.ends_look:
            self.looked_at = len(self.headlines)
        self.records = record.number

    def unread_notes(self) -> list[str]:
        """What of which headline could not be read, a sentence each."""
        texts = {
            what: [f"“{shorten(self.headlines[key].text, _SHOWN)}”" for key in keys]
            for what, keys in self.unread.items()
        }
        return unread_sentences(texts)

    def _put(self, key: str, group: int) -> None:
        before = self.group_of.get(key)
        if before is not None:
            del self.members[before][key]
            if not self.members[before]:
                del self.members[before]
        self.group_of[key] = group
        self.members.setdefault(group, {})[key] = None
