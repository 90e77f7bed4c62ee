"""The headlines of a study, and what is known of their pairs."""

import datetime
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import BoolArray, IntArray
from core.data.pair_sets import annotated, load, pair_columns, pair_file, pair_set
from core.data.timelines.samples import PREFIX, load_named
from core.data.timelines.tables import read_bytes, read_table
from core.data.timelines.timeline import Timeline
from core.errors import InputError, UnknownNameError
from core.parts import Part

EPOCH: Final = datetime.date(1970, 1, 1)
Truth = tuple[IntArray, IntArray, IntArray]  # rows left and right, 1 for the same event


@dataclass(frozen=True, slots=True, eq=False)
class StudySubject:
    """Headlines of one timeline or several; only pairs inside a timeline are compared."""

    headlines: pair_set.PairSet
    fingerprint: str
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.headlines.texts)

    @property
    def together(self) -> BoolArray:
        """Pairs of one timeline, bool [n, n], the diagonal false."""
        timelines = self.headlines.timelines
        inside = timelines[:, None] == timelines[None, :]
        np.fill_diagonal(inside, False)
        return np.asarray(inside)


def date_of(day: float) -> datetime.date | None:
    """The date of a publication time in days since 1970; None where it is NaN."""
    return None if math.isnan(day) else EPOCH + datetime.timedelta(days=math.floor(day))


def subject_of_timeline(timeline: Timeline) -> StudySubject:
    """All headlines of a timeline, with its gold groups where it has some."""
    gold, annotators = annotated.timeline_groups(timeline)
    headlines = annotated.timeline_headlines(timeline, gold, annotators, Part.TEST)
    return StudySubject(headlines, timeline.fingerprint, timeline.report.ledger)


def open_headlines(wanted: str, *, part: str | None = None, most: int | None = None) -> StudySubject:
    """The headlines of a timeline, a sample, a pair file or a pair set."""
    if wanted.startswith(PREFIX) or (
        os.path.isfile(wanted)
        and not pair_columns.is_pair_table(read_table(read_bytes(wanted), Path(wanted).name).columns)
    ):
        if part is not None:
            raise InputError("A timeline has no parts.", hint="Leave the part out, or name a pair set.")
        return first_published(subject_of_timeline(load_named(wanted)), most)
    # Names that no file can have do not exist either.
    if not os.path.exists(wanted) and not load.is_known(wanted):
        hint = f"Give a path, sample:NAME, or one of: {', '.join(load.sets_by_name())}."
        raise UnknownNameError(f"There is no file and no pair set called {wanted[:200]!r}.", hint=hint)
    pairs = load.load_pair_set(wanted)
    if part is not None:
        if part not in set(Part):
            raise InputError(f"There is no part {part[:40]!r}.", hint=f"Choose one of: {', '.join(Part)}.")
        pairs = pairs.part(Part(part))
    if not len(pairs.texts):
        raise InputError(f"{wanted} has no headline in this part.", hint="Choose another part.")
    ledger = pair_file.read_pair_file(wanted).ledger if os.path.isfile(wanted) else {}
    return first_published(StudySubject(pairs, pairs.fingerprint, ledger), most)


def first_published(subject: StudySubject, most: int | None) -> StudySubject:
    """The headlines published first, in their order; all where `most` is None or as large."""
    if most is None or most >= len(subject):
        return subject
    earliest = np.zeros(len(subject), dtype=np.bool_)
    earliest[np.argsort(subject.headlines.days, kind="stable")[:most]] = True
    pairs = subject.headlines.with_headlines(earliest)
    return StudySubject(pairs, pairs.fingerprint, subject.ledger)


def truth_of(subject: StudySubject, scored: BoolArray) -> Truth:
    """The scored pairs with a known answer, left < right: by gold groups where there are any, or labels."""
    headlines = subject.headlines
    if np.any(headlines.groups >= 0):
        known = headlines.groups >= 0
        left, right = np.nonzero(np.triu(scored & known[:, None] & known[None, :], k=1))
        same = headlines.groups[left] == headlines.groups[right]
        return left, right, same.astype(np.int64)
    judged = (headlines.labels != pair_set.UNKNOWN) & scored[headlines.left, headlines.right]
    left = np.minimum(headlines.left[judged], headlines.right[judged])
    right = np.maximum(headlines.left[judged], headlines.right[judged])
    return left, right, (headlines.labels[judged] == pair_set.SAME).astype(np.int64)
