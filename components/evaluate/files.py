"""Judging in a spreadsheet: a template to export, and filled tables that come back."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.downloads import Download, download
from components.evaluate.sitting import Sitting
from components.markdown import plain
from components.open.reading import read
from components.page import show_error
from core.errors import CoreError, InputError
from core.headlines.side_by_side.loading import GivenFile
from core.people.evaluation.asking import revealed
from core.people.form import Asks
from core.people.rating_files import read_ratings, template_csv
from core.people.ratings import judge_key, merge
from core.runtime import workshop

_TOLD: Final = "evaluate_added"


def files(sitting: Sitting) -> None:
    """Draws the template's download and the upload of filled tables."""
    left, right = st.columns(2, gap="large")
    with left:
        _template(sitting)
    with right:
        _upload(sitting)


def _template(sitting: Sitting) -> None:
    st.header("Judge in a spreadsheet", anchor=False)
    st.markdown(
        "The template holds the articles and their headlines, mixed and without their systems, and a column "
        "for each question with its scale. What you have answered here is filled in."
    )
    template = Download(
        "Template (CSV)",
        lambda: template_csv(
            sitting.store.ratings(sitting.judge),
            [sitting.text(row) for row in range(len(sitting.task.articles))],
            [sitting.order(row) for row in range(len(sitting.task.articles))],
            [
                revealed(sitting.form, answers, len(sitting.task.systems))
                for answers in sitting.store.ratings(sitting.judge).values[0].transpose(1, 0, 2)
            ],
        ),
        "evaluation-template.csv",
        "Leave the column item as it is: it says which headline a row is about.",
    )
    on_page = any(question.asks is Asks.BETTER for question in sitting.form.questions)
    download(template, key="evaluate-template", disabled=not sitting.judge or on_page)
    if on_page:
        st.caption("This form shows two headlines at a time and is answered on the page.")
    elif sitting.form.hidden:
        st.caption(
            f"An article stands in the template once its first {sitting.form.hidden} questions are answered "
            "here."
        )
    if not sitting.judge:
        st.caption("Type your name or initials first: a template is for one judge.")


def _upload(sitting: Sitting) -> None:
    st.header("Add filled tables", anchor=False)
    with st.form("evaluate-add", border=False):
        given = st.file_uploader(
            "Tables of one judge or several",
            key="evaluate-files",
            accept_multiple_files=True,
            help="CSV, TSV, XLSX, JSON, JSON Lines or Parquet: filled templates, answers from another "
            "computer, or a table of your own with judge, article, system and a column a question.",
        )
        sent = st.form_submit_button("Add these answers", icon=":material/check:", key="evaluate-add-go")
    if not sent:
        if _TOLD in st.session_state:
            st.success(plain(st.session_state.pop(_TOLD)), icon=":material/check:")
        return
    if not given:
        st.info("Choose a file first.", icon=":material/upload_file:")
        return
    try:
        st.session_state[_TOLD] = _added(sitting, [GivenFile(one.name, one.getvalue()) for one in given])
    except CoreError as error:
        show_error(error)
        return
    st.rerun()


def _added(sitting: Sitting, given: list[GivenFile]) -> str:
    parts = [
        read("Reading the answers", read_ratings, one.data, one.name, sitting.form, sitting.whole.task)
        for one in given
    ]
    merged = merge(parts)
    others = [judge for judge in merged.judges if judge_key(judge) != judge_key(sitting.judge)]
    if others and workshop():
        raise InputError(
            f"The files hold answers of {', '.join(others[:3])[:120]}, and here you can add only your own.",
            hint="Give in the column judge the name that you judge as; nothing was loaded.",
        )
    new = sitting.everything.add(merged)
    judges = ", ".join(merged.judges[:10]) + (" and others" if len(merged.judges) > 10 else "")
    return f"{new:,} new answers by {judges}."
