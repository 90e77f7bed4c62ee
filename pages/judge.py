"""Annotate and judge: what do people say of headlines, and how far do they agree?"""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import streamlit as st

from components.frame.errors import errors_shown
from components.frame.page_state import BARE
from components.frame.subject import signature
from components.headlines.compare.opened import keep_subject, open_scene
from components.opened.views import people as views
from components.page import page
from components.people.judge.asking import judging
from components.people.judge.beginning import ask_name, begin_grouping, begin_voting
from components.people.judge.group_agreement import groups
from components.people.judge.judge_name import come_in, judge_field
from components.people.judge.results import results
from components.people.judge.sitting import sit_down
from components.people.judge.spreadsheets import files
from components.people.judge.vote_agreement import votes_here, votes_of_a_file
from components.people.judge.voting import choose_set, group_headlines, vote_on_pairs
from components.people.study.running import running
from components.people.study.setup import set_up
from core.errors import CoreError
from core.journal.journal import the_journal


def annotating() -> None:
    views.annotate_address()
    come_in()
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-head"):
        task = views.ANNOTATE.show("task", views.TASKS, "annotate-task")
        if views.annotator():
            judge_field()
        elif task != views.GROUPS:
            choose_set("annotate-pairs")
    if task == views.GROUPS:
        (group_headlines if views.annotator() else begin_grouping)()
    else:
        vote = vote_on_pairs if views.annotator() else begin_voting
        vote("same_event" if task == views.PAIRS else "better_headline")


def evaluating() -> None:
    views.evaluate_address()
    come_in()
    top, details = st.container(), st.container(key="evaluate-details")
    scene = open_scene()
    with details:
        sitting = sit_down(scene)
    if sitting is None:
        return
    with top:
        with errors_shown("Evaluate"):
            # From the first name on there are links to it, and soon answers.
            if sitting.judge:
                keep_subject(scene)
        with st.container(horizontal=True, vertical_alignment="center", key="evaluate-bar"):
            shown = views.EVALUATE.show("shown", views.EVALUATED, "evaluate-shown")
            if shown != views.RESULTS and sitting.judge:
                judge_field()
        if shown != views.RESULTS and not sitting.judge:
            about = f"{len(sitting.form.questions)} questions for each; no system is named."
            ask_name(f"Judge the headlines of {len(sitting.task.articles):,} articles", about)
        if shown == views.RESULTS:
            results(sitting)
        else:
            (judging if shown == views.JUDGE else files)(sitting)
    signature(f"{scene.opened.title} {scene.opened.fingerprint} · {sitting.task.fingerprint}")


def agreeing() -> None:
    views.agreement_address()
    come_in()
    with (bar := st.container(horizontal=True, vertical_alignment="center", key="agreement-bar")):
        about = views.AGREEMENT.show("about", views.AGREED, "agreement-about")
    bars = {views.GROUPS: partial(groups, bar), views.VOTES: partial(votes_here, bar)}
    bars.get(about, votes_of_a_file)()


def studying() -> None:
    views.annotate_address(views.STUDY.part())
    come_in()
    if not views.STUDY.now().code:
        set_up()
    elif views.STUDY.now().run:
        running()
    else:
        st.session_state[BARE] = "study"
        st.switch_page("pages/study.py", query_params=st.query_params.to_dict())


with page(__file__, "Annotate and judge", "What do people say, and do they agree?") as shown:
    with suppress(CoreError):  # what reads the journal says what is wrong with it
        if lost := the_journal().lost(datetime.now(UTC) - timedelta(days=7)):
            st.warning(lost, icon=":material/warning:")
    {"annotate": annotating, "evaluate": evaluating, "agreement": agreeing, "studies": studying}[shown]()
