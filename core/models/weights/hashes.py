"""Hashes of files by their whole content, each computed once while the file stays as it is."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core import files
from core.digests import digest
from core.errors import DataSourceError
from core.runtime import cache_folder

MEMORY: Final = "file_hashes.json"
"""What is remembered, in the cache folder."""
KEPT: Final = 2000  # files; those that were hashed longest ago are forgotten first

RACY_NS: Final = 2_000_000_000
"""A file that changed this shortly before it was hashed may change again without a new time: clocks of file
systems stand still for up to two seconds (FAT). Its hash is not remembered."""

_Mark = tuple[int, int, int, int, int]
"""Device, inode, size, time of the last change to the content and to the inode, in nanoseconds."""


def hash_of(path: Path) -> str:
    """64 hex digits: SHA-256 of a file's whole content.

    It is remembered, in this process and in the cache folder, for as long as path, device, inode, size and
    both times of the file stay the same. A copy that kept the time of another file has another inode, and
    nothing that a program can set turns back the time of an inode.
    """
    return hashes_of([path])[0]


def hashes_of(paths: Iterable[Path]) -> list[str]:
    """The same for several files; what was new is written down once."""
    with _LOCK:
        memory = _memory(cache_folder() / MEMORY)
        found = [memory.hash_of(path.absolute()) for path in paths]
        memory.save()
    return found


class _Memory:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._known = _read(file)
        self._new: dict[str, tuple[_Mark, str]] = {}

    def hash_of(self, path: Path) -> str:
        name = str(path)
        mark = _mark(path)
        known = self._known.get(name)
        if known is not None and known[0] == mark:
            return known[1]
        started = time.time_ns()
        found = _hashed(path)
        if max(mark[-2:]) < started - RACY_NS and _mark(path) == mark:
            self._known[name] = self._new[name] = mark, found
        return found

    def save(self) -> None:
        if self._new:
            # What was hashed last stands last.
            before = {name: entry for name, entry in _read(self._file).items() if name not in self._new}
            _write(self._file, dict(list((before | self._new).items())[-KEPT:]))
            self._new = {}


_LOCK = threading.Lock()
_MEMORIES: dict[Path, _Memory] = {}


def _memory(file: Path) -> _Memory:
    if file not in _MEMORIES:
        _MEMORIES[file] = _Memory(file)
    return _MEMORIES[file]


def _hashed(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mark(path: Path) -> _Mark:
    about = path.stat()
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def _read(file: Path) -> dict[str, tuple[_Mark, str]]:
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["sum"] != _sum(told["files"]):
            return {}
        return {str(name): (_as_mark(mark), str(found)) for name, (mark, found) in told["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _as_mark(told: Any) -> _Mark:
    device, inode, size, changed, inode_changed = map(int, told)
    return device, inode, size, changed, inode_changed


def _write(file: Path, known: dict[str, tuple[_Mark, str]]) -> None:
    content = json.dumps({"sum": _sum(known), "files": known}, ensure_ascii=True).encode()
    # A hash that is not written down is computed again.
    with suppress(DataSourceError):
        files.make_folder(file.parent)
        files.write(file, content, durable=False)


def _sum(files: Any) -> str:
    return digest(json.dumps(files, sort_keys=True))
