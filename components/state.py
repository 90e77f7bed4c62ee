"""The session's view: plain values only, shared by all pages and mirrored in the address bar.

The canonical values live here, not in widgets: a widget is given its value before it is
drawn and its callback writes back. So the view outlives page changes, and a link that
holds it reopens it. What a forged or old link says is checked here; what makes no sense
is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

import streamlit as st

from components.address import mirror
from core.consistency.studies.defaults import SCORER as DEFAULT_LAB_SCORER
from core.data.timelines.periods import Period
from core.maps.projector import DEFAULT_MAP

DEFAULT_DATA: Final = "iss"
DEFAULT_METHOD: Final = "average_linkage.v1"
DEFAULT_ENCODER: Final = "auto"
DEFAULT_SCORER: Final = "event_similarity.v1"
DEFAULT_COLOUR: Final = "group"

LINKED_ROWS: Final = 200
"""A link holds at most this many selected rows; a larger selection stays in the session."""

_DATA: Final = "view_data"
_SINCE: Final = "view_since"
_ENCODER: Final = "view_encoder"
_SCORER: Final = "view_scorer"
_METHOD: Final = "view_method"
_GRANULARITY: Final = "view_granularity"
_PERIOD: Final = "view_period"
_MAP: Final = "view_map"
_FOLD: Final = "view_fold"
_COLOUR: Final = "view_colour"
_GROUP: Final = "view_group"
_ROWS: Final = "view_rows"
_LAB_SCORER: Final = "view_lab_scorer"
_MOVED_BY: Final = "selection_moved_by"
_EPOCH: Final = "selection_epoch"


def adopt_address() -> None:
    """Takes the view of the link that opened this session; does nothing later on."""
    if _DATA in st.session_state:
        return
    given = st.query_params
    data = given.get("data", DEFAULT_DATA)
    st.session_state[_DATA] = data if re.fullmatch(r"[a-z0-9-]{1,40}", data) else DEFAULT_DATA
    since_ = given.get("since", "")
    st.session_state[_SINCE] = since_ if re.fullmatch(r"file-[0-9a-f]{16}", since_) else ""
    st.session_state[_ENCODER] = _signature(given.get("encoder", ""), DEFAULT_ENCODER)
    st.session_state[_SCORER] = _signature(given.get("scorer", ""), DEFAULT_SCORER)
    st.session_state[_METHOD] = _signature(given.get("method", ""), DEFAULT_METHOD)
    number = given.get("granularity", "")
    st.session_state[_GRANULARITY] = (
        float(number) if re.fullmatch(r"0(\.\d{1,4})?|1(\.0{1,4})?", number) else None
    )
    st.session_state[_PERIOD] = _days(given.get("from", ""), given.get("to", ""))
    st.session_state[_MAP] = _signature(given.get("map", ""), DEFAULT_MAP)
    st.session_state[_LAB_SCORER] = _signature(given.get("lab", ""), DEFAULT_LAB_SCORER)
    st.session_state[_FOLD] = given.get("fold") == "yes"
    colour_ = given.get("colour", "")
    st.session_state[_COLOUR] = colour_ if re.fullmatch(r"[a-z]{1,20}", colour_) else DEFAULT_COLOUR
    st.session_state[_GROUP] = next(iter(_numbers(given.get("group", ""))), None)
    st.session_state[_ROWS] = _numbers(given.get("rows", ""))[:LINKED_ROWS]


def write_address() -> None:
    """Puts the view into the address bar; defaults are left out to keep links short."""
    chosen_granularity, group, rows = granularity(), selected_group(), selected_rows()
    days = period()
    wanted = {
        "data": data() if data() != DEFAULT_DATA else "",
        "since": since(),
        # A folder or hub id is this computer's business and stays out of links.
        "encoder": encoder() if re.fullmatch(_SIMPLE, encoder()) and encoder() != DEFAULT_ENCODER else "",
        "scorer": scorer() if scorer() != DEFAULT_SCORER else "",
        "method": method() if method() != DEFAULT_METHOD else "",
        "granularity": "" if chosen_granularity is None else f"{chosen_granularity:g}",
        "from": "" if days is None else days.first.isoformat(),
        "to": "" if days is None else days.last.isoformat(),
        "map": map_method() if map_method() != DEFAULT_MAP else "",
        "lab": lab_scorer() if lab_scorer() != DEFAULT_LAB_SCORER else "",
        "fold": "yes" if fold() else "",
        "colour": colour() if colour() != DEFAULT_COLOUR else "",
        "group": "" if group is None else str(group),
        "rows": ",".join(map(str, rows)) if len(rows) <= LINKED_ROWS else "",
    }
    mirror(wanted)


def data() -> str:
    """Name of the open timeline: a sample, or `file-` and a fingerprint."""
    return str(st.session_state[_DATA])


def since() -> str:
    """An earlier version of the open timeline, whose groups keep their numbers; "" for none."""
    return str(st.session_state[_SINCE])


def open_data(name: str, *, since: str = "") -> None:
    """Opens another timeline; granularity, period and selection start anew."""
    st.session_state[_DATA] = name
    st.session_state[_SINCE] = since
    st.session_state[_GRANULARITY] = None
    st.session_state[_PERIOD] = None
    select(group=None, by="")


def everything() -> dict[str, object]:
    """The whole view, to come back to later."""
    return {str(name): value for name, value in st.session_state.items() if str(name).startswith("view_")}


def start_over() -> None:
    """Opens the first sample as a new visitor finds it."""
    open_data(DEFAULT_DATA)
    choose_encoder(DEFAULT_ENCODER)
    choose_scorer(DEFAULT_SCORER)
    choose_method(DEFAULT_METHOD)
    choose_map(DEFAULT_MAP)
    choose_colour(DEFAULT_COLOUR)
    choose_fold(False)


def back_to(view: dict[str, object]) -> None:
    """Comes back to an earlier view; a timeline that was opened since then stays open."""
    opened = data() != DEFAULT_DATA
    kept = {_DATA, _SINCE, _GRANULARITY, _PERIOD, _GROUP, _ROWS, _FOLD} if opened else set[str]()
    st.session_state.update({name: value for name, value in view.items() if name not in kept})
    select(group=selected_group(), rows=selected_rows(), by="")


def method() -> str:
    """Signature of the grouping method."""
    return str(st.session_state[_METHOD])


def choose_method(signature: str) -> None:
    """Groups another way; the granularity starts where the new method thinks best."""
    st.session_state[_METHOD] = signature
    st.session_state[_GRANULARITY] = None


def encoder() -> str:
    """Signature of the text encoder, or "auto" for the one that fits the language."""
    return str(st.session_state[_ENCODER])


def choose_encoder(signature: str) -> None:
    """Reads the headlines with another model."""
    st.session_state[_ENCODER] = signature
    st.session_state[_GRANULARITY] = None


def scorer() -> str:
    """Signature of the pair scorer."""
    return str(st.session_state[_SCORER])


def choose_scorer(signature: str) -> None:
    """Compares headlines another way."""
    st.session_state[_SCORER] = signature
    st.session_state[_GRANULARITY] = None


def lab_scorer() -> str:
    """Signature of the pair scorer that the Consistency page tests."""
    return str(st.session_state[_LAB_SCORER])


def choose_lab_scorer(signature: str) -> None:
    """Tests another pair scorer."""
    st.session_state[_LAB_SCORER] = signature


def map_method() -> str:
    """Signature of the map method."""
    return str(st.session_state[_MAP])


def choose_map(signature: str) -> None:
    """Lays the headlines out another way."""
    st.session_state[_MAP] = signature


def fold() -> bool:
    """Whether copies of an earlier headline are left out."""
    return bool(st.session_state[_FOLD])


def choose_fold(wanted: bool) -> None:
    """Leaves copies out or takes them in; rows mean other headlines then, so none stay selected."""
    st.session_state[_FOLD] = wanted
    select(group=None, by="")


def granularity() -> float | None:
    """Where the slider stands, 0–1; None means the automatic choice."""
    value: float | None = st.session_state[_GRANULARITY]
    return value


def choose_granularity(value: float | None) -> None:
    """Moves the slider; None goes back to the automatic choice."""
    st.session_state[_GRANULARITY] = value


def period() -> Period | None:
    """The days that are looked at; None means all of them."""
    days: tuple[date, date] | None = st.session_state[_PERIOD]
    return None if days is None else Period(*days)


def choose_period(days: Period | None) -> None:
    """Looks at some days, or at all of them; an open event is closed."""
    st.session_state[_PERIOD] = None if days is None else (days.first, days.last)
    select(group=None, by="")


def colour() -> str:
    """What the map is coloured by."""
    return str(st.session_state[_COLOUR])


def choose_colour(name: str) -> None:
    """Colours the map by something else."""
    st.session_state[_COLOUR] = name


def selected_group() -> int | None:
    """Id of the selected group."""
    group: int | None = st.session_state[_GROUP]
    return group


def selected_rows() -> list[int]:
    """Rows of the selected headlines, when they were picked one by one or with the lasso."""
    return list(st.session_state[_ROWS])


def select(*, group: int | None, rows: Iterable[int] = (), by: str) -> None:
    """Makes a selection in the name of one view; the other views are redrawn to follow it."""
    st.session_state[_GROUP] = group
    st.session_state[_ROWS] = sorted({int(row) for row in rows})
    st.session_state[_EPOCH] = st.session_state.get(_EPOCH, 0) + 1
    st.session_state[_MOVED_BY] = by


def moved_by() -> str:
    """The view that made the selection; "" when it was a button or a link."""
    return str(st.session_state.get(_MOVED_BY, ""))


def view_key(view: str) -> str:
    """Widget key of a view that holds a selection of its own.

    It changes when another view made the selection, so that the widget forgets its old one,
    and stays when the view itself did, so that it is not redrawn under the reader's hand.
    """
    name = f"_key_{view}"
    if st.session_state.get(_MOVED_BY) != view:
        st.session_state[name] = st.session_state.get(_EPOCH, 0)
    return f"{view}-{st.session_state.get(name, 0)}"


_SIMPLE: Final = r"[a-z0-9_]+\.v[0-9]+"
_SIGNATURE: Final = rf"{_SIMPLE}(\|[a-z_]+:[a-z0-9_.+-]+)*"


def _signature(text: str, default: str) -> str:
    return text if len(text) <= 200 and re.fullmatch(_SIGNATURE, text) else default


def _days(first: str, last: str) -> tuple[date, date] | None:
    if not all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day, re.ASCII) for day in (first, last)):
        return None
    try:
        days = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return None
    return days if days[0] <= days[1] else None


def _numbers(text: str) -> list[int]:
    parts = (part.strip() for part in text.split(","))
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 10]
