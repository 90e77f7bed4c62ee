"""Lessons on the Room page: questions are chosen from what is open or written, ordered, and exported."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, show_error
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button
from components.people.room import held, tasks
from core.errors import CoreError, InputError
from core.journal.journal import the_journal
from core.people.room import lessons, measures
from core.people.room.attempts import wording
from core.people.room.task import SAME, RoomItem, RoomTask
from core.text.normalise import clean_line
from core.text.tokens import content, tokenize

CANDIDATES: Final = 40  # pairs of what is open that are offered at once
REMEMBERED: Final = 50  # rooms whose answers say how hard a pair is
KINDS: Final = WORDS["lesson_kinds"]
_TITLE: Final = "lesson-title"
_WRITTEN: Final = ("lesson-asks", "lesson-question", "lesson-texts", "lesson-answers", "lesson-right")
_CHANGED: Final = "lesson-changed"  # key of the question that is being edited
_POINTS: Final = "lesson-points"
_POINTS_OF_NEW: Final = "lesson-points-new"  # of a title that no lesson has yet
_TICKED: Final = "lesson-pair-"


def edit_lessons(chosen: str) -> None:
    """Draws the lesson of the title, all that can be done with its questions, and ways to more of them."""
    known = lessons.all_lessons(the_journal())
    if st.session_state.get("lesson-shown") != chosen:
        st.session_state["lesson-shown"], st.session_state[_TITLE] = chosen, chosen
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.text_input("Title of the lesson", key=_TITLE, max_chars=lessons.LONGEST, width=360)
        title = clean_line(title)
        with st.popover("Import", icon=":material/upload_file:"):
            given = st.file_uploader("Lesson (JSON)", key="lesson-file")
            data = given.getvalue() if given is not None else b""
            button("Add this lesson", "lesson-import", _take_file, data, icon="check", disabled=not data)
        here = known.get(title)
        items, switch = here.items if here else (), {"key": _POINTS_OF_NEW}
        if here:
            st.session_state[_POINTS] = here.points
            pressed = lambda: _save(title, items, points=bool(st.session_state[_POINTS]))  # noqa: E731
            switch = {"key": _POINTS, "on_change": pressed}
        help = "When the room is closed, each phone has its sum of the right answers you showed."
        st.toggle("Points for right answers", help=help, **switch)
        if here:
            file = f"{stem(title, 'lesson')}.json"
            downloads(("Export", partial(lessons.lesson_file, here), file), key="lesson-export")
    for place, item in enumerate(items):
        _line(title, items, place, item)
    with st.expander("Choose pairs from what is open", icon=":material/playlist_add:"):
        _candidates(title, items)
    with st.expander("Write a question", icon=":material/edit:", expanded=_CHANGED in st.session_state):
        _form(title, items)


def _line(title: str, items: Sequence[RoomItem], place: int, item: RoomItem) -> None:
    task = lessons.lesson(title, items)
    with st.container(horizontal=True, vertical_alignment="center", key=f"lesson-line-{place}"):
        right = f"  \n:gray[{plain(task.wording(item, item.right))}]" if item.right else ""
        texts = "".join(f"  \n{plain(text)}" for text in item.texts)
        st.markdown(f"**{place + 1}. {plain(task.words_of(item)[0])}**{texts}{right}", width="stretch")
        without = [*items[:place], *items[place + 1 :]]
        for label, icon, to in (
            ("Earlier", "arrow_upward", place - 1),
            ("Later", "arrow_downward", place + 1),
        ):
            moved, look = [*without[:to], item, *without[to:]], {"icon": icon, "type": "tertiary"}
            fits = 0 <= to < len(items)
            button(label, f"lesson-{label.lower()}-{place}", _save, title, moved, disabled=not fits, **look)
        button("Edit", f"lesson-edit-{place}", _change, task, item, icon="edit", type="tertiary")
        button("Remove", f"lesson-remove-{place}", _save, title, without, icon="delete", type="tertiary")


def _candidates(title: str, items: Sequence[RoomItem]) -> None:
    try:
        drawn = tasks.open_pairs(CANDIDATES)
    except CoreError as error:
        show_error(error)
        return
    known = {item.texts for item in items}
    offered = [lessons.drawn_question(drawn, item) for item in drawn.items if item.texts not in known]
    before = _answers_before(the_journal().url)
    with st.form("lesson-pairs", border=False):
        for item in offered:
            by = (
                (f"as {drawn.key_from}", item.right),
                ("the program" if not item.scorer else "the model", item.model),
            )
            said = " · ".join(f"{who}: {drawn.wording(item, value)}" for who, value in by if value)
            said += " · easy" * _easy(item)
            if item.right and (answers := before.get(tuple(wording(item.texts)))):
                said += f" · right before: {answers[item.right]} of {answers.total()}"
            label = "  \n".join(map(plain, item.texts)) + f"  \n:gray[{plain(said)}]"
            st.checkbox(label, key=_TICKED + item.key)
        given = title, items, offered
        st.form_submit_button("Add the ticked pairs", type="primary", on_click=_add_ticked, args=given)


@st.cache_data(ttl=60, max_entries=4, show_spinner=False)
def _answers_before(journal: str) -> dict[tuple[str, ...], Counter[str]]:
    """First answers of the last rooms; a look at so many would keep phones waiting at each press."""
    return measures.first_answers(islice(held.rooms().latest(), REMEMBERED))


def _easy(item: RoomItem) -> bool:
    """Whether words alone give the right answer: most are shared, or of different events none is."""
    first, second = ({token.form for token in content(tokenize(text))} for text in item.texts)
    shared = len(first & second)
    return 2 * shared >= min(len(first), len(second)) if item.right == SAME else not shared


def _form(title: str, items: Sequence[RoomItem]) -> None:
    with st.form("lesson-write", border=False):
        st.selectbox("Kind", list(KINDS), format_func=KINDS.__getitem__, key=_WRITTEN[0])
        st.text_input("Question", key=_WRITTEN[1], help="Left empty, a pair is asked in the usual words.")
        st.text_area("Headlines, one a line", key=_WRITTEN[2])
        st.text_area("Answers, one a line", key=_WRITTEN[3], help="A pair, a scale and own words need none.")
        st.text_input(
            "Right answer",
            key=_WRITTEN[4],
            help="Told with “Show the answer”; of an order the numbers of its answers, as 2 3 1.",
        )
        changed = st.session_state.get(_CHANGED, "")
        label = "Save the question" if changed else "Add the question"
        st.form_submit_button(label, type="primary", on_click=_write, args=(title, items, changed))


@errors_kept()
def _write(title: str, items: Sequence[RoomItem], changed: str) -> None:
    asks, question, texts, answers, right = (st.session_state[key] or "" for key in _WRITTEN)
    before = next((item for item in items if item.key == changed), None)
    given = [line.strip() for line in answers.splitlines() if line.strip()]
    item = lessons.own_question(asks, question, texts.splitlines(), given, right)
    if before is not None and (before.asks, before.texts) == (item.asks, item.texts):
        # What a model says, and who says what is right, stays true of the same words.
        item = replace(item, model=before.model, scorer=before.scorer)
        item = replace(item, key_from=before.key_from) if before.right == item.right else item
    _save(title, [item if each.key == changed else each for each in items] + [item] * (before is None))
    st.session_state.pop(_CHANGED, None)
    for key in _WRITTEN[1:]:
        st.session_state[key] = ""


def _change(task: RoomTask, item: RoomItem) -> None:
    answers = "\n".join(option.wording for option in item.options)
    right = task.wording(item, item.right) if item.right else ""
    written = str(item.asks), item.question, "\n".join(item.texts), answers, right
    st.session_state.update(zip(_WRITTEN, written, strict=True))
    st.session_state[_CHANGED] = item.key


@errors_kept()
def _add_ticked(title: str, items: Sequence[RoomItem], offered: Sequence[RoomItem]) -> None:
    ticked = [item for item in offered if st.session_state.get(_TICKED + item.key)]
    _save(title, [*items, *ticked])


@errors_kept()
def _take_file(data: bytes) -> None:
    task = lessons.read_lesson(data)
    if task.title in lessons.lessons(the_journal()):
        raise InputError("A lesson of this title is here already.", hint="Change “title” in the file.")
    _save(task.title, task.items, points=task.points)


def _save(title: str, items: Sequence[RoomItem], *, points: bool | None = None) -> None:
    if points is None:  # that was not what was changed
        before = lessons.all_lessons(the_journal()).get(title)
        points = before.points if before else bool(st.session_state.get(_POINTS_OF_NEW))
    lessons.save_lesson(the_journal(), title, items, points=points)
    st.session_state[tasks.LESSON] = title
