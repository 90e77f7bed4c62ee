"""Opening a pair set by name, signature or path."""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import UnknownNameError
from core.pair_sets.given_pairs import GivenPairs
from core.pair_sets.hlgd import Hlgd
from core.pair_sets.pair_file import is_pair_table
from core.pair_sets.pair_set import PairSet, PairSource, pair_sources
from core.pair_sets.timeline import TimelineFiles
from core.parts import Part
from core.registry import split_outside_parentheses
from core.timelines import samples
from core.timelines.load import read_bytes, read_table

HELD_OUT = frozenset({"iss"})
"""Samples that are test throughout: nothing is trained or tuned on them."""


def load_pair_set(wanted: str, *, part: Part = Part.TEST) -> PairSet:
    """Loads a pair set.

    Args:
        wanted: A registered name or signature ("uci", "uci.v1|ratio:3.0"), a file of pairs, a timeline
            file or folder with gold or annotators' groups, `sample:NAME`, or a folder of HLGD's files.
        part: Part of every pair of a file that does not say; never of a sample in `HELD_OUT`.

    Raises:
        DataSourceError: The data is not on this machine; the hint says where it belongs.
        UnknownNameError: Neither a source nor a file.
        InputError: It cannot be understood, or not as pairs.
    """
    return source_of(wanted, part=part).load()


def source_of(wanted: str, *, part: Part = Part.TEST) -> PairSource:
    """The source of a name, signature or path; see `load_pair_set`."""
    if wanted.startswith(samples.PREFIX):
        held_out = wanted.removeprefix(samples.PREFIX) in HELD_OUT
        return TimelineFiles(path=wanted, part=Part.TEST.value if held_out else part.value)
    path = Path(wanted)
    try:
        pair_sources.get(split_outside_parentheses(wanted)[0])
    except UnknownNameError:
        if not os.path.exists(wanted):  # False also for names that no file can have
            raise UnknownNameError(
                f"There is no pair set and no file called {wanted[:200]!r}.",
                hint=f"Give a path, or one of: {', '.join(pair_sources.names())}.",
            ) from None
    else:
        return pair_sources.parse(wanted)
    if path.is_dir():
        hlgd = Hlgd(path=wanted)
        return hlgd if hlgd.find() else TimelineFiles(path=wanted, part=part.value)
    if is_pair_table(read_table(read_bytes(path), path.name, blank_rows=True).columns):
        return GivenPairs(path=wanted, part=part.value)
    return TimelineFiles(path=wanted, part=part.value)
