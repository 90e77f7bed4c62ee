"""The frame of every page: its question at the top, the tour, and one place for errors."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from streamlit import runtime
from streamlit.navigation.page import StreamlitPage

from components.frame import downloads, errors, language, links, markdown, page_state, subject, view_state
from components.frame.accessibility import draw_accessibility_fixes
from components.frame.page_state import SCREEN, follow, is_large
from components.opened import resources
from components.opened.reader_zone import choose_zone
from components.people.study import identity
from components.server import security, shelf
from components.server.places import script_of
from components.tour import tour
from core.errors import CoreError
from core.journal.journal import the_journal
from core.plugin_files import page_scripts
from core.runtime import stay_offline

ICON: Final = str(Path(__file__).with_name("icon.png"))
_WORDMARK: Final = Path(__file__).with_name("wordmark.svg")
_FRAME: Final = Path(__file__).parent / "frame"
_RESTORING: Final = ":material/settings_backup_restore:"
_PLUGIN: Final = ":material/extension:"


@st.cache_resource(show_spinner=False)
def _server() -> None:
    if runtime.exists():
        security.settle_mode()
        security.require_protection()
    stay_offline()


def prepare() -> None:
    _server()
    resources.come_back()
    # Each view takes what the link that opened this session says before any page changes the address.
    for view in view_state.ViewState.known.values():
        view.now()


def run(sections: Mapping[str, Sequence[StreamlitPage]]) -> None:
    """Draws the menu and runs the page that was chosen; a page that it does not list has none either."""
    bare = _only_page()
    chosen = st.navigation(sections, position="hidden" if bare else "top")
    if bare and chosen.url_path != bare:
        st.switch_page(script_of(bare), query_params=st.query_params.to_dict())
    st.logo(_WORDMARK)
    here = (
        head for head, listed in sections.items() if chosen.url_path in {each.url_path for each in listed}
    )
    st.session_state[page_state.HEAD] = next(here, "")
    with errors.errors_shown(chosen.title) if chosen.url_path in page_scripts() else nullcontext():
        chosen.run()


def _only_page() -> str:
    """What a phone, screen or participant began stays on its page, whatever the browser asks for later."""
    asked = urlsplit(st.context.url or "").path.rpartition("/")[2]
    first = asked if asked in page_state.BARE_PAGES else "study" if identity.locked() else ""
    return str(st.session_state.setdefault(page_state.BARE, first))


def of_plugins() -> list[StreamlitPage]:
    return [
        st.Page(script, title=name.replace("_", " ").capitalize(), icon=_PLUGIN, url_path=name)
        for name, script in page_scripts().items()
    ]


@contextmanager
def page(script: str, title: str, question: str) -> Iterator[str]:
    """Title, question and parts, then the page, which gets the word of the part; errors are shown calmly."""
    if bare := _only_page():
        st.switch_page(script_of(bare), query_params=st.query_params.to_dict())
    with _begun(title):
        page_state.turn(script)
        if Path(script).stem != "timeline":
            st.session_state[page_state.BEGUN] = True
        st.html(_FRAME / "page.css")
        follow(SCREEN.part())
        if is_large():
            st.html(_FRAME / "large_text.css")
            if st.query_params.get("large") != "yes":
                st.query_params["large"] = "yes"
        elif "large" in st.query_params:
            del st.query_params["large"]
        _menu(script)
        with st.container(horizontal=True, vertical_alignment="center", key="page-head"):
            st.title(title, anchor=False, width="content")
            st.markdown(f":gray[{markdown.plain(question)}]", width="content")
            draw_accessibility_fixes()
        shown = page_state.part(Path(script).stem)
        tour.callout()
        refused = st.container()
        try:
            yield shown
        finally:  # what the link said is known when the page has read it, even where it still computes
            with refused:
                links.draw_refused(script)
            subject.show_again()


@contextmanager
def bare_page(title: str, *, speaks: bool = False) -> Iterator[None]:
    """A page for people who do one thing on their phones: without menu, help and tour."""
    if speaks:
        language.speak()
    with _begun(title):
        for sheet in ("page.css", "bare_page.css"):
            st.html(_FRAME / sheet)
        draw_accessibility_fixes()
        yield


@contextmanager
def _begun(title: str) -> Iterator[None]:
    try:
        prepare()
        shelf.close_forgotten()
    except CoreError as error:
        # The server must not be used as it was started: nothing of the page is drawn.
        errors.show_error(error)
        st.stop()
    with errors.errors_shown(title):
        st.set_page_config(page_title=f"{language.say(title)} · Headline Lab")
        while downloads.failed_downloads():
            said = markdown.plain(downloads.failed_downloads().pop())
            st.toast(said, icon=":material/error:", duration="infinite")
        with suppress(CoreError):  # what reads the journal says what is wrong with it
            if the_journal().restoring():
                st.info("A backup is being restored. Answers can be saved when it is done.", icon=_RESTORING)
        yield


def _menu(script: str) -> None:
    menu = st.container(key="page-menu", width="content")
    key = f"help-{'tour' if tour.under_way() else 'menu'}"  # it changes with the tour: then the menu closes
    help = menu.popover("Help", icon=":material/help:", type="tertiary", key=key)
    with help.container(key="page-help"):
        tour.invitation(script)
        st.toggle("Large text", **SCREEN.widget("large", "pick-large-text"))
        choose_zone()
        st.caption(markdown.WORDS["texts"]["keys"])
