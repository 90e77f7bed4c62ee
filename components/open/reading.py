"""Reading what a user gives in a process of its own, with progress and a stop button."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar
from uuid import uuid4

import streamlit as st

from components import jobs
from core.data.articles.load import ArticleFile
from core.data.timelines.load import check_pasted, load_text
from core.headlines.writing.suggesting import article_of_text
from core.processes.apart import apart
from core.runtime import Runtime

T = TypeVar("T")

PATIENCE_SECONDS: Final = 1.0
"""What is read sooner is read without a word."""
AT_ONCE_CHARACTERS: Final = 20_000
"""Pasted text up to this is read by the page itself: it takes less time than handing it on."""
_EVERY_SECONDS: Final = 0.5
_PASTED: Final = "_pasted_article"
_STOPPED: Final = "_reading_stopped"


def read(label: str, work: Callable[..., T], *given: Any, key: str = "") -> T:
    """The result of a function of `core` that reads what a user gave.

    After a second its progress is drawn here, with a button that stops it. What interrupts the script stops
    the reading: nobody waits for it any more.

    Args:
        label: What is being done: "Reading the file".
        work: The function; other processes find it by its name.
        given: What it is called with.
        key: Where the page reads again at every click: tells this reading from others, so that it rests after
            a stop until the reader starts it again. Left out, it is read once.

    Raises:
        CoreError: What the work raised, or it took too much memory or time.
    """
    if key and st.session_state.get(_STOPPED) == key:
        jobs.show_stopped(label, key, _STOPPED)
        st.stop()
    drawn = _Drawn(label, key or uuid4().hex)
    try:
        return apart(work, *given, runtime=Runtime(report=drawn.report), step=label)
    finally:
        drawn.clear()


def pasted_article(text: str) -> ArticleFile | None:
    """A pasted article, tags of HTML left out; None where it holds no word."""
    check_pasted(text)
    if len(text) <= AT_ONCE_CHARACTERS:
        return article_of_text(text)
    key = hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
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
                st.button(
                    "Stop",
                    key=f"stop-{self._key}",
                    icon=":material/stop_circle:",
                    on_click=st.session_state.__setitem__,
                    args=(_STOPPED, self._key),
                )
        self._bar.progress(0.0, text=text)

    def clear(self) -> None:
        if self._place is not None:
            self._place.empty()
