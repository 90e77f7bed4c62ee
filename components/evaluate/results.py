"""The paper's table from the judges' answers, the published figures in it, who judged, and downloads."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from components.compare.opened import Scene
from components.evaluate.sitting import Sitting
from components.markdown import plain
from components.page import downloads, say_found_again, show_error, stem
from components.resources import cached
from components.tables import show_result, show_table
from core import limits
from core.errors import CoreError
from core.headlines.duels import shuffled
from core.people.asking import alpha_table, choices_of, pair_table
from core.people.evaluation import (
    HERE,
    HumanTable,
    as_csv,
    as_json,
    as_latex,
    notes,
    ratings_table,
    shown_rows,
)
from core.people.form import Asks, asked
from core.people.power import SUMMEVAL, AnswerSpread, found_table, pilot_spread, plan_table
from core.people.rating_files import ratings_csv
from core.people.ratings import Ratings
from core.people.strengths import audit, strengths, strengths_table
from core.results.table import Table
from core.runtime import workshop


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
    st.header(table.title, anchor=False)
    show_result(table, alt=table.title)
    for note in table.notes:
        st.caption(plain(note))


def results(sitting: Sitting) -> None:
    ratings = sitting.drawn.ratings()
    fewest = limits.POOLED_JUDGES.value if workshop() else 1
    table = replace(
        _named(sitting.scene, ratings_table(ratings.pooled(fewest))),
        judged=tuple(ratings.complete().sum(axis=1).tolist()),
    )
    if not table.judges:
        st.info(
            "**Nobody has judged these headlines yet.**  \nFigures appear with the first answer.",
            icon=":material/how_to_vote:",
        )
    if table.questions:
        _scores(table)
    if fewest > 1:
        st.caption(
            f"Figures count a headline's answers only where at least {fewest} judges gave one. They hide no "
            "single answer from a person who judges under several names or watches the figures change."
        )
    say_found_again(sitting.drawn.answers)
    damaged = sitting.drawn.damaged()
    if damaged:
        st.caption(
            f":material/warning: {damaged:,} damaged {'entries' if damaged != 1 else 'entry'} in the stored "
            f"answers {'were' if damaged != 1 else 'was'} ignored."
        )
    for line in notes(table):
        st.caption(plain(line))
    if table.judges:
        more(sitting, ratings.pooled(fewest), seed=0)
        st.header("Who judged", anchor=False)
        due = int(asked(ratings.form, ratings.task.systems).sum()) * len(ratings.task.articles)
        show_table(
            {
                "Judge": table.judges,
                "Articles judged": [f"{count:,} of {table.articles:,}" for count in table.judged],
                "Answers": [f"{(~np.isnan(one)).sum():,} of {due:,}" for one in ratings.values],
            },
            alt="Every judge with the articles that they judged in full",
            most=300,
        )
    begin = f"{stem(sitting.scene.articles.name, 'headlines')}-evaluation"
    files = [
        ("CSV", lambda: as_csv(table), f"{begin}.csv", "The table: shares, intervals, points, answers."),
        ("LaTeX", lambda: as_latex(table), f"{begin}.tex", "The table for a paper, with booktabs."),
        ("JSON", lambda: as_json(table), f"{begin}.json", "All values with provenance."),
    ]
    if not workshop() and not sitting.scene.blind:
        better = any(question.asks is Asks.BETTER for question in ratings.form.questions)

        def answers() -> str:
            return ratings_csv(ratings, sitting.order_of if better else None)

        said = "One line a judge, article and system; it can be put together with others."
        files.append(("Answers (CSV)", answers, f"{begin}-answers.csv", said))
    downloads(*files, key="evaluate-export")
    advice(sitting, ratings.pooled(fewest))


def _scores(table: HumanTable) -> None:
    rows = shown_rows(table)
    show_table(
        pd.DataFrame(
            [[name, "judged here" if source == HERE else source, *cells] for name, source, *cells in rows],
            columns=["System", "Figures", *(question.label for question in table.questions)],
        ),
        alt="Every system in every question, in percent, and the published figures",
        columns={
            "System": st.column_config.TextColumn(pinned=True),
            **{question.label: f"{question.text} {question.help}" for question in table.questions},
        },
    )


def _named(scene: Scene, table: HumanTable) -> HumanTable:
    if not scene.blind:
        return table
    order = shuffled(table.systems, "")
    return replace(
        table,
        systems=tuple(f"System {number}" for number in range(1, len(order) + 1)),
        shares=tuple(table.shares[place] for place in order),
    )
