"""Opening a pair set by name, signature or path."""

from __future__ import annotations

from pathlib import Path

from core.pair_sets.pair_set import PairSet, PairSource, Part, pair_sources
from core.registry import split_outside_parentheses


def load_pair_set(wanted: str, *, part: Part = Part.TEST) -> PairSet:
    """Loads a pair set.

    Args:
        wanted: A registered name or signature ("uci", "uci.v1|ratio:3.0"), a file of pairs, a timeline
            file with gold or annotators' groups, or a folder of HLGD's three JSON files.
        part: Part of every pair of a file that does not say.

    Raises:
        DataSourceError: The data is not on this machine; the hint says where it belongs.
        UnknownNameError: Neither a source nor a file.
        InputError: It cannot be understood, or not as pairs.
    """
    return source_of(wanted, part=part).load()


def source_of(wanted: str, *, part: Part = Part.TEST) -> PairSource:
    """The source of a name, signature or path; see `load_pair_set`."""
    return pair_sources.parse(wanted)
