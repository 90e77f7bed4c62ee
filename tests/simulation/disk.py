"""A disk that keeps only what was synced: what a power cut leaves of a folder is drawn by a seed.

Programs write real files in a folder. Beside them this remembers what is on the disk for certain: the bytes
of a file at its last sync, and the names of a folder at the last sync of the folder. A cut keeps these, of
later writes to a file any sectors, and of later names those up to a moment (file systems keep their order).
"""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core import files

SECTOR = 512  # bytes that are written whole or not at all


class Killed(BaseException):
    """The program ends here: nothing after it happens."""


class Failure(OSError):
    """The disk refuses a call."""


@dataclass(eq=False)
class File:
    """One file, whatever its names: its bytes at the last sync, and what was done to it since."""

    durable: bytearray = field(default_factory=bytearray)
    since: list[tuple[int, bytes | None]] = field(default_factory=list)  # place and bytes; None: the end
    folder: bool = False

    def sync(self) -> None:
        for place, data in self.since:
            _put(self.durable, place, data)
        self.since = []

    def survives(self, chance: random.Random) -> bytes:
        """The bytes after a cut: each sector that was written since is there or not."""
        content = bytearray(self.durable)
        for place, data in self.since:
            fate = chance.random()
            if data is None:
                _put(content, place, data if fate < 0.5 else b"")
                continue
            for start in range(0, len(data), SECTOR):
                if fate < 0.4 or (fate < 0.8 and chance.random() < 0.5):
                    _put(content, place + start, data[start : start + SECTOR])
        return bytes(content)


def _put(content: bytearray, place: int, data: bytes | None) -> None:
    if data is None:
        del content[place:]
    elif data:
        content.extend(bytes(max(0, place + len(data) - len(content))))
        content[place : place + len(data)] = data


@dataclass(eq=False)
class Disk:
    """The files of a folder, as they are and as they would be after a cut.

    `refuse` is asked before each call that changes something, with its name and how many came before; it may
    raise `Killed` or an OSError.
    """

    folder: Path
    synced: bool = True  # False: a disk that says that it synced and did not
    calls: int = 0
    refuse: Callable[[str, int], None] = lambda name, calls: None
    now: dict[str, File] = field(default_factory=dict)  # by path in the folder
    names: dict[str, File] = field(default_factory=dict)  # names that are on the disk for certain
    pending: list[tuple[str, File | None]] = field(default_factory=list)  # names given or taken since

    def call(self, name: str) -> None:
        self.refuse(name, self.calls)
        self.calls += 1

    def file(self, path: Path | str) -> File:
        """The file of a name, made where there is none."""
        name = self._name(path)
        if name not in self.now:
            self._give(name, File())
        return self.now[name]

    def wrote(self, path: Path | str, place: int, data: bytes) -> None:
        self.file(path).since.append((place, data))

    def cut(self, path: Path | str, length: int) -> None:
        self.file(path).since.append((length, None))

    def sync(self, path: Path | str, *, with_name: bool = False) -> None:
        """What the file holds now is on the disk; its name only where asked, as SQLite syncs the folder."""
        if not self.synced:
            return
        file = self.file(path)
        file.sync()
        if len(file.durable) != (size := os.path.getsize(path)):  # written by a library
            file.durable = bytearray(Path(path).read_bytes())
            assert len(file.durable) == size
        if with_name:
            self.sync_names(Path(path).parent)

    def sync_names(self, folder: Path) -> None:
        if not self.synced:
            return
        here = self._name(folder)
        for path in Path(folder).iterdir():
            if path.is_dir():
                self.names[self._name(path)] = File(folder=True)
        for name, file in self.pending:
            if os.path.dirname(name) == here:
                self._settle(name, file)
        self.pending = [(name, file) for name, file in self.pending if os.path.dirname(name) != here]

    def settle(self) -> None:
        """All is on the disk as it is now."""
        for name, file in self.now.items():
            if not file.folder and (path := self.folder / name).exists():
                file.durable, file.since = bytearray(path.read_bytes()), []
        self.names, self.pending = dict(self.now), []

    def replaced(self, source: Path | str, target: Path | str) -> None:
        file = self.file(source)
        self._give(self._name(target), file)
        self.removed(source)

    def removed(self, path: Path | str) -> None:
        name = self._name(path)
        self.now.pop(name, None)
        self.pending.append((name, None))

    def left(self, chance: random.Random) -> dict[str, bytes]:
        """What a power cut leaves, by path in the folder."""
        names = dict(self.names)
        for name, file in self.pending[: chance.randint(0, len(self.pending))]:
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file
        return {
            name: file.survives(chance)
            for name, file in names.items()
            if not file.folder and all(above in names for above in _above(name))
        }

    def restart(self, content: dict[str, bytes]) -> Disk:
        """A disk with this content in an emptied folder."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        disk = Disk(self.folder, synced=self.synced)
        for name, data in content.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            disk.now[name] = disk.names[name] = File(bytearray(data))
            for above in _above(name):
                disk.now[above] = disk.names[above] = File(folder=True)
        return disk

    def _give(self, name: str, file: File) -> None:
        for above in _above(name):
            if above not in self.now:
                self.now[above] = File(folder=True)
                self.pending.append((above, self.now[above]))
        self.now[name] = file
        self.pending.append((name, file))

    def _settle(self, name: str, file: File | None) -> None:
        if file is None:
            self.names.pop(name, None)
        else:
            self.names[name] = file

    def _name(self, path: Path | str) -> str:
        name = os.path.relpath(path, self.folder)
        return "" if name == "." else name

    def _write(self, path: Path, number: int, data: memoryview) -> int:
        refused = None
        try:
            self.call("write")
        except (Killed, Failure) as error:
            refused, data = error, data[: len(data) // 2]  # a part is written before
        size = os.write(number, data)
        self.wrote(path, os.lseek(number, 0, os.SEEK_CUR) - size, bytes(data[:size]))
        if refused is not None:
            raise refused
        return size

    def system(self) -> files.System:
        """The calls through which `core.files` writes."""
        opened: dict[int, Path] = {}

        def inside(path: Path) -> bool:
            return Path(path).is_relative_to(self.folder)

        def open_(path: Path, flags: int, mode: int) -> int:
            there = os.path.exists(path)
            if flags & os.O_CREAT and not there:
                self.call("open")
            number = os.open(path, flags, mode)
            opened[number] = Path(path)
            if inside(path) and not there:
                self.file(path)
            return number

        def write(number: int, data: memoryview) -> int:
            return self._write(opened[number], number, data)

        def fsync(number: int) -> None:
            self.call("fsync")
            path = opened[number]
            self.sync_names(path) if path.is_dir() else self.sync(path)

        def truncate(number: int, length: int) -> None:
            self.call("truncate")
            os.ftruncate(number, length)
            self.cut(opened[number], length)

        def replace(source: Path, target: Path) -> None:
            self.call("replace")
            os.replace(source, target)
            self.replaced(source, target)

        def unlink(path: Path) -> None:
            self.call("unlink")
            os.unlink(path)
            self.removed(path)

        calls: dict[str, Any] = {"open": open_, "write": write, "fsync": fsync, "truncate": truncate}
        return files.System(**calls, replace=replace, unlink=unlink)


def _above(name: str) -> list[str]:
    """The folders above a name, the highest first."""
    return [str(above) for above in reversed(Path(name).parents)][1:]


def failure(name: str) -> Failure:
    code = {"full": errno.ENOSPC, "read_only": errno.EROFS, "broken": errno.EIO}[name]
    return Failure(code, os.strerror(code))
