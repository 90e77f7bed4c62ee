"""The files of a room: answers, groups, contradictions, all of a lesson, and sheets to print."""

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.data.pair_sets.annotated import merge_annotators
from core.data.timelines.periods import written_day
from core.digests import digest
from core.people.room.attempts import NAMES, by_pair, contradictions
from core.people.room.state import Room, counted, counted_attempts, rounds_of
from core.people.room.task import RoomItem, RoomKind, RoomTask, group_numbers, item_order, shown_order
from core.results.delimited import delimited
from core.results.page import html_page

VERSIONS: Final = "AB"  # of a sheet, each with its own order, so that neighbours cannot copy
LETTERS: Final = "AB"


def lesson_files(room: Room, *, named: bool) -> dict[str, Callable[[], bytes]]:
    """What makes each file of a lesson, by its name; groups come as HLGD was released, without nicknames."""
    rounds, files = rounds_of(room), dict[str, Callable[[], bytes]]()
    kinds = {round_.task.kind for round_ in rounds}
    if kinds != {RoomKind.BREAK}:
        files["answers.csv"] = partial(answers_csv, room, named=named)
    if RoomKind.BREAK in kinds:
        files["contradictions.csv"] = partial(contradictions_csv, room, named=named)
    for round_ in rounds:
        if round_.task.kind is RoomKind.GROUPS:
            files[f"groups-round-{round_.number}.csv"] = partial(groups_csv, replace(room, round=round_))
    return files


def lesson_zip(room: Room) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, make in lesson_files(room, named=False).items():
            archive.writestr(name, make())
    return whole.getvalue()


def answers_csv(room: Room, *, named: bool = True) -> bytes:
    """A line an answer for `headline-lab agreement votes`; each vote is a question, so a column."""
    head = ["item", "person", "first_vote", "second_vote", "round", "first_headline", "second_headline"]
    rows = []
    for round_ in rounds_of(room):
        task, stays = round_.task, round_.kept
        for who, key in round_.last if task.kind is not RoomKind.BREAK else ():
            item, ballot = task.item(key), (who, key)
            if item is None:
                continue
            again = round_.second.get(ballot, stays.get(ballot, ""))
            given = round_.first.get(ballot, ""), again, item.right, item.model
            if ballot in round_.hidden and task.kind_of(item) is RoomKind.TEXT:
                continue
            first, second, *known = (task.wording(item, answer) for answer in given)
            texts = (*(item.texts or (item.question,)), "")[:2]
            reason = "" if ballot in round_.hidden else round_.reasons.get(ballot, "")
            # One item of two rounds is asked twice: its name says when.
            kept = "yes" if ballot in stays else ""
            cells = [f"{round_.number} {key}", first, second, round_.number, *texts, *known, reason, kept]
            rows.append((who, cells))
    return _table(room, [*head, "in_the_data", "model", "reason", "second_kept"], rows, named=named)


def contradictions_csv(room: Room, *, named: bool = True) -> bytes:
    """A line a contradiction that counts, in the order in which they were found."""
    heads, places = [f"headline_{name.lower()}" for name in NAMES], list(permutations(range(3), 2))
    head = ["round", "person", "time", "contradiction", *heads, *(f"before_{name}" for name in heads)]
    head += [f"{NAMES[a]}_{NAMES[b]}".lower() for a, b in places]
    rows = []
    for round_ in (*room.earlier, room.round):
        for attempt in counted_attempts(room, round_):
            task, said = round_.task, by_pair(attempt.scores)
            item = task.item(attempt.item)
            cells = [round_.number, f"{attempt.when:%Y-%m-%d %H:%M:%S}"]
            cells.append(" · ".join(contradictions(attempt.scores, task.threshold)))
            for texts in (attempt.texts, item.texts if item else ()):
                cells += (*texts, "", "", "")[:3]
            cells += [f"{said[pair]:.4f}" if pair in said else "" for pair in places]
            rows.append((attempt.who, [*cells, f"{task.threshold:.4f}", task.scorer]))
    return _table(room, [*head, "same_from", "model"], rows, named=named)


def _table(room: Room, head: Sequence[str], rows: Iterable[tuple[str, list[Any]]], *, named: bool) -> bytes:
    order = sorted(room.here, key=lambda person: digest(f"{room.code}{person.who}"))
    names = {person.who: person.nickname if named else f"Person {at}" for at, person in enumerate(order, 1)}
    marks = {person.who: ["yes" if person.simulated else "no"] for person in order}
    if ["yes"] not in marks.values():
        marks = {}
    lines = [
        [first, names[who], *cells, *marks.get(who, ())] for who, (first, *cells) in rows if who in names
    ]
    return delimited([[*head, *["simulated"] * bool(marks)], *lines]).encode("utf-8")


def groups_csv(room: Room) -> bytes:
    """The groups of the last vote as HLGD was released, for `headline-lab agreement groups`."""
    task, answers = room.round.task, counted(room, room.round.standing)
    people = [person.who for person in room.here if any(who == person.who for who, _ in answers)]
    numbers = group_numbers(task, answers, people)
    merged = merge_annotators(numbers) if people else np.arange(len(task.items))
    columns = [f"annot_{at}_group" for at in range(1, len(people) + 1)]
    marked = [" ".join(name for name, who in zip(columns, people, strict=True) if room.people[who].simulated)]
    marked = marked if any(marked) else []
    rows: list[list[Any]] = [["headline", "date", *columns, "global_group", *["simulated"] * len(marked)]]
    named: dict[int, int] = {}
    for item, given, group in zip(task.items, numbers.tolist(), merged.tolist(), strict=True):
        cells = [group + 1 if group >= 0 else "" for group in given]
        shown = named.setdefault(group, len(named) + 1) if any(cells) else ""
        rows.append([item.texts[0], item.day, *cells, shown, *marked])
    return delimited(rows).encode("utf-8")


def sheets_html(task: RoomTask) -> bytes:
    """Two different sheets to fill in on paper, and after them the key, as one HTML file."""
    numbers = {item.key: number for number, item in enumerate(task.items, 1)}
    orders = {name: [task.items[numbers[key] - 1] for key in item_order(task, name)] for name in VERSIONS}
    sheets = [
        {"name": name, "items": [_printed(task, item, numbers, name) for item in items]}
        for name, items in orders.items()
    ]
    columns = [option.wording for option in task.options]
    grouped = task.kind is RoomKind.GROUPS
    body = Path(__file__).with_name("sheets.html").read_text(encoding="utf-8")
    return html_page(body, title=task.title, task=task, sheets=sheets, columns=columns, grouped=grouped)


def _printed(task: RoomTask, item: RoomItem, numbers: dict[str, int], name: str) -> dict[str, Any]:
    order = shown_order(task, item, name)
    sources = [item.sources[place] for place in order] if item.sources else []
    right = task.wording(item, item.right) if item.right else ""
    return {
        "number": numbers[item.key],
        "texts": [item.texts[place] for place in order],
        "article": item.article,
        "day": written_day(date.fromisoformat(item.day)) if item.day else "",
        # On paper a group is a number: that of the line of its first headline.
        "right": numbers[item.right] if task.kind is RoomKind.GROUPS else right,
        "sources": "; ".join(f"{LETTERS[at]}: {source}" for at, source in enumerate(sources) if source),
    }
