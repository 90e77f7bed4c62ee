"""What an annotator does to the own groups by buttons, keys, clicks and drops; each is stored at once."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.language import say
from components.opened.views.people import ANNOTATE, annotator
from core.data.answers import Answers
from core.data.timelines.timeline import Timeline
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.people import grouping as annotation
from core.people import studies

TICK: Final = "annotate-tick-"  # what the keys of the headlines of a group that is split begin with
MERGE, SPLIT = "merge", "split"
_MADE: Final = "annotate-made"


class AnnotationDesk(NamedTuple):
    timeline: Timeline
    task: annotation.GroupingTask
    lesson: annotation.Training | None = None
    model: Sequence[int] | None = None
    rules: str = ""  # the usual ones without


def record(answers: Answers, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did; it is on the disk when this returns."""
    answers.append([NewEntry(kind=kind, who=annotator(), body=body)])


def made_by(task: annotation.GroupingTask) -> annotation.PersonGroups:
    """What the annotator of this session has made so far, computed once for all that was stored."""
    entries, about = task.answers.read(), (task.subject, task.study, task.order, annotator())
    known = st.session_state.get(_MADE)
    if known is None or known[0] is not entries or known[1] != about:
        known = entries, about, annotation.person_groups(task, entries, annotator())
        st.session_state[_MADE] = known
    return known[2]


def shown_row(desk: AnnotationDesk, made: annotation.PersonGroups) -> int | None:
    row = ANNOTATE.now().row
    return row if row is not None and 0 <= row < len(desk.task.order) else made.open_row


def offered(made: annotation.PersonGroups, row: int | None) -> tuple[annotation.MadeGroup, ...]:
    now = ANNOTATE.now()
    if not now.act:
        return () if row is None else made.offered(row)
    groups = [group for group in made.offered(None) if group.id != now.first]
    return tuple(group for group in groups if now.act == MERGE or len(group.rows) > 1)


def picked(made: annotation.PersonGroups) -> annotation.MadeGroup | None:
    return next((group for group in made.offered(None) if group.id == ANNOTATE.now().first), None)


def give(desk: AnnotationDesk, before: str | None, body: Mapping[str, Any]) -> None:
    """Places a headline unless another window has placed it since the page was drawn."""
    own = made_by(desk.task).placed.get(body["row"])
    if (own and own.entry) == before:
        _place(desk, body)
    elif own is None or (own.group, own.single) != (body["group"] or own.entry, body["single"]):
        ANNOTATE.put(row=body["row"], find="", typed="", act="", first="")
        _overtaken()


def _overtaken() -> None:
    said = say("That headline was placed meanwhile, so this step was not taken. Look at its group.")
    st.toast(said, icon=":material/info:")


def _place(desk: AnnotationDesk, body: Mapping[str, Any], *, then: int | None = None) -> None:
    _store(desk, [NewEntry(kind=annotation.PLACED, who=annotator(), body=body)], row=then)


@errors_kept()
def _store(desk: AnnotationDesk, entries: Sequence[NewEntry], **view: int | None) -> None:
    studies.require_open(the_journal(), desk.task.study, annotator())
    if annotator() and entries:
        desk.task.answers.append(entries)
        ANNOTATE.put(find="", typed="", act="", first="", **view)


def begin(desk: AnnotationDesk, act: str) -> None:
    """Begins to merge or to split, or ends it with "" or once more; the shown headline's group is split."""
    made = made_by(desk.task)
    ANNOTATE.put(act="" if ANNOTATE.now().act == act else act, first="", find="")
    row = shown_row(desk, made)
    if ANNOTATE.now().act == SPLIT and row in made.placed:
        pick(desk, made.placed[row].group)


def pick(desk: AnnotationDesk, group: str) -> None:
    """Takes a group to merge or to split; the second of two is merged with the first."""
    made = made_by(desk.task)
    second = next((each for each in offered(made, None) if each.id == group), None)
    first, row = picked(made), shown_row(desk, made)
    if second is None:
        return
    if first is not None and ANNOTATE.now().act == MERGE:
        _store(desk, annotation.merge(made, (first, second)))
        return
    ANNOTATE.put(first=group, find="")
    ticked = row if row in second.rows else second.rows[-1]
    st.session_state.update({f"{TICK}{member}": member == ticked for member in second.rows})


def ticked_rows(group: annotation.MadeGroup | None) -> list[int]:
    rows = [row for row in group.rows if st.session_state.get(f"{TICK}{row}")] if group is not None else []
    return rows if group is not None and len(rows) < len(group.rows) else []


def split(desk: AnnotationDesk) -> None:
    made = made_by(desk.task)
    rows, shown = ticked_rows(picked(made)), {"split": ANNOTATE.now().first}
    _store(desk, annotation.split(made, rows, shown=shown))


def undo(desk: AnnotationDesk) -> None:
    made = made_by(desk.task)
    row = made.steps[-1][1] if made.steps else None
    _store(desk, annotation.undo(made), **({} if row is None else {"row": row}))


def hear(desk: AnnotationDesk, component: str) -> None:
    """Does what the browser tells, in order: keys, clicks on the timeline, and what was dropped on what."""
    message = st.session_state[component]["keys"]
    if message["sent"] <= ANNOTATE.now().heard:
        return
    ANNOTATE.put(heard=message["sent"])
    made, row = made_by(desk.task), message["row"]
    own = made.placed.get(row)
    stands = row is None or (own and own.entry) == message["entry"]
    goes = [key for key in message["keys"] if str(key).startswith("go ")]
    if not stands and len(goes) < len(message["keys"]):
        _overtaken()
    # What was meant for another headline than is open by now is not done; a click on the timeline always is.
    for key in message["keys"] if stands and row == shown_row(desk, made) else goes:
        with errors_kept():
            verb, *given = str(key).split()
            typed = ANNOTATE.now().typed
            ANNOTATE.put(typed="")
            if verb in _VERBS:
                _VERBS[verb](desk, *given)
            else:
                _type(desk, verb, typed + verb if verb.isdecimal() else typed, ahead=message["ahead"])


def _type(desk: AnnotationDesk, key: str, digits: str, *, ahead: bool) -> None:
    made, act = made_by(desk.task), ANNOTATE.now().act
    row, group = shown_row(desk, made), picked(made)
    if act == SPLIT and group is not None:
        if key == "Enter":
            split(desk)
        elif key.isdecimal() and 0 < int(key) <= len(group.rows):
            tick = f"{TICK}{group.rows[int(key) - 1]}"
            st.session_state[tick] = not st.session_state.get(tick)
        return
    group, further = annotation.numbered(offered(made, row), digits, ended=not key.isdecimal())
    if group is not None and act:
        pick(desk, group.id)
    elif row is not None and (group is not None or key in {"n", "v"}):
        shown, into = {} if ahead else made.seen(row, desk.model), "" if group is None else group.id
        _place(desk, annotation.place(row, group=into, single=key == "v", shown=shown))
    elif further and key.isdecimal():
        ANNOTATE.put(typed=digits)


def _step(desk: AnnotationDesk, by: int) -> None:
    order, row = desk.task.order, shown_row(desk, made_by(desk.task))
    at = (len(order) if row is None else order.index(row)) + by
    if 0 <= at < len(order):
        ANNOTATE.put(row=order[at], find="")


def _go(desk: AnnotationDesk, row: str) -> None:
    made = made_by(desk.task)
    if not ANNOTATE.now().act:
        ANNOTATE.put(row=int(row), find="")
    elif int(row) in made.placed:
        pick(desk, made.placed[int(row)].group)


def _drop(desk: AnnotationDesk, what: str, onto: str) -> None:
    """Merges a group "g3" with another, or puts a headline, its row, into a group."""
    made, here = made_by(desk.task), ANNOTATE.now().row
    groups = {f"g{group.number}": group for group in made.offered(None)}
    if what in groups and onto in groups:
        _store(desk, annotation.merge(made, (groups[what], groups[onto])))
    elif what.isdecimal() and onto in {*groups, "new", "vague"}:
        row, group = int(what), groups[onto].id if onto in groups else ""
        body = annotation.place(row, group=group, single=onto == "vague", shown=made.seen(row, desk.model))
        _place(desk, body, then=None if row == shown_row(desk, made) else here)


_VERBS: Final[Mapping[str, Callable[..., None]]] = {
    "z": undo,
    "m": partial(begin, act=MERGE),
    "s": partial(begin, act=SPLIT),
    "Escape": partial(begin, act=""),
    **dict.fromkeys(("ArrowLeft", "ArrowUp"), partial(_step, by=-1)),
    **dict.fromkeys(("ArrowRight", "ArrowDown"), partial(_step, by=1)),
    "go": _go,
    "drop": _drop,
}
