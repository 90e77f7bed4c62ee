"""Errors of a page, in one calm sentence each; those of a callback are kept until the page is drawn."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from components.frame.language import say, translated
from components.frame.markdown import WORDS, plain
from core.errors import Cancelled, CoreError
from core.extras import extras

log = logging.getLogger("headline_lab")

_KEPT: Final = "kept_error"


def show_error(error: CoreError) -> None:
    body = f"**{plain(translated(error.message))}**  \n{plain(translated(error.advice))}"
    if isinstance(error, Cancelled):
        st.info(body, icon=":material/stop_circle:")
    else:
        st.error(body, icon=":material/error:")


def keep_error(error: CoreError) -> None:
    """Keeps an expected error of a callback, which runs before the page and its one place for errors."""
    st.session_state[_KEPT] = (error.message, error.hint)


@contextmanager
def errors_kept() -> Iterator[None]:
    try:
        yield
    except CoreError as error:
        keep_error(error)


def show_kept_error() -> None:
    failure = st.session_state.pop(_KEPT, None)
    if failure is not None:
        show_error(CoreError(failure[0], hint=failure[1]))


@contextmanager
def errors_shown(title: str) -> Iterator[None]:
    """Shows what goes wrong in a page, or in a part that Streamlit draws again by itself."""
    try:
        with extras():
            yield
    except CoreError as error:
        show_error(error)
    except Exception:
        log.exception("The page %r failed.", title)
        st.error(say(WORDS["texts"]["went_wrong"]), icon=":material/error:")
