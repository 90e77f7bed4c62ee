"""Annotate and judge: what do people say of headlines, and how far do they agree?"""

import streamlit as st

from components.agreement import state as agreement
from components.agreement.groups import groups, votes_here, votes_of_a_file
from components.annotate import state as annotate
from components.annotate.voting import group_headlines, vote_on_pairs
from components.compare.opened import keep_subject, open_scene
from components.evaluate import state
from components.evaluate.asking import judging
from components.evaluate.results import come_in, judge_field, results
from components.evaluate.sitting import files, sit_down
from components.page import errors_shown, page, signature
from components.page_state import show


def annotating() -> None:
    annotate.write_address()
    come_in()
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-head"):
        put = annotate.put
        task = show(annotate.TASKS, annotate.now().task, lambda word: put(task=word), key="annotate-task")
        judge_field()
    # Who annotates stands in one line, below the tasks where both do not fit.
    st.html("<style>.st-key-annotate-head > :has(.st-key-evaluate-who) { flex: 1 0 21.5rem; }</style>")
    if task == annotate.GROUPS:
        group_headlines()
    else:
        vote_on_pairs("same_event" if task == annotate.PAIRS else "better_headline")


def evaluating() -> None:
    state.write_address()
    come_in()
    top, details = st.container(), st.container()
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
            put = state.put
            shown = show(state.SHOWN, state.now().shown, lambda word: put(shown=word), key="evaluate-shown")
            if shown != state.RESULTS:
                judge_field()
        if shown == state.RESULTS:
            results(sitting)
        else:
            (judging if shown == state.JUDGE else files)(sitting)
    signature(f"{scene.opened.title} {scene.opened.fingerprint} · {sitting.task.fingerprint}")


def agreeing() -> None:
    agreement.write_address()
    come_in()
    put = agreement.put
    about = show(agreement.ABOUT, agreement.now().about, lambda word: put(about=word), key="agreement-about")
    {agreement.GROUPS: groups, agreement.VOTES: votes_here, agreement.FILE: votes_of_a_file}[about]()


with page(__file__, "Annotate and judge", "What do people say, and do they agree?") as shown:
    {"annotate": annotating, "evaluate": evaluating, "agreement": agreeing}[shown]()
