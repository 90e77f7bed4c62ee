"""Tasks of a room drawn from pairs or a timeline, and how far its answers agree before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import IntArray
from core.data.pair_sets.pair_set import DIFFERENT as DIFFERENT_LABEL
from core.data.pair_sets.pair_set import SAME as SAME_LABEL
from core.data.pair_sets.pair_set import PairSet
from core.people.agreement import compared
from core.people.room.state import Room, RoomRound, counted
from core.people.room.task import (
    CHOICE_OPTIONS,
    DIFFERENT,
    SAME,
    SAME_EVENT_OPTIONS,
    Ballot,
    RoomItem,
    RoomKind,
    RoomTask,
    checked_task,
    first_of_groups,
    group_numbers,
    item_key,
)
from core.people.votes import VoteTable, alpha, raw_agreement
from core.similarities import Similarities
from core.statistics.bootstrap import Figure


@dataclass(frozen=True, slots=True)
class RoomAgreement:
    """How far a room agrees in one vote; of groups, an item is a pair, and `ami` is as in HLGD."""

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


def flow(room: Room, round_: RoomRound, item: RoomItem) -> dict[tuple[str, str], int]:
    """How many went from which answer about an item to which, of those who gave both; in order of answers."""
    first, second = (first_of_groups(round_.task, counted(room, v)) for v in (round_.first, round_.second))
    went = Counter(
        (answer, second[ballot])
        for ballot, answer in first.items()
        if ballot[1] == item.key and ballot in second
    )
    places = {option.value: at for at, option in enumerate(round_.task.options_of(item))}
    return dict(sorted(went.items(), key=lambda way: (places[way[0][0]], places[way[0][1]])))


def in_view(room: Room) -> tuple[RoomItem, int]:
    """The item whose answers the screen shows, and its place from 0 among those divided most."""
    items = most_divided(room.round, counted(room, room.round.first))
    at = next((at for at, item in enumerate(items) if item.key == room.round.shown), 0)
    return items[at], at


def tally(round_: RoomRound, item: RoomItem, answers: Mapping[Ballot, str]) -> dict[str, int]:
    """How many gave each answer to an item; groups that nobody chose are left out."""
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
    codes = np.where(both, numbers[left] != numbers[right], -1).astype(np.int64)
    keys = [item.key for item in task.items]
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    names = tuple(f"{keys[first]} {keys[second]}" for first, second in pairs)
    return VoteTable(names, tuple(people), (SAME, DIFFERENT), codes)


def _ami(numbers: IntArray) -> float | None:
    if numbers.shape[1] < 2:
        return None
    agreements = [
        compared("", numbers[:, at], np.delete(numbers, at, axis=1)).scores["ami"].value
        for at in range(numbers.shape[1])
    ]
    known = [value for value in agreements if value is not None]
    return float(np.mean(known)) if known else None


def pair_item(
    first: str, second: str, *, same: bool, sources: tuple[str, str] = ("", ""), model: str = ""
) -> RoomItem:
    return RoomItem(
        model=model,
        key=item_key(first, second),
        texts=(first, second),
        right=SAME if same else DIFFERENT,
        sources=sources if any(sources) else (),
    )


def pairs_of_set(pairs: PairSet, *, count: int, seed: int, same_only: bool = False) -> list[RoomItem]:
    """Labelled pairs of a set, as many of the same event as of different ones; fewer where it has no more."""
    draw = np.random.default_rng(seed)
    same, other = (
        [
            pair_item(pairs.texts[pairs.left[row]], pairs.texts[pairs.right[row]], same=label == SAME_LABEL)
            for row in draw.permutation(np.flatnonzero(pairs.labels == label)).tolist()
        ]
        for label in (SAME_LABEL, DIFFERENT_LABEL)
    )
    return _mixed(same, [] if same_only else other, count, draw)


def pairs_of_timeline(
    texts: Sequence[str],
    groups: IntArray,
    similarities: Similarities,
    *,
    count: int,
    seed: int,
    same_only: bool = False,
    sources: Sequence[str] = (),
    model: IntArray | None = None,
) -> list[RoomItem]:
    """Pairs of a timeline: two headlines of one group, and headlines with their nearest of another group.

    A `model` grouped it, too; its answers stand beside those of the groups.
    """
    draw = np.random.default_rng(seed)
    together = []
    for group in draw.permutation(np.unique(groups)).tolist():
        rows = draw.permutation(np.flatnonzero(groups == group)).tolist()
        together += [(at, pair) for at, pair in enumerate(zip(rows[::2], rows[1::2], strict=False))]
    # One pair of every group comes before the second of any.
    together.sort(key=lambda ranked: ranked[0])
    near = [] if same_only else _nearest_others(groups, similarities, draw.permutation(len(texts)).tolist())
    same, other = (
        [
            pair_item(
                texts[left],
                texts[right],
                same=bool(groups[left] == groups[right]),
                sources=(sources[left], sources[right]) if sources else ("", ""),
                model="" if model is None else (DIFFERENT, SAME)[int(model[left] == model[right])],
            )
            for left, right in places
        ]
        for places in ([pair for _, pair in together], near)
    )
    return _mixed(same, other, count, draw)


def same_event_task(title: str, pairs: Sequence[RoomItem], *, key_from: str) -> RoomTask:
    return checked_task(
        RoomTask(
            kind=RoomKind.SAME_EVENT,
            title=title,
            question="Do both headlines report the same event?",
            help="An event happens once, at one time and place. The same topic is not enough.",
            options=SAME_EVENT_OPTIONS,
            items=tuple(pairs),
            key_from=key_from,
        )
    )


def groups_task(
    title: str,
    texts: Sequence[str],
    days: Sequence[str],
    groups: IntArray,
    *,
    count: int,
    seed: int,
    sources: Sequence[str] = (),
    model: IntArray | None = None,
    key_from: str,
) -> RoomTask:
    """Headlines of whole events, of one at most a third, by time; those without a day come last."""
    draw = np.random.default_rng(seed)
    most = max(2, count // 3)
    drawn: list[int] = []
    for group in draw.permutation(np.unique(groups)).tolist():
        drawn += draw.permutation(np.flatnonzero(groups == group)).tolist()[:most]
    seen: dict[str, int] = {}
    for row in drawn:
        seen.setdefault(texts[row].casefold(), row)
    rows = sorted(list(seen.values())[:count], key=lambda row: (not days[row], days[row], row))
    keys = {row: item_key(texts[row], days[row], str(row)) for row in rows}
    first: dict[int, str] = {}
    said: dict[int, str] = {}
    items = tuple(
        RoomItem(
            key=keys[row],
            texts=(texts[row],),
            right=first.setdefault(int(groups[row]), keys[row]),
            model="" if model is None else said.setdefault(int(model[row]), keys[row]),
            sources=(sources[row],) if sources and sources[row] else (),
            day=days[row],
        )
        for row in rows
    )
    return checked_task(
        RoomTask(
            kind=RoomKind.GROUPS,
            title=title,
            question="Which event does this headline report?",
            help="A new event, or that of an earlier headline. Headlines months apart are about different "
            "events, even in the same words. One that names no event is a new event of its own.",
            options=(),
            items=items,
            key_from=key_from,
        )
    )


def choice_task(title: str, pairs: Sequence[RoomItem]) -> RoomTask:
    return checked_task(
        RoomTask(
            kind=RoomKind.CHOICE,
            title=title,
            question="Which headline is better?",
            help="Both report the same event. Which one would you print?",
            options=CHOICE_OPTIONS,
            items=tuple(replace(pair, right="", model="") for pair in pairs),
        )
    )


def _nearest_others(
    groups: IntArray, similarities: Similarities, rows: Sequence[int]
) -> list[tuple[int, int]]:
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    for row in rows:
        scores = np.where(groups == groups[row], -1.0, similarities.row(row))
        other = int(scores.argmax())
        if scores[other] >= 0:
            pairs.setdefault((min(row, other), max(row, other)), (row, other))
    return list(pairs.values())


def _mixed(
    same: Sequence[RoomItem], other: Sequence[RoomItem], count: int, draw: np.random.Generator
) -> list[RoomItem]:
    kinds: list[list[RoomItem]] = []
    seen: set[frozenset[str]] = set()
    for pairs in (same, other):
        kinds.append([])
        for pair in pairs:
            texts = frozenset(map(str.casefold, pair.texts))
            if len(texts) == 2 and texts not in seen:
                seen.add(texts)
                kinds[-1].append(pair)
    half = max(count - count // 2, count - len(kinds[1]))
    chosen = [*kinds[0][:half], *kinds[1][: count - min(half, len(kinds[0]))]]
    return [chosen[at] for at in draw.permutation(len(chosen)).tolist()]
