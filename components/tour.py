"""A guided tour on the samples; it can be left at any time, and then the visitor's view is back."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import streamlit as st

from components import compare, consistency, numerals
from components.page_state import PLACES
from components.timeline import state as timeline
from components.widgets import button, mounted
from core.consistency.studies.scoring import SCORER
from core.headlines.opening import open_set


class TourStop(NamedTuple):
    page: str  # file of the page that it shows
    title: str
    text: str
    look: str  # key of the element that it speaks of; "" for the top of the page
    stage: Callable[[], None]  # puts on the page what it speaks of; the first sample is open as when new


TIMELINE, OPEN, CONSISTENCY = "pages/timeline.py", "pages/sources.py", "pages/consistency.py"
COMPARE, NUMERALS = "pages/compare.py", "pages/check_numbers.py"

ALARM: Final = 1  # the event of the sample that is opened
WHY_TAB: Final = f"card-tab-{ALARM}"
NARROW: Final = 0.6
ARTICLE: Final = "34"  # an article of which one system's headline takes a number from the wrong place
WRONG: Final = "Pointer coverage"  # the system that wrote it


def _event(tab: str = "") -> None:
    timeline.select(group=ALARM, by="")
    if tab:
        st.session_state[WHY_TAB] = tab


def _blind() -> None:
    compare.go_blind(True)
    compare.open_article(ARTICLE)


def _number() -> None:
    outputs = open_set(compare.DEFAULT_ARTICLES)[1]
    numerals.jump(ARTICLE, next(output.fingerprint for output in outputs if output.system == WRONG), 0)


STEPS: Final = (
    TourStop(
        TIMELINE,
        "One line, one event",
        "These 47 headlines about the International Space Station were published between 2015 and 2019. "
        "Each line is an event. It says how many headlines and outlets report it, and when.",
        "group-list",
        lambda: None,
    ),
    TourStop(
        TIMELINE,
        "Who said what",
        "A click on a line opens an event, here the alarm of 2015. Who was first? What does each report "
        "add? Which numbers disagree?",
        "event-card",
        _event,
    ),
    TourStop(
        TIMELINE,
        "How wide is an event?",
        "The slider now stands further left, so events fall apart. Move it, and the list follows. Where "
        "would you leave it?",
        "open-view",
        lambda: timeline.put(granularity=NARROW),
    ),
    TourStop(
        TIMELINE,
        "Why are two headlines together?",
        "Here are the reasons: how similar the two are, what they share, where they may disagree. Choose "
        "two others and guess first.",
        WHY_TAB,
        lambda: _event("Why?"),
    ),
    TourStop(
        TIMELINE,
        "The same headlines as a map",
        "Headlines with a similar meaning lie close together. Draw around some of them with the lasso. The "
        "table and every other page follow.",
        "map-",
        lambda: timeline.LIST.put(show="map"),
    ),
    TourStop(
        CONSISTENCY,
        "A model that contradicts itself",
        "Do two headlines report the same event? The model says yes of A and B, and of A and C. "
        "But of B and C it says no. Change a word, and it answers again.",
        "triangle",
        lambda: consistency.put(scorer=SCORER, swapped=False),
    ),
    TourStop(
        CONSISTENCY,
        "Swapped, it changes its mind",
        "These are the same two headlines, the other one first. The answer is another one, and so is the "
        "picture. Press “Swap” to ask the model yourself.",
        "demonstration-buttons",
        lambda: consistency.put(scorer=SCORER, swapped=True),
    ),
    TourStop(
        COMPARE,
        "Who wrote which headline?",
        "Three systems wrote a headline for the same article; their names are hidden. Decide which is "
        "best, then press “Reveal who wrote what”.",
        "article-headlines",
        _blind,
    ),
    TourStop(
        NUMERALS,
        "A wrong number is caught",
        "One of the three took a number from the wrong place. A line leads to what the article says. Below "
        "it you see how sure the program is.",
        "numerals-linked",
        _number,
    ),
    TourStop(
        OPEN,
        "Your own headlines",
        "A spreadsheet, a CSV file or pasted lines are enough. You see how the columns were read before "
        "anything starts.",
        "",
        lambda: PLACES.put(sources="open"),
    ),
)


_STEP: Final = "tour_step"
_BEFORE: Final = "tour_before"
_HOME: Final = "tour_home"
_TURN: Final = "tour_turn"
_VIEWS: Final = {"list": timeline.LIST, "numerals": numerals, "consistency": consistency}

_look = mounted(__file__, "tour", '<div class="headline-lab-tour"></div>', isolate_styles=False)


def turn(script: str) -> None:
    wanted = st.session_state.pop(_TURN, None)
    if wanted is not None and Path(wanted).name != Path(script).name:
        st.switch_page(wanted)


def menu_key() -> str:
    """Key of the menu that the tour is in; it changes with the tour, so that the menu closes."""
    return f"help-{'tour' if _STEP in st.session_state else 'menu'}"


def under_way() -> bool:
    return _STEP in st.session_state


def invitation(script: str) -> None:
    if not under_way():
        home = f"pages/{Path(script).name}"
        button("Five-minute tour", "tour-start", _begin, home, icon="tour", width="stretch")


def callout() -> None:
    number = st.session_state.get(_STEP)
    if number is None:
        return
    step = STEPS[number]
    with st.container(border=True, key="tour"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{number + 1} of {len(STEPS)} · {step.title}**")
            if number:
                button("Back", "tour-back", _go, number - 1, shortcut="B")
            if number + 1 < len(STEPS):
                button("Next", "tour-next", _go, number + 1, type="primary", shortcut="N")
            button("Finish" if number + 1 == len(STEPS) else "Leave the tour", "tour-leave", _leave)
        st.markdown(step.text)
        _look(key="tour-look", data={"step": number, "look": step.look})


def _begin(home: str) -> None:
    st.session_state[_HOME] = home
    views = {"timeline": timeline, "compare": compare, **_VIEWS}
    before = {name: view.everything() for name, view in views.items()}
    st.session_state[_BEFORE] = before | {WHY_TAB: st.session_state.get(WHY_TAB)}
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
    for name, view in _VIEWS.items():
        view.put(**before[name])
    st.session_state.pop(WHY_TAB, None)
    if before[WHY_TAB] is not None:
        st.session_state[WHY_TAB] = before[WHY_TAB]
