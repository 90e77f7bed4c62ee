"""Where a reader is: the page, its part, its address, and whether text is large."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.frame.controlled import page_parts, show
from components.frame.links import choice, flag, linked
from components.frame.markdown import WORDS
from components.frame.view_state import PageView, Part, ViewState
from components.server.places import script_of

_LAST_PAGE: Final = "last_page"
_PLACE: Final = "place_with_parts"
_ARRIVED: Final = "arrived_with"
"""The address that a page got when the reader came by the menu, by page: Streamlit may leave one without
values before it in the browser's history, and going back to that one must not lose the view."""
BEGUN: Final = "begun"  # set in the session from the first thing on that its reader did
LAST: Final = "headline_lab_last"
"""Cookie with the address at which this browser left the app; `history.js` writes it and goes there."""
OPEN: Final = "headline_lab_file"  # that with the file that was open last
BARE_PAGES: Final = ("join", "screen", "remote", "study")  # without a menu
HEAD: Final = "head_of_menu"  # set in the session to the head of the menu under which the page stands
BARE: Final = "bare"  # set in the session to the one of these that it stays on; "" where it has all pages
_TURN: Final = "turn_to"  # the place that the next run of a page goes to, before it draws anything
ROOT_PIXELS: Final = 22  # font size of the root while text is large, as in large_text.css; 16 otherwise
PARTS: Final[Mapping[str, Mapping[str, str]]] = WORDS["parts"]
"""Parts of the places that have several, the first shown at first: word in the address, and title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenView(PageView):
    large: bool = linked(False, flag("large"))


SCREEN: Final = ViewState(ScreenView)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesView(PageView):
    sources: str = linked("open", choice("part", PARTS["sources"]))
    judge: str = linked("annotate", choice("part", PARTS["judge"]))
    benchmark: str = linked("pairs", choice("part", PARTS["benchmark"]))
    models: str = linked("library", choice("part", PARTS["models"]))


PLACES: Final = ViewState(PlacesView)


def turn_to(place: str) -> None:
    st.session_state[_TURN] = place


def turn(script: str) -> None:
    wanted = st.session_state.pop(_TURN, None)
    if wanted is not None and wanted != Path(script).stem:
        st.switch_page(script_of(wanted))


def _run() -> tuple[str, bool]:
    """The page whose script runs, and whether the reader went back or forward to it."""
    context = get_script_run_ctx(suppress_warning=True)
    return ("", False) if context is None else (context.page_script_hash, context.is_history_navigation)


def follow(*parts: Part) -> bool:
    """Takes the values from the address where the reader went back or forward to it; says whether."""
    page, through_history = _run()
    if not through_history:
        return False
    arrived = st.session_state.get(_ARRIVED, {}).get(page)
    if arrived and not st.query_params:
        st.query_params.from_dict(arrived)
    for state, names in parts:
        state.adopt(names)
    return True


def write_address(*parts: Part, moved: Callable[[], object] = lambda: None) -> None:
    """Puts values, text size and part into the address; after a step back takes them, then `moved`."""
    if follow(*parts):
        moved()
    wanted = SCREEN.address(SCREEN.links) | PLACES.address(st.session_state.get(_PLACE, ()))
    for state, names in parts:
        wanted |= state.address(names)
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
    page, through_history = _run()
    if st.session_state.get(_LAST_PAGE) != page:
        st.session_state[_LAST_PAGE] = page
        if not through_history:
            st.session_state.setdefault(_ARRIVED, {})[page] = wanted


def is_large() -> bool:
    return SCREEN.now().large


def part(place: str) -> str:
    st.session_state[_PLACE] = () if place not in PARTS else (place,)
    if place not in PARTS:
        return ""
    follow(PLACES.part(place))
    shown = getattr(PLACES.now(), place)
    with page_parts():
        return show(PARTS[place], shown, lambda word: PLACES.put(**{place: word}), key=f"{place}-part")
