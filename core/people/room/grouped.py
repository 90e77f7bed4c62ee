"""Headlines that a room groups: an answer puts one with a headline before it, or begins a new event.

The answers of one person lead from headline to headline back to the first of a group, so that a changed
answer moves all that hang on it, and no order of answers makes a circle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.people.room.task import Ballot, RoomKind, RoomTask
from core.similarities import IntArray


def first_of_groups(task: RoomTask, answers: Mapping[Ballot, str]) -> dict[Ballot, str]:
    """Each answer as the key of the first headline of its group; other tasks keep their answers."""
    if task.kind is not RoomKind.GROUPS:
        return dict(answers)
    places = {item.key: at for at, item in enumerate(task.items)}
    found: dict[Ballot, str] = {}
    for who, key in sorted(answers, key=lambda ballot: places[ballot[1]]):
        answer = answers[who, key]
        found[who, key] = found.get((who, answer), answer)
    return found


def group_numbers(task: RoomTask, answers: Mapping[Ballot, str], people: Sequence[str]) -> IntArray:
    """The groups that people made, as annotators' columns: int64 [items, people], -1 without an answer."""
    places = {item.key: at for at, item in enumerate(task.items)}
    columns = {who: at for at, who in enumerate(people)}
    numbers = np.full((len(places), len(columns)), -1, dtype=np.int64)
    for (who, key), first in first_of_groups(task, answers).items():
        numbers[places[key], columns[who]] = places[first]
    return numbers


def groups_of(task: RoomTask, answers: Mapping[Ballot, str], who: str) -> dict[str, list[str]]:
    """One person's groups: keys of their headlines in the order of time, by the key of the first."""
    found: dict[str, list[str]] = {}
    first = first_of_groups(task, {ballot: one for ballot, one in answers.items() if ballot[0] == who})
    for item in task.items:
        if (who, item.key) in first:
            found.setdefault(first[who, item.key], []).append(item.key)
    return found
