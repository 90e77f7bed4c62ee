"""Results beside the table of scores: preferences, pairs, agreement; and how large a study should be."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.evaluate.sitting import Sitting
from components.markdown import plain
from components.page import show_error
from components.resources import cached
from components.tables import show_table
from core.errors import CoreError
from core.people.evaluation.alphas import alpha_table
from core.people.evaluation.pairs import choices_of, pair_table
from core.people.form import Asks
from core.people.power.spread import SUMMEVAL, AnswerSpread, pilot_spread
from core.people.power.tables import found_table, plan_table
from core.people.preferences.audit import audit
from core.people.preferences.strengths import strengths
from core.people.preferences.tables import strengths_table
from core.people.ratings import Ratings
from core.results.table import Table, text_rows


def more(sitting: Sitting, ratings: Ratings, *, seed: int) -> None:
    """Draws what the form's questions give besides scores, unless the Compare page is blind."""
    if sitting.scene.blind:
        st.caption("Preferences, pairs and agreement are shown once the Compare page names the systems.")
        return
    for at, question in enumerate(ratings.form.questions):
        if question.asks is Asks.PAIRS:
            _show(pair_table(ratings, at))
        elif question.asks is Asks.BETTER:
            choices = choices_of(ratings, question, sitting.order_of)
            if len(choices):
                _show(strengths_table(strengths(choices), choices, audit(choices)))
    if len(ratings.judges) > 1:
        _show(alpha_table(ratings, seed=seed))


def advice(sitting: Sitting, ratings: Ratings) -> None:
    """Draws, folded, how large a study should be and what this one could have found."""
    with st.expander("How large a study?", icon=":material/straighten:"):
        questions = [one for one in ratings.form.questions if not one.about_pairs]
        if not questions:
            st.caption("Sizes are computed for questions about single headlines.")
            return
        answered = bool(ratings.judges) and not sitting.scene.blind
        try:
            if st.toggle("Plan a study", key="evaluate-power-plan"):
                _plan(ratings, {one.key: one.label for one in questions} if answered else {})
            if answered and st.toggle("What this study could find", key="evaluate-power-after"):
                _show(found_table(ratings))
        except CoreError as error:
            show_error(error)


def _plan(ratings: Ratings, questions: dict[str, str]) -> None:
    sought, pilot = st.columns(2, vertical_alignment="bottom")
    difference = sought.number_input(
        "Difference to find, % of the maximum", 1.0, 50.0, 10.0, 1.0, key="evaluate-power-difference"
    )
    chosen = pilot.selectbox(
        "Spread of the answers",
        ["", *questions],
        format_func=lambda key: f"As here: {questions[key]}" if key else "As SummEval's experts",
        key="evaluate-power-spread",
        help="How far the difference of two systems varies between articles, judges and answers.",
    )
    spread = pilot_spread(ratings, [chosen], ratings.task.systems[:2]) if chosen else SUMMEVAL
    _show(_planned(spread, difference / 100))


@cached(max_entries=32)
def _planned(spread: AnswerSpread, difference: float) -> Table:
    return plan_table(spread, difference)


def _show(table: Table) -> None:
    head, *rows = text_rows(table)
    st.header(table.title, anchor=False)
    show_table(pd.DataFrame(rows, columns=head), alt=table.title)
    for note in table.notes:
        st.caption(plain(note))
