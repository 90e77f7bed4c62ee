"""Evaluate: what do people say of headlines when they do not know who wrote them?"""

import streamlit as st

from components.compare.opened import keep_subject, open_scene
from components.evaluate import identity, state
from components.evaluate.asking import judging
from components.evaluate.results import results
from components.evaluate.sitting import files, sit_down
from components.page import errors_shown, page, signature
from components.page_state import show

with page(__file__, "Evaluate", "What do people say of headlines when they do not know who wrote them?"):
    state.write_address()
    identity.come_in()
    top, details = st.container(), st.container()
    scene = open_scene()
    with details:
        sitting = sit_down(scene)
    if sitting is not None:
        with top:
            with errors_shown("Evaluate"):
                # From the first name on there are links to it, and soon answers.
                if sitting.judge:
                    keep_subject(scene)
            with st.container(horizontal=True, vertical_alignment="center", key="evaluate-bar"):
                shown = show(
                    state.SHOWN, state.now().shown, lambda word: state.put(shown=word), key="evaluate-shown"
                )
                if shown != state.RESULTS:
                    identity.judge_field()
            if shown == state.RESULTS:
                results(sitting)
            else:
                (judging if shown == state.JUDGE else files)(sitting)
        signature(f"{scene.opened.title} {scene.opened.fingerprint} · {sitting.task.fingerprint}")
