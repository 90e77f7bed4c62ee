"""Annotate: which headlines report the same event, in the judgement of people?"""

import streamlit as st

from components.annotate import state
from components.annotate.voting import group_headlines, vote_on_pairs
from components.evaluate import identity
from components.page import page
from components.page_state import show

with page(__file__, "Annotate", "Which headlines report the same event?"):
    state.write_address()
    identity.come_in()
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-head"):
        task = show(state.TASKS, state.now().task, lambda word: state.put(task=word), key="annotate-task")
        identity.judge_field()
    # Who annotates stands in one line, below the tasks where both do not fit.
    st.html("<style>.st-key-annotate-head > :has(.st-key-evaluate-who) { flex: 1 0 21.5rem; }</style>")
    if task == state.GROUPS:
        group_headlines()
    else:
        vote_on_pairs("same_event" if task == state.PAIRS else "better_headline")
