"""The training of those who group a timeline: another one, whose right groups are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec

from core.data.timelines.load import load, load_path
from core.data.timelines.samples import FOLDER
from core.data.timelines.timeline import Field, Timeline
from core.journal.entries import Entry
from core.people.grouping import AGAIN, PLACED, GroupingTask, PersonGroups, grouping_task, groups_made
from core.people.study import USUAL, Study
from core.text.normalise import judge_key

TRAINED: Final = "trained"  # kind of the entry of a person who is through with the training, or needs none


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A timeline with gold groups to learn with, and why each headline is in its group, by row."""

    timeline: Timeline
    task: GroupingTask
    reasons: tuple[str, ...]


@lru_cache(maxsize=8)
def training(study: Study = USUAL) -> Training:
    """A study's own training, or that which ships."""
    path, title = FOLDER / "uci" / "training_timeline.csv", "Training timeline"
    own = msgspec.json.encode(study.headlines)
    timeline = load(own, "training.json", name=title) if study.headlines else load_path(path, name=title)
    task = grouping_task(timeline, subject="training", study=study)
    return Training(timeline, task, tuple(map(str, timeline.original["why"].fillna(""))))


def is_trained(entries: Iterable[Entry], who: str) -> bool:
    return any(entry.kind == TRAINED and judge_key(entry.who) == judge_key(who) for entry in entries)


def right_answers(lesson: Training, entries: Iterable[Entry], who: str) -> int:
    """How many headlines stood right where they were put first, before it was said where they belong."""
    own = [entry for entry in entries if judge_key(entry.who) == judge_key(who)]
    first: dict[int, bool] = {}
    for at, entry in enumerate(own, 1):
        if entry.kind == AGAIN:
            first.clear()
        if entry.kind == PLACED:
            made = groups_made(who, lesson.task, own[:at])
            first |= {row: feedback(lesson, made, row)[0] for row in made.placed if row not in first}
    return sum(first.values())


def feedback(lesson: Training, made: PersonGroups, row: int) -> tuple[bool, int | None, str]:
    """Whether a headline stands right among those before it, with which it belongs, and why."""
    gold = lesson.timeline.table[Field.GOLD]
    before = made.order[: made.order.index(row)]
    group = made.placed[row].group
    joined = [near for near in before if near in made.placed and made.placed[near].group == group]
    should = [other for other in before if gold[other] == gold[row]]
    # One earlier headline of its event is enough: what was placed wrongly before is not counted again.
    right = any(other in should for other in joined) if should else not joined
    return right, should[0] if should else None, lesson.reasons[row]
