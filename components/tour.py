"""A two-minute guided tour on the sample: steps that can be left at any time."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import state

_STEP = "tour_step"
_BEFORE = "tour_view_before"


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of the tour.

    Attributes:
        page: File of the page that it shows.
        title: A few words.
        text: Two or three sentences.
        granularity: Where it puts the slider; None for the suggested place.
        group: Which group it selects; None leaves the selection alone.
    """

    page: str
    title: str
    text: str
    granularity: float | None = None
    group: int | None = None


TIMELINE, MAP, OPEN = "pages/timeline.py", "pages/map.py", "pages/open.py"
STEPS = (
    Step(
        TIMELINE,
        "One lane, one event",
        "These 47 headlines about the International Space Station were published between 2015 and 2019. "
        "Each lane below holds the headlines that tell the same event; a mark is larger when more "
        "publishers reported on that day.",
    ),
    Step(
        TIMELINE,
        "Who said what",
        "A click on a mark, or on a row of the list, opens the event: its most typical headline, who "
        "reported first and last, and what the others add or contradict. Here the alarm of 2015 is open.",
        group=1,
    ),
    Step(
        TIMELINE,
        "How wide is an event?",
        "The granularity slider now stands further left, so fewer headlines are joined. Nothing is "
        "computed anew, and a group keeps its number and colour while you move it.",
        granularity=0.6,
    ),
    Step(
        MAP,
        "The same headlines as a map",
        "Headlines with a similar meaning lie close together. Draw around some of them with the lasso: "
        "the table beneath follows, and so does every other page.",
    ),
    Step(
        OPEN,
        "Your own headlines",
        "A spreadsheet, a CSV file or pasted lines are enough; only the headline is required. You see how "
        "the columns were understood before anything is computed.",
    ),
)


def invitation() -> None:
    """The button that starts the tour."""
    if _STEP not in st.session_state:
        st.button(
            "Two-minute tour",
            icon=":material/tour:",
            on_click=_go,
            args=(0,),
            key="tour-start",
            type="tertiary",
        )


def callout() -> None:
    """The current step, above the page that it is about."""
    number = st.session_state.get(_STEP)
    if number is None:
        return
    step = STEPS[number]
    if st.session_state.pop("tour_turn", False):
        st.switch_page(step.page)
    with st.container(border=True, key="tour"):
        st.markdown(f"**{number + 1} of {len(STEPS)} · {step.title}**  \n{step.text}")
        with st.container(horizontal=True):
            if number:
                st.button("Back", on_click=_go, args=(number - 1,), key="tour-back")
            if number + 1 < len(STEPS):
                st.button("Next", type="primary", on_click=_go, args=(number + 1,), key="tour-next")
            st.button(
                "Finish" if number + 1 == len(STEPS) else "Leave the tour", on_click=_leave, key="tour-leave"
            )


def _go(number: int) -> None:
    step = STEPS[number]
    st.session_state.setdefault(_BEFORE, state.view_of_data())
    st.session_state[_STEP] = number
    st.session_state["tour_turn"] = True
    if state.data() != state.DEFAULT_DATA:
        state.open_data(state.DEFAULT_DATA)
    state.choose_granularity(step.granularity)
    if step.group is not None:
        state.select(group=step.group, by="")


def _leave() -> None:
    st.session_state.pop(_STEP, None)
    st.session_state.pop("tour_turn", None)
    state.back_to(st.session_state.pop(_BEFORE))
