"""The frame of every page: its question at the top, the tour, and one place for errors."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from mimetypes import guess_type
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage

from components.frame import page_state
from components.frame.markdown import HELPS, WORDS, plain
from components.frame.page_state import SCREEN, ViewState, follow, is_large
from components.frame.widgets import fix
from components.opened import resources
from components.server.security import require_protection, settle_mode
from components.server.shelf import close_forgotten
from components.tour import tour
from core.data.identity import Answers
from core.errors import Cancelled, CoreError
from core.journal.journal import the_journal
from core.runtime import stay_offline

log = logging.getLogger("headline_lab")

_ABOUT: Final = "page_about"
_HIDDEN: Final = "page_hidden"
_KEPT: Final = "kept_error"
_HERE: Final = Path(__file__).parent
_RESTORING: Final = ":material/settings_backup_restore:"
_KEYS: Final = (
    "`?` this help  \n`/` search  \n`j` `k` next and previous event  \n`←` `→` previous and next  \n"
    "`z` undo a correction"
)


@st.cache_resource(show_spinner=False)
def _server() -> None:
    if runtime.exists():
        settle_mode()
        require_protection()
    stay_offline()


def prepare() -> None:
    _server()
    resources.come_back()
    # Each view takes what the link that opened this session says before any page changes the address.
    for view in ViewState.known.values():
        view.now()


def run(sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draws the menu and runs the page that was chosen; a page that it does not list has none either."""
    asked = urlsplit(st.context.url or "").path.rpartition("/")[2]
    bare = any(page.visibility == "hidden" and page.url_path == asked for page in chain(*sections.values()))
    st.navigation(sections, position="hidden" if bare else "top").run()


def show_error(error: CoreError) -> None:
    body = f"**{plain(error.message)}**  \n{plain(error.hint)}"
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


def say_found_again(answers: Answers, noun: str = "headline") -> None:
    """Says how many headlines that were answered about are in the file, where it changed since."""
    found_again = answers.found_again()
    if found_again.changed or found_again.gone:
        st.caption(f":material/link: {found_again.sentence(noun=noun)}")


def failed_downloads() -> list[str]:
    """What this session is to be told of its downloads: `fix` has the page drawn when one fails."""
    failures: list[str] = st.session_state.setdefault("failed_downloads", [])
    return failures


@contextmanager
def page(script: str, title: str, question: str) -> Iterator[str]:
    """Title, question and parts, then the page, which gets the word of the part; errors are shown calmly."""
    with _begun(title):
        page_state.turn(script)
        if Path(script).stem != "timeline":
            st.session_state[page_state.BEGUN] = True
        st.html(_HERE / "page.css")
        follow(SCREEN.part())
        if is_large():
            st.html(_HERE / "large_text.css")
            if st.query_params.get("large") != "yes":
                st.query_params["large"] = "yes"
        elif "large" in st.query_params:
            del st.query_params["large"]
        _menu(script)
        with st.container(horizontal=True, vertical_alignment="center", key="page-head"):
            st.title(title, anchor=False, width="content")
            st.markdown(f":gray[{plain(question)}]", width="content")
            fix()
            shown = page_state.part(Path(script).stem)
        tour.callout()
        refused = st.container()
        try:
            yield shown
        finally:  # what the link said is known when the page has read it, even where it still computes
            with refused:
                page_state.draw_refused(script)
            if hidden := st.session_state.pop(_HIDDEN, None):
                hidden.empty()


def now_about(subject: str) -> None:
    """Says what the page is about: what is still there of another subject goes at once."""
    if st.session_state.get(_ABOUT, subject) != subject:
        rule = '[data-testid="stMain"] [data-stale="true"] { display: none; }'
        st.session_state[_HIDDEN] = st.html(f"<style>{rule}</style>")
    st.session_state[_ABOUT] = subject


@contextmanager
def bare_page(title: str) -> Iterator[None]:
    """A page for people who do one thing on their phones: without menu, help and tour."""
    with _begun(title):
        st.html(_HERE / "bare_page.css")
        fix()
        yield


@contextmanager
def _begun(title: str) -> Iterator[None]:
    try:
        prepare()
        close_forgotten()
    except CoreError as error:
        # The server must not be used as it was started: nothing of the page is drawn.
        show_error(error)
        st.stop()
    with errors_shown(title):
        st.set_page_config(page_title=f"{title} · Headline Lab")
        while failed_downloads():
            st.toast(plain(failed_downloads().pop()), icon=":material/error:", duration="infinite")
        with suppress(CoreError):  # what reads the journal says what is wrong with it
            if the_journal().restoring():
                st.info("A backup is being restored. Answers can be saved when it is done.", icon=_RESTORING)
        yield


@contextmanager
def errors_shown(title: str) -> Iterator[None]:
    """Shows what goes wrong in a page, or in a part that Streamlit draws again by itself."""
    try:
        yield
    except CoreError as error:
        show_error(error)
    except Exception:
        log.exception("The page %r failed.", title)
        st.error(WORDS["texts"]["went_wrong"], icon=":material/error:")


def _menu(script: str) -> None:
    menu = st.container(key="page-menu", width="content")
    key = f"help-{'tour' if tour.under_way() else 'menu'}"  # it changes with the tour: then the menu closes
    help = menu.popover("Help", icon=":material/help:", type="tertiary", key=key)
    with help.container(key="page-help"):
        tour.invitation(script)
        st.toggle("Large text", **SCREEN.widget("large", "pick-large-text"))
        st.caption(_KEYS)


def signature(text: str) -> None:
    """The line under a result that says what it depends on; not for a class."""
    if not is_large():
        st.caption(f":material/fingerprint: Signature `{text.replace('`', '')}`")


Saved = tuple[str, Callable[[], bytes | str], str] | tuple[str, Callable[[], bytes | str], str, str]
"""What a button saves: its label, what makes it, the file's name, whose ending says what it is, and help."""


def download(saved: Saved, *, key: str, type: str = "secondary", disabled: bool = False) -> None:
    label, make, file, *help = saved
    failures = failed_downloads()

    def made() -> bytes | str:
        try:
            return make()
        except Exception as error:
            cause = f"{error.message} {error.hint}" if isinstance(error, CoreError) else ""
            failures.append(f"{file} could not be made. {cause or 'The log of the server says why.'}")
            raise

    mime = guess_type(file)[0] or "application/octet-stream"
    look = {"icon": ":material/download:", "type": type, "disabled": disabled, "on_click": "ignore"}
    st.download_button(label, made, file, mime, key=key, help=help[0] if help else HELPS.get(key), **look)


def downloads(*files: Saved, key: str) -> None:
    """Draws buttons in a row; each widget's key is `key` and what its file's name ends with."""
    with st.container(horizontal=True, key=key):
        for place, saved in enumerate(files):
            download(saved, key=f"{key}-{place}-{saved[2].rpartition('.')[2]}")


def stem(name: str, otherwise: str) -> str:
    """The beginning of a file's name after something that people named."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:40].lower() or otherwise
