"""Judging: one question under its headline, the article beside it; on a phone the article is folded."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st

from components.evaluate import state
from components.evaluate.asking import answers_about, asking, can_undo, give, undo
from components.evaluate.sitting import Sitting
from components.markdown import paragraphs, plain
from components.page import show_kept_error
from components.stepper import steps
from core.people.evaluation.asking import FloatArray, revealed
from core.people.form import Asks, FormQuestion
from core.people.ratings import empty_ratings


@st.fragment
def judging(sitting: Sitting) -> None:
    """Draws one article, its headlines, and the questions about them; an answer redraws nothing else."""
    show_kept_error()
    if sitting.judge:
        complete = sitting.store.ratings(sitting.judge).complete()[0]
    else:
        complete = empty_ratings(sitting.form, sitting.task, ["nobody"]).complete()[0]
    ids, done = sitting.task.articles, int(complete.sum())
    open_rows = np.flatnonzero(~complete).tolist()
    article = state.now().article
    row = ids.index(article) if article in ids else next(iter(open_rows), 0)
    left_open = next(
        (one for one in open_rows if one > row), next((one for one in open_rows if one != row), None)
    )
    values = answers_about(sitting, row)
    # What is not shown yet is not sent to the browser.
    seen = revealed(sitting.form, values, len(sitting.task.systems))
    paper = paragraphs(sitting.text(row)) if seen else _LATER.format(sitting.form.hidden)
    question, article_text = st.columns([3, 2], gap="large")
    with question:
        asking(sitting, row, values, next_article=None if left_open is None else ids[left_open])
        folded = st.container(key="evaluate-article-folded")
        with folded, st.expander("The article", icon=":material/article:"):
            st.markdown(paper)
        _steps(sitting, row, done)
        # In the same place whether it is open or not, so that no answer shuts it.
        with st.expander("All headlines and your answers", icon=":material/checklist:"):
            for at, system in enumerate(sitting.order(row), 1):
                _headline(sitting, row, at, system, values, seen=seen)
    with article_text, st.container(height=500, border=True, key="evaluate-article"):
        st.markdown(paper)
    st.html(_STYLE)


_LATER: Final = ":material/lock: :gray[The article is shown here after question {}.]"

_STYLE: Final = """<style>
.st-key-evaluate-asking strong { font-size: 1.35rem; line-height: 1.3; }
.st-key-evaluate-article-folded { display: none; }
@media (max-width: 640px) {
  .st-key-evaluate-article-folded { display: flex; }
  [data-testid="stColumn"]:has(.st-key-evaluate-article) { display: none; }
}
</style>"""
"""The headline is large; a wide window has the article beside the question, a phone folded under it."""


def _steps(sitting: Sitting, row: int, done: int) -> None:
    ids = sitting.task.articles
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
    st.progress(done / len(ids), text=f"**{done:,}** of {len(ids):,} articles judged")


def _headline(sitting: Sitting, row: int, at: int, system: int, values: FloatArray, *, seen: bool) -> None:
    hidden = sitting.form.hidden
    with st.container(border=True, key=f"evaluate-headline-{at}"):
        headline = sitting.task.headlines[row][system]
        st.markdown(f":small[:gray[Headline {at}]]  \n**{plain(headline)}**")
        with st.container(horizontal=True, gap="small"):
            for number, question in enumerate(sitting.form.questions):
                if question.asks in (Asks.EACH, Asks.ORDER) and (seen or number < hidden):
                    given, closed = float(values[number, system]), seen and number < hidden
                    _answer(sitting, row, (at, system, number), question, given, closed=closed)


def _answer(
    sitting: Sitting,
    row: int,
    where: tuple[int, int, int],
    question: FormQuestion,
    given: float,
    *,
    closed: bool,
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
        disabled=not sitting.judge or closed,
        help=f"{question.text} {question.help}",
        on_change=lambda: give(sitting, row, number, system, st.session_state[key]),
    )


def _level(question: FormQuestion, value: int, wording: str) -> str:
    return wording if question.ranks else f"{value} {wording}".strip()
