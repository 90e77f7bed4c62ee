"""Work that other processes find by its name: too long, too big, deadly, refused."""

import os
import re
import time

from core import limits
from core.errors import DataSourceError


def pid(*_):
    return os.getpid()


def quadratic(length):
    """Computes in C for hours and lets no other thread have a turn."""
    re.search(r"(a+)+$", "a" * length + "b")


def big(megabytes):
    return len(bytearray(megabytes * 1_000_000))


def deadly():
    os.abort()


def refused():
    raise DataSourceError("The file is not here.", hint="Look elsewhere.")


def sleeping():
    time.sleep(600)


def rows():
    return limits.FILE_ROWS.value
