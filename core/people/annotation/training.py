"""What trains annotators before they begin: a timeline whose groups are known, with the reason for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.data.timelines.load import load_path
from core.data.timelines.samples import FOLDER
from core.data.timelines.timeline import Field, Timeline
from core.journal.entry import Entry
from core.people.annotation.grouping import GroupingTask, PersonGroups, grouping_task
from core.people.ratings import judge_key

TRAINED: Final = "trained"
"""Kind of the entry of a person who is through with the training, or needs none."""


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A timeline to learn with.

    Attributes:
        timeline: With gold groups.
        task: Its grouping.
        reasons: Why each headline is in its group, by row.
    """

    timeline: Timeline
    task: GroupingTask
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What there is to say of a placement.

    Attributes:
        right: It is as it should be.
        should: Row of an earlier headline with which it belongs; None where it begins a group.
        reason: Why.
    """

    right: bool
    should: int | None
    reason: str


@lru_cache(maxsize=1)
def training() -> Training:
    """The timeline that ships for training.

    Raises:
        DataSourceError: It is gone.
    """
    timeline = load_path(FOLDER / "uci" / "training_timeline.csv", name="Training timeline")
    return Training(timeline, grouping_task(timeline, subject="training"), tuple(timeline.original["why"]))


def is_trained(entries: Iterable[Entry], who: str) -> bool:
    """Whether a person is through with the training, or said that they need none."""
    return any(entry.kind == TRAINED and judge_key(entry.who) == judge_key(who) for entry in entries)


def feedback(lesson: Training, made: PersonGroups, row: int) -> Feedback:
    """What there is to say of a headline that was placed: compared with the headlines before it alone."""
    gold = lesson.timeline.table[Field.GOLD]
    before = made.order[: made.order.index(row)]
    joined = [
        one for one in before if one in made.placed and made.placed[one].group == made.placed[row].group
    ]
    should = [one for one in before if gold[one] == gold[row]]
    # One earlier headline of its event is enough: what was placed wrongly before is not counted again.
    right = any(one in should for one in joined) if should else not joined
    return Feedback(right, should[0] if should else None, lesson.reasons[row])
