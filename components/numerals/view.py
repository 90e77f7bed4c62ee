"""What the Numerals page shows: plain values in the session, mirrored in the address bar.

Articles, the open article, the systems that are shown and whether their names are hidden are those of the
Compare page: what is chosen there is chosen here. Pasted text never goes into the address.
"""

from __future__ import annotations

import re
from typing import Any, Final

import streamlit as st

from components.address import mirror
from components.compare import view as compare

ONE: Final = "One headline"
ALL: Final = "All headlines"
OWN: Final = "Your text"
SHOWN: Final = {"one": ONE, "all": ALL, "own": OWN}
"""What there is to look at, by its word in the address."""

PEOPLE: Final = "people"
"""Stands for the headline that people gave, where a system would be named."""

_PREFIX: Final = "numerals_"
_START: Final[dict[str, Any]] = {"shown": "one", "system": "", "numeral": 0, "way": 0, "faint": False}
"""shown: a word of `SHOWN`. system: fingerprint of the outputs whose headline is open, or `PEOPLE`, "" for
the first there is. numeral: which of the headline's numerals is looked at, from 0. way: which of its
derivations. faint: whether all numerals of the article are shown."""


def adopt_address() -> None:
    """Takes what the link that opened this session says; does nothing later on."""
    if f"{_PREFIX}shown" in st.session_state:
        return
    for name, value in _START.items():
        st.session_state[_PREFIX + name] = value
    given = st.query_params
    put("shown", given.get("show") if given.get("show") in SHOWN else "one")
    if re.fullmatch(rf"[0-9a-f]{{16}}|{PEOPLE}", given.get("system", "")):
        put("system", given["system"])
    if re.fullmatch(r"[1-9][0-9]{0,2}", given.get("numeral", "")):
        put("numeral", int(given["numeral"]) - 1)


def write_address() -> None:
    """Puts the view into the address bar; defaults are left out, and so is everything about pasted text."""
    shown = get("shown")
    wanted = {"show": shown if shown != "one" else ""}
    if shown != "own":
        articles = compare.get("articles")
        wanted |= {
            "articles": articles if articles != compare.DEFAULT_ARTICLES else "",
            "systems": ",".join(compare.get("systems")),
            "blind": "yes" if compare.get("blind") else "",
        }
    if shown == "one":
        wanted |= {
            "article": compare.get("article"),
            "system": get("system"),
            "numeral": str(get("numeral") + 1) if get("numeral") else "",
        }
    mirror(wanted)


def what_to_show() -> str:
    """Draws the choice of what to look at; gives its word."""
    st.session_state["numerals-shown"] = get("shown")
    st.segmented_control(
        "Show",
        list(SHOWN),
        format_func=SHOWN.__getitem__,
        required=True,
        key="numerals-shown",
        label_visibility="collapsed",
        on_change=_show,
    )
    return str(get("shown"))


def _show() -> None:
    put("shown", st.session_state["numerals-shown"])
    choose_numeral(0)


def get(name: str) -> Any:
    """One value; see `_START`."""
    return st.session_state[_PREFIX + name]


def put(name: str, value: Any) -> None:
    """Sets one value; see `_START`."""
    if name not in _START:
        raise KeyError(name)
    st.session_state[_PREFIX + name] = value


def everything() -> dict[str, Any]:
    """What is shown, to come back to later."""
    return {name: get(name) for name in _START}


def back_to(shown: dict[str, Any]) -> None:
    """Comes back to what was shown."""
    for name, value in shown.items():
        put(name, value)


def open_article(article: str) -> None:
    """Opens another article, here and on the Compare page."""
    compare.open_article(article)
    choose_numeral(0)


def open_headline(system: str) -> None:
    """Opens the headline of another system, or people's."""
    put("system", system)
    choose_numeral(0)


def choose_numeral(place: int) -> None:
    """Looks at another numeral of the headline."""
    put("numeral", place)
    put("way", 0)


def jump(article: str, system: str, numeral: int) -> None:
    """Opens one numeral of one headline of one article."""
    put("shown", "one")
    open_article(article)
    open_headline(system)
    choose_numeral(numeral)
