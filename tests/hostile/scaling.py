"""How the processor time of a function grows with its text."""

import contextlib
import time

from core.errors import CoreError

STEEPEST = 9.0
"""A text of four times the length may take so many times as long: in proportion it is 4, by the square 16."""
FLOOR = 0.03
"""Seconds of processor time that are not looked at any closer."""


def seconds(work, *, floor=FLOOR, looks=3):
    """Processor time, the least of so many looks; what is plainly quick or slow is not repeated."""
    best = float("inf")
    for _ in range(looks):
        start = time.process_time()
        with contextlib.suppress(CoreError):  # one sentence that refuses a text is an answer, too
            work()
        best = min(best, time.process_time() - start)
        if not floor / 10 < best < 10 * floor:
            break
    return best


def steepness(work_of, *, floor=FLOOR):
    """How many times as long a text of four times the length takes; 0 where that is next to nothing.

    Twice the length is looked at as well: a short text may lie below what can be measured.
    """
    # What one look says is at least what the least of three does: a ratio that is small enough is settled.
    longest = seconds(work_of(4), looks=1)
    if longest < floor:
        return 0.0
    single = max(seconds(work_of(1), floor=floor), floor / 16)
    if longest <= STEEPEST * single:
        return longest / single
    longest = min(longest, seconds(work_of(4), floor=floor))
    double = max(seconds(work_of(2), floor=floor), floor / 4)
    return min(longest / single, (longest / double) ** 2)
