"""A guided tour on the samples; it can be left at any time, and then the visitor's view is back."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import streamlit as st

from components.frame.mounting import mounted
from components.frame.page_state import PLACES, turn_to
from components.frame.widgets import button
from components.opened.views import compare, numerals, timeline
from components.opened.views.consistency import CONSISTENCY

ALARM: Final = 1  # the event of the sample that is opened
WHY_TAB: Final = f"card-tab-{ALARM}"
_STEP: Final = "tour_step"
_BEFORE: Final = "tour_before"
_HOME: Final = "tour_home"
VIEWS: Final[Mapping[str, Any]] = {
    "timeline": timeline,
    "list": timeline.LIST,
    "compare": compare,
    "numerals": numerals,
    "consistency": CONSISTENCY,
}
_look = mounted(__file__, "tour", '<div class="headline-lab-tour"></div>', isolate_styles=False)


class TourStop(NamedTuple):
    page: str
    title: str
    text: str
    look: str = ""  # key of the element that it speaks of; "" for the top of the page
    put: Mapping[str, Mapping[str, Any]] = {}  # the values that it changes, by view
    tab: str = ""  # of the event's card


STEPS: Final = [
    TourStop(**stop)
    for stop in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["stop"]
]


def under_way() -> bool:
    return _STEP in st.session_state


def invitation(script: str) -> None:
    if not under_way():
        button("Five-minute tour", "tour-start", _begin, Path(script).stem, icon="tour", width="stretch")


def callout() -> None:
    number = st.session_state.get(_STEP)
    if number is None:
        return
    step = STEPS[number]
    with st.container(border=True, key="tour"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{number + 1} of {len(STEPS)} · {step.title}**", width="stretch")
            if number:
                button("Back", "tour-back", _go, number - 1, shortcut="B")
            if number + 1 < len(STEPS):
                button("Next", "tour-next", _go, number + 1, type="primary", shortcut="N")
            leave = "Finish" if number + 1 == len(STEPS) else "Leave the tour"
            button(leave, "tour-leave", _leave, type="tertiary")
        st.markdown(step.text)
        _look(key="tour-look", data={"step": number, "look": step.look})


def _begin(home: str) -> None:
    st.session_state[_HOME] = home
    before = {name: view.everything() for name, view in VIEWS.items()}
    st.session_state[_BEFORE] = before | {WHY_TAB: st.session_state.get(WHY_TAB)}
    _go(0)


def _open_tab(name: str | None) -> None:
    st.session_state.pop(WHY_TAB, None)
    if name:
        st.session_state[WHY_TAB] = name


def _go(number: int) -> None:
    step = STEPS[number]
    st.session_state[_STEP] = number
    turn_to(step.page)
    for view in VIEWS.values():
        view.reset()
    timeline.select(group=None, by="")
    for name, values in step.put.items():
        (VIEWS | {"places": PLACES})[name].put(**values)
    _open_tab(step.tab)


def _leave() -> None:
    before = st.session_state.pop(_BEFORE)
    st.session_state.pop(_STEP)
    turn_to(st.session_state.pop(_HOME))
    _open_tab(before[WHY_TAB])
    # What was opened meanwhile stays open.
    opened = {"timeline": timeline.now().data != timeline.DEFAULT_DATA}
    opened["compare"] = compare.now().articles != compare.DEFAULT_ARTICLES
    for name, view in VIEWS.items():
        if not opened.get(name):
            view.put(**before[name])
    timeline.come_back()
