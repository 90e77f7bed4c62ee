"""Which timeline is grouped, what the annotator reads first, and whether the training comes before it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components import resources
from components.annotate import state
from components.annotate.grouping import AnnotationDesk, end_training, grouping, made_by, trained
from components.page import errors_shown, say_found_again
from components.page_state import controlled
from components.timeline import state as timeline_state
from components.timeline.chooser import choose_timeline
from core.events.grouping import Settings
from core.people.annotation.grouping import grouping_task
from core.people.annotation.training import Training, training

_RULES: Final = "  \n".join(
    (
        "Read the headlines in the order of time, and say of each which event it reports:",
        "",
        "- **A new event:** no earlier headline reports it. Press `N`.",
        "- **An earlier event:** press the number of its group, as it stands before the group and in the "
        "table. It stays the same. Headlines of one event may share no word.",
        "- **Dates count:** headlines months apart are about different events, even in the same words.",
        "- **Too vague:** a headline that names no event stays alone. Press `V`.",
        "",
        "`Z` undoes, `←` and `→` go to other headlines. Every answer is stored at once: close the window and "
        "come back when you like. Nobody sees your groups while you annotate.",
    )
)


def group_headlines() -> None:
    """Draws the grouping of the timeline that is open, the training first."""
    lesson = training()
    ready = bool(state.annotator()) and trained(lesson)
    begun = bool(state.annotator()) and bool(made_by(lesson.task).placed)
    if not ready:
        with st.expander("Instructions", icon=":material/menu_book:", expanded=not begun):
            st.markdown(_RULES)
        _before(lesson, begun=begun)
        return
    here = timeline_state.now().data
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-bar"):
        choose_timeline("annotate-data", lambda: state.put(row=None, find=""))
        with st.popover("Instructions", icon=":material/menu_book:", type="tertiary"):
            st.markdown(_RULES)
            st.toggle(
                "Show the model's suggestion",
                **controlled("annotate-suggest", state.now().suggest, lambda on: state.put(suggest=on)),
                help="Off as a rule: people who see a suggestion agree with it more often, so their "
                "agreement says less. What was shown is stored with each answer.",
            )
    timeline = resources.timeline(here)
    with errors_shown("Annotate"):
        resources.keep_subject(here)
    model = None
    if state.now().suggest:
        prepared = resources.prepared(here, Settings())
        model = resources.grouping(prepared, None).ids[prepared.position].tolist()
    task = grouping_task(timeline)
    say_found_again(task.answers)
    grouping(AnnotationDesk(timeline, task, model=model))


def _before(lesson: Training, *, begun: bool) -> None:
    if not state.annotator():
        st.info("Type your name or initials above to begin.", icon=":material/person:")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Training:** {len(lesson.timeline)} headlines with feedback", width="content")
        st.button(
            "Skip the training",
            key="annotate-skip",
            type="tertiary",
            on_click=end_training,
            args=(lesson,),
            help="For annotators who have done it before.",
        )
    grouping(AnnotationDesk(lesson.timeline, lesson.task, lesson=lesson, begun=begun))
