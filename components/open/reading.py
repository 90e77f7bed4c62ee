"""Reading what a user gives in a process of its own, with progress and a stop button."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, cast
from uuid import uuid4

import pandas as pd
import streamlit as st

from components import jobs
from components.buttons import button
from components.tables import show_table
from core.data.articles.load import ArticleFile
from core.data.timelines.load import check_pasted, load_text
from core.digests import digest
from core.errors import CoreError, InputError
from core.headlines.writing import article_of_text
from core.processes import apart
from core.runtime import Runtime

T = TypeVar("T")

PATIENCE_SECONDS: Final = 1.0  # what is read sooner is read without a word
AT_ONCE_CHARACTERS: Final = 20_000
"""Pasted text up to this is read by the page itself: it takes less time than handing it on."""
LOOKED_AT: Final = 8  # files, or ways to read one, of which a session remembers what they hold
_EVERY_SECONDS: Final = 0.5
_PASTED: Final = "_pasted_article"
_STOPPED: Final = "_reading_stopped"


def read(label: str, work: Callable[..., T], *given: Any, key: str = "") -> T:
    """The result of a function of `core` that reads what a user gave."""
    if key and st.session_state.get(_STOPPED) == key:
        jobs.show_stopped(label, key, _STOPPED)
        st.stop()
    drawn = _Drawn(label, key or uuid4().hex)
    try:
        return apart(work, *given, runtime=Runtime(report=drawn.report), step=label)
    finally:
        drawn.clear()


def looked_at(label: str, look: Callable[..., T], *given: Any, remembered: str, mark: str) -> T:
    """What a file seems to hold: asked again at every click, so the last answers are remembered by a mark."""
    seen = st.session_state.setdefault(remembered, {})
    if mark not in seen:
        while len(seen) >= LOOKED_AT:
            del seen[next(iter(seen))]
        try:
            seen[mark] = read(label, look, *given, key=f"look-{mark}"), None
        except CoreError as error:
            seen[mark] = None, (error.message, error.hint)
    found, wrong = seen[mark]
    if wrong is not None:
        raise InputError(wrong[0], hint=wrong[1])
    return cast(T, found)


def pasted_article(text: str) -> ArticleFile | None:
    """A pasted article, tags of HTML left out; None where it holds no word."""
    check_pasted(text)
    if len(text) <= AT_ONCE_CHARACTERS:
        return article_of_text(text)
    key = digest(text)
    last = st.session_state.get(_PASTED)
    if last is None or last[0] != key:
        last = key, read("Reading the article", article_of_text, text, key=key)
        st.session_state[_PASTED] = last
    found: ArticleFile | None = last[1]
    return found


def warm() -> None:
    """Starts a process and imports what reading needs; called once, off the page's way."""
    apart(load_text, "headline,date\nStorm closes airport,2024-05-01\n", step="Getting ready")


class _Drawn:
    def __init__(self, label: str, key: str) -> None:
        self._label = label
        self._key = key
        self._started = self._last = time.monotonic()
        self._place: Any = None
        self._bar: Any = None

    def report(self, _step: str, _done: int, _total: int) -> None:
        now = time.monotonic()
        if now - self._started < PATIENCE_SECONDS or now - self._last < _EVERY_SECONDS:
            return
        self._last = now
        text = f"**{self._label}** — {now - self._started:.0f} s"
        if self._place is None:
            self._place = st.empty()
            with self._place.container():
                self._bar = st.progress(0.0, text=text)
                stop = partial(st.session_state.__setitem__, _STOPPED, self._key)
                button("Stop", f"stop-{self._key}", stop, icon="stop_circle")
        self._bar.progress(0.0, text=text)

    def clear(self) -> None:
        if self._place is not None:
            self._place.empty()


NONE: Final = "– none –"
SHOWN_CHARACTERS: Final = 300
"""Of a cell before it is loaded; a browser stands still over a hundred thousand accents."""
_IN_A_ROW: Final = 4


@dataclass(frozen=True, slots=True)
class ColumnMeaning:
    """Something that a column can mean."""

    name: str
    label: str
    help: str
    many: bool = False


def column_form(
    meanings: Sequence[ColumnMeaning],
    columns: Sequence[str],
    proposed: Mapping[str, Sequence[str]],
    *,
    key: str,
) -> dict[str, tuple[str, ...]]:
    """Draws a box for each meaning; gives the columns that are chosen, by meaning, where there are any."""
    chosen: dict[str, tuple[str, ...]] = {}
    # Row by row, so that the tab key and a narrow screen follow the order of the meanings.
    boxes = [box for _ in range(0, len(meanings), _IN_A_ROW) for box in st.columns(_IN_A_ROW)]
    for box, meaning in zip(boxes, meanings, strict=False):
        first = [name for name in proposed.get(meaning.name, ()) if name in columns]
        box_key = f"{key}-{meaning.name}-{hash(tuple(columns))}"
        if meaning.many:
            names = tuple(
                box.multiselect(meaning.label, columns, default=first, key=box_key, help=meaning.help)
            )
        else:
            options = [NONE, *columns]
            name = box.selectbox(
                meaning.label,
                options,
                index=options.index(first[0]) if first else 0,
                key=box_key,
                help=meaning.help,
            )
            names = () if name == NONE else (name,)
        if names:
            chosen[meaning.name] = names
    return chosen


def first_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draws the first rows of a file as they were read."""
    show_table(
        pd.DataFrame([[cell[:SHOWN_CHARACTERS] for cell in row] for row in rows], columns=pd.Index(columns)),
        alt="The first rows of the file as they were read",
        most=260,
    )
