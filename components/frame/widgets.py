"""Buttons, lists to choose from, tables, and components of our own."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import pandas as pd
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from components.frame.controlled import controlled
from components.frame.markdown import HELPS, WORDS, plain
from components.frame.page_state import PARTS, PLACES, ROOT_PIXELS, is_large, turn_to
from components.server.places import script_of
from core.results.table import Table, text_rows

Named = Callable[[Any], str] | Mapping[Any, str]  # what an option is called
ROW_PIXELS: Final = 35
Cells = pd.DataFrame | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""A frame, its columns by name, or its lines."""
Columns = Mapping[str, Any]
"""By name of a column: its help as a text, its width in pixels, both, or what a `st.column_config` takes."""
TABLES: Final[Mapping[str, dict[str, Any]]] = WORDS["tables"]
"""What tables are to readers who do not see them, their columns, and their most pixels, by their names."""
_BEGUN: Final = "pages-begun-at-top"


def button(
    label: str, key: str, then: Callable[..., object] | None = None, *given: Any, icon: str = "", **more: Any
) -> bool:
    """Draws a button with a Material icon; a click calls `then` with what is given, before the page runs."""
    look = {"icon": f":material/{icon}:" if icon else None, "help": HELPS.get(key)} | more
    return st.button(label, key=key, on_click=then, args=given, **look)


def notice(name: str, /, *, icon: str = "", **values: object) -> None:
    """Draws what stands where there is nothing to show: lines of the table `notices`, with values in them."""
    sign, *lines = WORDS["notices"][name]
    st.info("  \n".join(lines).format(**values), icon=f":material/{icon or sign}:")


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


def undo_button(key: str, shortcut: str, then: Callable[..., object], *given: Any, disabled: bool) -> None:
    button("Undo", key, then, *given, icon="undo", type="tertiary", shortcut=shortcut, disabled=disabled)


def steps(said: str, at: int, count: int, go: Callable[[int], None], *, what: str) -> None:
    """Draws “Previous” and “Next” and, as markdown, where the page is: `at` of `count`, from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{what}"):
        ends = (("Previous", at - 1, "back", "Left"), ("Next", at + 1, "forward", "Right"))
        for label, to, icon, shortcut in ends:
            look = {"icon": f"arrow_{icon}", "disabled": not 0 <= to < count, "shortcut": shortcut}
            button(label, f"{label.lower()}-{what}", go, to, **look)
        if said:
            st.markdown(said)


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


def show_result(table: Table, *, alt: str, most: int = 460, columns: Columns | None = None) -> None:
    head, *rows = text_rows(table)
    show_table(pd.DataFrame(rows, columns=head), alt=alt, most=most, columns=columns)
    for note in table.notes:
        st.caption(plain(note))


def show_table(
    cells: Cells, *, alt: str, most: int = 460, columns: Columns | None = None, **edited: Any
) -> None:
    """Draws a table of so many pixels at most, or one to edit; `alt` is for readers who do not see it."""
    frame = pd.DataFrame(cells)
    (st.data_editor if edited else st.dataframe)(frame, **edited, **_looks(frame, alt, most, columns or {}))


def text_table(cells: Cells, **more: Any) -> None:
    """Draws a plain table, whose cells wrap: they are there to be read."""
    st.table(pd.DataFrame(cells), hide_index=True, **more)


def choose_row(
    cells: Cells, *, key: str, alt: str, most: int = 460, columns: Columns | None = None
) -> int | None:
    """Draws a table of which one line can be selected; gives its place, None for none. See `show_table`."""
    frame = pd.DataFrame(cells)
    look = _looks(frame, alt, most, columns or {})
    event = st.dataframe(frame, key=key, on_select="rerun", selection_mode="single-row", **look)
    # A selection may outlive the line that it was made on.
    return next((row for row in event.selection.rows if row < len(frame)), None)


def metrics(values: Iterable[tuple[str, ...]], *, key: str) -> None:
    with st.container(horizontal=True, key=key):
        for label, value, *said in values:
            st.metric(label, value, help=said[0] if said else None, width="content")


def headline_columns(time: str, **format: Any) -> dict[str, Any]:
    """How a table of headlines looks, whose `time` is the name of the column with their time."""
    return {
        time: st.column_config.DatetimeColumn(**format),
        "Event": st.column_config.NumberColumn(width=60),
        # Within a table next to a map: Arabic begins at its end.
        "Headline": st.column_config.TextColumn(width=360),
        "Link": st.column_config.LinkColumn(display_text="open", width=60),
    }


def height_for(rows: int, most: int) -> int:
    """Pixels of a table that shows no empty lines; larger where text is large."""
    times = ROOT_PIXELS / 16 if is_large() else 1.0
    return round(times * min(most, ROW_PIXELS * (rows + 1) + 3))


def _looks(frame: pd.DataFrame, alt: str, most: int, columns: Columns) -> dict[str, Any]:
    return {
        "hide_index": True,
        "height": height_for(len(frame), most),
        "column_config": {name: _column(column) for name, column in columns.items()},
        "alt": alt,
    }


def _column(given: Any) -> Any:
    if isinstance(given, Mapping):
        known = "type_config" in given
        return given if known else st.column_config.NumberColumn(**given) if "format" in given else given
    width, help = (
        given if isinstance(given, list) else (None, given) if isinstance(given, str) else (given, None)
    )
    return st.column_config.Column(width=width, help=help)


def mounted(
    module: str, name: str, html: str, *, isolate_styles: bool = True, before: tuple[str, ...] = ()
) -> ComponentRenderer:
    """Registers a component of NAME.css and NAME.js; styles of one for the whole page are not isolated."""
    files = Path(module).with_name(name)
    scripts = [files.with_name(f"{script}.js").read_text(encoding="utf-8") for script in (*before, name)]
    code = {"css": files.with_suffix(".css").read_text(encoding="utf-8"), "js": "\n".join(scripts)}
    known = f"headline_lab_{name}"
    return st.components.v2.component(known, html=html, **code, isolate_styles=isolate_styles)


_draw = mounted(__file__, "copying", '<button type="button"><span class="label"></span></button>')


def copy_button(label: str, *, key: str, text: str | None = None) -> None:
    """Draws a button that copies a text, or without one the address of the page, and says so."""
    _draw(key=key, data={"label": label, "text": text}, width="content")


_watch = mounted(__file__, "accessibility", '<div class="headline-lab-fixes"></div>', isolate_styles=False)


def fix() -> None:
    """Puts the fixes into the page, where they watch what is drawn and its theme; takes no space."""
    data = {"painted": st.context.theme.type, "begun": st.session_state.get(_BEGUN, 0)}
    _watch(key="accessibility", data=data, on_theme_change=lambda: None, on_failed_change=lambda: None)


def begin_at_top() -> None:
    """Scrolls the page to its top when it is drawn next: something else is shown on it from then on."""
    st.session_state[_BEGUN] = st.session_state.get(_BEGUN, 0) + 1
