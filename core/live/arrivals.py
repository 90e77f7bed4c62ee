"""Headlines as they come into a stream."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import zip_longest
from typing import Any, Final

import msgspec

from core.data.timelines.moments import SECONDS_PER_DAY
from core.data.timelines.timeline import Field, LoadReport, Timeline

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
    entry: str | None = None  # by what a feed tells its entries apart (guid)
    edits: str | None = None  # key of the version that it replaces, where its outlet changed the headline

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
    for cells, guid in zip_longest(table.where(table.notna(), None).to_dict("records"), timeline.entries):
        when = cells[Field.PUBLISHED] and cells[Field.PUBLISHED].to_pydatetime()
        texts = {name.value: cells[name] for name in _TEXTS}
        said = (cells[Field.HEADLINE], str(when), texts["publisher"] or "", texts["url"] or "")
        content = "\0".join(said)
        named = f"{content}\0{seen[content]}".encode("utf-8", "surrogatepass")
        seen[content] += 1
        key = blake2b(named, digest_size=16).hexdigest()
        day_only = bool(cells["day_only"])
        entry = guid if isinstance(guid, str) else None
        came = Arrival(key=key, text=said[0], published=when, day_only=day_only, entry=entry, **texts)
        arrivals.append(came)
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
    addresses = dict[str, str | None]()
    for arrival in arrivals:  # a feed may give an edited headline another address
        addresses[arrival.key] = addresses.get(arrival.edits or "", arrival.url)
    data[Field.URL.value] = pd.Series(list(addresses.values()), dtype=object)
    data["day_only"] = pd.Series([arrival.day_only for arrival in arrivals], dtype=bool)
    order.insert(2, "day_only")
    table = pd.DataFrame(data)[order]
    present = [Field.HEADLINE, Field.PUBLISHED, *_TEXTS]
    columns = {field: (field.value,) for field in present if table[field.value].notna().any()}
    original = table[[field.value for field in columns]].astype(object)
    texts = original.where(original.isna(), original.astype(str)).where(original.notna(), None)
    return Timeline(name=name, table=table, original=texts, report=LoadReport("stream", columns=columns))
