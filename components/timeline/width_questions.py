"""Questions on how wide an event is; the answers set the level."""

import streamlit as st

from components.frame.markdown import plain, quiet
from components.frame.widgets import button
from components.opened import resources
from components.opened.views import timeline as state
from components.timeline import correct, group_list, workspace
from core.events.correcting import asking, can_ask
from core.events.grouping import start_of
from core.events.level_changes import changes
from core.groups.width_questions import PairAnswer

QUESTIONS = 5


def offer_questions(view: workspace.View) -> None:
    """The button that begins; nothing for a method without a tree, or while questions are asked."""
    if can_ask(view.prepared) and not state.now().asked:

        def begin() -> None:
            state.answer([], QUESTIONS)
            # The settings close: what is asked stands below and must be seen.
            st.session_state[workspace.SETTINGS] = False

        label = f"Help set the width: {QUESTIONS} questions"
        button(label, "width-begin", begin, icon="quiz", type="tertiary")


def width_questions(view: workspace.View) -> None:
    """Asks; the answers hold at once, so that *Keep* stores what is seen and changes nothing."""
    wanted, prepared, answers = state.now().asked, view.prepared, state.answers()
    if not wanted:
        return
    pair = asking(prepared, view.corrections.history).question(answers) if len(answers) < wanted else None
    decided = any(answer.same is not None for answer in answers)
    with st.container(border=True, key="width-panel"):
        if pair is None:
            by = f"**Width {start_of(prepared, view.corrections):.2f} → {view.grouping.granularity:.2f}** by"
            st.markdown(f"{by} your answers." if decided else "**Your answers do not change the width.**")
        else:
            _question(view, pair, f"{len(answers) + 1} of {wanted}")
        with st.container(horizontal=True, key="width-end" if pair is None else "width-answers"):
            for word, same in {"Same event": True, "Different": False, "Not sure": None}.items():
                if pair is not None:
                    given, key = [*answers, PairAnswer(*pair, same)], word[0]
                    button(word, f"width-{key}", state.answer, given, wanted, shortcut=key)
            if pair is None and decided:
                button("Keep width and answers", "width-keep", _keep, view, answers, type="primary")
            if pair is None:
                button(f"{QUESTIONS} more", "width-more", state.answer, answers, wanted + QUESTIONS)
            if answers:
                look = {"type": "tertiary", "shortcut": "U"}
                button("Undo", "width-undo", state.answer, answers[:-1], wanted, **look)
            end = "Discard answers" if decided else "Close"
            button(end, "width-stop", state.answer, [], 0, type="tertiary")
        if answers:
            before = resources.with_answers(prepared, view.corrections, answers[:-1])
            earlier = resources.grouping(prepared, state.now().granularity, corrections=before or None)
            st.caption(f"Your last answer: {changes(earlier.ids, view.grouping.ids)}")


def _question(view: workspace.View, pair: tuple[int, int], number: str) -> None:
    timeline, days = view.timeline, group_list.written_days(view.timeline)
    st.markdown(f"**Do these two report the same event?** {quiet(number)}")
    for column, row in zip(st.columns(2), pair, strict=True):
        column.markdown(f"{plain(timeline.texts[row])}  \n{quiet(timeline.publishers[row], days[row])}")


def _keep(view: workspace.View, answers: list[PairAnswer]) -> None:
    opened = state.now().group
    correct.record(view, lambda now: now.level(view.grouping.granularity, answers))
    state.answer([], 0)
    state.select(group=opened, by="")
