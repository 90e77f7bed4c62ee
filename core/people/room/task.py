"""What a room is asked: items that everybody answers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import msgspec
import numpy as np

from core import files, limits
from core.arrays import IntArray
from core.digests import digest
from core.errors import InputError
from core.statistics.krippendorff import Scale
from core.text.normalise import clean_line

Ballot = tuple[str, str]  # id of a participant, and key of an item
NEW_EVENT: Final = "New event"
SAME: Final = "same"
DIFFERENT: Final = "different"
LONGEST_WRITTEN: Final = 140  # characters of a reason, or of an answer in one's own words
BEFORE: Final = " > "  # between the numbers of answers that somebody put in an order


class RoomKind(StrEnum):
    SAME_EVENT = "same_event"
    CHOICE = "choice"
    QUESTION = "question"
    BREAK = "break"  # nothing: they change words until a model contradicts itself
    LESSON = "lesson"  # questions of several of these kinds
    SCALE = "scale"
    QUIZ = "quiz"
    RANKING = "ranking"  # all answers are put in an order
    TEXT = "text"  # in one's own words
    GROUPS = "groups"  # with which of the headlines before it one reports the same event, by time


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomOption:
    """One answer that every item of a task allows, as it is stored and as it stands on a button."""

    value: str
    wording: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomItem:
    key: str
    texts: tuple[str, ...]
    article: str = ""
    right: str = ""  # the answer that the data give, never shown to participants before votes are compared
    model: str = ""  # that of a model, likewise
    sources: tuple[str, ...] = ()  # of each text, for the printed key
    day: str = ""  # in ISO 8601, where participants are to know it
    # Of a lesson: the kind of its question, and what differs from the words of that kind and its task.
    asks: RoomKind | None = None
    question: str = ""
    options: tuple[RoomOption, ...] = ()
    key_from: str = ""
    scorer: str = ""


@dataclass(frozen=True, kw_only=True)
class TaskWords:
    """What a task asks, helps with and offers, where it has none of its own."""

    question: str = ""
    help: str = ""
    options: tuple[RoomOption, ...] = ()  # an order from the lowest; () where headlines are grouped


@dataclass(frozen=True, kw_only=True)
class RoomTask(TaskWords):
    kind: RoomKind
    title: str = ""
    items: tuple[RoomItem, ...]  # to be grouped: in the order of time
    scale: Scale = Scale.NOMINAL
    key_from: str = ""  # where the right answers come from
    # The model that is to contradict itself or that answered, and from which score on it says "same event".
    scorer: str = ""
    threshold: float = 0.0
    points: bool = False  # at the end each phone is told how many right answers it gave

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits over all that is shown; an answer is stored with it."""
        return digest(json.dumps(task_body(self), sort_keys=True))[:16]

    def item(self, key: str) -> RoomItem | None:
        return next((item for item in self.items if item.key == key), None)

    def options_of(self, item: RoomItem) -> dict[str, str]:
        """The answers to one of its items with their wordings; a headline joins one before it, or none."""
        if self.kind is not RoomKind.GROUPS:
            options = item.options or self._usual_words(item).options
            return {option.value: option.wording for option in options}
        before = self.items[: self.items.index(item)]
        return {item.key: NEW_EVENT, **{earlier.key: earlier.texts[0] for earlier in before}}

    def takes(self, item: RoomItem, answer: str) -> bool:
        """Whether it is an answer to one of its items."""
        match self.kind_of(item):
            case RoomKind.TEXT:
                return 0 < len(answer) <= LONGEST_WRITTEN and clean_line(answer) == answer
            case RoomKind.RANKING:
                return sorted(self.ranked(item, answer)) == sorted(self.options_of(item))
        return answer in self.options_of(item)

    def ranked(self, item: RoomItem, order: str) -> list[str]:
        """The answers to an item in an order that was given by their numbers: "2 > 1 > 3"."""
        numbered = {str(number): value for number, value in enumerate(self.options_of(item), 1)}
        return [numbered[number] for number in order.split(BEFORE) if number in numbered]

    def order_of(self, item: RoomItem, values: Iterable[str]) -> str:
        places = list(self.options_of(item))
        return BEFORE.join(str(places.index(value) + 1) for value in values)

    def kind_of(self, item: RoomItem) -> RoomKind:
        return item.asks or self.kind

    def words_of(self, item: RoomItem) -> tuple[str, str]:
        """The question about an item, and its explanation."""
        words = self._usual_words(item)
        return item.question or words.question, words.help

    def _usual_words(self, item: RoomItem) -> TaskWords:
        return WORDS.get(item.asks, TaskWords()) if item.asks else self

    def wording(self, item: RoomItem, value: str) -> str:
        options = self.options_of(item)
        if self.kind_of(item) is RoomKind.RANKING and value not in options:
            return BEFORE.join(map(options.__getitem__, self.ranked(item, value)))
        return options.get(value, value)


WORDS: Final = msgspec.convert(files.read_tables(__file__, "tasks"), dict[RoomKind, TaskWords])
"""Of each kind of task that no form asks."""


def room_task(kind: RoomKind, title: str, items: Sequence[RoomItem], **more: Any) -> RoomTask:
    """A task in the usual words of its kind, where `more` has no others."""
    words = {**vars(WORDS.get(kind, TaskWords())), **more}
    return checked_task(RoomTask(kind=kind, title=title, items=tuple(items), **words))


def checked_task(task: RoomTask) -> RoomTask:
    most = limits.ROOM_ITEMS.value
    if not 1 <= len(task.items) <= most:
        said = f"The task has {len(task.items):,} items; a room takes 1 to {most:,} a round."
        raise InputError(said, hint=f"Choose another number of items, or raise {limits.ROOM_ITEMS.variable}.")
    if len({item.key for item in task.items}) < len(task.items):
        raise InputError("Two items of the task have one key.", hint="Give every item a key of its own.")
    return task


def shown_order(task: RoomTask, item: RoomItem, who: str) -> tuple[int, ...]:
    """Places of an item's texts as one participant sees them: half see them turned, the same each time."""
    places = tuple(range(len(item.texts)))
    turned = int(digest(task.title, item.key, who)[:8], 16) % 2
    return places[::-1] if turned else places


def item_order(task: RoomTask, who: str) -> tuple[str, ...]:
    """Keys of the items as one participant or printed sheet has them; groups are made by time."""
    if task.kind is RoomKind.GROUPS:
        return tuple(item.key for item in task.items)
    return tuple(sorted((item.key for item in task.items), key=lambda key: digest(key, who)))


def task_body(task: RoomTask) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(asdict(task)))
    return body


def task_of(body: Mapping[str, Any]) -> RoomTask:
    """The task that was stored; parts that somebody had removed for good are missing."""
    items = [
        item
        for item in body.get("items", ())
        if "key" in item and (item.get("texts") or item.get("question"))
    ]
    return msgspec.convert({**body, "items": items}, RoomTask)


def item_key(*parts: str) -> str:
    return digest(*parts, digits=12)


def first_of_groups(task: RoomTask, answers: Mapping[Ballot, str]) -> dict[Ballot, str]:
    """Each answer as the key of the first headline of its group; other tasks keep their answers."""
    if task.kind is not RoomKind.GROUPS:
        return dict(answers)
    places, firsts = {item.key: at for at, item in enumerate(task.items)}, dict[Ballot, str]()
    for who, key in sorted(answers, key=lambda ballot: places[ballot[1]]):
        answer = answers[who, key]
        firsts[who, key] = firsts.get((who, answer), answer)
    return firsts


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
    groups: dict[str, list[str]] = {}
    first = first_of_groups(task, {ballot: answer for ballot, answer in answers.items() if ballot[0] == who})
    for item in task.items:
        if (who, item.key) in first:
            groups.setdefault(first[who, item.key], []).append(item.key)
    return groups
