"""Who judges: a name that the first to type it takes, and the token that it asks for from then on.

A token comes with the personal link, and with a cookie of the browser. It stays in the session and never in
the address: a link's is taken out as soon as it was read.
"""

import re
from functools import partial
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from components.buttons import button
from components.evaluate import state
from components.markdown import plain
from components.mounted import copy_button, keep_cookie
from components.page import errors_kept, keep_error, show_kept_error
from core.errors import CoreError, InputError
from core.journal.journal import the_journal
from core.people.ratings import LONGEST_NAME, judge_key
from core.people.store import Judges, NameTaken
from core.runtime import workshop
from core.text.normalise import clean_line

COOKIE: Final = "headline_lab_judge"
COOKIE_SECONDS: Final = 90 * 24 * 3600

_NAME: Final = "evaluate-judge"
_LINK: Final = "evaluate-link"
_CAME: Final = "evaluate_came"


def come_in() -> None:
    """Lets in the judge whose link or cookie opened this session; does nothing later on."""
    if _CAME in st.session_state:
        return
    st.session_state[_CAME] = True
    linked = state.now().token
    state.put(token="")
    for token in (linked, str(st.context.cookies.get(COOKIE, ""))):
        name = Judges(journal=the_journal()).holder(token)
        if name:
            _sit(name, token)
            return
    if linked:
        keep_error(
            InputError("This link is not valid here.", hint="Ask for a new one, or give another name.")
        )


def judge_field() -> None:
    """The name of the judge: asked for once, then small, so that the keys are free for the answers."""
    show_kept_error()
    if state.now().judge:
        with st.container(horizontal=True, vertical_alignment="center", key="evaluate-who"):
            st.markdown(f"Judging as **{plain(state.now().judge)}**", width="content")
            with st.popover("Your link", icon=":material/key:"):
                st.markdown(
                    "Opens your answers on another device or in another browser. Anyone who has it judges as "
                    "you."
                )
                link = _link()
                st.code(link, language=None, wrap_lines=True)
                copy_button("Copy your link", key="evaluate-link-copy", text=link)
            help = "Your answers stay stored. To come back in this browser you need your link: copy it first."
            button("Switch judge", "evaluate-other", _leave, icon="person", type="tertiary", help=help)
    elif state.now().asked:
        st.info(
            f"**{plain(state.now().asked)} has judged here before.**  \n"
            "If that is you, paste your personal link; if not, choose another name.",
            icon=":material/key:",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input("Your link", key=_LINK, type="password", max_chars=2_000, on_change=_show_link)
            button("Choose another name", "evaluate-rename", partial(state.put, asked=""))
    else:
        st.text_input(
            "Your name or initials",
            key=_NAME,
            max_chars=LONGEST_NAME,
            placeholder="Your name or initials, to begin",
            label_visibility="collapsed",
            width=300,
            on_change=_take,
        )
    if state.now().token or st.session_state[_CAME] == "left":
        keep_cookie(COOKIE, state.now().token, COOKIE_SECONDS, key="evaluate-cookie")


def _take() -> None:
    name = clean_line(st.session_state[_NAME])
    if not name:
        return
    try:
        _sit(name, Judges(journal=the_journal()).take(name, answered=not workshop()))
    except NameTaken:
        state.put(asked=name)
    except CoreError as error:
        keep_error(error)


def _show_link() -> None:
    given = st.session_state[_LINK].strip()
    found = re.search(r"[?&]token=([\w-]+)", given)
    with errors_kept():
        name = Judges(journal=the_journal()).holder(found[1] if found else given)
        if not name or judge_key(name) != judge_key(state.now().asked):
            raise InputError(
                f"This is not the link of {state.now().asked}.",
                hint="Copy the whole link, or ask the person who runs the server for a new one.",
            )
        _sit(name, found[1] if found else given)


def _sit(name: str, token: str) -> None:
    state.change(judge=name, token=token, asked="")


def _leave() -> None:
    state.change(judge="", token="")
    st.session_state[_CAME] = "left"


def _link() -> str:
    return f"{st.context.url or ''}?{urlencode({**st.query_params.to_dict(), 'token': state.now().token})}"
