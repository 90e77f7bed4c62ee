"""The rooms of a server: opened, joined, answered in, printed and exported."""

from __future__ import annotations

import hmac
import io
import logging
import math
import secrets
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import numpy as np

from core import limits
from core.data.pair_sets.assembly import merge_annotators
from core.data.timelines.timeline import written_day
from core.digests import digest
from core.errors import InputError
from core.journal.entries import Entry, Folds, NewEntry
from core.journal.journal import Journal
from core.people.room.league import Ask, checked_texts, contradictions_csv
from core.people.room.state import (
    LONGEST_REASON,
    TEACHER,
    Room,
    RoomPerson,
    RoomRefusal,
    RoomRound,
    RoomStep,
    counted,
    refusal,
    replay,
)
from core.people.room.task import (
    RoomItem,
    RoomKind,
    RoomTask,
    checked_nickname,
    checked_task,
    group_numbers,
    item_order,
    later_code,
    new_code,
    read_code,
    read_signed,
    shown_order,
    signed,
    task_body,
)
from core.people.store import new_token, token_digest
from core.results.page import html_page
from core.results.render import delimited

log = logging.getLogger("headline_lab")

PREFIX: Final = "rooms/"
IDLE: Final = timedelta(hours=12)  # a room in which nothing was done for so long no longer counts as open
_LOGGED: Final = 200  # refusals stored in one room; more stand in the log of the server alone
TICKET_SECONDS: Final = 2 * 3600  # it ends at the second whole multiple of half of that
ENDED: Final = -1  # in the place of a code's number: that of a ticket that is too old


class RoomRefused(InputError):
    def __init__(self, reason: RoomRefusal) -> None:
        self.reason = reason
        super().__init__(reason.value, hint=_HINTS.get(reason, "Ask the person who opened the room."))


class NoSuchRoom(InputError):
    """No room has the code, or a ticket is none of this server."""


_HINTS: Final = {
    RoomRefusal.CODE: "Scan or type the one that the screen shows now.",
    RoomRefusal.TWICE: "Reload the page to go on under the nickname that you gave first.",
    RoomRefusal.NICKNAME: "Take another nickname, or add a letter.",
    RoomRefusal.PAUSED: "Wait until it goes on.",
    RoomRefusal.OVER: "Look at the screen.",
    RoomRefusal.OFTEN: "Watch the screen until the next round.",
    RoomRefusal.CLOSED: "Ask for the code of a new one.",
}


class Rooms:
    """The rooms of a server, whose secret signs tickets; without one they end with this object."""

    def __init__(
        self,
        entries: Journal,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        secret: bytes = b"",
        look: float = 0.0,
    ) -> None:
        """For `look` seconds a look is answered from the last one, unless something was done here."""
        self._entries, self._time, self._secret = entries, now, secret or secrets.token_bytes(32)
        self._look, self._looks = look, dict[str, tuple[float, Room | None]]()
        self._rooms: Folds[Room | None] = Folds()
        self._seen: dict[str, dict[str, datetime]] = {}
        self._lock = threading.RLock()

    def open(self, task: RoomTask, *, lobby: bool = False) -> tuple[str, str]:
        """Opens a room; gives its code, and the token of who opened it. From a lobby the teacher starts."""
        checked_task(task)
        with self._lock:
            if len(list(self._open_rooms())) >= limits.OPEN_ROOMS.value:
                raise InputError(
                    f"{limits.OPEN_ROOMS.value:,} rooms are open on this server already.",
                    hint=f"Close one, or raise {limits.OPEN_ROOMS.variable}.",
                )
            code, token = new_code(), new_token()
            while self._room(code) is not None:
                code = new_code()
            body = {
                "code": code,
                "teacher": token_digest(token),
                "task": task_body(task),
                "most_people": limits.ROOM_PEOPLE.value,
                "lobby": lobby,
            }
            self._append(code, self._entry(RoomStep.OPENED, TEACHER, body))
        return code, token

    def code_shown(self, code: str) -> str:
        """The letters that let people into a room now; others come after half of their seats are taken."""
        door = self.room(code).door
        return later_code(self._secret, code, door) if door else code

    def ticket(self, code: str) -> str:
        """What stands in a link in the place of these letters: signed, and of use for an hour or two."""
        half = TICKET_SECONDS // 2
        end = (int(self._time().timestamp()) // half + 2) * half
        return signed(self._secret, "ticket", f"{code}.{self.room(code).door}.{end}")

    def screen(self, code: str) -> str:
        """What stands in the link of a room's screen: only the teacher gets it, and it controls nothing."""
        return signed(self._secret, "screen", code)

    def find_screen(self, given: str) -> str:
        """The code of the room whose screen a link shows."""
        code = read_signed(self._secret, "screen", given)
        return self.room(code).code

    def find(self, given: str) -> tuple[str, int]:
        """The room that a code or a ticket is for, and the number of the code, `ENDED` if it is too old."""
        ticket = read_signed(self._secret, "ticket", given).split(".")
        code = read_code(given)
        if len(ticket) == 3 and self._room(ticket[0]) is not None:
            return ticket[0], int(ticket[1]) if int(ticket[2]) > self._time().timestamp() else ENDED
        if code and self._room(code) is not None:
            return code, 0
        for room in self._open_rooms() if code else ():
            for door in range(1, room.door + 1):
                if later_code(self._secret, room.code, door) == code:
                    return room.code, door
        log.info("Room: there is none with the code %.20r.", given)
        raise NoSuchRoom(
            "There is no room with this code.", hint="Scan or type the code as it stands on the screen."
        )

    def room(self, code: str) -> Room:
        room = self._room(code)
        if room is None:
            raise NoSuchRoom("This room is not there any more.", hint="Ask for the code of a new one.")
        return room

    def join(self, code: str, nickname: str, *, browser: str, door: int, simulated: bool = False) -> None:
        """Lets a browser in, by its token, under the nickname that was typed there."""
        try:
            name = checked_nickname(nickname)
        except InputError:
            self._log_refused(code, RoomStep.JOINED, "", "the nickname has other signs")
            raise
        body = {"nickname": name, "browser": token_digest(f"{code} {browser}"), "door": door}
        if simulated:
            body["simulated"] = True
        with self._lock:
            self._do(code, RoomStep.JOINED, secrets.token_hex(8), body)
            if refusal(self.room(code), turn := self._entry(RoomStep.NEW_CODE, TEACHER, {})) is None:
                self._append(code, turn)

    def person(self, code: str, browser: str) -> RoomPerson | None:
        digest = token_digest(f"{code} {browser}")
        match = None
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        for person in self.room(code).here:
            if hmac.compare_digest(person.browser, digest):
                match = person
        return match

    def room_of(self, browser: str) -> str:
        """Code of the open room that a browser is in, the one that was used last; "" for none."""
        return next((room.code for room in self._open_rooms() if self.person(room.code, browser)), "")

    def is_teacher(self, code: str, token: str) -> bool:
        return hmac.compare_digest(self.room(code).teacher, token_digest(token))

    def answer(
        self, code: str, browser: str, *, began: int, item: str, answer: str, reason: str | None = None
    ) -> None:
        room, person = self.room(code), self.person(code, browser)
        if person is None:
            self._log_refused(code, RoomStep.ANSWERED, "", RoomRefusal.NOT_HERE.value)
            raise RoomRefused(RoomRefusal.NOT_HERE)
        task = room.round.task
        asked = task.item(item)
        shown = [] if asked is None else [asked.texts[at] for at in shown_order(task, asked, person.who)]
        body = {
            "round": room.round.number,
            "vote": room.round.vote,
            "began": began,
            "item": item[:200],
            "answer": answer[:200],
            "shown": {"texts": shown, "task": task.fingerprint},
        }
        if reason is not None:
            body["reason"] = reason[: 10 * LONGEST_REASON]
        self._do(code, RoomStep.ANSWERED, person.who, body)

    def attempt(
        self, code: str, browser: str, *, began: int, item: str, typed: Sequence[str], ask: Ask
    ) -> None:
        """Asks the model about the headlines of an item as they were typed, and stores what it says."""
        person, asked = self.person(code, browser), self.room(code).round.task.item(item)
        if person is None or asked is None:
            raise RoomRefused(RoomRefusal.NOT_HERE if person is None else RoomRefusal.OVER)
        round_ = self.room(code).round
        texts = checked_texts(asked, typed)
        body = {"round": round_.number, "began": began, "item": item[:200], "texts": list(texts)}
        body["shown"] = {"task": round_.task.fingerprint}
        reason = refusal(self.room(code), self._entry(RoomStep.TRIED, person.who, body))
        if sum(attempt.who == person.who for attempt in round_.attempts) >= limits.ROOM_ATTEMPTS.value:
            reason = reason or RoomRefusal.OFTEN
        if reason is not None:
            self._log_refused(code, RoomStep.TRIED, person.who, reason.value)
            raise RoomRefused(reason)
        # Nobody waits for the model but who asked it; what became impossible meanwhile is refused after it.
        self._do(code, RoomStep.TRIED, person.who, {**body, "scores": list(ask([texts])[0])})

    def act(self, code: str, token: str, step: RoomStep, **body: Any) -> None:
        """Does what only a teacher may do; a removal names a `person`, a new round its `task`."""
        if not self.is_teacher(code, token):
            self._log_refused(code, step, "", RoomRefusal.NOT_TEACHER.value)
            raise RoomRefused(RoomRefusal.NOT_TEACHER)
        if "task" in body:
            body = {**body, "task": task_body(checked_task(body["task"]))}
        self._do(code, step, TEACHER, body)

    def see(self, code: str, who: str) -> None:
        with self._lock:
            self._seen.setdefault(code, {})[who] = self._time()

    def seen(self, code: str) -> Mapping[str, datetime]:
        with self._lock:
            return dict(self._seen.get(code, {}))

    def entries(self, code: str) -> Sequence[Entry]:
        return self._entries.read(PREFIX + code)

    def _room(self, code: str) -> Room | None:
        # Without the lock: thirty phones look twenty times a second, and must not wait for who writes.
        before, known = self._looks.get(code, (-math.inf, None))
        if time.monotonic() - before < self._look:
            return known
        with self._lock:
            began, entries = time.monotonic(), self._entries.read(PREFIX + code)
            if not entries:
                return None
            room = self._rooms.fold(code, entries, lambda: None, lambda room, new: replay(new, room))
            self._looks[code] = began, room
            return room

    def _append(self, code: str, entry: NewEntry) -> None:
        with self._lock:
            self._entries.append(PREFIX + code, [entry])
            self._looks.pop(code, None)

    def _open_rooms(self) -> Iterator[Room]:
        for stream in self._entries.streams(PREFIX):
            room = self._room(stream.removeprefix(PREFIX))
            if room is not None and self._time() - room.last >= IDLE:
                # The others were used before this one.
                break
            if room is not None and not room.closed:
                yield room

    def _do(self, code: str, step: RoomStep, who: str, body: Mapping[str, Any]) -> None:
        with self._lock:
            self._looks.pop(code, None)
            room, entry = self.room(code), self._entry(step, who, body)
            reason = refusal(room, entry)
            if reason is not None:
                self._log_refused(code, step, who, reason.value)
                raise RoomRefused(reason)
            self._append(code, entry)

    def _log_refused(self, code: str, step: RoomStep, who: str, why: str) -> None:
        log.warning("Room %s: %s by %.20r refused: %s", code, step.value, who, why)
        if self.room(code).refused < _LOGGED:
            self._append(code, self._entry(RoomStep.REFUSED, who, {"step": step.value, "why": why}))

    def _entry(self, step: RoomStep, who: str, body: Mapping[str, Any]) -> NewEntry:
        return NewEntry(kind=step.value, who=who, when=self._time(), body=body)


VERSIONS: Final = "AB"  # of a sheet, each with its own order, so that neighbours cannot copy
LETTERS: Final = "AB"


def sheets_html(task: RoomTask) -> bytes:
    """Two different sheets to fill in on paper, and after them the key, as one HTML file."""
    items = {item.key: item for item in task.items}
    sheets = [
        {"name": name, "items": [_printed(task, items[key], name) for key in item_order(task, name)]}
        for name in VERSIONS
    ]
    columns = [option.wording for option in task.options]
    grouped = task.kind is RoomKind.GROUPS
    return html_page(
        _BODY, title=task.title, style=_STYLE, task=task, sheets=sheets, columns=columns, grouped=grouped
    )


def names_of(room: Room, *, named: bool) -> dict[str, str]:
    """What people in the room are called in files: nicknames, or numbers in an order that says nothing."""
    order = sorted(room.here, key=lambda person: digest(f"{room.code}{person.who}"))
    return {person.who: person.nickname if named else f"Person {at}" for at, person in enumerate(order, 1)}


def lesson_zip(room: Room) -> bytes:
    """All that a lesson gave, without names: answers with reasons, groups as HLGD was released,
    contradictions, and who is simulated.
    """
    rounds = [*room.earlier, room.round]
    kinds = {round_.task.kind for round_ in rounds}
    files = {}
    if kinds != {RoomKind.BREAK}:
        files["answers.csv"] = answers_csv(room, named=False)
    if RoomKind.BREAK in kinds:
        files["contradictions.csv"] = contradictions_csv(room, names_of(room, named=False))
    for round_ in rounds:
        if round_.task.kind is RoomKind.GROUPS:
            files[f"groups-round-{round_.number}.csv"] = groups_csv(replace(room, round=round_))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return whole.getvalue()


def answers_csv(room: Room, *, named: bool = True) -> bytes:
    """A line an answer for `headline-lab agreement votes`; each vote is a question, so a column."""
    names = names_of(room, named=named)
    simulated = {person.who for person in room.here if person.simulated}
    head = ["item", "person", "first_vote", "second_vote", "round", "first_headline", "second_headline"]
    rows: list[list[Any]] = [[*head, "in_the_data", "model", "reason", *["simulated"] * bool(simulated)]]
    for round_ in (*room.earlier, room.round):
        if round_.task.kind is RoomKind.BREAK:
            continue
        rows += [
            _line(round_, item, who, names[who]) + ["yes" if who in simulated else "no"] * bool(simulated)
            for who, key in {**round_.first, **round_.second}
            if who in names and (item := round_.task.item(key)) is not None
        ]
    return delimited(rows).encode("utf-8")


def groups_csv(room: Room) -> bytes:
    """The groups of the last vote as HLGD was released, for `headline-lab agreement groups`."""
    task, answers = room.round.task, counted(room, room.round.answers)
    people = [person.who for person in room.here if any(who == person.who for who, _ in answers)]
    numbers = group_numbers(task, answers, people)
    merged = merge_annotators(numbers) if people else np.arange(len(task.items))
    head = ["headline", "date", *(f"annot_{at}_group" for at in range(1, len(people) + 1)), "global_group"]
    columns = [name for name, who in zip(head[2:-1], people, strict=True) if room.people[who].simulated]
    rows: list[list[Any]] = [[*head, *["simulated"] * bool(columns)]]
    named: dict[int, int] = {}
    for item, given, group in zip(task.items, numbers.tolist(), merged.tolist(), strict=True):
        cells = [group + 1 if group >= 0 else "" for group in given]
        shown = named.setdefault(group, len(named) + 1) if any(cells) else ""
        rows.append([item.texts[0], item.day, *cells, shown, *[" ".join(columns)] * bool(columns)])
    return delimited(rows).encode("utf-8")


def _line(round_: RoomRound, item: RoomItem, who: str, name: str) -> list[Any]:
    second = item.texts[1] if len(item.texts) > 1 else ""
    ballot = (who, item.key)
    given = round_.first.get(ballot, ""), round_.second.get(ballot, ""), item.right, item.model
    first_vote, second_vote, *known = (round_.task.wording(item, answer) for answer in given)
    reason = "" if ballot in round_.hidden else round_.reasons.get(ballot, "")
    # One item of two rounds is asked twice: its name says when.
    place = f"{round_.number} {item.key}"
    return [place, name, first_vote, second_vote, round_.number, item.texts[0], second, *known, reason]


def _printed(task: RoomTask, item: RoomItem, name: str) -> dict[str, Any]:
    order = shown_order(task, item, name)
    sources = [item.sources[place] for place in order] if item.sources else []
    known = [f"{LETTERS[at]}: {source}" for at, source in enumerate(sources) if source]
    right = task.wording(item, item.right) if item.right else ""
    if task.kind is RoomKind.GROUPS:
        # On paper a group is a number: that of the line of its first headline.
        right = str([other.key for other in task.items].index(item.right) + 1)
    return {
        "number": [other.key for other in task.items].index(item.key) + 1,
        "texts": [item.texts[place] for place in order],
        "article": item.article,
        "day": written_day(date.fromisoformat(item.day)) if item.day else "",
        "right": right,
        "sources": "; ".join(known),
    }


_STYLE: Final = """
.sheet{break-after:page;margin-bottom:64px}
.sheet header{display:flex;justify-content:space-between;gap:24px;align-items:end}
.who{white-space:nowrap}
ol{padding-left:2.2em}
ol>li{break-inside:avoid;margin:0 0 18px}
.two{margin:0 0 6px}
.boxes{display:flex;flex-wrap:wrap;gap:6px 28px}
.boxes span::before{content:"";display:inline-block;width:14px;height:14px;border:1.5px solid;
margin-right:8px;vertical-align:-2px}
.box{display:inline-block;width:40px;height:24px;border:1.5px solid;margin-right:10px;vertical-align:-7px}
.day{opacity:.7;font-size:14px;white-space:nowrap}
.article{white-space:pre-line;font-size:14px}
"""

_BODY: Final = """
{% macro headlines(texts) %}{% for text in texts %}<span class="headline">
{%- if texts|length > 1 %}<strong>{{ "AB"[loop.index0] }}</strong> {% endif %}{{ text }}</span>
{%- if not loop.last %}<br>{% endif %}{% endfor %}{% endmacro %}
{% for sheet in sheets %}
<section class="sheet">
<header><div><p class="kicker">Sheet {{ sheet.name }}</p><h1>{{ task.title }}</h1></div>
<p class="who">Name ______________________</p></header>
<p><strong>{{ task.question }}</strong> {{ task.help }}</p>
{% if grouped %}<p>Write beside each headline the number of the first headline of its event, its own number
where the event is new.</p>{% endif %}
<ol>{% for item in sheet["items"] %}
<li><p class="two">{% if grouped %}<span class="box"></span>{% endif %}{{ headlines(item.texts) }}
{% if item.day %} <span class="day">{{ item.day }}</span>{% endif %}</p>
{% if item.article %}<p class="article">{{ item.article }}</p>{% endif %}
<div class="boxes">{% for one in columns %}<span>{{ one }}</span>{% endfor %}</div></li>{% endfor %}
</ol></section>
{% endfor %}
<section>
<p class="kicker">Key, for the teacher</p><h1>{{ task.title }}</h1>
{% if task.key_from %}<p>The right answers are as {{ task.key_from }}.</p>
{% else %}<p>No answer is right or wrong here.</p>{% endif %}
{% for sheet in sheets %}<h2>Sheet {{ sheet.name }}</h2>
<table><thead><tr><th class="number">Line</th><th class="number">Item</th><th>Headlines</th>
<th>Right</th><th>Source</th></tr></thead><tbody>
{% for item in sheet["items"] %}<tr><td class="number">{{ loop.index }}</td>
<td class="number">{{ item.number }}</td><td>{{ headlines(item.texts) }}</td>
<td>{{ item.right or "–" }}</td><td>{{ item.sources }}</td></tr>
{% endfor %}</tbody></table>{% endfor %}
</section>
"""
