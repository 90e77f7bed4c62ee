"""How far a room agrees before and after, who went where, and which items divide it most."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from core.people.agreement import alpha, compared, raw_agreement
from core.people.room.attempts import wording
from core.people.room.state import VOTES, Room, RoomRound, counted, rounds_of
from core.people.room.task import DIFFERENT, SAME, Ballot, RoomItem, RoomKind, first_of_groups, group_numbers
from core.people.votes import vote_table
from core.statistics.bootstrap import Figure
from core.text.tokens import STOP_WORDS

FEW_WORDS: Final = 3  # of an answer that counts as a whole
_EMPTY_WORDS: Final = frozenset().union(*STOP_WORDS.values())


class RoomAgreement(NamedTuple):
    """How far a room agrees in one vote; of groups, an item is a pair, and `ami` is as in HLGD."""

    people: int
    raw: float | None
    alpha: Figure
    ami: float | None = None


class RoomChange(NamedTuple):
    """What the second vote changed, over the answers that were given in both."""

    both: int
    changed: int
    kept: int  # of them the second is the first since nothing was pressed
    before: RoomAgreement
    after: RoomAgreement


def room_agreement(round_: RoomRound, answers: Mapping[Ballot, str]) -> RoomAgreement:
    grouped = round_.task.kind is RoomKind.GROUPS
    people = sorted({who for who, _ in answers})
    triples = [(item, who, answer) for (who, item), answer in answers.items()]
    if grouped:
        numbers = group_numbers(round_.task, answers, people)
        triples = [
            (f"{a} {b}", people[who], SAME if numbers[a, who] == numbers[b, who] else DIFFERENT)
            for a, b in combinations(range(len(numbers)), 2)
            for who in np.flatnonzero((numbers[[a, b]] >= 0).all(axis=0))
        ]
    if not triples:
        return RoomAgreement(len(people), None, Figure(None, "no item has two answers", count=0))
    votes = vote_table(triples, round_.task.title)
    figures = raw_agreement(votes), alpha(votes, round_.task.scale, interval=not grouped)
    if not grouped or len(people) < 2:
        return RoomAgreement(len(people), *figures)
    sides = [(numbers[:, at], np.delete(numbers, at, axis=1)) for at in range(len(people))]
    scores = (compared("", own, others)["ami"].value for own, others in sides)
    known = [score for score in scores if score is not None]
    return RoomAgreement(len(people), *figures, float(np.mean(known)) if known else None)


def room_change(room: Room, round_: RoomRound) -> RoomChange:
    first, second = counted(room, round_.first), counted(room, round_.standing)
    both = [ballot for ballot in first if ballot in second]
    before, after = ({ballot: vote[ballot] for ballot in both} for vote in (first, second))
    shown, shown_after = (first_of_groups(round_.task, vote) for vote in (before, after))
    return RoomChange(
        both=len(both),
        changed=sum(shown[ballot] != shown_after[ballot] for ballot in both),
        kept=len(round_.kept.keys() & before.keys()),
        before=room_agreement(round_, before),
        after=room_agreement(round_, after),
    )


def flow(room: Room, round_: RoomRound, item: RoomItem) -> dict[tuple[str, str], int]:
    """How many went from which answer about an item to which, of those who gave both; in order of answers.

    Of an order, from which first place to which; texts go nowhere.
    """
    task = round_.task
    if task.kind_of(item) is RoomKind.TEXT:
        return {}
    first, second = (first_of_groups(task, counted(room, v)) for v in (round_.first, round_.standing))

    def shown(answer: str) -> str:
        return task.ranked(item, answer)[0] if task.kind_of(item) is RoomKind.RANKING else answer

    went = Counter(
        (shown(answer), shown(second[ballot]))
        for ballot, answer in first.items()
        if ballot[1] == item.key and ballot in second
    )
    places = {value: at for at, value in enumerate(task.options_of(item))}
    return dict(sorted(went.items(), key=lambda way: (places[way[0][0]], places[way[0][1]])))


def first_answers(rooms: Iterable[Room]) -> dict[tuple[str, ...], Counter[str]]:
    """How many people first gave which answer to a pair, by its words, where the room has seen them."""
    answers: dict[tuple[str, ...], Counter[str]] = {}
    for room, round_ in ((each, round_) for each in rooms for round_ in rounds_of(each)):
        revealed = {item.key: item for item in round_.task.items if round_.phase_of(item.key) not in VOTES}
        for (who, key), answer in counted(room, round_.first).items():
            pair = key in revealed and round_.task.kind_of(revealed[key]) is RoomKind.SAME_EVENT
            if pair and not room.people[who].simulated:
                answers.setdefault(tuple(wording(revealed[key].texts)), Counter())[answer] += 1
    return answers


def points(room: Room, who: str) -> tuple[int, int]:
    """How many right answers somebody gave at last, of how many that the room was told, where they count."""
    right = []
    for round_ in rounds_of(room):
        last = round_.last
        solved = [item for item in round_.task.items if item.right and round_.tells(item.key)]
        answers = [(last.get((who, item.key), ""), item.right) for item in solved if round_.task.points]
        right += [answer.casefold() == known.casefold() for answer, known in answers]
    return sum(right), len(right)


def in_view(room: Room) -> tuple[RoomItem, int]:
    """The item whose answers the screen shows, and its place from 0 among those divided most, or led."""
    if room.round.led:
        return room.round.asked[0], room.round.at
    items = most_divided(room.round, counted(room, room.round.first))
    at = next((at for at, item in enumerate(items) if item.key == room.round.shown), 0)
    return items[at], at


def known_answers(round_: RoomRound, item: RoomItem) -> dict[str, str]:
    """What people and a model say of an item, by who says it, once the room may see it."""
    if not round_.tells(item.key):
        return {}
    model = (item.scorer or round_.task.scorer).partition(".")[0]
    who = f"The model {model} says" if model else "As the program groups them"
    known = {f"As {item.key_from or round_.task.key_from}": item.right, who: item.model}
    return {by: round_.task.wording(item, value) for by, value in known.items() if value}


def tally(round_: RoomRound, item: RoomItem, answers: Mapping[Ballot, str]) -> dict[str, int]:
    """How many gave each answer to an item; groups that nobody chose are left out.

    Of an order: so many others an answer stood before, in all. Of texts: how many used a word, or so few.
    """
    counts, task = Counter[str](), round_.task
    kind, options = task.kind_of(item), task.options_of(item)
    for ballot, answer in first_of_groups(task, answers).items():
        if ballot[1] != item.key or (kind in {RoomKind.RANKING, RoomKind.TEXT} and ballot in round_.hidden):
            continue
        if kind is RoomKind.TEXT:
            counts.update(_said(answer))
        elif kind is RoomKind.RANKING:
            counts.update(dict(zip(reversed(task.ranked(item, answer)), range(len(options)), strict=True)))
        else:
            counts[answer] += 1
    if kind is RoomKind.TEXT:
        return dict(counts.most_common())
    optional = task.kind is RoomKind.GROUPS
    return {value: counts[value] for value in options if counts[value] or value == item.key or not optional}


def _said(text: str) -> set[str]:
    """A text of few words as it is, or the words of a longer one that carry its meaning; in small letters."""
    words = re.findall(r"[^\W_]+(?:[-’'][^\W_]+)*", text.casefold())
    if len(words) <= FEW_WORDS:
        return {" ".join(words)} - {""}
    return {word for word in words if len(word) > 2 and word not in _EMPTY_WORDS}


def most_divided(round_: RoomRound, answers: Mapping[Ballot, str]) -> list[RoomItem]:
    by_item = dict[str, Counter[str]]()
    for (_, key), answer in first_of_groups(round_.task, answers).items():
        by_item.setdefault(key, Counter())[answer] += 1
    agreed = {key: max(counts.values()) / counts.total() for key, counts in by_item.items()}
    return sorted(round_.task.items, key=lambda item: agreed.get(item.key, 2.0))
