"""Hashes of files, remembered by their size and times."""

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

MEMORY: Final = "file_hashes.json"  # what is remembered, in the cache folder
KEPT: Final = 2000  # files; those that were hashed longest ago are forgotten first
RACY_NS: Final = 2_000_000_000
"""A file that changed this shortly before it was hashed may change again without a new time: clocks of file
systems stand still for up to two seconds (FAT). Its hash is not remembered."""
_Mark = tuple[int, ...]  # device, inode, size, both times in nanoseconds
_LOCK = threading.Lock()
_MEMORIES: dict[Path, dict[str, tuple[_Mark, str]]] = {}


def hash_of(path: Path) -> str:
    """SHA-256 of a file's content, 64 hex digits, remembered while path, inode, size and times stay."""
    return hashes_of([path])[0]


def hashes_of(paths: Iterable[Path]) -> list[str]:
    with _LOCK:
        file, new = cache_folder() / MEMORY, dict[str, tuple[_Mark, str]]()
        if file not in _MEMORIES:
            _MEMORIES[file] = _read(file)
        hashes = [_hashed(path.absolute(), _MEMORIES[file], new) for path in paths]
        if new:
            _keep(file, new)
    return hashes


def _hashed(path: Path, known: dict[str, tuple[_Mark, str]], new: dict[str, tuple[_Mark, str]]) -> str:
    name, mark = str(path), _mark(path)
    if name in known and known[name][0] == mark:
        return known[name][1]
    started = time.time_ns()
    with path.open("rb") as file:
        sha = hashlib.file_digest(file, "sha256").hexdigest()
    if max(mark[-2:]) < started - RACY_NS and _mark(path) == mark:
        known[name] = new[name] = mark, sha
    return sha


def _keep(file: Path, new: dict[str, tuple[_Mark, str]]) -> None:
    # What was hashed last stands last.
    before = {name: entry for name, entry in _read(file).items() if name not in new}
    known = dict(list((before | new).items())[-KEPT:])
    content = json.dumps({"sum": _sum(known), "files": known}, ensure_ascii=True).encode()
    # A hash that is not written down is computed again.
    with suppress(DataSourceError):
        files.make_folder(file.parent)
        files.write(file, content, durable=False)


def _mark(path: Path) -> _Mark:
    about = path.stat()
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


def _read(file: Path) -> dict[str, tuple[_Mark, str]]:
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        if stored["sum"] != _sum(stored["files"]):
            return {}
        return {str(name): (tuple(map(int, mark)), str(sha)) for name, (mark, sha) in stored["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _sum(known: Any) -> str:
    return digest(json.dumps(known, sort_keys=True))
