"""Buttons, lists to choose from, and other small controls."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from components.frame.controlled import controlled
from components.frame.language import say, translated
from components.frame.markdown import HELPS, WORDS
from components.frame.mounting import mounted
from components.frame.page_state import PARTS, PLACES, turn_to
from components.server.places import script_of

Named = Callable[[Any], str] | Mapping[Any, str]  # what an option is called
_copy = mounted(__file__, "copying", '<button type="button"><span class="label"></span></button>')


def button(
    label: str, key: str, then: Callable[..., object] | None = None, *given: Any, icon: str = "", **more: Any
) -> bool:
    """Draws a button with a Material icon; a click calls `then` with what is given, before the page runs."""
    look = {"icon": f":material/{icon}:" if icon else None, "help": HELPS.get(key)} | more
    return st.button(label, key=key, on_click=then, args=given, **look)


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws a button that copies a text, or without one the address of the page, and says so."""
    _copy(key=key, data={"label": label, "text": text}, width="content")


def notice(name: str, /, *, icon: str = "", **values: object) -> None:
    """Draws what stands where there is nothing to show: lines of the table `notices`, with values in them."""
    sign, *lines = WORDS["notices"][name]
    st.info(
        "  \n".join(translated(line.format(**values)) for line in lines), icon=f":material/{icon or sign}:"
    )


def button_to(
    place: str, label: str, key: str, then: Callable[..., object] | None = None, *given: Any, **look: Any
) -> None:
    """Draws a button to another place; a click while this page still computes gets there as well."""

    def leave() -> None:
        if then is not None:
            then(*given)
        turn_to(place)

    if button(label, key, leave, **look):  # in a fragment: the page itself does not run
        st.switch_page(script_of(place))


def part_link(label: str, word: str, icon: str) -> None:
    place = next(place for place, parts in PARTS.items() if word in parts)
    button_to(place, label, f"to-{word}", partial(PLACES.put, **{place: word}), icon=icon, type="tertiary")


def chosen_line(said: str, name: str) -> None:
    """Draws what is chosen, and *Change*, which opens containers with keys `choice-…` on a phone."""
    changing = f"{name}-changing"
    with st.container(horizontal=True, vertical_alignment="center", key=f"chosen-{name}"):
        st.markdown(said, width="content")
        is_open = st.session_state.get(changing, False)
        turn = partial(st.session_state.__setitem__, changing, not is_open)
        button("Done" if is_open else "Change", f"{'done' if is_open else 'change'}-chosen", turn)


def undo_button(key: str, shortcut: str, then: Callable[..., object], *given: Any, disabled: bool) -> None:
    button(say("Undo"), key, then, *given, icon="undo", type="tertiary", shortcut=shortcut, disabled=disabled)


def steps(
    said: str, at: int, count: int, go: Callable[[int], None], *, what: str, keys: bool = True, **more: Any
) -> None:
    """Draws “Previous”, as markdown where the page is, and “Next”, which alone is filled: `at` of `count`."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{what}"):
        ends = (("Previous", at - 1, "back", "Left"), ("Next", at + 1, "forward", "Right"))
        for label, to, icon, shortcut in ends:
            look = {"disabled": not 0 <= to < count} | more
            look |= {"shortcut": shortcut} if keys else {"icon": f"arrow_{icon}"}
            look |= {"type": "secondary"} if more.get("type") == "primary" and not at < to < count else {}
            button(say(label), f"{label.lower()}-{what}", go, to, **look)
            if said and label == "Previous":
                st.markdown(said, width="content")


def pick(
    label: str, options: Iterable[Any], named: Named, key: str, *, first: Any = None, **more: Any
) -> Any:
    """Draws a list of which the session keeps the choice; `first` is chosen before anybody chose."""
    known = list(options)
    look = {"key": key, "persist_state": "session", "help": HELPS.get(key)} | more
    look |= {"index": known.index(first)} if first in known else {}
    return st.selectbox(label, known, format_func=distinct_names(known, named), **look)


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
    return st.selectbox(label, known, format_func=distinct_names(known, named), **more)


def search(placeholder: str, key: str, here: str, take: Callable[[str], object], **more: Any) -> None:
    """Draws a field to search in, in which `here` is in force and `take` gets what is typed."""
    look = {"label": "Search", "placeholder": placeholder, "label_visibility": "collapsed"}
    st.text_input(**look | more, **controlled(key, here, lambda given: take(given or "")))


def segments(label: str, options: Iterable[Any], named: Named, key: str, **more: Any) -> Any:
    known = list(options)
    look = {"default": known[0], "label_visibility": "collapsed", "format_func": distinct_names(known, named)}
    return st.segmented_control(label, known, required=True, key=key, **look | more)


def distinct_names(options: Iterable[Any], named: Named) -> Callable[[Any], str]:
    """What options are called: a list knows them by that, so of several alike later ones get a number."""
    called = named.__getitem__ if isinstance(named, Mapping) else named
    words, met = {}, Counter[str]()
    for option in options:
        name = called(option)
        met[name] += 1
        words[option] = name if met[name] == 1 else f"{name} ({met[name]})"
    return lambda option: words[option] if option in words else called(option)


def metrics(values: Iterable[tuple[str, ...]], *, key: str) -> None:
    with st.container(horizontal=True, key=key):
        for label, value, *said in values:
            st.metric(label, value, help=said[0] if said else None, width="content")
