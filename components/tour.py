"""A guided tour on the samples: stops that can be left at any time, and then the visitor's view is back."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from components.compare import state as compare
from components.consistency import state as consistency
from components.mounted import mounted
from components.numerals import state as numerals
from components.timeline import state as timeline
from components.tour_steps import STEPS, WHY_TAB

_STEP: Final = "tour_step"
_BEFORE: Final = "tour_before"
_HOME: Final = "tour_home"
_TURN: Final = "tour_turn"

_look = mounted(__file__, "headline_lab_tour", '<div class="headline-lab-tour"></div>', isolate_styles=False)


def turn(script: str) -> None:
    """Goes to the page that the tour wants, before anything of this one is drawn.

    Args:
        script: `__file__` of this page.
    """
    wanted = st.session_state.pop(_TURN, None)
    if wanted is not None and Path(wanted).name != Path(script).name:
        st.switch_page(wanted)


def invitation(script: str) -> None:
    """The button that starts the tour.

    Args:
        script: `__file__` of the page that the tour comes back to.
    """
    if _STEP not in st.session_state:
        st.button(
            "Five-minute tour",
            icon=":material/tour:",
            on_click=_begin,
            args=(f"pages/{Path(script).name}",),
            key="tour-start",
            type="tertiary",
        )


def callout() -> None:
    """The current stop, above the page that it is about."""
    number = st.session_state.get(_STEP)
    if number is None:
        return
    step = STEPS[number]
    with st.container(border=True, key="tour"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{number + 1} of {len(STEPS)} · {step.title}**")
            if number:
                st.button("Back", on_click=_go, args=(number - 1,), key="tour-back", shortcut="B")
            if number + 1 < len(STEPS):
                st.button(
                    "Next",
                    type="primary",
                    on_click=_go,
                    args=(number + 1,),
                    key="tour-next",
                    shortcut="N",
                )
            st.button(
                "Finish" if number + 1 == len(STEPS) else "Leave the tour", on_click=_leave, key="tour-leave"
            )
        st.markdown(step.text)
        _look(key="tour-look", data={"step": number, "look": step.look})


def _begin(home: str) -> None:
    st.session_state[_HOME] = home
    st.session_state[_BEFORE] = {
        "timeline": timeline.everything(),
        "compare": compare.everything(),
        "numerals": numerals.everything(),
        "consistency": consistency.everything(),
        WHY_TAB: st.session_state.get(WHY_TAB),
    }
    _go(0)


def _go(number: int) -> None:
    step = STEPS[number]
    st.session_state[_STEP] = number
    st.session_state[_TURN] = step.page
    timeline.start_over()
    compare.start_over()
    consistency.start_over()
    st.session_state.pop(WHY_TAB, None)
    step.stage()


def _leave() -> None:
    before = st.session_state.pop(_BEFORE)
    st.session_state.pop(_STEP)
    st.session_state[_TURN] = st.session_state.pop(_HOME)
    timeline.back_to(before["timeline"])
    compare.back_to(before["compare"])
    numerals.put(**before["numerals"])
    consistency.put(**before["consistency"])
    st.session_state.pop(WHY_TAB, None)
    if before[WHY_TAB] is not None:
        st.session_state[WHY_TAB] = before[WHY_TAB]
