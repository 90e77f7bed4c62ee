"""People vote on pairs, as in Dialogue 2021 (Gusev and Smurov 2021, sections 3.1 and 4.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import msgspec
import numpy as np

from core.data.answers import Answers
from core.data.exchange.table import ANSWER, FIRST, ITEM, SECOND, TEXT, AnswerTable, make_answers
from core.data.identity import HeadlineIndex, HeadlineKey
from core.data.pair_sets.pair_set import SAME, PairSet
from core.digests import digest
from core.journal.entries import Entry
from core.people.gold import telling
from core.people.known_pairs import LEARNED, known_items, pair_of, with_days
from core.people.questions import BETTER_HEADLINE, QUESTIONS, SAME_EVENT, Question
from core.people.store import dated, standing
from core.people.study import USUAL, Order, Purpose, Sees, Study, StudyPair
from core.people.votes import VoteTable, vote_table
from core.text.normalise import judge_key

VOTED: Final = "voted"
UNDONE: Final = "undone"
SUGGESTED: Final = "suggested"  # what a model had suggested, of a vote
AGAIN: Final = "again"  # begins training and exam anew
_WORK: Final = (Purpose.CONTROL, Purpose.MAIN)
SKILLS: Final = (0.97, 0.95, 0.92, 0.9, 0.85)


class Standing(StrEnum):
    TRAINING = "training"
    UNTRAINED = "training failed"
    EXAM = "exam"
    FAILED = "failed"
    WORK = "work"
    STOPPED = "stopped"
    FULL = "nothing left to ask"  # before the work began


# Not slotted: what follows from the pairs is computed once.
@dataclass(frozen=True)
class VotingTask:
    title: str
    question: Question
    items: tuple[StudyPair, ...]
    study: Study = USUAL

    @cached_property
    def by_id(self) -> Mapping[str, StudyPair]:
        return {item.id: item for item in self.items}

    @cached_property
    def index(self) -> HeadlineIndex:
        """The pairs that have no known answer: by them another version of the set is told."""
        main = self.pool(Purpose.MAIN)
        return HeadlineIndex(HeadlineKey(pair.name, "", " | ".join(pair.days)) for pair in main)

    @property
    def controls(self) -> int:
        """How many control pairs a person is asked who votes on all main pairs."""
        pairs = len(self.pool(Purpose.MAIN))
        most = (min(pairs, self.study.block or pairs) - 1) // self.study.control_after
        return max(0, min(most, len(self.pool(Purpose.CONTROL))))

    def under(self, study: Study) -> "VotingTask":
        """The same pairs with the rules of a study, and its pairs that have right answers."""
        main = self.pool(Purpose.MAIN)
        texts = [text for pair in main for text in (pair.left, pair.right)]
        return VotingTask(self.title, self.question, (*known_items(texts, study), *main), study)

    def suggestion(self, item: StudyPair) -> str:
        """What a model suggests for a pair; "" where the study shows none."""
        return item.suggested if self.study.sees is Sees.MODEL else ""

    @property
    def answers(self) -> Answers:
        return self.study.answers(f"votes/{self.question.key}", self.index)

    def pool(self, pool: Purpose) -> tuple[StudyPair, ...]:
        return tuple(item for item in self.items if item.use == pool)


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
    failed: int = 0  # tries of the exam before this one
    ended: bool = False  # nothing is left to ask
    full: frozenset[str] = frozenset()  # pairs that have all the votes they need, or are in another block

    @property
    def open(self) -> list[StudyPair]:
        main = self.task.pool(Purpose.MAIN)
        return [item for item in main if item.id not in self.votes and item.id not in self.full]

    @property
    def too_late(self) -> bool:
        return not (self.open or self.worked)

    @property
    def tries(self) -> int:
        """How often this person may take the exam once more."""
        return max(0, self.task.study.tries - self.failed - 1)

    @property
    def may_repeat(self) -> bool:
        return self.stage == Standing.UNTRAINED or (self.stage == Standing.FAILED and self.tries > 0)

    def right(self, pool: Purpose) -> tuple[int, int]:
        """Right answers to the pairs of a pool, and answers to them."""
        asked = [item for item in self.task.pool(pool) if item.id in self.votes]
        right = self.task.question.right
        return sum(self.votes[item.id].answer in right(item) for item in asked), len(asked)

    @cached_property
    def stage(self) -> Standing:
        study = self.task.study
        for pool, least, during, failed in (
            (Purpose.TRAINING, study.gate, Standing.TRAINING, Standing.UNTRAINED),
            (Purpose.EXAM, study.passed, Standing.EXAM, Standing.FAILED),
        ):
            if self.right(pool)[1] < len(self.task.pool(pool)):
                return during if self.open else Standing.FULL
            if self._below(pool, least):
                return failed
        enough = self.right(Purpose.CONTROL)[1] >= study.first_controls or self.ended
        return Standing.STOPPED if enough and self._below(Purpose.CONTROL, study.trusted) else Standing.WORK

    def _below(self, pool: Purpose, share: float) -> bool:
        right, asked = self.right(pool)
        return asked > 0 and right < share * asked - 1e-9

    @property
    def counts(self) -> bool:
        return self.stage not in {Standing.UNTRAINED, Standing.FAILED, Standing.STOPPED}

    @property
    def worked(self) -> int:
        return sum(self.task.by_id[item].use in _WORK for item in self.votes)

    @property
    def last(self) -> tuple[str, str] | None:
        """Entry and pair of the last vote that may be taken back: none of the training or exam."""
        item = next(reversed(list(self.votes)), "")
        work = item and self.task.by_id[item].use in _WORK
        return (self.votes[item].entry, item) if work else None

    @property
    def seconds(self) -> float | None:
        known = [vote.seconds for vote in self.votes.values() if vote.seconds is not None]
        return float(np.median(known)) if known else None

    def swapped(self, item: StudyPair) -> bool:
        """Whether this person sees the right headline on the left, so that no side has an advantage."""
        return self.task.question.mirrored and int(digest(judge_key(self.who), item.id)[0], 16) % 2 == 1


def vote(
    task: VotingTask, item: StudyPair, answer: str, *, swapped: bool = False, seconds: float | None = None
) -> dict[str, Any]:
    shown = [item.right, item.left] if swapped else [item.left, item.right]
    about: dict[str, Any] = (
        {"row": task.pool(item.use).index(item)} if item.use is Purpose.MAIN else {"item": item.id}
    )
    if suggested := task.suggestion(item):
        about[SUGGESTED] = suggested
    return {**about, "answer": answer, "shown": shown, "seconds": seconds}


def voters(task: VotingTask, entries: Iterable[Entry]) -> dict[str, Voter]:
    """What everybody has done so far, by the key of the name; entries that make no sense are ignored."""
    given, names, failed = dict[str, dict[str, Vote]](), dict[str, str](), Counter[str]()
    learned = {item.id for item in task.items if item.use in LEARNED}
    for entry in standing(entries, UNDONE):
        key = judge_key(entry.who)
        names.setdefault(key, entry.who)
        own = given.setdefault(key, {})
        if entry.kind == AGAIN and (before := Voter(entry.who, task, own, failed[key])).may_repeat:
            failed[key] += before.stage == Standing.FAILED
            given[key] = {item: vote for item, vote in own.items() if item not in learned}
        elif entry.kind == VOTED and (ballot := _read(task, entry)) is not None:
            own[ballot[0]] = ballot[1]
    people = {key: Voter(names[key], task, own, failed[key]) for key, own in given.items()}
    # What counts before anybody's end decides who is at the end: no end depends on that of another.
    full = _full(task, people.values())
    closed = {key: full | _elsewhere(own, people.values(), full) for key, own in people.items()}
    people = {key: replace(own, ended=not replace(own, full=closed[key]).open) for key, own in people.items()}
    full = _full(task, people.values())
    return {
        key: replace(own, full=full | _elsewhere(own, people.values(), full)) for key, own in people.items()
    }


def _elsewhere(own: Voter, everybody: Iterable[Voter], full: frozenset[str]) -> frozenset[str]:
    """The pairs that are not in a person's block: that begun first, or the open one with fewest votes."""
    pairs, size = [pair.id for pair in own.task.pool(Purpose.MAIN)], own.task.study.block
    if not size:
        return frozenset()
    blocks = [frozenset(pairs[start : start + size]) for start in range(0, len(pairs), size)]
    begun = next((block for item in own.votes for block in blocks if item in block), None)
    if begun is None:
        counts = Counter(item for other in everybody if other.counts for item in other.votes)
        open_ = [block for block in blocks if not block <= full] or blocks
        begun = min(open_, key=lambda block: max(counts[item] for item in block))
    return frozenset(pairs) - begun


def _read(task: VotingTask, entry: Entry) -> tuple[str, Vote] | None:
    item, row, answer, seconds = (entry.body.get(name) for name in ("item", "row", "answer", "seconds"))
    if type(row) is int and 0 <= row < len(task.index.keys):
        item = task.pool(Purpose.MAIN)[row].id
    if item not in task.by_id or answer not in task.question.values:
        return None
    known = float(seconds) if isinstance(seconds, int | float) else None
    return str(item), Vote(entry.id, str(answer), known)


def _full(task: VotingTask, everybody: Iterable[Voter]) -> frozenset[str]:
    counts = _counts(everybody)
    return frozenset(item.id for item in task.pool(Purpose.MAIN) if counts[item.id] >= task.study.votes)


def _counts(everybody: Iterable[Voter]) -> Counter[str]:
    return Counter(item for voter in everybody if voter.counts for item in voter.votes)


def voter(task: VotingTask, entries: Iterable[Entry], who: str) -> Voter:
    """What one person has done so far, however the name is spelled."""
    everybody = voters(task, entries)
    own, full = Voter(who, task, {}), _full(task, everybody.values())
    closed = full | _elsewhere(own, everybody.values(), full)
    return everybody.get(judge_key(who)) or replace(own, full=closed)


def next_item(own: Voter, everybody: Iterable[Voter]) -> StudyPair | None:
    """The pair to ask next, after some a control pair; or None."""
    task, study = own.task, own.task.study
    if own.stage in (Standing.TRAINING, Standing.EXAM):
        return next(item for item in task.pool(Purpose(own.stage)) if item.id not in own.votes)
    if own.stage != Standing.WORK:
        return None
    counting = [voter for voter in everybody if voter.counts]
    counts = _counts(counting)
    pairs = _most_telling(own, counting) if study.order is Order.ROUTED else task.pool(Purpose.MAIN)
    left = {item.id for item in own.open}
    main = [item for item in pairs if item.id in left and counts[item.id] < study.votes]
    if not main:
        return None
    controls = [item for item in task.pool(Purpose.CONTROL) if item.id not in own.votes]
    control = bool(controls) and (own.worked + 1) % (study.control_after + 1) == 0
    ahead = {name: at for at, name in enumerate(study.asked_first)}
    if not control and (front := [item for item in main if item.id in ahead]):
        return min(front, key=lambda item: ahead[item.id])
    if control or study.order is Order.DRAWN:
        return min(controls if control else main, key=lambda item: digest(judge_key(own.who), item.id))
    if study.order is Order.ROUTED:
        return main[0]
    return min(main, key=lambda item: (-counts[item.id], digest(task.question.key, item.id)))


def _most_telling(own: Voter, counting: Sequence[Voter]) -> tuple[StudyPair, ...]:
    pairs = own.task.pool(Purpose.MAIN)
    places = {answer: at for at, answer in enumerate(own.task.question.values)}
    people = [own, *(voter for voter in counting if judge_key(voter.who) != judge_key(own.who))]
    codes = [
        [places[voter.votes[item.id].answer] if item.id in voter.votes else -1 for voter in people]
        for item in pairs
    ]
    given = np.array(codes, dtype=np.int64).reshape(len(pairs), len(people))
    return tuple(pairs[row] for row in telling(given, len(places), 0))


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
    sides = {pair.name: (pair.left, pair.right) for pair in task.pool(Purpose.MAIN)}
    return replace(vote_table(given, task.title), sides=sides)


def pair_tasks(task: VotingTask) -> AnswerTable:
    rows = [
        {ITEM: digest(pair.name)[:12], TEXT: pair.name, FIRST: pair.left, SECOND: pair.right}
        for pair in task.pool(Purpose.MAIN)
    ]
    return make_answers(rows, {ANSWER: task.question.values})


def voting_task(pairs: PairSet, question: Question, study: Study = USUAL) -> VotingTask:
    """The task of voting on a set; for the better headline, of pairs labelled as one event where any is."""
    rows = np.arange(len(pairs))
    if question is BETTER_HEADLINE and (pairs.labels == SAME).any():
        rows = np.flatnonzero(pairs.labels == SAME)
    main = {pair.id: pair for pair in (pair_of(pairs, row) for row in rows.tolist())}
    drawn = [main[name] for name in sorted(main)[: study.most]]
    return VotingTask(pairs.name, question, (*known_items(pairs.texts, study), *drawn), study)


def own_task(study: Study) -> VotingTask:
    unknown = (msgspec.structs.replace(pair, answer="") for pair in study.pairs if pair.use == Purpose.MAIN)
    main = tuple(map(with_days, unknown))
    known = known_items([text for pair in main for text in (pair.left, pair.right)], study)
    return VotingTask(study.title, QUESTIONS[study.asks], (*known, *main), study)


def simulated_voters(task: VotingTask, pairs: PairSet) -> dict[str, Voter]:
    """Made-up people by name: each gives the known answer, or one drawn for all, with its own chance."""
    known = {pair_of(pairs, row).id: label == SAME for row, label in enumerate(pairs.labels.tolist())}
    votes: dict[str, dict[str, Vote]] = {f"simulated {at}": {} for at in range(1, len(SKILLS) + 1)}
    draw = np.random.default_rng(0)
    for item in task.items:
        right = task.question.right(item)
        usual = str(draw.choice(right or task.question.values[:3]))
        if task.question is SAME_EVENT and not right:
            usual = SAME_EVENT.values[0 if known[item.id] else 1]
        for own, skill in zip(votes.values(), SKILLS, strict=True):
            answer = usual if draw.random() < skill else str(draw.choice(task.question.values))
            own[item.id] = Vote("", answer, None)
    return {who: Voter(who, task, own) for who, own in votes.items()}
