"""The table of what judges answered, and what can be saved of it."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_shown
from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.markdown import WORDS, plain
from components.frame.publish import publish_table, show_published
from components.frame.tables import TABLES, show_table
from components.frame.widgets import notice, pick
from components.opened.resources import cached
from components.people.judge.other_tools import for_other_tools
from components.people.judge.sitting import Sitting, store_of
from components.people.judge.voting import say_found_again
from core import limits
from core.headlines.blinding import shuffled
from core.people import choices, evaluation, rating_files
from core.people.power import ITEMS, JUDGES, pilot, plan_table
from core.people.ratings import Ratings, asked_of
from core.results.table import Table, number_of
from core.runtime import workshop
from core.statistics.study_size import SUMMEVAL

_planned = cached(plan_table, max_entries=32)


def advice(sitting: Sitting, ratings: Ratings) -> None:
    with st.expander("How large a study?", icon=":material/straighten:"), errors_shown("Evaluate"):
        single = (each for each in ratings.form.questions if each.scored)
        questions = {each.key: f"As here: {each.label}" for each in single}
        if not questions:
            st.caption("Sizes are computed for questions about single headlines.")
            return
        answered = bool(ratings.judges) and not sitting.scene.blind
        if st.toggle("Plan a study", key="evaluate-power-plan"):
            cells = st.columns(4, vertical_alignment="bottom")
            asked = ("Difference, %", 1.0, 50.0, 10.0), ("Judges", 1, 100, JUDGES), ("Items", 10, 1000, ITEMS)
            difference, judges, items = (
                cell.number_input(label, *bounds, key=f"evaluate-power-{label.split(',')[0].lower()}")
                for cell, (label, *bounds) in zip(cells, asked, strict=False)
            )
            words = {"": "As SummEval's experts"} | (questions if answered else {})
            with cells[-1]:
                chosen = pick("Spread of the answers", words, words, "evaluate-power-spread")
            spread = pilot(ratings, chosen, ratings.task.systems[:2])[0] if chosen else SUMMEVAL
            plan = _planned(spread, difference / 100, items=items, judges=judges)
            for question, answer, *_ in plan.rows:
                st.markdown(f"**{question}**  \n{answer}")
            for note in plan.notes:
                st.caption(plain(note))
            publish_table(lambda: plan, name=_name(plan), title=plan.title)


def show_titled(table: Table) -> None:
    st.header(table.title, anchor=False)
    show_published(table, name=_name(table), title=table.title)


def _name(table: Table) -> str:
    return f"evaluate-{stem(table.title, 'table')}"


def results(sitting: Sitting) -> None:
    stored = store_of(sitting.form, sitting.all_sheets)  # all parts of the articles that were drawn
    ratings = stored.ratings()
    fewest, blind = limits.POOLED_JUDGES.value if workshop() else 1, sitting.scene.blind
    pooled = ratings.pooled(fewest)
    table = evaluation.ratings_table(pooled, tested=not blind)
    if blind:
        order = shuffled(ratings.task.systems, "")
        rows = [(f"System {at}", *table.rows[place][1:]) for at, place in enumerate(order, 1)]
    else:
        rows = sorted(table.rows, key=lambda row: [-(number_of(share) or 0.0) for share in row[4:]])
    table = replace(table, rows=tuple(rows))
    if not ratings.judges:
        notice("nobody_judged")
    _scores(sitting, table, len(ratings.judges))
    if fewest > 1:
        st.caption(WORDS["texts"]["pooled"].format(fewest))
    say_found_again(stored.answers)
    if damaged := stored.damaged():
        entries, were = ("entries", "were") if damaged != 1 else ("entry", "was")
        said = f"{damaged:,} damaged {entries} in the stored answers {were} ignored."
        st.caption(f":material/warning: {said}")
    if ratings.judges:
        _more(sitting, ratings, pooled)
    begin = f"{stem(sitting.scene.articles.name, 'headlines')}-evaluation"
    files = [("JSON", lambda: evaluation.as_json(table, ratings), f"{begin}.json")]
    if not workshop() and not blind:
        better = any(question.asks in choices.CHOOSE for question in ratings.form.questions)
        answers = partial(rating_files.ratings_csv, ratings, sitting.order_of if better else None)
        files.append(("Answers (CSV)", answers, f"{begin}-answers.csv"))
    downloads(*files, key="evaluate-export")
    if len(files) > 1:
        for_other_tools({"answers": partial(rating_files.rating_answers, ratings)}, begin, "evaluate")
    advice(sitting, pooled)


def _scores(sitting: Sitting, table: Table, judges: int) -> None:
    single = (each for each in sitting.form.questions if each.scored)
    helps = {each.label: f"{each.text} {each.help}" for each in single}
    if not helps:
        return
    title, source = f"Judged by people: {sitting.scene.articles.name}", f"judges: {judges}"
    look = TABLES["judged"] | {"columns": helps | {"System": {"pinned": True}}}
    if judges:
        show_figures(table, alt=title)
    with st.expander(ALL_FIGURES, expanded=not judges, icon=":material/table_rows:"):
        show_published(table, name="evaluate-table", title=title, source=source, **look)


def _more(sitting: Sitting, ratings: Ratings, pooled: Ratings) -> None:
    if sitting.scene.blind:
        st.caption("Preferences, pairs and agreement are shown once the Compare page names the systems.")
    else:
        for table in evaluation.question_tables(pooled, sitting.order_of):
            show_titled(table)
    st.header("Who judged", anchor=False)
    due, articles = int(asked_of(ratings.form, ratings.task).sum()), len(ratings.task.articles)
    judged = ratings.complete().sum(axis=1).tolist()
    table = {"Judge": ratings.judges, "Articles judged": [f"{count:,} of {articles:,}" for count in judged]}
    table["Answers"] = [f"{(~np.isnan(value)).sum():,} of {due:,}" for value in ratings.values]
    show_table(table, **TABLES["judges"])
