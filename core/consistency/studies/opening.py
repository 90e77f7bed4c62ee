"""Opening the headlines of a consistency test by name or path."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from core.consistency.studies.subject import Subject, subject_of_pairs, subject_of_timeline
from core.data.pair_sets.load import is_known, load_pair_set, sets_by_name
from core.data.pair_sets.pair_file import is_pair_table
from core.data.timelines.load import load_path, read_bytes, read_table
from core.data.timelines.samples import PREFIX, load_sample
from core.errors import InputError, UnknownNameError
from core.parts import Part


def open_headlines(wanted: str, *, part: str | None = None, most: int | None = None) -> Subject:
    """The headlines of a timeline, a sample, a pair file or a pair set.

    Args:
        wanted: A timeline file, `sample:NAME`, a file of pairs, or a pair set's name or signature.
        part: "train", "validation" or "test" of a pair set or pair file; None for all of it.
        most: Only so many headlines, those published first; undated ones come last.

    Raises:
        UnknownNameError: Neither a file nor a pair set.
        DataSourceError: The data is not on this machine.
        InputError: It cannot be understood, or the part is none or empty.
    """
    if wanted.startswith(PREFIX) or (os.path.isfile(wanted) and not _holds_pairs(wanted)):
        if part is not None:
            raise InputError("A timeline has no parts.", hint="Leave the part out, or name a pair set.")
        timeline = (
            load_sample(wanted.removeprefix(PREFIX)) if wanted.startswith(PREFIX) else load_path(wanted)
        )
        return first_published(subject_of_timeline(timeline), most)
    _check_known(wanted)
    pairs = load_pair_set(wanted)
    if part is not None:
        if part not in set(Part):
            raise InputError(f"There is no part {part[:40]!r}.", hint=f"Choose one of: {', '.join(Part)}.")
        pairs = pairs.part(Part(part))
    if not len(pairs.texts):
        raise InputError(f"{wanted} has no headline in this part.", hint="Choose another part.")
    return first_published(subject_of_pairs(pairs), most)


def first_published(subject: Subject, most: int | None) -> Subject:
    """The headlines published first, in their order; all where `most` is None or as large."""
    if most is None or most >= len(subject):
        return subject
    kept = np.zeros(len(subject), dtype=np.bool_)
    kept[np.argsort(subject.headlines.days, kind="stable")[:most]] = True
    return subject_of_pairs(subject.headlines.with_headlines(kept))


def _holds_pairs(path: str) -> bool:
    return is_pair_table(read_table(read_bytes(path), Path(path).name).columns)


def _check_known(wanted: str) -> None:
    if os.path.exists(wanted):  # False also for names that no file can have
        return
    if not is_known(wanted):
        raise UnknownNameError(
            f"There is no file and no pair set called {wanted[:200]!r}.",
            hint=f"Give a path, sample:NAME, or one of: {', '.join(sets_by_name())}.",
        )
