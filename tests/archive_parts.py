"""Functions that a test's parts are made by; the workers of a cluster find them here."""

import time

import numpy as np

from core.errors import InputError


def squares(given, reads, _):
    """Squares of the first numbers, plus all that is read."""
    return np.arange(given) ** 2 + sum(int(read.sum()) for read in reads)


def refused(given, _, __):
    """What the user gave is wrong."""
    raise InputError(f"{given} cannot be used.", hint="Give another.")


def slow(given, _, __):
    """Seconds, slept through."""
    time.sleep(given)
    return np.array([given])
