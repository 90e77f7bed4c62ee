"""The paper's table from the judges' answers, the published figures in it, who judged, and downloads."""

import re
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from components.frame.cookie import keep_cookie
from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, errors_shown, keep_error, show_kept_error
from components.frame.markdown import plain
from components.frame.publish import publish_table, show_published
from components.frame.widgets import TABLES, button, copy_button, notice, pick, show_table
from components.opened.resources import cached
from components.opened.views.people import EVALUATE, change_judging
from components.people.judge.sitting import Sitting, for_other_tools, store_of
from components.people.judge.voting import say_found_again
from core import limits
from core.errors import CoreError, InputError
from core.headlines.blinding import shuffled
from core.journal.journal import the_journal
from core.people.choices import CHOOSE
from core.people.evaluation import as_json, question_tables, ratings_table
from core.people.judges import Judges, NameTaken
from core.people.power import ITEMS, JUDGES, SUMMEVAL, pilot, plan_table
from core.people.rating_files import rating_answers, ratings_csv
from core.people.ratings import LONGEST_NAME, Ratings, asked_of
from core.results.table import Table
from core.runtime import workshop
from core.text.normalise import clean_line, judge_key

_planned = cached(plan_table, max_entries=32)


def advice(sitting: Sitting, ratings: Ratings) -> None:
    with st.expander("How large a study?", icon=":material/straighten:"), errors_shown("Evaluate"):
        single = (each for each in ratings.form.questions if not each.about_pairs)
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
    table = ratings_table(pooled, tested=not blind)
    if blind:
        order = shuffled(ratings.task.systems, "")
        rows = ((f"System {at}", *table.rows[place][1:]) for at, place in enumerate(order, 1))
        table = replace(table, rows=tuple(rows))
    if not ratings.judges:
        notice("nobody_judged")
    _scores(sitting, table, len(ratings.judges))
    if fewest > 1:
        st.caption(
            f"Figures count a headline's answers only where at least {fewest} judges gave one. "
            "A person who judges under several names can still work out single answers."
        )
    say_found_again(stored.answers)
    if damaged := stored.damaged():
        entries, were = ("entries", "were") if damaged != 1 else ("entry", "was")
        said = f"{damaged:,} damaged {entries} in the stored answers {were} ignored."
        st.caption(f":material/warning: {said}")
    if ratings.judges:
        _more(sitting, ratings, pooled)
    begin = f"{stem(sitting.scene.articles.name, 'headlines')}-evaluation"
    files = [("JSON", lambda: as_json(table, ratings), f"{begin}.json")]
    if not workshop() and not blind:
        better = any(question.asks in CHOOSE for question in ratings.form.questions)
        answers = partial(ratings_csv, ratings, sitting.order_of if better else None)
        files.append(("Answers (CSV)", answers, f"{begin}-answers.csv"))
    downloads(*files, key="evaluate-export")
    if len(files) > 1:
        for_other_tools({"answers": partial(rating_answers, ratings)}, begin, "evaluate")
    advice(sitting, pooled)


def _scores(sitting: Sitting, table: Table, judges: int) -> None:
    single = (each for each in sitting.form.questions if not each.about_pairs)
    helps = {each.label: f"{each.text} {each.help}" for each in single}
    if not helps:
        return
    title, source = f"Judged by people: {sitting.scene.articles.name}", f"judges: {judges}"
    look = TABLES["judged"] | {"columns": helps | {"System": {"pinned": True}}}
    show_published(table, name="evaluate-table", title=title, source=source, **look)


def _more(sitting: Sitting, ratings: Ratings, pooled: Ratings) -> None:
    if sitting.scene.blind:
        st.caption("Preferences, pairs and agreement are shown once the Compare page names the systems.")
    else:
        for table in question_tables(pooled, sitting.order_of):
            show_titled(table)
    st.header("Who judged", anchor=False)
    due, articles = int(asked_of(ratings.form, ratings.task).sum()), len(ratings.task.articles)
    judged = ratings.complete().sum(axis=1).tolist()
    table = {"Judge": ratings.judges, "Articles judged": [f"{count:,} of {articles:,}" for count in judged]}
    table["Answers"] = [f"{(~np.isnan(value)).sum():,} of {due:,}" for value in ratings.values]
    show_table(table, **TABLES["judges"])


COOKIE: Final = "headline_lab_judge"
COOKIE_SECONDS: Final = 90 * 24 * 3600

_NAME: Final = "evaluate-judge"
_LINK: Final = "evaluate-link"
_CAME: Final = "evaluate_came"


def come_in() -> None:
    if _CAME in st.session_state:
        return
    st.session_state[_CAME] = True
    linked = EVALUATE.now().token
    EVALUATE.put(token="")
    for token in (linked, str(st.context.cookies.get(COOKIE, ""))):
        name = Judges(journal=the_journal()).holder(token)
        if name:
            change_judging(judge=name, token=token, asked="")
            return
    if linked:
        hint = "Ask for a new one, or give another name."
        keep_error(InputError("This link is not valid here.", hint=hint))


def judge_field() -> None:
    """The name of the judge: asked for once, then small, so that the keys are free for the answers."""
    show_kept_error()
    if EVALUATE.now().judge:
        with st.container(horizontal=True, vertical_alignment="center", key="evaluate-who"):
            st.markdown(f"Judging as **{plain(EVALUATE.now().judge)}**", width="content")
            with st.popover("Your link", icon=":material/key:"):
                said = "Opens your answers on another device or in another browser."
                st.markdown(f"{said} Anyone who has it judges as you.")
                parts = {**st.query_params.to_dict(), "token": EVALUATE.now().token}
                link = f"{st.context.url or ''}?{urlencode(parts)}"
                st.code(link, language=None, wrap_lines=True)
                copy_button("Copy your link", key="evaluate-link-copy", text=link)
            button("Switch judge", "evaluate-other", _leave, icon="person", type="tertiary")
    elif EVALUATE.now().asked:
        notice("name_taken", name=plain(EVALUATE.now().asked))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Your link", key=_LINK, type="password", max_chars=2_000, on_change=_show_link)
            button("Choose another name", "evaluate-rename", partial(EVALUATE.put, asked=""))
    else:
        look = {"max_chars": LONGEST_NAME, "label_visibility": "collapsed", "width": 300}
        look["placeholder"] = "Your name or initials, to begin"
        st.text_input("Your name or initials", key=_NAME, on_change=_take, **look)
    if EVALUATE.now().token or st.session_state[_CAME] == "left":
        keep_cookie(COOKIE, EVALUATE.now().token, COOKIE_SECONDS, key="evaluate-cookie")


def _take() -> None:
    name = clean_line(st.session_state[_NAME])
    if not name:
        return
    try:
        token = Judges(journal=the_journal()).take(name, answered=not workshop())
        change_judging(judge=name, token=token, asked="")
    except NameTaken:
        EVALUATE.put(asked=name)
    except CoreError as error:
        keep_error(error)


def _show_link() -> None:
    given = st.session_state[_LINK].strip()
    if token := re.search(r"[?&]token=([\w-]+)", given):
        given = token[1]
    with errors_kept():
        name = Judges(journal=the_journal()).holder(given)
        if not name or judge_key(name) != judge_key(EVALUATE.now().asked):
            hint = "Copy the whole link, or ask the person who runs the server for a new one."
            raise InputError(f"This is not the link of {EVALUATE.now().asked}.", hint=hint)
        change_judging(judge=name, token=given, asked="")


def _leave() -> None:
    change_judging(judge="", token="")
    st.session_state[_CAME] = "left"
