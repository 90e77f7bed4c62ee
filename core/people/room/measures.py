"""What a room answered: how many gave each answer, and how far they agree before and after they saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import IntArray
from core.people.agreement.tables import compared
from core.people.agreement.votes import VoteTable, alpha, raw_agreement
from core.people.room.state import Room, RoomRound, counted
from core.people.room.task import (
    DIFFERENT,
    SAME,
    Ballot,
    RoomItem,
    RoomKind,
    RoomTask,
    first_of_groups,
    group_numbers,
)
from core.statistics.bootstrap import Figure


@dataclass(frozen=True, slots=True)
class RoomAgreement:
    """How far a room agrees in one vote.

    Where headlines are grouped, an item is a pair of headlines, and the answer whether they share a group;
    `ami` is then the mean adjusted mutual information of each person's groups with those merged from the
    others, as in HLGD.
    """

    people: int
    answers: int
    raw: float | None
    alpha: Figure
    ami: float | None = None


@dataclass(frozen=True, slots=True)
class RoomChange:
    """What the second vote changed, over the answers that were given in both."""

    both: int
    changed: int
    before: RoomAgreement
    after: RoomAgreement


def room_agreement(round_: RoomRound, answers: Mapping[Ballot, str]) -> RoomAgreement:
    """The agreement of some answers to the items of a round."""
    grouped = round_.task.kind is RoomKind.GROUPS
    votes = _pair_table(round_.task, answers) if grouped else vote_table(round_, answers)
    return RoomAgreement(
        people=len(votes.people),
        answers=len(answers),
        raw=raw_agreement(votes),
        alpha=alpha(votes, round_.task.scale, interval=not grouped),
        ami=_ami(group_numbers(round_.task, answers, votes.people)) if grouped else None,
    )


def room_change(room: Room, round_: RoomRound) -> RoomChange:
    """What people answered in both votes of a round, compared."""
    first, second = counted(room, round_.first), counted(room, round_.second)
    both = [ballot for ballot in first if ballot in second]
    before, after = ({ballot: given[ballot] for ballot in both} for given in (first, second))
    shown, shown_after = (first_of_groups(round_.task, given) for given in (before, after))
    return RoomChange(
        both=len(both),
        changed=sum(shown[ballot] != shown_after[ballot] for ballot in both),
        before=room_agreement(round_, before),
        after=room_agreement(round_, after),
    )


def tally(round_: RoomRound, item: RoomItem, answers: Mapping[Ballot, str]) -> dict[str, int]:
    """How many gave each answer to an item, in the order of the options.

    Where headlines are grouped, answers are the first headlines of groups, and those that nobody gave are
    left out.
    """
    shown = first_of_groups(round_.task, answers)
    return _counts(round_.task, item, shown)


def _counts(task: RoomTask, item: RoomItem, shown: Mapping[Ballot, str]) -> dict[str, int]:
    given = Counter(answer for (_, key), answer in shown.items() if key == item.key)
    counts = {option.value: given[option.value] for option in task.options_of(item)}
    if task.kind is RoomKind.GROUPS:
        return {value: count for value, count in counts.items() if count or value == item.key}
    return counts


def most_divided(round_: RoomRound, answers: Mapping[Ballot, str]) -> list[RoomItem]:
    """The items, those first on which the answers differ most."""

    shown = first_of_groups(round_.task, answers)

    def agreed(item: RoomItem) -> float:
        counts = _counts(round_.task, item, shown)
        total = sum(counts.values())
        return max(counts.values()) / total if total else 2.0

    return sorted(round_.task.items, key=agreed)


def vote_table(round_: RoomRound, answers: Mapping[Ballot, str]) -> VoteTable:
    """Answers as a table of items and people, in the order of the task and of the ids."""
    items = [item.key for item in round_.task.items]
    people = sorted({who for who, _ in answers})
    rows, columns = ({name: at for at, name in enumerate(names)} for names in (items, people))
    places = {value: at for at, value in enumerate(round_.task.values)}
    codes = np.full((len(items), len(people)), -1, dtype=np.int64)
    for (who, item), answer in answers.items():
        codes[rows[item], columns[who]] = places[answer]
    return VoteTable(tuple(items), tuple(people), round_.task.values, codes)


def _pair_table(task: RoomTask, answers: Mapping[Ballot, str]) -> VoteTable:
    people = sorted({who for who, _ in answers})
    numbers = group_numbers(task, answers, people)
    left, right = np.triu_indices(len(numbers), k=1)
    both = (numbers[left] >= 0) & (numbers[right] >= 0)
    codes = np.where(both, np.where(numbers[left] == numbers[right], 0, 1), -1)
    keys = [item.key for item in task.items]
    names = tuple(
        f"{keys[one]} {keys[other]}" for one, other in zip(left.tolist(), right.tolist(), strict=True)
    )
    return VoteTable(names, tuple(people), (SAME, DIFFERENT), codes.astype(np.int64))


def _ami(numbers: IntArray) -> float | None:
    if numbers.shape[1] < 2:
        return None
    found = [
        compared("", numbers[:, at], np.delete(numbers, at, axis=1)).scores["ami"].value
        for at in range(numbers.shape[1])
    ]
    known = [value for value in found if value is not None]
    return float(np.mean(known)) if known else None
