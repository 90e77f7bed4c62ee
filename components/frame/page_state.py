"""What pages show: plain values in the session, and one codec that puts them into the address and back."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.frame.markdown import HELPS, WORDS, plain
from components.server.sessions import script_of

_REFUSED: Final = "refused_in_link"
_LAST_PAGE: Final = "last_page"
_PLACE: Final = "place_with_parts"
_ARRIVED: Final = "arrived_with"
"""The address that a page got when the reader came by the menu, by page: Streamlit may leave one without
values before it in the browser's history, and going back to that one must not lose the view."""
BEGUN: Final = "begun"
"""Set in the session from the first thing on that its reader did."""
LAST: Final = "headline_lab_last"
"""Cookie with the address at which this browser left the app; `history.js` writes it and goes there."""
OPEN: Final = "headline_lab_file"  # that with the file that was open last
_TURN: Final = "turn_to"  # the place that the next run of a page goes to, before it draws anything
SIMPLE_NAME: Final = r"[a-z0-9_]+\.v[0-9]+"
_SIGNATURE: Final = rf"{SIMPLE_NAME}(\|[a-z_]+:([a-z0-9_.+-]+|\([a-z0-9_.+|:()-]+\)))*"

_KNOWN: Final = "known here"
Read, Write = Callable[[str], Any], Callable[[Any], str]


class Link(NamedTuple):
    name: str  # of the query parameter
    read: Read  # raises ValueError for what makes no sense
    write: Write = str  # "" keeps it out of links
    wants: str = _KNOWN  # what the text should be, for a reader: "a number from 0 to 1"


def linked(default: Any, link: Link) -> Any:
    """A field of a `PageView` that stands in the address unless it has its default."""
    return field(default=default, metadata={"link": link})


def text(
    name: str, pattern: str, of: Read = str, write: Write = str, *, wants: str = _KNOWN, prefix: str = ""
) -> Link:
    """A value of a text that matches a pattern in full; a `prefix` may stand before it and is left out."""
    return Link(name, lambda given: of(_matching(pattern, given.removeprefix(prefix))), write, wants)


def line(name: str, most: int) -> Link:
    return Link(name, lambda given: given[:most])


def signature(name: str, *, simple: bool = False) -> Link:
    """The signature of a registered recipe; a `simple` one has no values, which may name a folder."""
    return Link(
        name,
        lambda given: _matching(_SIGNATURE, given[:201], most=200),
        lambda value: value if re.fullmatch(SIMPLE_NAME if simple else _SIGNATURE, value) else "",
        "the name of a method, such as average_linkage.v1",
    )


def choice(name: str, words: Collection[str]) -> Link:
    """One of some words; they are the program's own, so that a reader is not told them."""
    return text(name, "|".join(map(re.escape, words)), wants="known to this page")


def flag(name: str, word: str = "yes", *, means: bool = True) -> Link:
    """A switch: present with its word, or left out."""
    read = partial(_matching, f"{word}|no|")
    return Link(name, lambda given: (read(given) == word) == means, lambda _: word, f"“{word}” or “no”")


def integer(name: str, pattern: str, *, low: int = 0, shift: int = 0) -> Link:
    """A whole number of at least `low`, written with `shift` added."""
    read, wants = (lambda given: max(low, int(given) - shift)), "a whole number"
    return text(name, pattern, read, lambda value: str(value + shift), wants=wants)


def share(name: str) -> Link:
    wants = "a number from 0 to 1 with at most four decimals"
    return text(name, r"0(\.\d{1,4})?|1(\.0{1,4})?", float, "{:g}".format, wants=wants)


def day(name: str) -> Link:
    return text(name, r"\d{4}-\d{2}-\d{2}", date.fromisoformat, wants="a day such as 2015-01-14")


def several(name: str, pattern: str, *, most: int, of: Callable[[str], Any] = str) -> Link:
    """Values with commas between: the first `most` that match; more are written into no link."""
    parts = re.compile(rf"(?:^|(?<=,))\s*({pattern})\s*(?=,|$)", re.ASCII)

    def read(given: str) -> tuple[Any, ...]:
        values = parts.findall(given)[:most]
        if given.strip() and not values:
            raise ValueError(pattern)
        return tuple(map(of, values))

    def write(values: Collection[Any]) -> str:
        return ",".join(map(str, values)) if len(values) <= most else ""

    return Link(name, read, write, "values with commas between them")


def _matching(pattern: str, given: str, *, most: int = 1_000) -> str:
    if len(given) > most or not re.fullmatch(pattern, given, re.ASCII):
        raise ValueError(pattern)
    return given


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """The values of one view; its fields are plain, since the session outlives this module."""

    def checked(self) -> Self:
        """The view as it may be used, where the values of a link do not go together."""
        return self


V = TypeVar("V", bound=PageView)
Part = tuple["ViewState[Any]", Collection[str]]
"""A view, and the names of its fields that stand in a page's address."""


class ViewState(Generic[V]):
    known: ClassVar[dict[str, "ViewState[Any]"]] = {}  # all of the app, by their key

    def __init__(self, view: type[V], *, stays: Collection[str] = ()) -> None:
        self._view = view
        self._stays = stays  # names of what the reader brought, which no new view of it takes away
        self._key = f"state_{view.__name__}"
        self.known[self._key] = self
        linked_fields = (each for each in fields(view) if "link" in each.metadata)
        self.links: Final[Mapping[str, Link]] = {each.name: each.metadata["link"] for each in linked_fields}

    def now(self) -> V:
        if self._key not in st.session_state:
            self._keep(self._of_address(self.links, self._view()))
        return self._view(**st.session_state[self._key])

    def put(self, **changes: Any) -> None:
        self._keep(replace(self.now(), **changes))
        _came_by_link().difference_update(self.links[name].name for name in changes if name in self.links)

    def reset(self, *names: str) -> None:
        """Sets some values, or all but those that stay, to what they are before anybody chose."""
        start = asdict(self._view())
        self.put(**{name: start[name] for name in names or self.everything()})

    def everything(self) -> dict[str, Any]:
        """What is shown, to come back to later."""
        return {name: value for name, value in asdict(self.now()).items() if name not in self._stays}

    def widget(self, name: str, key: str) -> dict[str, Any]:
        """Key and callback of a widget that shows one value and changes it: see `controlled`."""
        return controlled(key, getattr(self.now(), name), lambda chosen: self.put(**{name: chosen}))

    def show(self, name: str, words: Mapping[str, str], key: str) -> str:
        """Draws the choice among words of the address for one value; gives the word in force."""
        return show(words, getattr(self.now(), name), lambda word: self.put(**{name: word}), key=key)

    def part(self, *names: str) -> Part:
        return self, names or self.links

    def adopt(self, names: Collection[str]) -> None:
        """Takes values from the address as it is now; what it lacks gets its default."""
        self._keep(self._of_address(names, self.now()))

    def address(self, names: Collection[str]) -> dict[str, str]:
        """Query parameters of some values; defaults are left out, to keep links short."""
        start, here = self._view(), self.now()
        changed = [name for name in names if getattr(here, name) != getattr(start, name)]
        written = {self.links[name].name: self.links[name].write(getattr(here, name)) for name in changed}
        return {name: value for name, value in written.items() if value}

    def _of_address(self, names: Collection[str], before: V) -> V:
        start, values = self._view(), asdict(before)
        for name in names:
            values[name], link = getattr(start, name), self.links[name]
            given = st.query_params.get(link.name)
            if given is not None:
                try:
                    values[name] = link.read(given)
                    _came_by_link().add(link.name)
                    # Views of several pages may have a value of one name; it is for one of them.
                    st.session_state.get(_REFUSED, {}).pop(link.name, None)
                except ValueError:
                    if link.name not in _came_by_link():
                        refuse_link(link.name, given, link.wants)
        read = self._view(**values)
        checked = read.checked()
        for name in names:
            if getattr(read, name) != getattr(checked, name):
                link = self.links[name]
                refuse_link(link.name, link.write(getattr(read, name)), "usable with the rest of the link")
        return checked

    def _keep(self, view: V) -> None:
        st.session_state[self._key] = asdict(view)


def turn_to(place: str) -> None:
    st.session_state[_TURN] = place


def turn(script: str) -> None:
    wanted = st.session_state.pop(_TURN, None)
    if wanted is not None and wanted != Path(script).stem:
        st.switch_page(script_of(wanted))


def _came_by_link() -> set[str]:
    names: set[str] = st.session_state.setdefault("came_by_link", set())
    return names


def came_by_link(name: str) -> bool:
    return name in _came_by_link()


def refuse_link(name: str, given: str, wants: str) -> None:
    """Keeps a sentence on a value of the link that is ignored; `draw_refused` draws it."""
    shown = f"{name}={given}"
    shown = shown if len(shown) <= 80 else f"{shown[:79]}…"
    st.session_state.setdefault(_REFUSED, {})[name] = (None, f"“{shown}” in the link is not {wants}.")


def draw_refused(script: str) -> None:
    """Draws what the link of this page said that is ignored, until the reader goes to another page."""
    refused: dict[str, tuple[str | None, str]] = st.session_state.get(_REFUSED, {})
    here = {name: said for name, (page, said) in refused.items() if page in (None, script)}
    st.session_state[_REFUSED] = {name: (script, said) for name, said in here.items()}
    if here:
        said = "  \n".join(map(plain, here.values()))
        st.warning(f"{said} The rest of the link is used.", icon=":material/link_off:")


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


def controlled(key: str, value: Any, choose: Callable[[Any], object]) -> dict[str, Any]:
    """Key, help and callback of a widget that shows a value of a view and hands over what is chosen."""
    st.session_state[key] = value
    return {"key": key, "help": HELPS.get(key), "on_change": lambda: choose(st.session_state[key])}


def controlled_days(
    key: str, shown: tuple[date, date], choose: Callable[[date, date], object]
) -> dict[str, Any]:
    """`controlled` for a choice of first and last day."""

    def chosen() -> None:
        given = st.session_state[key]
        if len(given) == 2:
            choose(*given)

    if len(st.session_state.get(key, shown)) == 2:
        st.session_state[key] = shown
    return {"key": key, "on_change": chosen}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenView(PageView):
    large: bool = linked(False, flag("large"))


SCREEN: Final = ViewState(ScreenView)
ROOT_PIXELS: Final = 22  # font size of the root while text is large, as in large_text.css; 16 otherwise


def is_large() -> bool:
    return SCREEN.now().large


PARTS: Final[Mapping[str, Mapping[str, str]]] = WORDS["parts"]
"""Parts of the places that have several, the first shown at first: word in the address, and title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesView(PageView):
    sources: str = linked("open", choice("part", PARTS["sources"]))
    judge: str = linked("annotate", choice("part", PARTS["judge"]))
    benchmark: str = linked("pairs", choice("part", PARTS["benchmark"]))
    models: str = linked("library", choice("part", PARTS["models"]))


PLACES: Final = ViewState(PlacesView)


def part(place: str) -> str:
    st.session_state[_PLACE] = () if place not in PARTS else (place,)
    if place not in PARTS:
        return ""
    follow(PLACES.part(place))
    shown = getattr(PLACES.now(), place)
    return show(PARTS[place], shown, lambda word: PLACES.put(**{place: word}), key=f"{place}-part")


def show(words: Mapping[str, str], current: str, choose: Callable[[str], object], *, key: str) -> str:
    """Draws the choice among words of the address, of which `current` is in force; gives that word."""
    look = {"format_func": words.__getitem__, "required": True, "label_visibility": "collapsed"}
    st.segmented_control("Show", list(words), **look, **controlled(key, current, choose))
    return current
