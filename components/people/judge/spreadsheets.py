"""Judging in a spreadsheet: the template, and filled tables."""

from functools import partial
from typing import Final

import streamlit as st

from components.frame import downloads, errors, markdown, widgets
from components.opened.reading import read
from components.people.judge.other_tools import for_other_tools
from components.people.judge.sitting import Sitting
from core.errors import InputError
from core.headlines.opening import GivenFile
from core.people import ratings as people_ratings
from core.people.rating_files import merge, rating_tasks, read_ratings, template_csv
from core.runtime import workshop
from core.text.normalise import judge_key

_TOLD: Final = "evaluate_added"


def files(sitting: Sitting) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        _template(sitting)
    with right:
        st.header("Add filled tables", anchor=False)
        with st.form("evaluate-add", border=False):
            look = {"accept_multiple_files": True, "help": markdown.HELPS["evaluate-files"]}
            given = st.file_uploader("Tables of one judge or several", key="evaluate-files", **look)
            sent = st.form_submit_button("Add these answers", icon=":material/check:", key="evaluate-add-go")
        if not sent:
            if _TOLD in st.session_state:
                st.success(markdown.plain(st.session_state.pop(_TOLD)), icon=":material/check:")
            return
        if not given:
            widgets.notice("no_file")
            return
        with errors.errors_shown("Evaluate"):
            st.session_state[_TOLD] = _added(sitting, [GivenFile(new.name, new.getvalue()) for new in given])
            st.rerun()


def _template(sitting: Sitting) -> None:
    st.header("Judge in a spreadsheet", anchor=False)
    st.markdown(markdown.WORDS["texts"]["template"])
    on_page = any(question.asks is people_ratings.Asks.BETTER for question in sitting.form.questions)
    saved = "Template (CSV)", partial(_template_csv, sitting), "evaluation-template.csv"
    downloads.download(saved, key="evaluate-template", disabled=not sitting.judge or on_page)
    if on_page:
        st.caption("This form shows two headlines at a time and is answered on the page.")
    elif sitting.form.hidden:
        first = f"its first {sitting.form.hidden} questions are answered here"
        st.caption(f"An article stands in the template once {first}.")
    if not sitting.form.hidden:  # a tool would show the article at once
        nobody = people_ratings.empty_ratings(sitting.form, sitting.task)
        texts = map(sitting.text, range(len(sitting.task.articles)))
        made = {"tasks": partial(rating_tasks, nobody, list(texts))}
        for_other_tools(made, "evaluation", "evaluate-template")
    if not sitting.judge:
        st.caption("Type your name or initials first: a template is for one judge.")


def _template_csv(sitting: Sitting) -> str:
    ratings, systems = sitting.store.ratings(sitting.judge), len(sitting.task.systems)
    given = ratings.values[0].transpose(1, 0, 2)
    seen = [people_ratings.revealed(sitting.form, answers, systems) for answers in given]
    rows = range(len(sitting.task.articles))
    return template_csv(ratings, list(map(sitting.text, rows)), list(map(sitting.order, rows)), seen)


def _added(sitting: Sitting, given: list[GivenFile]) -> str:
    asked = sitting.form, sitting.whole.task
    work = "Reading the answers", read_ratings
    merged = merge([read(*work, file.data, file.name, *asked) for file in given])
    others = [judge for judge in merged.judges if judge_key(judge) != judge_key(sitting.judge)]
    if others and workshop():
        names = ", ".join(others[:3])[:120]
        hint = "Give in the column judge the name that you judge as; nothing was loaded."
        said = f"The files hold answers of {names}, and here you can add only your own."
        raise InputError(said, hint=hint)
    new = sitting.everything.add(merged)
    judges = ", ".join(merged.judges[:10]) + (" and others" if len(merged.judges) > 10 else "")
    return f"{new:,} new answers by {judges}."
