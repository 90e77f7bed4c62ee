"""Lessons: questions of several kinds in an order, which are stored, exported and imported."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import msgspec

from core import files
from core.digests import digest
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people.room.task import (
    BEFORE,
    LONGEST_WRITTEN,
    RoomItem,
    RoomKind,
    RoomOption,
    RoomTask,
    checked_task,
    item_key,
    room_task,
    task_body,
    task_of,
)
from core.text.normalise import clean_line

LESSONS: Final = "lessons/"
ASKED: Final = (
    RoomKind.SAME_EVENT,
    RoomKind.CHOICE,
    RoomKind.SCALE,
    RoomKind.QUIZ,
    RoomKind.RANKING,
    RoomKind.TEXT,
)
MOST_ANSWERS: Final = 8
LONGEST: Final = 500  # characters of a question, a headline or an answer
LARGEST_FILE: Final = 2_000_000  # bytes
_SAVED: Final = "saved"
_SHIPPED: Final = files.ROOT / "samples" / "lessons"
_KEY_FROM: Final = "the lesson says"


def own_question(
    asks: str, question: str, texts: Sequence[str], answers: Sequence[str] = (), right: str = ""
) -> RoomItem:
    """A question as it was written; where answers have usual words, none are given."""
    options = tuple(RoomOption(value=answer, wording=answer) for answer in answers)
    item = RoomItem(key="", texts=tuple(texts), asks=RoomKind(asks), question=question, options=options)
    return checked_question(replace(item, right=right))


def checked_question(item: RoomItem) -> RoomItem:
    """A question with clean words and a key of its own."""
    texts, question = tuple(filter(None, map(clean_line, item.texts))), clean_line(item.question)
    item = replace(item, texts=texts, question=question)
    values = [option.value for option in item.options]
    for said, hint in _faults(item, values):
        raise InputError(said, hint=hint)
    asked = replace(item, key=item_key(str(item.asks), question, *texts, *values))
    task = lesson("", [asked])
    allowed, answer = task.options_of(asked), clean_line(item.right)
    if item.asks is RoomKind.RANKING:
        answer = BEFORE.join(re.findall(r"\d+", answer))
    by_wording = {wording.casefold(): value for value, wording in allowed.items()}
    right = answer if task.takes(asked, answer) else by_wording.get(answer.casefold(), "")
    if item.right and not right:
        hint = f"Give one of: {', '.join(allowed.values())}."
        if item.asks is RoomKind.RANKING:
            hint = f"Give the numbers of the answers in their order, as “{task.order_of(asked, allowed)}”."
        elif item.asks is RoomKind.TEXT:
            hint = f"Use at most {LONGEST_WRITTEN} characters."
        raise InputError(f"The right answer {item.right[:60]!r} is none of the possible ones.", hint=hint)
    return replace(asked, right=right, key_from=item.key_from or _KEY_FROM)


def _faults(item: RoomItem, values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a question, each with what to do."""
    pair, line = item.asks in {RoomKind.SAME_EVENT, RoomKind.CHOICE}, "Give one a line."
    if item.asks not in ASKED:
        yield "The question is of no kind that a lesson has.", "Choose a kind."
    if pair and len(item.texts) != 2:
        yield f"{len(item.texts)} headlines are given, not two.", line
    if not pair and not item.question:
        yield "The question has no words.", "Write what is asked."
    if item.asks == RoomKind.QUIZ and len(values) < 2:
        yield "A quiz needs two answers.", line
    if item.asks == RoomKind.RANKING and len(values) < 3:
        yield "An order needs three answers.", line
    if item.asks == RoomKind.TEXT and values:
        hint = "Choose another kind, or leave the answers empty."
        yield "What people say in their own words has no given answers.", hint
    if len(values) > MOST_ANSWERS:
        yield f"{len(values)} answers are given.", f"Give at most {MOST_ANSWERS}."
    if len(set(values)) < len(values) or "" in values:
        yield "Two answers are the same.", "Word one differently."
    if max(map(len, (*item.texts, item.question, *values)), default=0) > LONGEST:
        yield "A text of the question is too long.", f"Use at most {LONGEST} characters."


def drawn_question(task: RoomTask, item: RoomItem) -> RoomItem:
    """An item of another task as a question of a lesson."""
    return checked_question(replace(item, asks=task.kind, key_from=task.key_from, scorer=task.scorer))


def lesson(title: str, items: Sequence[RoomItem], *, points: bool = False) -> RoomTask:
    return room_task(RoomKind.LESSON, title, items, points=points)


def lesson_file(task: RoomTask) -> bytes:
    return (json.dumps(task_body(task), indent=2, ensure_ascii=False) + "\n").encode()


def read_lesson(data: bytes) -> RoomTask:
    hint = "Give a file that “Export” of a lesson wrote."
    if len(data) > LARGEST_FILE:
        raise InputError(f"The file has more than {LARGEST_FILE / 1e6:.0f} megabytes.", hint=hint)
    try:
        task = msgspec.json.decode(data, type=RoomTask)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"The file is no lesson: {error}.", hint=hint) from error
    if task.kind is not RoomKind.LESSON:
        raise InputError("The file is no lesson.", hint=hint)
    questions = list(map(checked_question, task.items))
    return checked_task(lesson(clean_line(task.title)[:LONGEST], questions, points=task.points))


def lessons(journal: Journal) -> dict[str, RoomTask]:
    """The lessons that are stored, by title, the one that was changed last first."""
    last = (journal.read(stream)[-1].body for stream in journal.streams(LESSONS))
    known = (task_of(body["task"]) for body in last if body.get("task"))
    return {task.title: task for task in known if task.items}


@cache
def shipped_lessons() -> dict[str, RoomTask]:
    tasks = [read_lesson(file.read_bytes()) for file in sorted(_SHIPPED.glob("*.json"))]
    return {task.title: task for task in tasks}


def all_lessons(journal: Journal) -> dict[str, RoomTask]:
    """Those that are stored, then those that ship and were not changed here."""
    stored = lessons(journal)
    return stored | {title: task for title, task in shipped_lessons().items() if title not in stored}


def save_lesson(journal: Journal, title: str, items: Sequence[RoomItem], *, points: bool = False) -> None:
    """Stores a lesson in the place of the one of that title; without questions it is none any more."""
    title = clean_line(title)[:LONGEST]
    if not title:
        raise InputError("The lesson has no title.", hint="Give it one.")
    task = lesson(title, items, points=points) if items else None
    body = {"task": task_body(task) if task else None}
    journal.append(LESSONS + digest(title)[:16], [NewEntry(kind=_SAVED, body=body)])
