"""Buttons, whose click calls something before the page runs, and lists to choose from."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from components.page_state import OLD_ADDRESSES, PLACES, controlled


def button(
    label: str, key: str, then: Callable[..., object] | None = None, *given: Any, icon: str = "", **more: Any
) -> bool:
    """Draws a button with a Material icon; a click calls `then` with what is given, before the page runs."""
    sign = f":material/{icon}:" if icon else None
    return st.button(label, key=key, icon=sign, on_click=then, args=given, **more)


def part_link(label: str, word: str, icon: str) -> None:
    """Draws the way to a part of a place, by the word of its address."""
    place, _ = OLD_ADDRESSES[word]
    choose = partial(PLACES.put, **{place: word})
    if button(label, f"to-{word}", choose, icon=icon, type="tertiary"):
        st.switch_page(f"pages/{place}.py")


def undo_button(key: str, shortcut: str, then: Callable[..., object], *given: Any, disabled: bool) -> None:
    button("Undo", key, then, *given, icon="undo", type="tertiary", shortcut=shortcut, disabled=disabled)


def steps(said: str, at: int, count: int, go: Callable[[int], None], *, what: str) -> None:
    """Draws “Previous” and “Next” and, as markdown, where the page is: `at` of `count`, from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{what}"):
        button(
            "Previous", f"previous-{what}", go, at - 1, icon="arrow_back", disabled=at <= 0, shortcut="Left"
        )
        last = at + 1 >= count
        button("Next", f"next-{what}", go, at + 1, icon="arrow_forward", disabled=last, shortcut="Right")
        st.markdown(said)


Named = Callable[[Any], str] | Mapping[Any, str]  # what an option is called


def pick(
    label: str, options: Iterable[Any], named: Named, key: str, *, first: Any = None, **more: Any
) -> Any:
    """Draws a list of which the session keeps the choice; `first` is chosen before anybody chose."""
    known = list(options)
    place = {"index": known.index(first)} if first in known else {}
    return st.selectbox(
        label, known, format_func=_words(named), key=key, persist_state="session", **place, **more
    )


def choose_here(  # noqa: PLR0917 - as widgets take them
    label: str,
    options: Iterable[Any],
    named: Named,
    key: str,
    here: Any,
    take: Callable[[Any], object],
    **more: Any,
) -> Any:
    """Draws a list without its label, in which `here` is in force and `take` gets what is chosen."""
    known = list(options)
    known = known if here in known else [here, *known]
    more = {"label_visibility": "collapsed", **controlled(key, here, take), **more}
    return st.selectbox(label, known, format_func=_words(named), **more)


def segments(label: str, options: Iterable[Any], named: Named, key: str, **more: Any) -> Any:
    """Draws a row of options without its label, the first chosen unless `default` is."""
    known = list(options)
    more = {"default": known[0], "label_visibility": "collapsed", **more}
    return st.segmented_control(label, known, format_func=_words(named), required=True, key=key, **more)


def _words(named: Named) -> Callable[[Any], str]:
    return named.__getitem__ if isinstance(named, Mapping) else named
