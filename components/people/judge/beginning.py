"""What a task of annotators is, with an example, and the name that begins it."""

from collections.abc import Callable

import streamlit as st

from components.frame.markdown import plain
from components.frame.widgets import part_link
from components.people.judge.grouping import RULES
from components.people.judge.judge_name import judge_field
from components.people.judge.voting import open_task
from core.data.timelines.timeline import Field
from core.people.grouping import training
from core.people.study import Purpose
from core.results.render import count_words

_GROUPED = 4  # headlines of the training in the example


def ask_name(said: str, more: str) -> None:
    with st.container(gap="small", key="judge-begin"):
        st.header(plain(said), anchor=False)
        st.markdown(f":gray[{plain(more)}]")
        with st.container(horizontal=True, vertical_alignment="center", key="judge-name"):
            judge_field()


def begin_grouping() -> None:
    headlines = count_words(len(training().timeline), "headline", "headlines")
    more = f"First {headlines} with feedback, then a timeline."
    _begin("Which headlines report the same event?", more, RULES, _grouped)


def begin_voting(question: str) -> None:
    task = open_task(question)
    item = task.pool(Purpose.MAIN)[0]

    def example() -> None:
        for text, day in ((item.left, item.days[0]), (item.right, item.days[1])):
            st.markdown(f":small[:gray[{plain(day)}]]  \n**{plain(text)}**" if day else f"**{plain(text)}**")
        answers = " · ".join(choice.label for choice in task.question.choices)
        st.caption(f"Answers: {answers}")

    _begin(task.question.text, "Two headlines at a time.", task.question.rules, example)


def _begin(said: str, more: str, rules: str, example: Callable[[], None]) -> None:
    ask_name(said, more)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(rules)
        part_link("What comes out of it", "agreement", "handshake")
    with right, st.container(border=True, key="judge-example"):
        st.caption("For example")
        example()


def _grouped() -> None:
    lesson = training()
    gold = lesson.timeline.table[Field.GOLD].tolist()[:_GROUPED]
    numbers = {group: at for at, group in enumerate(dict.fromkeys(gold), 1)}
    for group, text, why in zip(gold, lesson.timeline.texts, lesson.reasons, strict=False):
        st.markdown(f":gray-badge[**{numbers[group]}**] **{plain(text)}**  \n:small[:gray[{plain(why)}]]")
