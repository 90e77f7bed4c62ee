"""What the Compare page shows: plain values in the session, mirrored in the address bar.

In blind mode nothing here names a system: systems stand in the address by their fingerprints.
"""

from __future__ import annotations

import re
from typing import Any, Final

import streamlit as st

from components.address import mirror
from core.headlines.side_by_side.browsing import MEAN, SPREAD

DEFAULT_ARTICLES: Final = "sample:articles"
FILE_ORDER: Final = "file"

_PREFIX: Final = "compare_"
_START: Final[dict[str, Any]] = {
    "articles": DEFAULT_ARTICLES,
    "systems": [],
    "article": "",
    "page": 0,
    "blind": False,
    "search": "",
    "sort": FILE_ORDER,
    "of": MEAN,
    "descending": True,
    "score": "",
    "low": None,
    "high": None,
    "fewest": None,
    "most": None,
    "unsupported": False,
    "revealed": "",
    "added": {},
    "orders": [],
    "opened": [],
    "generator": "first_sentence.v1",
}
"""Every value with what it is before anybody chose.

articles: name of the open articles. systems: fingerprints of the outputs that are shown, [] for all.
article: id of the open article, "" for the list. page: of the list, from 0. of: how several systems' values
become one. low, high: ends of the filter by `score`; fewest, most: of words. revealed: id of the article
whose names are shown although the page is blind. added: fingerprints of added outputs by articles.
orders: what is being written now, as [articles, signature, wishes]. opened: names of loaded files.
"""

_GATHERED: Final = ("added", "orders", "opened", "generator")


def adopt_address() -> None:
    """Takes what the link that opened this session says; does nothing later on."""
    if f"{_PREFIX}articles" in st.session_state:
        return
    for name, value in _START.items():
        st.session_state[_PREFIX + name] = type(value)(value) if isinstance(value, list | dict) else value
    given = st.query_params
    if re.fullmatch(r"[a-z0-9_.:-]{1,60}", given.get("articles", "")):
        put("articles", given["articles"])
    put("systems", re.findall(r"[0-9a-f]{16}", given.get("systems", ""))[:50])
    put("article", given.get("article", "")[:200])
    put("blind", given.get("blind") == "yes")
    put("search", given.get("search", "")[:200])
    put("sort", given.get("sort", FILE_ORDER)[:100])
    put("of", given.get("of", MEAN)[:100] if not get("blind") or given.get("of") == SPREAD else MEAN)
    put("descending", given.get("order") != "up")


def write_address() -> None:
    """Puts the view into the address bar; defaults are left out."""
    wanted = {
        "articles": get("articles") if get("articles") != DEFAULT_ARTICLES else "",
        "systems": ",".join(get("systems")),
        "article": get("article"),
        "blind": "yes" if get("blind") else "",
        "search": get("search"),
        "sort": get("sort") if get("sort") != FILE_ORDER else "",
        "of": get("of") if get("of") != MEAN else "",
        "order": "" if get("descending") else "up",
    }
    mirror(wanted)


def get(name: str) -> Any:
    """One value; see `_START`."""
    return st.session_state[_PREFIX + name]


def put(name: str, value: Any) -> None:
    """Sets one value; what is looked at begins anew where the choice of articles changes."""
    if name not in _START:
        raise KeyError(name)
    st.session_state[_PREFIX + name] = value


def everything() -> dict[str, Any]:
    """What is shown, to come back to later; systems and files that are added meanwhile are no part of it."""
    return {name: get(name) for name in _START if name not in _GATHERED}


def start_over() -> None:
    """Opens the sample as a new visitor finds it."""
    open_articles(DEFAULT_ARTICLES)
    for name in ("sort", "of", "descending"):
        put(name, _START[name])
    go_blind(False)


def back_to(shown: dict[str, Any]) -> None:
    """Comes back to what was shown; articles that were opened since then stay open."""
    if get("articles") == DEFAULT_ARTICLES:
        for name, value in shown.items():
            put(name, value)


def open_articles(name: str) -> None:
    """Opens other articles: no article is chosen, nothing is filtered, all systems are shown."""
    put("articles", name)
    for each in (
        "systems",
        "article",
        "page",
        "search",
        "score",
        "low",
        "high",
        "fewest",
        "most",
        "revealed",
    ):
        put(each, _START[each])
    put("unsupported", False)


def open_article(article: str) -> None:
    """Opens one article; "" goes back to the list."""
    put("article", article)
    put("revealed", "")


def go_blind(blind: bool) -> None:
    """Hides or shows who wrote what; what would tell by its order is forgotten."""
    put("blind", blind)
    put("revealed", "")
    if blind and get("of") != SPREAD:
        put("of", MEAN)
