"""Values in the address of a page: how each is read, written and described; and those that are refused."""

import re
from collections.abc import Callable, Collection
from dataclasses import field
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st

from components.frame.markdown import plain

SIMPLE_NAME: Final = r"[a-z0-9_]+\.v[0-9]+"
_SIGNATURE: Final = rf"{SIMPLE_NAME}(\|[a-z_]+:([a-z0-9_.+-]*|\([a-z0-9_.+|:()-]+\)))*"
_KNOWN: Final = "known here"
Read, Write = Callable[[str], Any], Callable[[Any], str]
REFUSED: Final = "refused_in_link"


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


def came_by_link(name: str) -> bool:
    return name in names_by_link()


def refuse_link(name: str, given: str, wants: str) -> None:
    """Keeps a sentence on a value of the link that is ignored; `draw_refused` draws it."""
    shown = f"{name}={given}"
    shown = shown if len(shown) <= 80 else f"{shown[:79]}…"
    st.session_state.setdefault(REFUSED, {})[name] = (None, f"“{shown}” in the link is not {wants}.")


def draw_refused(script: str) -> None:
    """Draws what the link of this page said that is ignored, until the reader goes to another page."""
    refused: dict[str, tuple[str | None, str]] = st.session_state.get(REFUSED, {})
    here = {name: said for name, (page, said) in refused.items() if page in (None, script)}
    st.session_state[REFUSED] = {name: (script, said) for name, said in here.items()}
    if here:
        said = "  \n".join(map(plain, here.values()))
        st.warning(f"{said} The rest of the link is used.", icon=":material/link_off:")


def names_by_link() -> set[str]:
    return st.session_state.setdefault("came_by_link", set())
