"""What a room answered: how many gave each answer, and how far they agree before and after they saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.people.agreement.reliability import alpha, raw_agreement
from core.people.agreement.votes import VoteTable
from core.people.room.state import Ballot, Room, RoomRound
from core.people.room.task import RoomItem
from core.statistics.figure import Figure


@dataclass(frozen=True, slots=True)
class RoomAgreement:
    """How far a room agrees in one vote.

    Attributes:
        people: How many answered anything.
        answers: How many answers there are.
        raw: Share of the pairs of answers to one item that are the same, 0–1; None without a pair.
        alpha: Krippendorff's alpha.
    """

    people: int
    answers: int
    raw: float | None
    alpha: Figure


@dataclass(frozen=True, slots=True)
class RoomChange:
    """What the second vote changed, over the answers that were given in both.

    Attributes:
        both: Answers that one person gave to one item in both votes.
        changed: How many of them differ.
        before, after: Agreement of these answers in each vote.
    """

    both: int
    changed: int
    before: RoomAgreement
    after: RoomAgreement


def counted(room: Room, answers: Mapping[Ballot, str]) -> dict[Ballot, str]:
    """The answers of everybody who was not removed."""
    here = {person.who for person in room.here}
    return {ballot: answer for ballot, answer in answers.items() if ballot[0] in here}


def room_agreement(round_: RoomRound, answers: Mapping[Ballot, str]) -> RoomAgreement:
    """The agreement of some answers to the items of a round."""
    votes = vote_table(round_, answers)
    return RoomAgreement(
        people=len(votes.people),
        answers=votes.count,
        raw=raw_agreement(votes),
        alpha=alpha(votes, round_.task.scale),
    )


def room_change(room: Room, round_: RoomRound) -> RoomChange:
    """What people answered in both votes of a round, compared."""
    first, second = counted(room, round_.first), counted(room, round_.second)
    both = [ballot for ballot in first if ballot in second]
    return RoomChange(
        both=len(both),
        changed=sum(first[ballot] != second[ballot] for ballot in both),
        before=room_agreement(round_, {ballot: first[ballot] for ballot in both}),
        after=room_agreement(round_, {ballot: second[ballot] for ballot in both}),
    )


def tally(round_: RoomRound, item: RoomItem, answers: Mapping[Ballot, str]) -> dict[str, int]:
    """How many gave each answer to an item, in the order of the options."""
    given = [answer for (_, key), answer in answers.items() if key == item.key]
    return {value: given.count(value) for value in round_.task.values}


def most_divided(round_: RoomRound, answers: Mapping[Ballot, str]) -> list[RoomItem]:
    """The items, those first on which the answers differ most."""

    def agreed(item: RoomItem) -> float:
        counts = tally(round_, item, answers)
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
