"""What is open as a timeline, and how it is looked at."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Self
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from components.frame import links, page_state, view_state
from components.frame.links import linked
from components.frame.markdown import WORDS
from components.frame.view_state import PageView, ViewState
from core.data.timelines.periods import Period
from core.data.timelines.samples import PREFIX
from core.maps.projector import DEFAULT_MAP
from core.pairs.timeline_context import default_grouping_scorer

DEFAULT_DATA: Final = "iss"
DEFAULT_SCORER: Final = default_grouping_scorer()
# With the prefix that the command line writes.
_NAMED: Final = {"wants": "the name of a sample or of an open file", "prefix": PREFIX}
_DATA: Final = links.text("data", r"[a-z0-9-]{1,40}", **_NAMED)
REVIEWS: Final = ("links", "joins")
"""What Review asks about first: the least sure links, or what the other rule for the level would join."""
VIEWS: Final = {"list": "List", "lanes": "Lanes", "map": "Map", "outlets": "Outlets"}
"""How the events are looked at, by its word in the address."""
ORDERS: Final[Mapping[str, str]] = WORDS["orders"]
_FILTERS: Final = links.Link(
    "filter", lambda given: tuple(parse_qsl(given, strict_parsing=True)[:60]), urlencode, "filters"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView(PageView):
    find: str = linked("", links.line("find", 100))
    order: str = linked("", links.choice("order", ORDERS))
    show: str = linked("list", links.choice("show", VIEWS))
    facets: tuple[tuple[str, str], ...] = linked((), _FILTERS)
    numbers: bool = linked(False, links.flag("numbers"))
    edited: bool = linked(False, links.flag("edited"))
    disputed: bool = linked(False, links.flag("disputed"))
    corrected: bool = linked(False, links.flag("corrected"))
    regrouped: bool = linked(False, links.flag("regrouped"))

    @property
    def sorted_by(self) -> str:
        return self.order or ("first" if self.show == "lanes" else "size")


LIST: Final = ViewState(ListView)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineView(PageView):
    data: str = linked(DEFAULT_DATA, _DATA)
    since: str = linked("", links.text("since", r"file-[0-9a-f]{16}"))
    encoder: str = linked("auto", links.signature("encoder", simple=True))
    scorer: str = linked(DEFAULT_SCORER, links.signature("scorer"))
    method: str = linked("average_linkage.v1", links.signature("method"))
    granularity: float | None = linked(None, links.share("granularity"))
    first: date | None = linked(None, links.day("from"))  # noqa: RUF009 - a field
    last: date | None = linked(None, links.day("to"))  # noqa: RUF009 - a field
    map: str = linked(DEFAULT_MAP, links.signature("map"))
    fold: bool = linked(False, links.flag("fold"))
    formats: bool = linked(False, links.flag("formats"))
    titles: str = linked("", links.text("titles", r"[a-z]{2,4}"))
    colour: str = linked("group", links.line("colour", 70))
    group: int | None = linked(None, links.integer("group", r"[0-9]{1,9}"))
    rows: tuple[int, ...] = linked((), links.several("rows", r"[0-9]{1,9}", most=200, of=int))
    like: int | None = linked(None, links.integer("like", r"[0-9]{1,9}"))
    review: str = linked("", links.choice("review", REVIEWS))
    moved_by: str = ""
    epoch: int = 0
    who: str | None = None

    @property
    def period(self) -> Period | None:
        return None if self.first is None or self.last is None else Period(self.first, self.last)

    def checked(self) -> Self:
        known = self.first is not None and self.last is not None and self.first <= self.last
        return self if known else replace(self, first=None, last=None)


_state = ViewState(TimelineView, stays=("epoch", "who"))
now, put, reset, everything, part = _state.now, _state.put, _state.reset, _state.everything, _state.part


def write_address(*others: view_state.Part) -> None:
    page_state.write_address(part(), *others, moved=come_back)


def come_back() -> None:
    """Selects what another view left, in the name of none: all that draw it are drawn anew."""
    select(group=now().group, rows=now().rows, by="")


def open_data(name: str, *, since: str = "") -> None:
    put(data=name, since=since, granularity=None, first=None, last=None, review="")
    LIST.reset("facets")
    select(group=None, by="")


def choose_fold(wanted: bool) -> None:
    """Leaves duplicates out or takes them in; rows mean other headlines then, so none stay."""
    put(fold=wanted)
    select(group=None, by="")


def choose_formats(wanted: bool) -> None:
    """Groups formats that repeat, too, or sets them aside."""
    put(formats=wanted)
    select(group=None, by="")


def choose_period(days: Period | None) -> None:
    put(first=days and days.first, last=days and days.last)
    select(group=None, by="")


def select(*, group: int | None, rows: Iterable[int] = (), by: str) -> None:
    """Makes a selection in the name of one view; the other views are redrawn to follow it."""
    like = now().like if group == now().group else None
    put(
        group=group,
        like=like,
        rows=tuple(sorted({int(row) for row in rows})),
        moved_by=by,
        epoch=now().epoch + 1,
    )


def view_key(view: str) -> str:
    name = f"_key_{view}"
    if now().moved_by != view:
        st.session_state[name] = now().epoch
    return f"{view}-{st.session_state.get(name, 0)}"
