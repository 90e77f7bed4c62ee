"""Headlines and groups of a stream after some records."""

from dataclasses import dataclass, field
from typing import Final

from core.data.timelines.addresses import names_article, read_address
from core.data.timelines.editions import is_article
from core.errors import InputError
from core.live.arrivals import Arrival
from core.live.changes import ChangeKind, StreamRecord
from core.results.render import shorten
from core.text.normalise import comparison_key
from core.text.reading import unread_sentences

_SHOWN: Final = 60  # characters of a headline in a sentence
_ENTRY, _ADDRESS = "entry", "address"


@dataclass(slots=True, eq=False)
class StreamBook:
    """Headlines and groups after some records; `apply` takes the next one."""

    headlines: dict[str, Arrival] = field(default_factory=dict)  # by key, in the order in which they came
    group_of: dict[str, int] = field(default_factory=dict)  # number of the group of each headline, by key
    members: dict[int, dict[str, None]] = field(default_factory=dict)
    highest: int = 0  # the highest number that a group ever had
    records: int = 0  # how many were applied
    level: float | None = None  # granularity of the last regrouping; None before the first
    line: float = 1.0  # mean similarity from which a headline joins a group since then
    regrouped: int = 0  # how many headlines there were at the last regrouping
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)  # as the last regrouping said
    looked_at: int = 0  # how many there were when the last look at the source ended
    outdated: set[str] = field(default_factory=set)  # keys of headlines that their outlets have changed since
    unordered: set[str] = field(default_factory=set)  # keys of edits that may be the older wording
    _newest: dict[tuple[str, ...], str] = field(default_factory=dict)  # key of each article's last version
    _of_this_look: set[str] = field(default_factory=set)

    def apply(self, record: StreamRecord) -> None:
        wrong = ""
        if record.number != self.records + 1:
            wrong = f"follows record {self.records:,}"
        elif record.headline is not None and record.headline.key in self.headlines:
            wrong = "brings a headline for the second time"
        if wrong:
            hint = "The file was changed by hand: begin a new stream, or take a copy from before."
            raise InputError(f"Record {record.number:,} of the stream {wrong}.", hint=hint)
        if record.headline is not None:
            self._take(record.headline)
        for change in record.changes:
            keys = change.keys
            if change.kind is ChangeKind.MERGED:
                keys = tuple(self.members.get(change.source, ()))
            for key in keys:
                self._put(key, change.group)
            self.highest = max(self.highest, change.group)
        if record.level is not None:
            self.level, self.regrouped, self.unread = record.level, len(self.headlines), record.unread
            # Until version 1.0 headlines joined by the level itself.
            self.line = 1.0 - record.level if record.line is None else record.line
        if record.ends_look:
            self.looked_at = len(self.headlines)
            self._of_this_look.clear()
        self.records = record.number

    def _take(self, arrival: Arrival) -> None:
        self.headlines[arrival.key] = arrival
        if (before := self.headlines.get(arrival.edits or "")) is not None:
            self.outdated.add(before.key)
            apart = arrival.day - before.day
            if apart < 0 or (not apart > 0 and before.key in self._of_this_look):
                self.unordered.add(arrival.key)
        self._of_this_look.add(arrival.key)
        self._newest |= dict.fromkeys(_names_of(arrival), arrival.key)

    def version_before(self, arrival: Arrival) -> Arrival | None:
        """The headline in force of the same entry of a feed, or of the same address of the same outlet."""
        for name in _names_of(arrival):
            if (key := self._newest.get(name)) is None:
                continue
            versions = self.versions(key)
            if name[0] == _ENTRY or is_article([each.text for each in (arrival, *versions)], ()):
                return versions[0]
        return None

    def versions(self, key: str) -> list[Arrival]:
        """A headline and those that it replaced, the newest first."""
        found = [self.headlines[key]]
        while (before := found[-1].edits) in self.headlines:
            found.append(self.headlines[before])
        return found

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


def _names_of(arrival: Arrival) -> list[tuple[str, ...]]:
    """What tells the article of a headline from others, the surest first."""
    outlet, address = comparison_key(arrival.publisher or ""), read_address(arrival.url or "")
    entry = [(_ENTRY, outlet, arrival.entry)] if arrival.entry else []
    return [*entry, (_ADDRESS, outlet, *address)] if names_article(address) else [*entry]
