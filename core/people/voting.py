"""People vote on pairs as in Dialogue 2021 (Gusev and Smurov 2021, sections 3.1 and 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from core.data.identity import Answers, HeadlineIndex, HeadlineKey
from core.data.pair_sets.labelled import TelegramContestEnglish, TelegramContestRussian
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet
from core.data.timelines.timeline import written_day
from core.digests import digest
from core.errors import InputError
from core.journal.entries import Entry
from core.people.exchange import ANSWER, ITEM, TEXT, AnswerTable, make_answers
from core.people.gold import telling
from core.people.ratings import judge_key
from core.people.store import dated, standing
from core.people.study import USUAL, Order, Study, StudyPair
from core.people.votes import VoteTable, vote_table


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """An answer as it is stored and as people read it, and the key on the keyboard that gives it."""

    value: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; where `mirrored`, answers name a side, and half of the people see the pair swapped."""

    key: str
    text: str
    choices: tuple[AnswerChoice, ...]
    rules: tuple[str, ...]
    mirrored: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)


SAME_EVENT: Final = Question(  # clustering track, section 3.1
    key="same_event",
    text="Do both headlines report the same event?",
    choices=(AnswerChoice("same", "Same event", "S"), AnswerChoice("different", "Different events", "D")),
    rules=(
        "An event is narrow: one thing that happened at one time, in one place, to certain people.",
        "**Same:** either headline could stand over the other article, and no reader would notice.",
        "**Same:** time, place and numbers such as victims or prices agree.",
        "**Different:** time, place or numbers contradict each other.",
        "**Different:** one reports an event, the other what somebody said about it.",
    ),
)

BETTER_HEADLINE: Final = Question(  # headline selection track, section 4.1
    key="better_headline",
    text="Which headline is better?",
    choices=(
        AnswerChoice("left", "The first", "1"),
        AnswerChoice("right", "The second", "2"),
        AnswerChoice("draw", "No difference", "0"),
        AnswerChoice("bad", "Different events", "D"),
    ),
    rules=(
        "A better headline says more, hides nothing, and names people and places instead of “expert” or "
        "“a country”.",
        "It has no mistakes, is a whole phrase, stays calm and is not too long.",
        "Which of these counts most is for you to say.",
        "**Different events:** only where the two headlines are not about one event.",
    ),
    mirrored=True,
)

QUESTIONS: Final = {question.key: question for question in (SAME_EVENT, BETTER_HEADLINE)}


VOTED: Final = "voted"
UNDONE: Final = "undone"
AGAIN: Final = "again"  # begins training and exam anew


class Purpose(StrEnum):
    TRAINING = "training"
    EXAM = "exam"
    CONTROL = "control"
    MAIN = "main"


class Standing(StrEnum):
    TRAINING = "training"
    UNTRAINED = "training failed"
    EXAM = "exam"
    FAILED = "failed"
    WORK = "work"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Item:
    """A pair of headlines with their days for people; `right_answers` is () where nobody knows."""

    id: str
    left: str
    right: str
    days: tuple[str, str]
    pool: Purpose
    right_answers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.left} | {self.right}"


def make_item(
    left: str, right: str, days: tuple[str, str], pool: Purpose, right_answers: Sequence[str] = ()
) -> Item:
    return Item(digest(left, right, *days, pool)[:12], left, right, days, pool, tuple(right_answers))


# Not slotted: what follows from the pairs is computed once.
@dataclass(frozen=True)
class VotingTask:
    """Pairs, all different, on which people vote."""

    title: str
    question: Question
    items: tuple[Item, ...]
    study: Study = USUAL

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        return {item.id: item for item in self.items}

    @cached_property
    def index(self) -> HeadlineIndex:
        """The pairs that have no known answer: by them another version of the set is told."""
        main = self.pool(Purpose.MAIN)
        return HeadlineIndex(HeadlineKey(pair.name, "", " | ".join(pair.days)) for pair in main)

    @property
    def answers(self) -> Answers:
        return self.study.answers(f"votes/{self.question.key}", self.index)

    def pool(self, pool: Purpose) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.pool == pool)


@dataclass(frozen=True, slots=True)
class Vote:
    entry: str
    answer: str
    seconds: float | None


@dataclass(frozen=True)
class Voter:
    """What one person has done so far: votes by id of the pair, in the order in which they were given."""

    who: str
    task: VotingTask
    votes: Mapping[str, Vote]

    def right(self, pool: Purpose) -> tuple[int, int]:
        """Right answers to the pairs of a pool, and answers to them."""
        asked = [item for item in self.task.pool(pool) if item.id in self.votes]
        return sum(self.votes[item.id].answer in item.right_answers for item in asked), len(asked)

    @cached_property
    def stage(self) -> Standing:
        study = self.task.study
        if any(item.id not in self.votes for item in self.task.pool(Purpose.TRAINING)):
            return Standing.TRAINING
        if _below(self.right(Purpose.TRAINING), study.gate):
            return Standing.UNTRAINED
        if any(item.id not in self.votes for item in self.task.pool(Purpose.EXAM)):
            return Standing.EXAM
        if _below(self.right(Purpose.EXAM), study.passed):
            return Standing.FAILED
        controls = self.right(Purpose.CONTROL)
        if controls[1] >= study.first_controls and _below(controls, study.trusted):
            return Standing.STOPPED
        return Standing.WORK

    @property
    def counts(self) -> bool:
        return self.stage not in {Standing.UNTRAINED, Standing.FAILED, Standing.STOPPED}

    @property
    def worked(self) -> int:
        return sum(self.task.by_id[item].pool in {Purpose.CONTROL, Purpose.MAIN} for item in self.votes)

    @property
    def last(self) -> tuple[str, str] | None:
        """Entry and pair of the last vote that may be taken back: none of the training or exam."""
        item = next(reversed(list(self.votes)), "")
        work = item and self.task.by_id[item].pool in {Purpose.CONTROL, Purpose.MAIN}
        return (self.votes[item].entry, item) if work else None

    @property
    def seconds(self) -> float | None:
        known = [vote.seconds for vote in self.votes.values() if vote.seconds is not None]
        return float(np.median(known)) if known else None

    def swapped(self, item: Item) -> bool:
        """Whether this person sees the right headline on the left, so that no side has an advantage."""
        return self.task.question.mirrored and int(digest(judge_key(self.who), item.id)[0], 16) % 2 == 1


def vote(
    task: VotingTask, item: Item, answer: str, *, swapped: bool = False, seconds: float | None = None
) -> dict[str, Any]:
    shown = [item.right, item.left] if swapped else [item.left, item.right]
    about = {"row": task.pool(item.pool).index(item)} if item.pool is Purpose.MAIN else {"item": item.id}
    return {**about, "answer": answer, "shown": shown, "seconds": seconds}


def voters(task: VotingTask, entries: Iterable[Entry]) -> dict[str, Voter]:
    """What everybody has done so far, by the key of the name; entries that make no sense are ignored."""
    given: dict[str, dict[str, Vote]] = {}
    names: dict[str, str] = {}
    learned = {item.id for item in task.items if item.pool in {Purpose.TRAINING, Purpose.EXAM}}
    for entry in standing(entries, UNDONE):
        key = judge_key(entry.who)
        names.setdefault(key, entry.who)
        own = given.setdefault(key, {})
        if entry.kind == AGAIN:
            given[key] = {item: vote for item, vote in own.items() if item not in learned}
        elif entry.kind == VOTED and (ballot := _read(task, entry)) is not None:
            own[ballot[0]] = ballot[1]
    return {key: Voter(names[key], task, own) for key, own in given.items()}


def voter(task: VotingTask, entries: Iterable[Entry], who: str) -> Voter:
    """What one person has done so far, however the name is spelled."""
    return voters(task, entries).get(judge_key(who)) or Voter(who, task, {})


def next_item(own: Voter, everybody: Iterable[Voter]) -> Item | None:
    """The pair to ask next, after some a control pair; or None.

    Pairs with most votes come first, or, where the study routes them, those of which this person's answer is
    expected to tell most; these are asked no more once their answer is all but certain.
    """
    task, study = own.task, own.task.study
    for stage, pool in ((Standing.TRAINING, Purpose.TRAINING), (Standing.EXAM, Purpose.EXAM)):
        if own.stage == stage:
            return next(item for item in task.pool(pool) if item.id not in own.votes)
    if own.stage != Standing.WORK:
        return None
    counting = [voter for voter in everybody if voter.counts]
    counts = Counter(item for voter in counting for item in voter.votes)
    pairs = task.pool(Purpose.MAIN)
    if study.order is Order.ROUTED:
        pairs = _most_telling(own, counting)
    main = [item for item in pairs if item.id not in own.votes and counts[item.id] < study.votes]
    if not main:
        return None
    if (own.worked + 1) % (study.control_after + 1) == 0:
        controls = [item for item in task.pool(Purpose.CONTROL) if item.id not in own.votes]
        if controls:
            return min(controls, key=lambda item: digest(judge_key(own.who), item.id))
    if study.order is Order.ROUTED:
        return main[0]
    if study.order is Order.DRAWN:
        return min(main, key=lambda item: digest(judge_key(own.who), item.id))
    return min(main, key=lambda item: (-counts[item.id], digest(task.question.key, item.id)))


def _most_telling(own: Voter, counting: Sequence[Voter]) -> tuple[Item, ...]:
    pairs = own.task.pool(Purpose.MAIN)
    places = {answer: at for at, answer in enumerate(own.task.question.values)}
    people = [own, *(voter for voter in counting if judge_key(voter.who) != judge_key(own.who))]
    codes = np.full((len(pairs), len(people)), -1, dtype=np.int64)
    for row, item in enumerate(pairs):
        for column, voter in enumerate(people):
            if item.id in voter.votes:
                codes[row, column] = places[voter.votes[item.id].answer]
    return tuple(pairs[row] for row in telling(codes, len(places), 0))


def counted_votes(task: VotingTask, everybody: Iterable[Voter], entries: Iterable[Entry] = ()) -> VoteTable:
    """The votes on the main pairs by people whose votes count; with the entries, when they were given."""
    main = {item.id: item.name for item in task.pool(Purpose.MAIN)}
    when = {entry.id: dated(entry) for entry in entries}
    given = [
        (main[item], person.who, vote.answer, *(when.get(vote.entry, ("", "")) if when else ()))
        for person in everybody
        if person.counts
        for item, vote in person.votes.items()
        if item in main
    ]
    return vote_table(given, task.title)


def pair_tasks(task: VotingTask) -> AnswerTable:
    """The main pairs for other tools."""
    rows = [{ITEM: digest(pair.name)[:12], TEXT: pair.name} for pair in task.pool(Purpose.MAIN)]
    return make_answers(rows, {ANSWER: task.question.values})


def _read(task: VotingTask, entry: Entry) -> tuple[str, Vote] | None:
    item, row, answer, seconds = (entry.body.get(name) for name in ("item", "row", "answer", "seconds"))
    if type(row) is int and 0 <= row < len(task.index.keys):
        item = task.pool(Purpose.MAIN)[row].id
    if item not in task.by_id or answer not in task.question.values:
        return None
    known = float(seconds) if isinstance(seconds, int | float) else None
    return str(item), Vote(entry.id, str(answer), known)


def _below(right: tuple[int, int], share: float) -> bool:
    return right[1] > 0 and right[0] < share * right[1] - 1e-9


def voting_task(pairs: PairSet, question: Question, study: Study = USUAL) -> VotingTask:
    """The task of voting on a set; for the better headline, of pairs labelled as one event where any is."""
    rows = np.arange(len(pairs))
    if question is BETTER_HEADLINE and (pairs.labels == SAME).any():
        rows = np.flatnonzero(pairs.labels == SAME)
    main = {item.id: item for item in (_item(pairs, row) for row in rows.tolist())}
    drawn = sorted(main.values(), key=lambda item: item.id)[: study.most]
    return VotingTask(pairs.name, question, (*_known_items(question, pairs.texts, study), *drawn), study)


def own_task(study: Study) -> VotingTask:
    """The task of voting on a study's own pairs."""
    question = QUESTIONS[study.asks]
    main = tuple(_own_item(pair, ()) for pair in study.pairs if pair.use == Purpose.MAIN)
    known = _known_items(question, [text for item in main for text in (item.left, item.right)], study)
    return VotingTask(study.title, question, (*known, *main), study)


def _own_item(pair: StudyPair, right: Sequence[str]) -> Item:
    first, second = (*pair.days, "", "")[:2]
    return make_item(pair.left, pair.right, (first, second), Purpose(pair.use), right)


_RIGHT: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "same_event": {"same": ("same",), "different": ("different",)},
    "better_headline": {"same": ("left", "right", "draw"), "different": ("bad",)},
}


SKILLS: Final = (0.97, 0.95, 0.92, 0.9, 0.85)


def simulated_voters(task: VotingTask, pairs: PairSet) -> dict[str, Voter]:
    """Made-up people by name: each gives the known answer, or one drawn for all, with its own chance."""
    known = {_item(pairs, row).id: label == SAME for row, label in enumerate(pairs.labels.tolist())}
    votes: dict[str, dict[str, Vote]] = {f"simulated {at}": {} for at in range(1, len(SKILLS) + 1)}
    draw = np.random.default_rng(0)
    for item in task.items:
        usual = str(draw.choice(item.right_answers or task.question.values[:3]))
        if task.question is SAME_EVENT and not item.right_answers:
            usual = SAME_EVENT.values[0 if known[item.id] else 1]
        for own, skill in zip(votes.values(), SKILLS, strict=True):
            answer = usual if draw.random() < skill else str(draw.choice(task.question.values))
            own[item.id] = Vote("", answer, None)
    return {who: Voter(who, task, own) for who, own in votes.items()}


def _known_items(question: Question, texts: Sequence[str], study: Study) -> tuple[Item, ...]:
    """Training, exam and control pairs: a study's own, or some of Dialogue 2021 in the language of texts."""
    right = _RIGHT[question.key]
    own = tuple(_own_item(pair, right[pair.answer]) for pair in study.pairs if pair.answer)
    russian = sum(any("а" <= sign <= "я" for sign in text.casefold()) for text in texts)
    return own or known_items(question, "ru" if 2 * russian > len(texts) else "en", study)


@lru_cache(maxsize=8)
def known_items(question: Question, language: str, study: Study = USUAL) -> tuple[Item, ...]:
    """Training, exam and control pairs, drawn from those of Dialogue 2021, half of each answer."""
    right = _RIGHT[question.key]
    source = TelegramContestRussian() if language == "ru" else TelegramContestEnglish()
    pairs = source.load()
    mixed = mixed_rows(pairs)
    return tuple(
        _item(pairs, row, Purpose(part), right["same" if pairs.labels[row] == SAME else "different"])
        for row, part in zip(mixed, purposes(len(mixed), study), strict=True)
    )


def purposes(count: int, study: Study) -> list[str]:
    """What each of so many pairs with known answers is for; of few, a third each."""
    training, exam = (min(most, count // 3) for most in (study.training, study.exam))
    rest = count - training - exam
    return [*[Purpose.TRAINING] * training, *[Purpose.EXAM] * exam, *[Purpose.CONTROL] * rest]


def mixed_rows(pairs: PairSet) -> list[int]:
    """Pairs by their texts, both answers in turn: they stand in every part, which nobody can tell apart."""
    order = sorted(
        range(len(pairs)),
        key=lambda row: digest(*(pairs.texts[int(side[row])] for side in (pairs.left, pairs.right))),
    )
    first, second = ([row for row in order if pairs.labels[row] == label] for label in (SAME, DIFFERENT))
    return [row for both in zip(first, second, strict=False) for row in both]


def known_pairs(pairs: PairSet, study: Study) -> tuple[StudyPair, ...]:
    """A table of pairs with their right answers as the training, exam and control pairs of a study."""
    rows = mixed_rows(pairs)
    if len(rows) < 3:
        raise InputError(
            "The right answers are too few or all alike.",
            hint="Give at least two pairs labelled 1 (same event) and two labelled 0.",
        )
    parts = [(row, Purpose(part)) for row, part in zip(rows, purposes(len(rows), study), strict=True)]
    return tuple(
        _pair(_item(pairs, row, part), "same" if pairs.labels[row] == SAME else "different")
        for row, part in parts
    )


def main_pairs(pairs: PairSet, question: Question, study: Study) -> tuple[StudyPair, ...]:
    """A table of pairs as those that a study asks about."""
    return tuple(_pair(item) for item in voting_task(pairs, question, study).pool(Purpose.MAIN))


def _pair(item: Item, answer: str = "") -> StudyPair:
    return StudyPair(item.pool.value, item.left, item.right, answer, item.days if any(item.days) else ())


def _item(pairs: PairSet, row: int, pool: Purpose = Purpose.MAIN, right: Sequence[str] = ()) -> Item:
    first, second = int(pairs.left[row]), int(pairs.right[row])
    first_day, second_day = (
        "" if np.isnan(day) else written_day(np.datetime64(int(day), "D").astype(object))
        for day in (pairs.days[first], pairs.days[second])
    )
    return make_item(pairs.texts[first], pairs.texts[second], (first_day, second_day), pool, right)
