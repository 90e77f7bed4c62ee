"""What the Evaluate page shows: plain values in the session, mirrored in the address bar.

Articles and systems are those of the Compare page: what is chosen there is chosen here. Neither the name of
a judge nor that of a system ever stands in the address; a judge's token stands there only in the personal
link, and is taken out when the link is opened.
"""

from __future__ import annotations

import re
from typing import Any, Final

import streamlit as st

from components.address import mirror
from components.compare import view as compare
from core.people.judges import LONGEST_TOKEN

SHOWN: Final = {"judge": "Judge", "results": "Results", "files": "Spreadsheets"}
"""What there is to look at, by its word in the address."""

USUAL_COUNT: Final = 100
"""Articles that are judged at first, as in the paper."""
LARGEST_SEED: Final = 999_999

_PREFIX: Final = "evaluate_"
_START: Final[dict[str, Any]] = {
    "shown": "judge",
    "count": USUAL_COUNT,
    "seed": 0,
    "judge": "",
    "token": "",
    "asked": "",
    "article": "",
}
"""shown: a word of `SHOWN`. count: articles that are judged at most. seed: of their draw and of the order of
the headlines. judge: name of whoever judges in this session. token: the judge's, or the one that the link
holds which opened this session. asked: a name that is taken and whose link is asked for. article: id of the
open one, "" for the first that is not judged in full."""


def adopt_address() -> None:
    """Takes what the link that opened this session says; does nothing later on."""
    if f"{_PREFIX}shown" in st.session_state:
        return
    for name, value in _START.items():
        st.session_state[_PREFIX + name] = value
    given = st.query_params
    put("shown", given.get("show") if given.get("show") in SHOWN else "judge")
    for name in ("count", "seed"):
        if re.fullmatch(r"[0-9]{1,6}", given.get(name, "")):
            put(name, int(given[name]))
    put("count", max(1, get("count")))
    put("token", given.get("token", "")[:LONGEST_TOKEN])


def write_address() -> None:
    """Puts the view into the address bar; defaults are left out."""
    articles = compare.get("articles")
    wanted = {
        "show": get("shown") if get("shown") != "judge" else "",
        "articles": articles if articles != compare.DEFAULT_ARTICLES else "",
        "systems": ",".join(compare.get("systems")),
        "count": str(get("count")) if get("count") != USUAL_COUNT else "",
        "seed": str(get("seed")) if get("seed") else "",
    }
    mirror(wanted)


def what_to_show() -> str:
    """Draws the choice of what to look at; gives its word."""
    st.session_state["evaluate-shown"] = get("shown")
    st.segmented_control(
        "Show",
        list(SHOWN),
        format_func=SHOWN.__getitem__,
        required=True,
        key="evaluate-shown",
        label_visibility="collapsed",
        on_change=lambda: put("shown", st.session_state["evaluate-shown"]),
    )
    return str(get("shown"))


def get(name: str) -> Any:
    """One value; see `_START`."""
    return st.session_state[_PREFIX + name]


def put(name: str, value: Any) -> None:
    """Sets one value; see `_START`."""
    if name not in _START:
        raise KeyError(name)
    st.session_state[_PREFIX + name] = value


def change(name: str, value: Any) -> None:
    """Sets a value on which depends what is judged by whom; the first open article opens."""
    put(name, value)
    put("article", "")
