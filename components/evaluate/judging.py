"""Judging: the article to the left, its headlines without their systems to the right."""

from __future__ import annotations

import numpy as np
import streamlit as st

from components.evaluate import state
from components.evaluate.asking import answers_about, asking, can_undo, give, undo
from components.evaluate.sitting import Sitting
from components.markdown import paragraphs, plain
from components.page import show_kept_error
from components.stepper import steps
from core.people.evaluation.asking import FloatArray
from core.people.form import FormQuestion
from core.people.ratings import empty_ratings


@st.fragment
def judging(sitting: Sitting) -> None:
    """Draws one article, its headlines, and the questions about them; an answer redraws nothing else."""
    show_kept_error()
    if sitting.judge:
        complete = sitting.store.ratings(sitting.judge).complete()[0]
    else:
        complete = empty_ratings(sitting.form, sitting.task, ["nobody"]).complete()[0]
        if not state.now().asked:
            st.info("**Type your name or initials to begin.**", icon=":material/badge:")
    ids, done = sitting.task.articles, int(complete.sum())
    open_rows = np.flatnonzero(~complete).tolist()
    article = state.now().article
    row = ids.index(article) if article in ids else next(iter(open_rows), 0)
    left_open = next(
        (one for one in open_rows if one > row), next((one for one in open_rows if one != row), None)
    )
    st.progress(done / len(ids), text=f"**{done:,}** of {len(ids):,} articles judged")
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-steps"):
        said = f"Article **{row + 1:,}** of {len(ids):,}"
        steps(said, row, len(ids), lambda to: state.put(article=ids[to]), what="article")
        st.button(
            "Undo",
            key="evaluate-undo",
            icon=":material/undo:",
            type="tertiary",
            disabled=not can_undo(sitting),
            on_click=undo,
            args=(sitting,),
            shortcut="U",
        )
    values = answers_about(sitting, row)
    left, right = st.columns([2, 3], gap="large")
    with left, st.container(height=560, border=True, key="evaluate-article"):
        st.markdown(paragraphs(sitting.text(row)))
    with right:
        asking(sitting, row, values, next_article=None if left_open is None else ids[left_open])
        for at, system in enumerate(sitting.order(row), 1):
            _headline(sitting, row, at, system, values)


def _headline(sitting: Sitting, row: int, at: int, system: int, values: FloatArray) -> None:
    """A system's headline with its questions, the `at`-th on the page."""
    with st.container(border=True, key=f"evaluate-headline-{at}"):
        headline = sitting.task.headlines[row][system]
        st.markdown(f":small[:gray[Headline {at}]]  \n**{plain(headline)}**")
        with st.container(horizontal=True, gap="small"):
            for number, question in enumerate(sitting.form.questions):
                _answer(sitting, row, (at, system, number), question, float(values[number, system]))


def _answer(
    sitting: Sitting, row: int, where: tuple[int, int, int], question: FormQuestion, given: float
) -> None:
    at, system, number = where
    levels = {level.value: level.wording for level in question.allowed(len(sitting.task.systems))}
    key = f"rate-{row}-{at}-{question.key}"
    st.session_state[key] = None if np.isnan(given) else int(given)
    st.segmented_control(
        question.label,
        sorted(levels, reverse=question.ranks),
        format_func=lambda value: _level(question, value, levels[value]),
        key=key,
        width="content",
        disabled=not sitting.judge,
        help=f"{question.text} {question.help}",
        on_change=lambda: give(sitting, row, number, system, st.session_state[key]),
    )


def _level(question: FormQuestion, value: int, wording: str) -> str:
    return wording if question.ranks else f"{value} {wording}".strip()
