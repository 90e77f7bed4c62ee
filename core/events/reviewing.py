"""Reviewing a timeline: its least sure links, what an answer does, and how far its events can be trusted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.arrays import IntArray
from core.data.timelines.moments import EPOCH
from core.digests import digest
from core.events.correction import Correction, History, Kind, checked_who
from core.events.corrections import Corrections, fitted
from core.events.grouping import Grouping, Prepared, labels_at, method_of, regroup
from core.groups.answered_level import AnsweredLevel, PairAnswer
from core.groups.dendrogram import Dendrogram
from core.groups.joins import TreeJoins, speakers
from core.groups.review import ReviewLink, ReviewQueue
from core.results.render import count_words


class EventProof(NamedTuple):
    """Between which levels an event stays as it is, what holds it together, and what it joins next."""

    low: float  # below it the event is divided; 0 for a single headline
    high: float  # from here on it is part of a broader one; 1 for none
    link: tuple[int, int] | None  # rows of the two headlines that speak for its highest join
    neighbours: list[int]  # the events that it joins, the largest first


def can_review(prepared: Prepared) -> bool:
    return isinstance(prepared.hierarchy, Dendrogram)


@dataclass(frozen=True, eq=False)
class Reviewing:
    """A grouped timeline before somebody who reviews it; InputError for a method without a tree."""

    prepared: Prepared
    grouping: Grouping  # as it is seen, with the corrections in force
    until: float | None = None  # another level, whose joins are asked about first

    @cached_property
    def corrections(self) -> Corrections:
        return self.grouping.corrections or fitted(History(), self.prepared.timeline.index.row)

    @cached_property
    def joins(self) -> TreeJoins:
        return TreeJoins(self.prepared.hierarchy)

    @cached_property
    def level(self) -> AnsweredLevel:
        """What follows from the answers; where somebody moved the slider, from its position alone."""
        if not self.grouping.automatic:
            return AnsweredLevel(self.joins, self.grouping.granularity)
        return AnsweredLevel(self.joins, *answers_since_refit(self.prepared, self.corrections))

    @cached_property
    def queue(self) -> ReviewQueue:
        answers = [answer for *_, answer in answers_in(self.corrections)]
        return ReviewQueue(self.joins, self.level, self.grouping.granularity, answers, self.until)

    def links(self) -> Iterator[ReviewLink]:
        """The links to ask about, the least sure first."""
        texts, ids, said = self.prepared.timeline.texts, self.grouping.ids, self.corrections.constraints
        place_of = {row: place for place, rows in enumerate(said.together) for row in rows}
        for number in range(len(self.queue.places)):
            link = self.queue.link(number, self.prepared.similarities)
            rows = [link.left, link.right]
            held = tuple(sorted(place_of.get(row, -1) for row in rows))
            known = held in said.apart or not said.alone.isdisjoint(rows)
            repeated = len({" ".join(texts[row].casefold().split()) for row in rows}) == 1
            if not (known or repeated or (ids[link.left] == ids[link.right]) != link.together):
                yield link

    @cached_property
    def accepted_events(self) -> tuple[int, int]:
        """The fewest and most events at the ends of the levels that people accept, and at the present one."""
        levels = [self.grouping.granularity, *(self.level.accepted if can_review(self.prepared) else ())]
        labels = (labels_at(self.prepared, level, self.corrections) for level in levels)
        counts = [int((np.bincount(groups) > 1).sum()) for groups in labels]
        return min(counts), max(counts)

    def proof(self, rows: Sequence[int]) -> EventProof | None:
        """The proof of an event; None where no level of the tree has it, for corrections made it."""
        found, heights = self.joins.around(rows), self.joins.heights
        if found is None:
            return None
        (inside, outside), low, high, link, others = found, 0.0, 1.0, None, Counter[int]()
        if inside is not None:
            low = float(heights[inside])
            link = speakers(self.prepared.similarities, *self.joins.sides(inside))
        if outside is not None:
            high = float(heights[outside])
            beside = np.setdiff1d(np.concatenate(self.joins.sides(outside)), rows)
            others.update(self.grouping.ids[beside].tolist())
        return EventProof(low, high, link, [group for group, _ in others.most_common()])

    def answer(self, answer: PairAnswer, *, who: str = "") -> Correction:
        """What is recorded of an answer: which headlines are held together or apart, and the level."""
        keys, ids, pair = self.prepared.timeline.index.keys, self.grouping.ids, list(answer[:2])
        groups, held = np.isin(ids, ids[pair]), list[IntArray]()
        one_event, apart = ids[pair[0]] == ids[pair[1]], answer.same is False
        if answer.same:  # two events become one; of one event no more is held than what was seen
            held = [np.array(pair) if one_event else np.flatnonzero(groups)]
        elif apart and one_event:
            held = [side[groups[side]] for side in self.joins.sides(self.joins.between(*pair))]
        start, answers = answers_since_refit(self.prepared, self.corrections)
        left, right = ((keys[row],) for row in pair)
        return Correction(
            kind=Kind.LEVEL,
            headlines=left,
            to=right,
            rest=left if apart else (),
            clear=right if apart else (),
            held=tuple(tuple(keys[row] for row in rows) for rows in held),
            text=f"{AnsweredLevel(self.joins, start, [*answers, answer]).level:.4f}",
            method="" if answer.same is None else method_of(self.prepared),
            who=checked_who(who),
        )


def stake(link: ReviewLink, ids: IntArray) -> str:
    left, right = sorted(ids[[link.left, link.right]].tolist())
    if link.together:
        return f"divides event {left} into {link.sizes[0]:,} and {link.sizes[1]:,} headlines"
    return f"keeps events {left} and {right} apart"


def answers_in(corrections: Corrections) -> list[tuple[Correction, PairAnswer]]:
    """The answers in force about headlines that are here, each with what records it."""
    found, rows = list[tuple[Correction, PairAnswer]](), corrections.rows
    for entry in corrections.history.in_force:
        pair = [rows[key] for key in (*entry.headlines, *entry.to) if key in rows]
        if entry.kind is Kind.LEVEL and len(pair) == 2:
            same = None if entry.unsure else not entry.rest
            found.append((entry, PairAnswer(pair[0], pair[1], same)))
    return found


def answers_since_refit(prepared: Prepared, corrections: Corrections) -> tuple[float, list[PairAnswer]]:
    """The level before any answer, the timeline's own or that of the last refit, and the answers since."""
    levels = (entry for entry in reversed(corrections.history.in_force) if entry.kind is Kind.LEVEL)
    own = method_of(prepared)
    last = next((entry for entry in levels if not entry.headlines and entry.method == own), None)
    answers = [answer for entry, answer in answers_in(corrections) if last is None or entry.when > last.when]
    return prepared.start.granularity if last is None else float(last.text), answers


def outcome(before: Grouping, after: Grouping, answer: PairAnswer) -> str:
    if answer.same is None:
        return "Skipped; nothing changed."
    first, other = sorted(before.ids[list(answer[:2])].tolist())
    if answer.same:
        done = f"Joined events {first} and {other}." if first != other else f"Event {first} stays together."
    elif first != other:
        done = f"Events {first} and {other} stay apart."
    else:
        parts = sorted(after.ids[list(answer[:2])].tolist())
        done = f"Divided event {first}: events {parts[0]} and {parts[1]}."
    if round(before.granularity, 2) == round(after.granularity, 2):
        return done
    elsewhere = ~np.isin(before.ids, (first, other))
    more = _changes(before.ids[elsewhere], after.ids[elsewhere])
    moved = f"The level moved from {before.granularity:.2f} to {after.granularity:.2f}"
    return f"{done} {moved}; elsewhere {more}"


def _changes(before: IntArray, after: IntArray) -> str:
    """What becomes of the groups, in a sentence; int64 [n] each."""
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    parts, wholes = np.bincount(pairs[:, 0]), np.bincount(pairs[:, 1])
    joined, divided = int((wholes > 1).sum()), int((parts > 1).sum())
    joins = f"{count_words(int(wholes[wholes > 1].sum()), 'group', 'groups')} joined into {joined:,}"
    into = int(parts[parts > 1].sum())
    divides = f"{count_words(divided, 'group was', 'groups were')} divided into {into:,}"
    said = " and ".join(filter(None, (joins * bool(joined), divides * bool(divided))))
    return f"{said}." if said else "the events stay as they are."


def answered(
    prepared: Prepared, history: History, answers: Sequence[PairAnswer], *, who: str = "", asked: str = ""
) -> History:
    """The log with answers, as if each was given and stored: the same ones, the same log."""
    for answer in answers:
        corrections = fitted(history, prepared.timeline.index.row)
        seen = Reviewing(prepared, regroup(prepared, corrections=corrections))
        last = history.corrections[-1].when if history.corrections else EPOCH
        said = digest(history.digest, *map(str, answer), digits=16)
        when = last + timedelta(microseconds=1)
        entry = replace(seen.answer(answer, who=who), id=said, when=when, asked=asked)
        history = history.with_more([entry])
    return history
