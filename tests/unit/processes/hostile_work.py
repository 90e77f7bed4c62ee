"""Work that other processes find by its name: too long, too big, deadly, refused."""

from __future__ import annotations

import os
import re
import time

from core import limits
from core.errors import DataSourceError


def pid(*_: object) -> int:
    return os.getpid()


def quadratic(length: int) -> None:
    """Computes in C for hours and lets no other thread have a turn."""
    re.search(r"(a+)+$", "a" * length + "b")


def big(megabytes: int) -> int:
    return len(bytearray(megabytes * 1_000_000))


def deadly() -> None:
    os.abort()


def refused() -> None:
    raise DataSourceError("The file is not here.", hint="Look elsewhere.")


def sleeping() -> None:
    time.sleep(600)


def rows() -> int:
    return limits.FILE_ROWS.value
