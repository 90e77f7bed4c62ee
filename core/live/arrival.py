"""A headline as it came, and timelines of such headlines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

from core.data.timelines.timeline import SECONDS_PER_DAY, Field, LoadReport, Timeline

_TEXTS: Final = (Field.PUBLISHER, Field.URL, Field.GOLD)
"""What is kept beside headline and time; articles are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One headline of a stream.

    Attributes:
        key: What tells it from all others of the stream, 32 hex digits; see `arrivals_of`.
        text: The headline.
        published: When, in UTC; None where unknown.
        day_only: The source gave a day without a time.
        publisher: Name of the outlet.
        url: Address of the article.
        gold_group: The group that people agreed on, where the source says it.
    """

    key: str
    text: str
    published: datetime | None = None
    day_only: bool = False
    publisher: str | None = None
    url: str | None = None
    gold_group: str | None = None

    @property
    def day(self) -> float:
        """Publication time in days since 1970 UTC; NaN where unknown."""
        return float("nan") if self.published is None else self.published.timestamp() / SECONDS_PER_DAY

    @property
    def sort_key(self) -> str:
        """Time and key: sorts by first report, those without a time last."""
        time = "~" if self.published is None else self.published.strftime("%Y-%m-%dT%H:%M:%S.%f")
        return f"{time} {self.key}"

    def body(self) -> dict[str, Any]:
        """As plain JSON values; what is not known is left out."""
        found: dict[str, Any] = {"key": self.key, "text": self.text}
        if self.published is not None:
            found["published"] = self.published.isoformat()
        if self.day_only:
            found["day_only"] = True
        found |= {name.value: value for name in _TEXTS if (value := getattr(self, name.value)) is not None}
        return found

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Arrival:
        """What `body` wrote."""
        published = body.get("published")
        return cls(**{**body, "published": published and datetime.fromisoformat(published)})


def arrivals_of(timeline: Timeline) -> list[Arrival]:
    """The headlines of a timeline by time, those without one where they stand after their neighbours.

    The key of a headline holds its text, time, outlet and address, and how many of the same stood before
    it in this timeline: read again, in a file that has grown or in another file, it is the same headline.
    """
    seen: Counter[str] = Counter()
    found = []
    for headline in timeline:
        said = (headline.text, str(headline.published), headline.publisher or "", headline.url or "")
        content = "\0".join(said)
        named = f"{content}\0{seen[content]}".encode("utf-8", "surrogatepass")
        seen[content] += 1
        found.append(
            Arrival(
                key=blake2b(named, digest_size=16).hexdigest(),
                text=headline.text,
                published=headline.published,
                day_only=headline.day_only,
                publisher=headline.publisher,
                url=headline.url,
                gold_group=headline.gold_group,
            )
        )
    last, times = datetime.min.replace(tzinfo=UTC), []
    for one in found:
        last = one.published or last
        times.append(last)
    return [found[row] for row in sorted(range(len(found)), key=times.__getitem__)]


def timeline_of(arrivals: Sequence[Arrival], name: str) -> Timeline:
    """The headlines as a timeline, in their order."""
    import pandas as pd

    order = [field.value for field in Field if field is not Field.ANNOTATOR]
    data: dict[str, Any] = {
        column: pd.Series([getattr(one, column, None) for one in arrivals], dtype=object) for column in order
    }
    data[Field.HEADLINE.value] = pd.Series([one.text for one in arrivals], dtype=object)
    published = pd.to_datetime(pd.Series([one.published for one in arrivals], dtype=object), utc=True)
    data[Field.PUBLISHED.value] = published.astype("datetime64[us, UTC]")
    data["day_only"] = pd.Series([one.day_only for one in arrivals], dtype=bool)
    order.insert(2, "day_only")
    table = pd.DataFrame(data)[order]
    kept = [Field.HEADLINE, Field.PUBLISHED, *_TEXTS]
    columns = {field: (field.value,) for field in kept if table[field.value].notna().any()}
    original = table[[field.value for field in columns]].astype(object)
    texts = original.where(original.isna(), original.astype(str)).where(original.notna(), None)
    return Timeline(name=name, table=table, original=texts, report=LoadReport("stream", columns=columns))
