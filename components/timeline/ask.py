"""Questions that set how wide an event is: two headlines, the same event or not?"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from components import resources
from components.markdown import plain
from components.timeline import state
from components.timeline.correct import record
from components.timeline.group_list import written_days
from components.timeline.marks import changes
from components.timeline.workspace import SETTINGS, View
from core.events.grouping import start_of
from core.groups.asking import Answer, Asking, asking
from core.groups.average_linkage import Dendrogram

QUESTIONS = 5
_KEY = "width-questions"


@dataclass(slots=True)
class _Round:
    """Answers on one timeline, while they are given; `asked` of them are wanted."""

    about: str
    start: float
    answers: list[Answer] = field(default_factory=list)
    asked: int = QUESTIONS


def offer_questions(view: View) -> None:
    """The button that begins; nothing for a method without a tree, or while questions are asked."""
    about = view.prepared.signature
    running = st.session_state.get(_KEY)
    if not isinstance(view.prepared.hierarchy, Dendrogram) or len(view.prepared.timeline) < 3:
        return
    if running is None or running.about != about:
        start = start_of(view.prepared, view.corrections)
        st.button(
            f"Help set the width: {QUESTIONS} questions",
            key="width-begin",
            icon=":material/quiz:",
            type="tertiary",
            on_click=_begin,
            args=(_Round(about, start),),
            help="How wide an event is belongs to you: your answers move the slider.",
        )


def _begin(round_: _Round) -> None:
    st.session_state[_KEY] = round_
    st.session_state[SETTINGS] = False  # what is asked stands below and must be seen


def width_questions(view: View) -> None:
    """The question that is asked now, and what the last answer changed."""
    running = st.session_state.get(_KEY)
    if running is None or running.about != view.prepared.signature:
        return
    questions = asking(view.prepared.hierarchy, running.start, view.prepared.timeline.texts)
    done = len(running.answers)
    pair = questions.question(running.answers) if done < running.asked else None
    with st.container(border=True, key="width-panel"):
        if pair is None:
            _end(view, running, questions)
        else:
            _question(view, running, questions, pair)
        if done:
            st.caption(_said(view, running, questions))


def _question(view: View, running: _Round, questions: Asking, pair: tuple[int, int]) -> None:
    number = f"{len(running.answers) + 1} of {running.asked}"
    st.markdown(f"**Do these two report the same event?** :small[:gray[{number}]]")
    timeline = view.prepared.timeline
    days, outlets = written_days(timeline), timeline.publishers
    for column, row in zip(st.columns(2), pair, strict=True):
        details = plain(" · ".join(filter(None, (outlets[row], days[row]))))
        column.markdown(f"{plain(timeline.texts[row])}  \n:small[:gray[{details}]]")
    with st.container(horizontal=True, key="width-answers"):
        for label, key, same in (
            ("Same event", "S", True),
            ("Different", "D", False),
            ("Not sure", "N", None),
        ):
            st.button(
                label,
                key=f"width-{key}",
                shortcut=key,
                on_click=_answer,
                args=(running, questions, Answer(*pair, same)),
            )
        _undo(running, questions)
        st.button("Close", key="width-stop", type="tertiary", on_click=_close)


def _end(view: View, running: _Round, questions: Asking) -> None:
    level = questions.level(running.answers)
    st.markdown(f"**Width {running.start:.2f} → {level:.2f}** by your answers.")

    def keep() -> None:
        record(view, lambda now: now.level(level))
        state.put(granularity=None)
        _close()

    with st.container(horizontal=True, key="width-end"):
        st.button("Keep this width", key="width-keep", type="primary", on_click=keep)
        st.button(f"{QUESTIONS} more", key="width-more", on_click=_more, args=(running,))
        _undo(running, questions)
        st.button("Close", key="width-stop", type="tertiary", on_click=_close)


def _undo(running: _Round, questions: Asking) -> None:
    if running.answers:
        st.button(
            "Undo", key="width-undo", type="tertiary", shortcut="U", on_click=_back, args=(running, questions)
        )


def _answer(running: _Round, questions: Asking, answer: Answer) -> None:
    running.answers.append(answer)
    _move(running, questions)


def _back(running: _Round, questions: Asking) -> None:
    running.answers.pop()
    _move(running, questions)


def _move(running: _Round, questions: Asking) -> None:
    state.put(granularity=questions.level(running.answers))


def _more(running: _Round) -> None:
    running.asked += QUESTIONS


def _close() -> None:
    st.session_state.pop(_KEY, None)


def _said(view: View, running: _Round, questions: Asking) -> str:
    level = questions.level(running.answers[:-1])
    before = resources.grouping(view.prepared, level, corrections=view.corrections or None)
    return f"Your last answer: {changes(before.ids, view.grouping.ids)}"
