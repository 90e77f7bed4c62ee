"""Which rules of a stream apply to what came, each once; what was raised is kept next to the stream."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, Final

import msgspec

from core import files
from core.digests import digest
from core.errors import CoreError
from core.events.edited_headlines import headline_edit
from core.events.figures import StatedValue, figures_of
from core.events.number_lines import number_lines
from core.events.report_times import NOT_KNOWN
from core.live.arrivals import Arrival, Stored, in_order, timeline_of
from core.live.book import StreamBook
from core.live.changes import StreamRecord
from core.live.excluded_rows import Note
from core.live.log import StreamLog, line_of
from core.live.rules import Rule, RuleKind, rules_of
from core.live.webhooks import Webhooks
from core.text.differences import TOLLS
from core.text.facts import SCORE, VERB, VOTES, Fact, read_facts
from core.text.normalise import comparison_key
from core.text.numerals.quantities import Quantity

_READ: Final = 500  # headlines of an event that are looked at, the newest
_TRIED: Final = timedelta(days=1)  # after which an alarm that no webhook took is not sent any more


class Alarm(Stored, frozen=True, kw_only=True, omit_defaults=True):
    """Holds no text of a headline, which is looked up: what is forgotten there is forgotten here."""

    id: str  # the same however often a stream is read
    rule: str  # id of the rule
    kind: RuleKind
    time: datetime  # when the headline was stored, UTC
    headline: str  # key of the headline that raised it
    said: str  # what was seen: "5 outlets within 30 minutes"
    problem: str | None = None  # why no webhook was told; "" where one was; None where none was to be


def kept_alarms(log: StreamLog) -> dict[str, Alarm]:
    """All that were raised, by id, in their order; a later line says what came of one."""
    rows = dict[str, dict[str, Any]]()
    with suppress(FileNotFoundError):
        for line in log.alarms.read_bytes().splitlines():
            with suppress(ValueError, TypeError, KeyError):  # cut off by a kill
                row = json.loads(line)
                rows[row["id"]] = rows.get(row["id"], {}) | row
    return {id: msgspec.convert(row, Alarm) for id, row in rows.items() if "rule" in row}


def raised(alarms: Iterable[Alarm], book: StreamBook) -> list[dict[str, Any]]:
    """Alarms for people and other programs, with what their headlines say, where those are there."""
    told = []
    for alarm in alarms:
        if headline := book.headlines.get(alarm.headline):
            about = {name: headline.body().get(name) for name in ("text", "publisher", "url", "published")}
            about |= {"event": book.group_of[headline.key], "said": alarm.said, "problem": alarm.problem}
            about |= {"id": alarm.id, "kind": alarm.kind.value, "time": alarm.time.isoformat()}
            told.append(about)
    return told


class Watch:
    """Raises the alarms of a stream that is followed, also for what came before a kill, and tells them."""

    def __init__(self, log: StreamLog, book: StreamBook, records: Sequence[StreamRecord], note: Note) -> None:
        self._log, self._book, self._note = log, book, note
        self._webhooks = Webhooks(lambda alarms: {"stream": log.name, "alarms": alarms}, self._sent)
        self._raised, seen = kept_alarms(log), 0
        with suppress(FileNotFoundError, ValueError):
            seen = int(log.watched.read_bytes())
        self._new = [record for record in records if record.number > seen]
        young = datetime.now(UTC) - _TRIED
        unsent = [each for each in self._raised.values() if each.problem is None and each.time > young]
        self._tell(self._rules(), unsent)

    def take(self, records: Iterable[StreamRecord]) -> None:
        self._new += records

    def look(self) -> None:
        """Raises what applies to all that came since the last look."""
        rules, new = self._rules(), dict[str, Alarm]()
        for rule in rules:
            came = {
                record.headline.key: record.time
                for record in self._new
                if record.headline is not None and record.time >= rule.since
            }
            before = [alarm for alarm in self._raised.values() if alarm.rule == rule.id]
            for key, thing, said in _applies(rule, came, before, self._book):
                id = digest(rule.id, thing, digits=16)
                if id not in self._raised:
                    about = {"kind": rule.kind, "time": came[key], "headline": key, "said": said}
                    new[id] = msgspec.convert({"id": id, "rule": rule.id, **about}, Alarm)
        if new:
            files.append(self._log.alarms, b"".join(line_of(alarm.body()) for alarm in new.values()))
        self._raised |= new
        if self._new and rules:
            files.write(self._log.watched, f"{self._new[-1].number}".encode(), durable=False)
        self._new = []
        self._tell(rules, list(new.values()))

    def close(self) -> None:
        self._webhooks.close()

    def _rules(self) -> list[Rule]:
        try:
            return rules_of(self._log)
        except CoreError as error:
            self._note(error.message)
            return []

    def _tell(self, rules: Iterable[Rule], alarms: Sequence[Alarm]) -> None:
        for rule in rules:
            due = [alarm for alarm in alarms if alarm.rule == rule.id and alarm.time >= rule.since]
            if rule.webhook and due:
                self._webhooks.tell(rule.webhook, raised(due, self._book))

    def _sent(self, ids: Sequence[str], problem: str) -> None:
        files.append(self._log.alarms, b"".join(line_of({"id": id, "problem": problem}) for id in ids))
        if problem:
            self._note(problem)


def _applies(
    rule: Rule, came: Collection[str], before: Sequence[Alarm], book: StreamBook
) -> Iterator[tuple[str, str, str]]:
    """Of each alarm the key of the headline that raises it, what it is once for, and what it says."""
    if rule.kind in (RuleKind.WORD, RuleKind.EDIT):
        for new in (book.headlines[key] for key in came):
            old = book.headlines.get(new.edits or "")
            word = rule.kind is RuleKind.WORD
            if said := _appears(rule, old, new) if word else _edited(rule, old, new, book):
                yield new.key, new.key, said
        return
    told = {book.group_of[alarm.headline] for alarm in before if alarm.headline in book.group_of}
    groups: dict[int, list[str]] = {}
    for key in came:
        groups.setdefault(book.group_of[key], []).append(key)
    for group, keys in groups.items():
        members = in_order([book.headlines[key] for key in list(book.members[group])[-_READ:]])
        if not any(map(rule.takes, members)):
            continue
        if rule.kind is RuleKind.NUMBER:
            yield from _changed(members, keys)
        elif group not in told and (last := _together(members, keys, rule)):
            yield last, last, f"{rule.outlets} outlets within {rule.minutes:,} minutes"


def _appears(rule: Rule, old: Arrival | None, new: Arrival) -> str:
    appears = rule.takes(new) and (old is None or not rule.takes(old))
    return f"“{rule.word}” appears" if appears else ""


def _edited(rule: Rule, old: Arrival | None, new: Arrival, book: StreamBook) -> str:
    if old is None or not (rule.takes(old) or rule.takes(new)):
        return ""
    if new.key in book.unordered:
        return f"is also worded otherwise; {NOT_KNOWN}"
    edit = headline_edit(timeline_of([old, new], ""), 0, 1)
    return ", ".join(edit.numbers) or "changed its words"


def _together(members: Sequence[Arrival], new: Sequence[str], rule: Rule) -> str:
    """Key of the new headline with which so many outlets had reported in so short a time; "" for none."""
    timed = [(each.published, each) for each in members if each.published and not each.day_only]
    for end, each in timed:
        window = [one for time, one in timed if timedelta(0) <= end - time <= timedelta(minutes=rule.minutes)]
        outlets = {comparison_key(one.publisher or "") for one in window} - {""}
        fresh = [one.key for one in window if one.key in new]
        if len(outlets) >= rule.outlets and fresh:
            return each.key if each.key in new else fresh[-1]
    return ""


def _changed(members: Sequence[Arrival], new: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    stating = [each.key for each in members if each.key in new and (_numbers(each.text) or each.edits)]
    if not stating:
        return
    timeline, rows = timeline_of(members, ""), range(len(members))
    figures, old = figures_of(timeline, rows), [row for row in rows if members[row].key not in new]
    stated = {head: {(at.row, at.text): _value(at) for at in chain(*own)} for head, own in figures.items()}

    def values(rows: Sequence[int]) -> dict[str, str]:
        latest = {line.head: line.latest for line in number_lines(timeline, rows)} if rows else {}
        return {head: stated[head][point.row, point.text] for head, point in latest.items()}

    before = values(old)
    for head, now in values(rows).items():
        known = head in before  # else what the new headlines said first is compared
        pairs = sorted(((row, value) for (row, _), value in stated[head].items()), reverse=True)
        first = {value: row for row, value in pairs if (row in old) == known}
        then = before[head] if known else min(first, key=first.__getitem__, default=now)
        # What stood there already when that came, or is the other side of a ballot, is no change.
        if now == then or first.get(now, len(members) if known else -1) <= first[then]:
            continue
        if not known and not timeline.days[first[now]] > timeline.days[first[then]]:
            continue
        if head in TOLLS or not any({(row, then), (row, now)} <= set(pairs) for row in rows):
            last = members[max(row for row, value in pairs if value == now)].key
            key = last if last in new else stating[-1]
            yield key, f"{key} {head}", f"{then} → {now}" + f" {head}" * (head != SCORE)


def _numbers(text: str) -> bool:
    return any(fact.column != VERB for fact in read_facts(text))


def _value(stated: StatedValue) -> str:
    """A number as a figure, whatever words or signs it was written with; of a score the higher side first."""
    value = stated.value.value if isinstance(stated.value, Fact) else stated.value
    if isinstance(value, str):
        if isinstance(stated.value, Fact) and stated.value.column == VOTES:
            return value.split("-")[0]  # the other side of a ballot may be named later
        return "-".join(sorted(value.split("-"), key=lambda side: (len(side), side), reverse=True))
    return f"{value.value if isinstance(value, Quantity) else value:,.10g}"
