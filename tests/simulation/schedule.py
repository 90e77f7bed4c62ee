"""What happens to two servers on one disk, drawn by a seed, and what has to hold whatever happens.

People answer, send the same again when no reply came, and ask to be forgotten; backups and other files are
written. Meanwhile servers are killed at any call, the disk fills up, turns read-only or fails, a cut takes
what was not synced, clocks go back, a bit turns. Nothing here waits or reads a clock, so that a seed always
gives the same story.
"""

from __future__ import annotations

import random
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar
from unittest import mock

import sqlalchemy as sa

from core import files
from core.errors import CoreError
from core.journal import backup as backup_file
from core.journal import erasure, forget, journal, losses, opening
from core.journal.entries import Entry, NewEntry
from core.journal.journal import Journal
from core.journal.spellings import ErasureTarget
from tests.simulation import sqlite
from tests.simulation.disk import Disk, Killed, failure

PEOPLE = ("Ada", "Ben", "Çelik", "Dora")
STREAMS = ("votes/a", "room/b", "corrections/c")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Violation(AssertionError):
    """A promise that did not hold."""


def hold(promise: bool, said: str) -> None:
    if not promise:
        raise Violation(said)


@dataclass(eq=False)
class World:
    seed: int
    disk: Disk
    chance: random.Random
    story: list[str] = field(default_factory=list)
    server: int = 0  # the one at work
    busy: bool = False  # it asks the database
    flipped: bool = False  # a bit turned
    damaged: bool = False  # after which the file was refused, as it has to be, and all ends
    alone: bool = True  # nothing is done between its calls
    dead: set[int] = field(default_factory=set)
    fault: Callable[[str], None] | None = None
    answers: int = 0
    sent: dict[str, tuple[str, NewEntry]] = field(default_factory=dict)  # by id, with its stream
    stored: list[str] = field(default_factory=list)  # ids that were acknowledged, in that order
    forgotten: set[str] = field(default_factory=set)  # people whose removal was acknowledged
    doubtful: set[str] = field(default_factory=set)  # people whose removal was asked for and not acknowledged
    written: dict[Path, list[bytes]] = field(default_factory=dict)  # contents that a file may have
    lines: dict[Path, list[tuple[bytes, bool]]] = field(default_factory=dict)  # and whether acknowledged
    people: list[str] = field(default_factory=lambda: [*PEOPLE])
    steps: ClassVar[int] = 14
    stores: ClassVar[bool] = True  # whether there is a database
    around = nullcontext  # what is played in the place of what would take long or wait

    @property
    def folder(self) -> Path:
        return self.disk.folder

    def url(self, server: int) -> str:
        """Each server names the file otherwise, so that nothing that one keeps in memory is the other's."""
        return opening.sqlite_url(self.folder if server == 0 else _alias(self.folder))

    @property
    def journal(self) -> Journal:
        return Journal(self.url(self.server))

    def refuse(self, name: str, _: int) -> None:
        if self.server in self.dead:
            raise Killed
        if self.fault is not None:
            self.fault(name)
        if self.alone and self.busy and self.chance.random() < 0.02:
            self.between()

    @contextmanager
    def asking(self) -> Iterator[None]:
        outer, self.busy = self.busy, True
        try:
            yield
        finally:
            self.busy = outer

    def between(self) -> None:
        """The other server answers or reads between two calls of this one, if it is let in."""
        mine, self.server, self.alone = self.server, 1 - self.server, False
        try:
            if self.server not in self.dead:
                self.story.append(f"  {self.server} between")
                self.chance.choice(self.short())()
        except CoreError:
            self.story.append("  refused")
        except Killed:
            self.kill(self.server)
        finally:
            self.server, self.alone = mine, True

    def actions(self) -> dict[Callable[[], None], int]:
        """What happens, with how often."""
        return {
            self.answer: 8, self.resend: 2, self.read: 3, self.forget: 1, self.back_up: 1, self.write: 2,
            self.line: 2, self.power_cut: 1, self.flip: 1, self.trouble: 3,
        }  # fmt: skip

    def short(self) -> tuple[Callable[[], None], ...]:
        """What one server does between two calls of another."""
        return self.answer, self.read

    def step(self) -> None:
        self.server = self.chance.choice([server for server in (0, 1) if server not in self.dead] or [0])
        if self.server in self.dead:
            self.restart(self.server)
        does = self.chance.choices(*zip(*self.actions().items(), strict=True))[0]
        self.story.append(f"{self.server} {does.__name__}")
        try:
            does()
        except CoreError as error:
            self.story.append(f"  refused: {error}")
            self.damaged = self.flipped and "is damaged" in str(error)
        except Killed:
            self.story.append("  killed")
            self.kill(self.server)

    def trouble(self) -> None:
        """From some call on, calls fail so many times."""
        name, times = self.chance.choice(
            [("Killed", 10**9)] * 2 + [("full", 30), ("read_only", 30), ("broken", 1), ("broken", 10)]
        )
        self.story[-1] += f" {name} {times}"
        wait = self.chance.randint(0, 40)

        def fault(_: str) -> None:
            nonlocal wait, times
            wait -= 1
            if wait >= 0 or times <= 0:
                return
            times -= 1
            if name == "Killed":
                self.dead.add(self.server)
                raise Killed
            raise failure(name)

        self.fault = fault

    def answer(self) -> None:
        stream = self.chance.choice(STREAMS)
        new = [self._entry() for _ in range(self.chance.choice((1, 1, 1, 2, 5)))]
        for entry in new:
            self.sent[entry.id] = stream, entry
        self._store(stream, new)

    def resend(self) -> None:
        """The reply was lost, so the browser sends again, perhaps to the other server."""
        if self.sent:
            stream, entry = self.sent[self.chance.choice(list(self.sent))]
            if entry.who not in self.forgotten | self.doubtful:
                self._store(stream, [entry])

    def _entry(self) -> NewEntry:
        when = BEGIN + timedelta(seconds=self.chance.randint(-(10**6), 10**6))  # clocks go back
        number = self.answers = self.answers + 1
        body = {"answer": number, "said": "x" * self.chance.choice((0, 20, 3_000))}
        who = self.chance.choice(self.people)
        return NewEntry(kind="answer", who=who, body=body, when=when, id=f"{self.seed:x}-{number}")

    def _store(self, stream: str, new: list[NewEntry]) -> None:
        with self.asking():
            given = self.journal.append(stream, new)
        hold([entry.id for entry in given] == [entry.id for entry in new], "an answer got another's place")
        self.stored += [entry.id for entry in new if entry.id not in self.stored]

    def read(self) -> None:
        for stream in STREAMS:
            self.check(stream, self.journal.read(stream))

    def forget(self) -> None:
        if len(self.people) == 1:
            return
        who = self.chance.choice(self.people)
        self.people.remove(who)
        self.doubtful.add(who)
        receipt = forget.forget(self.journal, erasure.secret_of(ErasureTarget.PERSON, who), {})
        self.forgotten.add(who)
        self.doubtful.discard(who)
        if "database" not in receipt:
            raw = b"".join(path.read_bytes() for path in self.folder.glob("journal.sqlite*"))
            hold(f'"{who}"'.encode() not in raw and who.encode() not in raw, f"{who} is still in a file")

    def back_up(self) -> None:
        backup = backup_file.taken(self.journal)
        path = self.folder / "backups" / f"{len(self.written)}.gz"
        self._write(path, backup_file.packed(backup))
        hold(backup_file.unpacked(path.read_bytes()) == backup, "a backup is not what was stored")

    def write(self) -> None:
        path = self.folder / self.chance.choice(("board", "jobs/deep")) / self.chance.choice("ab")
        self._write(path, self.chance.randbytes(self.chance.choice((0, 10, 5_000))))

    def _write(self, path: Path, content: bytes) -> None:
        files.make_folder(path.parent)
        self.written.setdefault(path, [b""]).append(content)
        files.write(path, content)
        self.written[path] = [content]

    def line(self) -> None:
        path = self.folder / "log.jsonl"
        content = b"%d %s\n" % (len(self.lines.get(path, ())), b"y" * self.chance.choice((0, 2_000)))
        self.lines.setdefault(path, []).append((content, False))
        files.append(path, content)
        self.lines[path][-1] = content, True

    def kill(self, server: int) -> None:
        self.dead.add(server)
        sqlite.abandon(self.url(server))
        self.fault = None

    def restart(self, server: int) -> None:
        self.dead.discard(server)
        files._SYNCED.clear()
        files._NAMED.clear()
        opening.close(self.url(server))
        with journal._TURN:
            for key in [key for key in journal._KNOWN if key[0] == sa.make_url(self.url(server)).database]:
                del journal._KNOWN[key]

    def power_cut(self) -> None:
        left = self.disk.left(self.chance)
        self.dead = {0, 1}
        sqlite.abandon()
        self.fault = None
        disk = self.disk.restart(left)
        disk.refuse = self.refuse
        self.disk.__dict__.update(disk.__dict__)
        for server in (0, 1):
            self.restart(server)
        self.server = 0
        try:
            self.audit()
        except CoreError as error:
            hold(self.flipped, f"what was stored cannot be read: {error}")
            raise

    def flip(self) -> None:
        """All servers end, a bit of the log turns on the disk, and they begin again."""
        self.fault, self.flipped = None, True
        log, before = self.folder / "journal.sqlite-wal", self.journal.losses()
        last = max((e.sequence for stream in STREAMS for e in self.journal.read(stream)), default=0)
        head = self.folder / "journal.sqlite-head"
        marks = losses._MARKS.findall(head.read_bytes()) if head.exists() else []
        self.dead = {0, 1}
        sqlite.abandon()
        for server in (0, 1):
            self.restart(server)
        if max((int(mark[1]) for mark in marks), default=0) < last:
            return  # the disk failed when it was to note how far the database had come
        if log.exists() and (content := bytearray(log.read_bytes())):
            place = self.chance.randrange(len(content))
            content[place] ^= 1 << self.chance.randrange(8)
            log.write_bytes(content)
            self.disk.settle()  # the system writes out all that it has in time
            self.story[-1] += f" {place}"
        entries = {entry.id: entry for stream in STREAMS for entry in self.journal.read(stream)}
        perhaps = self.forgotten | self.doubtful
        gone = [i for i in self.stored if i not in entries and self.sent[i][1].who not in perhaps]
        back = {entry.who for entry in entries.values()} & self.forgotten
        lost = [loss for when, loss in self.journal.losses().items() if when not in before]
        hold(sum(entries for entries, _ in lost) >= len(gone), f"lost without a word: {gone}")
        hold(bool(sum(removals for _, removals in lost)) or not back, f"back without a word: {back}")
        self.stored = [i for i in self.stored if i in entries]
        self.forgotten -= back

    def check(self, stream: str, entries: tuple[Entry, ...]) -> None:
        ids = [entry.id for entry in entries]
        hold(len(set(ids)) == len(ids), "an answer is stored twice")
        hold(
            sorted(entry.sequence for entry in entries) == [entry.sequence for entry in entries],
            "out of order",
        )
        gone = self.forgotten
        for entry in entries:
            hold(entry.id in self.sent, "an answer that nobody sent")
            at, sent = self.sent[entry.id]
            same = (at, sent.who, sent.kind, sent.body, sent.when) == (
                stream, entry.who, entry.kind, entry.body, entry.when,
            )  # fmt: skip
            hold(same, f"answer {entry.id} changed")
            hold(entry.who not in gone, f"{entry.who} was forgotten and is back")
        perhaps = self.forgotten | self.doubtful
        due = [i for i in self.stored if self.sent[i][0] == stream and self.sent[i][1].who not in perhaps]
        missing = [i for i in due if i not in ids]
        hold(not missing, f"acknowledged answers are lost: {missing}")

    def end(self) -> None:
        """What has to be possible once nothing fails any more."""

    def audit(self) -> None:
        """All that is on the disk, as a program that begins now finds it."""
        for stream in STREAMS:
            self.check(stream, self.journal.read(stream))
        for path, contents in self.written.items():
            content = path.read_bytes() if path.exists() else b""
            hold(content in contents, f"{path.name} is neither as before nor as after: {len(content)} bytes")
        for path, lines in self.lines.items():
            content = path.read_bytes() if path.exists() else b""
            for line, acknowledged in lines:
                hold(
                    not acknowledged or content.startswith(line) or b"\n" + line in content, "a line is lost"
                )


def _alias(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-b")


@cache
def _fresh() -> bytes:
    """A database with its tables, as every server has one after its first answer: made once."""
    with _folder() as folder, sqlite.on(Disk(folder)):
        url = opening.sqlite_url(folder)
        with opening.open_database(url).writing():
            pass
        opening.close(url)
        sqlite.abandon()
        return (folder / "journal.sqlite").read_bytes()


@contextmanager
def _folder() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as above:
        folder = Path(above, "s")
        folder.mkdir()
        _alias(folder).symlink_to(folder, target_is_directory=True)
        yield folder


def run(seed: int, kind: type[World] = World) -> World:
    """Plays what a seed says; a `Violation` carries its story."""
    chance = random.Random(seed)
    fresh = {} if chance.random() < 0.02 else {"journal.sqlite": _fresh()}
    files._SYNCED.clear()
    drawn = random.Random(seed)
    with ExitStack() as held:
        folder = held.enter_context(_folder())
        disk = Disk(folder).restart(fresh if kind.stores else {})
        world = kind(seed, disk, chance)
        held.enter_context(sqlite.on(disk))
        held.enter_context(mock.patch.object(files, "SYSTEM", disk.system()))
        clock = SimpleNamespace(
            monotonic=count().__next__, sleep=lambda _: None
        )  # it goes on when it is read
        for module in (opening, journal):
            held.enter_context(mock.patch.object(module, "time", clock))
        held.enter_context(mock.patch.object(secrets, "token_bytes", lambda n=32: drawn.randbytes(n)))
        held.enter_context(mock.patch.object(secrets, "randbelow", drawn.randrange))
        held.enter_context(kind.around())
        disk.refuse = world.refuse
        try:
            for _ in range(kind.steps):
                if not world.damaged:
                    world.step()
            if not world.damaged:
                world.fault = None
                world.power_cut()
                world.end()
        except (Violation, CoreError) as error:
            story = "\n".join(world.story)
            raise Violation(f"seed {seed}: {error}\n{story}") from None
        finally:
            sqlite.abandon()
            for server in (0, 1):
                world.restart(server)
        return world
