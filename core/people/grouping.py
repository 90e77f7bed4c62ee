"""People group a timeline by time (Laban et al. 2021, 3.2 and appendix A)."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import msgspec
import numpy as np

from core.arrays import IntArray
from core.data.answers import Answers
from core.data.identity import HeadlineIndex
from core.data.timelines.load import load, load_path
from core.data.timelines.samples import FOLDER
from core.data.timelines.timeline import Field, Timeline
from core.digests import digest
from core.journal.entries import Entry, NewEntry
from core.people.gold import telling_headlines
from core.people.store import standing
from core.people.study import USUAL, Order, Study
from core.text.normalise import judge_key

PLACED: Final = "placed"
MERGED: Final = "merged"
UNDONE: Final = "undone"
NEAREST: Final = 9  # groups that stand below a headline
AGAIN: Final = "again"  # begins the training anew
TRAINED: Final = "trained"  # kind of the entry of a person who is through with the training, or needs none


@dataclass(frozen=True, slots=True)
class GroupingTask:
    """A timeline to be grouped; `subject` is what the answers are about: training is no annotation."""

    title: str
    index: HeadlineIndex
    order: tuple[int, ...]
    subject: str = "grouping"
    study: Study = USUAL

    @property
    def answers(self) -> Answers:
        return self.study.answers(self.subject, self.index)


def grouping_task(
    timeline: Timeline, *, subject: str = "grouping", study: Study = USUAL, who: str = ""
) -> GroupingTask:
    """A timeline as somebody groups it: in the order of time, or of the study."""
    order = np.argsort(timeline.days, kind="stable").tolist()
    if study.order is Order.DRAWN and subject == "grouping":
        order.sort(key=lambda row: digest(judge_key(who), timeline.index.ids[row]))
    return GroupingTask(timeline.name, timeline.index, tuple(order), subject, study)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the entry of an id puts a headline; `single` is too vague to be joined by others."""

    entry: str
    group: str
    single: bool


@dataclass(frozen=True, slots=True)
class MadeGroup:
    """Rows by time; the number, from 1 as groups were made, stays; 0 for a headline too vague."""

    id: str
    number: int
    rows: tuple[int, ...]
    single: bool


# Not slotted: what follows from the placements is computed once.
@dataclass(frozen=True)
class PersonGroups:
    who: str
    order: tuple[int, ...]
    placed: Mapping[int, Placement]
    steps: tuple[tuple[tuple[str, ...], int | None], ...]
    """What was not taken back: ids of the entries of each step, and its first row; None for a merge."""
    made: Mapping[str, int]  # numbers of all groups ever made and not taken back
    asked: tuple[int, ...]  # the headlines to ask for, in this order, those placed among them

    @cached_property
    def groups(self) -> tuple[MadeGroup, ...]:
        """The groups in the order of their first headlines."""
        rows: dict[str, list[int]] = {}
        for row in self.order:
            if row in self.placed:
                rows.setdefault(self.placed[row].group, []).append(row)
        made_groups = []
        for group, members in rows.items():
            single = any(self.placed[row].single for row in members)
            made_groups.append(MadeGroup(group, self.made.get(group, 0), tuple(members), single))
        return tuple(made_groups)

    @property
    def open_row(self) -> int | None:
        """The first headline to ask for that has no group; None when all have one."""
        return next((row for row in self.asked if row not in self.placed), None)

    @property
    def numbers(self) -> IntArray:
        """Number of each headline's group, from 1 in the order of time, int64 [n]; -1 where it has none."""
        group_numbers = np.full(len(self.order), -1, dtype=np.int64)
        for number, group in enumerate(self.groups, 1):
            group_numbers[list(group.rows)] = number
        return group_numbers

    def offered(self, row: int | None) -> tuple[MadeGroup, ...]:
        """Groups that a headline may join, or all that are not too vague; that added to last is first."""
        place = {member: at for at, member in enumerate(self.order)}
        here = len(self.order) if row is None else place[row]
        groups = [group for group in self.groups if not group.single and group.rows != (row,)]

        def nearness(group: MadeGroup) -> tuple[bool, int]:
            before = [place[other] for other in group.rows if other != row and place[other] < here]
            return bool(before), max(before, default=-place[group.rows[0]])

        return tuple(sorted(groups, key=nearness, reverse=True))

    def suggested(self, row: int, model: Sequence[int]) -> str:
        votes = {
            group.id: sum(model[other] == model[row] for other in group.rows if other != row)
            for group in self.offered(row)
        }
        best = max(votes, key=votes.__getitem__, default="")
        return best if best and votes[best] else ""

    def seen(self, row: int | None, model: Sequence[int] | None) -> dict[str, Any]:
        """What stands below a headline: the groups that were added to last, and what a model suggests."""
        suggested = None if model is None or row is None else self.suggested(row, model)
        return {"groups": [group.id for group in self.offered(row)[:NEAREST]], "suggested": suggested}


def numbered(groups: Iterable[MadeGroup], digits: str, *, ended: bool) -> tuple[MadeGroup | None, bool]:
    """The group with a number, and whether a further digit may follow: then none until it has ended."""
    begun = [group for group in groups if str(group.number).startswith(digits)]
    group = next((group for group in begun if str(group.number) == digits), None)
    further = len(begun) > (group is not None)
    return (None if further and not ended else group), further


def place(row: int, *, group: str = "", single: bool = False, shown: Mapping[str, Any]) -> dict[str, Any]:
    return {"row": row, "group": "" if single else group, "single": single, "shown": dict(shown)}


def merge(made: PersonGroups, groups: Iterable[MadeGroup]) -> list[NewEntry]:
    """What makes one group of two; that with the lower number stays."""
    ids = [group.id for group in sorted(groups, key=lambda group: group.number)]
    return [NewEntry(kind=MERGED, who=made.who, body={"groups": ids})]


def split(made: PersonGroups, rows: Collection[int], *, shown: Mapping[str, Any]) -> list[NewEntry]:
    """What takes headlines out of their group into a new one, in one step."""
    step = secrets.token_hex(16)
    bodies = [place(row, group=step, shown=shown) | {"step": step} for row in rows]
    return [NewEntry(kind=PLACED, who=made.who, body=body) for body in bodies]


def undo(made: PersonGroups) -> list[NewEntry]:
    entries = made.steps[-1][0] if made.steps else ()
    return [NewEntry(kind=UNDONE, who=made.who, body={"of": entry}) for entry in entries]


def person_groups(task: GroupingTask, entries: Iterable[Entry], who: str) -> PersonGroups:
    """What one person has made of a timeline so far; entries that make no sense are ignored."""
    key, entries = judge_key(who), list(entries)
    made = groups_made(who, task, [entry for entry in entries if judge_key(entry.who) == key])
    if task.study.order is not Order.ROUTED or task.subject != "grouping":
        return made
    others = [other for other in everybody(task, entries).values() if judge_key(other.who) != key]
    groups = np.stack([each.numbers for each in (made, *others)], axis=1)[list(task.order)]
    return replace(made, asked=tuple(task.order[at] for at in telling_headlines(groups, 0)))


def everybody(task: GroupingTask, entries: Sequence[Entry]) -> dict[str, PersonGroups]:
    """What each person has made, by name as it was first given; without those who placed nothing."""
    own: dict[str, list[Entry]] = {}
    for entry in entries:
        own.setdefault(judge_key(entry.who), []).append(entry)
    people = {done[0].who: groups_made(done[0].who, task, done) for done in own.values()}
    return {name: made for name, made in people.items() if made.placed}


def groups_made(who: str, task: GroupingTask, own: Sequence[Entry]) -> PersonGroups:
    placed: dict[int, Placement] = {}
    steps: dict[str, tuple[tuple[str, ...], int | None]] = {}
    made: dict[str, int] = {}
    merged: dict[str, str] = {}  # what is put into a merged group, also by a window that does not know

    def now(group: str) -> str:
        while group in merged:
            group = merged[group]
        return group

    begun = max((at for at, entry in enumerate(own, 1) if entry.kind == AGAIN), default=0)
    for entry in standing(own[begun:], UNDONE):
        row, group, single, step, groups = map(entry.body.get, ("row", "group", "single", "step", "groups"))
        if entry.kind == MERGED and isinstance(groups, list) and len(groups) == 2:
            into, gone = (now(str(part)) for part in groups)
            if into in made and gone in made:
                steps[entry.id] = (entry.id,), None
                merged |= {gone: into} if gone != into else {}
        if entry.kind != PLACED or type(row) is not int or not isinstance(group, str):
            continue
        if 0 <= row < len(task.order):
            placed[row] = Placement(entry.id, group or entry.id, single is True)
            step = str(step or entry.id)
            before, first = steps.get(step, ((), row))
            steps[step] = (*before, entry.id), first
            if single is not True:
                made.setdefault(now(placed[row].group), len(made) + 1)
    placed = {row: replace(where, group=now(where.group)) for row, where in placed.items()}
    return PersonGroups(who, task.order, placed, tuple(steps.values()), made, task.order)


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A timeline with gold groups to learn with, and why each headline is in its group, by row."""

    timeline: Timeline
    task: GroupingTask
    reasons: tuple[str, ...]


@lru_cache(maxsize=8)
def training(study: Study = USUAL) -> Training:
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
