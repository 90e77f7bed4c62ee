"""Work that other processes find by its name: too long, too big, deadly."""

import os
import re
import time

from core import limits


def pid(*_):
    return os.getpid()


def quadratic(length):
    """Computes in C for hours and lets no other thread have a turn."""
    re.search(r"(a+)+$", "a" * length + "b")


def big(megabytes):
    return len(bytearray(megabytes * 1_000_000))


def deadly():
    os.abort()


def sleeping():
    time.sleep(600)


def rows():
    return limits.FILE_ROWS.value
