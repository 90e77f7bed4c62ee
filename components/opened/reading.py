"""Files that another process reads, with *Stop* while it takes long."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar, cast
from uuid import uuid4

import streamlit as st

from components.frame import progress
from components.frame.widgets import button
from core.bounded_work import apart
from core.data.articles.article_files import ArticleFile
from core.data.timelines.load import check_pasted, load_text
from core.digests import digest
from core.errors import CoreError, InputError
from core.headlines.writing import article_of_text
from core.runtime import Runtime

T = TypeVar("T")
PATIENCE_SECONDS: Final = 1.0  # what is read sooner is read without a word
AT_ONCE_CHARACTERS: Final = 20_000  # of pasted text are read by the page itself, sooner than handed on
LOOKED_AT: Final = 8  # files, or ways to read one, of which a session remembers what they hold
_PASTED: Final = "_pasted_article"
_STOPPED: Final = "_reading_stopped"


def read(label: str, work: Callable[..., T], *given: Any, key: str = "") -> T:
    if key and st.session_state.get(_STOPPED) == key:
        progress.show_stopped(label, key, _STOPPED)
        st.stop()
    key = key or uuid4().hex
    started = last = time.monotonic()
    place: Any = None
    bar: Any = None

    def report(_step: str, _done: int, _total: int) -> None:
        nonlocal last, place, bar
        now = time.monotonic()
        if now - started < PATIENCE_SECONDS or now - last < 0.5:
            return
        last = now
        if place is None:
            place = st.empty()
            with place.container():
                bar = st.empty()
                stop = partial(st.session_state.__setitem__, _STOPPED, key)
                button("Stop", f"stop-{key}", stop, icon="stop_circle")
        bar.progress(0.0, text=f"**{label}** — {now - started:.0f} s")

    try:
        return apart(work, *given, runtime=Runtime(report=report), step=label)
    finally:
        if place is not None:
            place.empty()


def looked_at(label: str, look: Callable[..., T], *given: Any, remembered: str, mark: str) -> T:
    """What a file seems to hold: asked again at every click, so the last answers are remembered by a mark."""
    seen = st.session_state.setdefault(remembered, {})
    if mark not in seen:
        while len(seen) >= LOOKED_AT:
            del seen[next(iter(seen))]
        try:
            seen[mark] = read(label, look, *given, key=f"look-{mark}")
        except CoreError as error:
            seen[mark] = InputError(error.message, hint=error.hint)
    if isinstance(seen[mark], InputError):
        raise seen[mark]
    return cast(T, seen[mark])


def pasted_article(text: str) -> ArticleFile | None:
    """A pasted article, tags of HTML left out; None where it holds no word."""
    check_pasted(text)
    if len(text) <= AT_ONCE_CHARACTERS:
        return article_of_text(text)
    key = digest(text)
    if st.session_state.get(_PASTED, ("",))[0] != key:
        st.session_state[_PASTED] = key, read("Reading the article", article_of_text, text, key=key)
    return cast("ArticleFile | None", st.session_state[_PASTED][1])


def warm() -> None:
    """Starts a process and imports what reading needs; called once, off the page's way."""
    apart(load_text, "headline,date\nStorm closes airport,2024-05-01\n", step="Getting ready")
