"""What a room is asked: items that everybody answers, and how one participant sees each of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from core import limits
from core.errors import InputError
from core.people.agreement.reliability import Scale

Ballot = tuple[str, str]
"""Id of a participant, and key of an item."""


class RoomKind(StrEnum):
    """What people decide about an item.

    Same event: whether two headlines report the same event. Choice: which of two headlines is better.
    Question: a level of a form's question about one headline. Groups: with which of the headlines before it
    one reports the same event, in the order of time.
    """

    SAME_EVENT = "same_event"
    CHOICE = "choice"
    QUESTION = "question"
    GROUPS = "groups"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomOption:
    """One answer that every item of a task allows, as it is stored and as it stands on a button."""

    value: str
    wording: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomItem:
    """What one answer is about.

    Attributes:
        key: Tells it from the other items of its task.
        texts: One headline, or two.
        article: Text that belongs to it; "" for none.
        right: The answer that the data give, never shown to participants; "" where they give none.
        sources: Where each of the texts comes from, for the printed key; () where that says nothing.
        day: When it was published, in ISO 8601, where participants are to know it; "" otherwise.
    """

    key: str
    texts: tuple[str, ...]
    article: str = ""
    right: str = ""
    sources: tuple[str, ...] = ()
    day: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTask:
    """Items with one question about each.

    Attributes:
        kind: What is decided.
        title: What people call the set of items.
        question: What is asked of each item.
        help: What somebody in doubt should know; "" for nothing.
        options: The answers, the lowest first where they have an order; () where headlines are grouped.
        items: What is asked about; headlines that are grouped in the order of time.
        scale: How far apart two answers are.
        key_from: Where the right answers come from; "" where there are none.
    """

    kind: RoomKind
    title: str
    question: str
    help: str
    options: tuple[RoomOption, ...]
    items: tuple[RoomItem, ...]
    scale: Scale = Scale.NOMINAL
    key_from: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """The answers as they are stored."""
        return tuple(option.value for option in self.options)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all that is shown; an answer is stored with it."""
        return _digest(json.dumps(task_body(self), sort_keys=True))[:16]

    def item(self, key: str) -> RoomItem | None:
        """The item of that key; None where the task has none."""
        return next((item for item in self.items if item.key == key), None)

    def options_of(self, item: RoomItem) -> tuple[RoomOption, ...]:
        """The answers to one of its items; a headline is grouped as a new event or with one before it."""
        if self.kind is not RoomKind.GROUPS:
            return self.options
        before = self.items[: self.items.index(item)]
        new = RoomOption(value=item.key, wording=NEW_EVENT)
        return (new, *(RoomOption(value=one.key, wording=one.texts[0]) for one in before))

    def wording(self, item: RoomItem, value: str) -> str:
        """What an answer to an item says."""
        options = self.options_of(item)
        return next((option.wording for option in options if option.value == value), value)


FIRST: Final = "1"
"""The answer that names the first headline of an item, in the order in which the task has them."""
SECOND: Final = "2"
NEW_EVENT: Final = "New event"
SAME: Final = "same"
DIFFERENT: Final = "different"

SAME_EVENT_OPTIONS: Final = (
    RoomOption(value=SAME, wording="Same event"),
    RoomOption(value=DIFFERENT, wording="Different events"),
)
CHOICE_OPTIONS: Final = (
    RoomOption(value=FIRST, wording="A"),
    RoomOption(value=SECOND, wording="B"),
    RoomOption(value="draw", wording="Equally good"),
    RoomOption(value="bad", wording="Both bad"),
)


def shown_order(task: RoomTask, item: RoomItem, who: str) -> tuple[int, ...]:
    """Places of an item's texts in the order in which one participant sees them.

    Half of the participants see two headlines in one order and half in the other, so that what stands first
    gains nothing. The order is the same each time.
    """
    places = tuple(range(len(item.texts)))
    turned = int(_digest(f"{task.title}\x1f{item.key}\x1f{who}")[:8], 16) % 2
    return places[::-1] if turned else places


def item_order(task: RoomTask, who: str) -> tuple[str, ...]:
    """Keys of the items in the order in which one participant, or one printed sheet, has them.

    Headlines that are grouped come in the order of time for everybody.
    """
    if task.kind is RoomKind.GROUPS:
        return tuple(item.key for item in task.items)
    return tuple(sorted((item.key for item in task.items), key=lambda key: _digest(f"{key}\x1f{who}")))


def checked_task(task: RoomTask) -> RoomTask:
    """The task itself, if a room can be asked it."""
    most = limits.ROOM_ITEMS.value
    if not 1 <= len(task.items) <= most:
        raise InputError(
            f"The task has {len(task.items):,} items; a room takes 1 to {most:,} a round.",
            hint=f"Choose another number of items, or raise {limits.ROOM_ITEMS.variable}.",
        )
    if len({item.key for item in task.items}) < len(task.items):
        raise InputError("Two items of the task have one key.", hint="Give every item a key of its own.")
    return task


def task_body(task: RoomTask) -> dict[str, Any]:
    """The task as a journal stores it."""
    body: dict[str, Any] = json.loads(json.dumps(asdict(task)))
    return body


def task_of(body: Mapping[str, Any]) -> RoomTask:
    """The task that was stored; parts that somebody had removed for good are missing."""
    return RoomTask(
        kind=RoomKind(body["kind"]),
        title=body.get("title", ""),
        question=body.get("question", ""),
        help=body.get("help", ""),
        options=tuple(RoomOption(**option) for option in body["options"]),
        items=tuple(_item(item) for item in body.get("items", ()) if "key" in item and item.get("texts")),
        scale=Scale(body["scale"]),
        key_from=body.get("key_from", ""),
    )


def _item(body: Mapping[str, Any]) -> RoomItem:
    return RoomItem(
        key=body["key"],
        texts=tuple(body["texts"]),
        article=body.get("article", ""),
        right=body.get("right", ""),
        sources=tuple(body.get("sources", ())),
        day=body.get("day", ""),
    )


def item_key(*parts: str) -> str:
    """The key of an item that these texts tell from others."""
    return _digest("\x1f".join(parts))[:12]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
