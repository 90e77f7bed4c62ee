"""What is computed from files and settings, stored on disk so that it is computed once."""

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import files, limits

Arrays = Mapping[str, np.ndarray[Any, Any]]

ENDING: Final = ".entry"
FORGOTTEN_SECONDS: Final = 86_400
"""A file this old that is not finished was left by a process that was killed."""
_ABOUT: Final = "about"
_DIGEST: Final = 32
_KEEP: Final = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class CacheEntry:
    arrays: Arrays
    about: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DiskCache:
    """Entries by key, a file each; processes and threads may share it, no failure of the disk gets out."""

    folder: Path

    def get(self, key: str) -> CacheEntry | None:
        """What was put under a key; None where there is nothing, or it is damaged."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        body = memoryview(content)[_DIGEST:]
        if content[:_DIGEST] != _digest(key, body):
            self.forget(key)
            return None
        with suppress(OSError):
            os.utime(path)
        return _unpacked(bytes(body))

    def put(self, key: str, arrays: Arrays, **about: Any) -> None:
        body = _packed(arrays, about)
        with suppress(OSError):
            files.make_folder(self.folder)
            files.write(self._path(key), _digest(key, body) + body, durable=False)
            self._shrink()

    def forget(self, key: str) -> None:
        with suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{ENDING}"

    def _shrink(self) -> None:
        limit = limits.RESULT_CACHE_MEGABYTES.value * 1_000_000
        entries, total, now = [], 0, time.time()
        with os.scandir(self.folder) as listed:
            for file in listed:
                with suppress(OSError):
                    about = file.stat(follow_symlinks=False)
                    if file.name.endswith(ENDING):
                        entries.append((about.st_mtime_ns, about.st_size, file.path))
                        total += about.st_size
                    elif file.name.endswith(files.PARTIAL) and about.st_mtime < now - FORGOTTEN_SECONDS:
                        os.unlink(file.path)
        if total <= limit:
            return
        for _, size, path in sorted(entries):
            if total <= limit * _KEEP:
                break
            with suppress(OSError):
                os.unlink(path)
            total -= size


def with_texts(folder: Path) -> list[Path]:
    """The files of a cache that may hold texts of users: results and headlines written."""
    return [path for ending in (ENDING, ".jsonl") for path in folder.rglob(f"*{ending}")]


def emptied(folder: Path, *, but: Path | None = None) -> int:
    """Removes every result and every stored vector below a folder, but not below another; gives how many."""
    paths = [*folder.rglob(f"*{ENDING}"), *folder.glob("*.sqlite3*")] if folder.is_dir() else []
    paths = [path for path in paths if but is None or not path.is_relative_to(but)]
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)
    return len(paths)


def _digest(key: str, body: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(key.encode())
    digest.update(body)
    return digest.digest()


def _packed(arrays: Arrays, about: Mapping[str, Any]) -> bytes:
    from safetensors.numpy import save

    header = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    return save({_ABOUT: header, **{name: np.ascontiguousarray(value) for name, value in arrays.items()}})


def _unpacked(body: bytes) -> CacheEntry:
    from safetensors.numpy import load

    arrays = load(body)
    return CacheEntry(arrays, json.loads(arrays.pop(_ABOUT).tobytes()))
