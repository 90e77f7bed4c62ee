"""Who judges: a name, its personal link and its cookie."""

import re
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from components.frame.cookie import keep_cookie
from components.frame.errors import errors_kept, keep_error, show_kept_error
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button, copy_button, notice
from components.opened.views.people import EVALUATE, change_judging
from components.server.signed_in import asks_to_sign_in, by_streamlit, signed_in
from core.errors import CoreError, InputError
from core.journal.journal import the_journal
from core.people.judges import Judges, NameTaken
from core.people.ratings import LONGEST_NAME
from core.runtime import workshop
from core.text.normalise import clean_line, judge_key

COOKIE: Final = "headline_lab_judge"
COOKIE_SECONDS: Final = 90 * 24 * 3600
_NAME: Final = "evaluate-judge"
_LINK: Final = "evaluate-link"
_CAME: Final = "evaluate_came"


def come_in() -> None:
    if asks_to_sign_in():
        st.session_state[_CAME] = True
        if (EVALUATE.now().judge, EVALUATE.now().token) != (signed_in(), ""):
            change_judging(judge=signed_in(), token="", asked="")
        return
    if _CAME in st.session_state:
        return
    st.session_state[_CAME] = True
    linked = EVALUATE.now().token
    EVALUATE.put(token="")
    for token in (linked, str(st.context.cookies.get(COOKIE, ""))):
        name = Judges(journal=the_journal()).holder(token)
        if name:
            change_judging(judge=name, token=token, asked="")
            return
    if linked:
        hint = "Ask for a new one, or give another name."
        keep_error(InputError("This link is not valid here.", hint=hint))


def judge_field(*, link: bool = True) -> None:
    """The name of the judge: asked for once, then small, so that the keys are free for the answers."""
    show_kept_error()
    if asks_to_sign_in():
        _signed_in_field()
    elif EVALUATE.now().judge:
        with st.container(horizontal=True, vertical_alignment="center", key="evaluate-who"):
            st.markdown(f"Judging as **{plain(EVALUATE.now().judge)}**", width="content")
            if link:
                _personal_link()
            button("Switch judge", "evaluate-other", _leave, icon="person", type="tertiary")
    else:
        label, look = "Your name or initials", {"label_visibility": "collapsed", "width": 300}
        st.text_input(label, key=_NAME, max_chars=LONGEST_NAME, placeholder=label, on_change=_take, **look)
        if asked := EVALUATE.now().asked:
            with st.container(horizontal=True, vertical_alignment="center", key="evaluate-taken"):
                said = WORDS["texts"]["name_taken"].format(name=plain(asked))
                st.markdown(f":material/key: {said}", width="content")
                label, look = "Your personal link", look | {"type": "password", "max_chars": 2_000}
                with st.container(horizontal=True, width="content", key="evaluate-taken-link"):
                    st.text_input(label, key=_LINK, placeholder=label, on_change=_show_link, **look)
                    button("Open", "evaluate-link-open", type="primary")  # leaving the field takes the link
        else:
            button("Start", "evaluate-start", type="primary")  # leaving the field takes the name
            st.caption("Enter a name to begin.", width="content")
    if EVALUATE.now().token or st.session_state[_CAME] == "left":
        keep_cookie(COOKIE, EVALUATE.now().token, COOKIE_SECONDS, key="evaluate-cookie")


def _signed_in_field() -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="evaluate-who"):
        if name := EVALUATE.now().judge:
            st.markdown(f"Judging as **{plain(name)}**", width="content")
            if by_streamlit():
                button("Sign out", "evaluate-other", st.logout, icon="logout", type="tertiary")
        elif by_streamlit():
            button("Sign in to judge", "evaluate-sign-in", st.login, icon="login", type="primary")
        else:
            notice("not_signed_in")


def _personal_link() -> None:
    with st.popover("Your link", icon=":material/key:"):
        said = "Opens your answers on another device or in another browser."
        st.markdown(f"{said} Anyone who has it judges as you.")
        parts = {**st.query_params.to_dict(), "token": EVALUATE.now().token}
        link = f"{st.context.url or ''}?{urlencode(parts)}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.code(link, language=None, wrap_lines=True)
            copy_button("Copy", key="evaluate-link-copy", text=link)


def _take() -> None:
    name = clean_line(st.session_state[_NAME])
    if not name:
        return
    try:
        token = Judges(journal=the_journal()).take(name, answered=not workshop())
        change_judging(judge=name, token=token, asked="")
    except NameTaken:
        EVALUATE.put(asked=name)
    except CoreError as error:
        keep_error(error)


def _show_link() -> None:
    given = st.session_state[_LINK].strip()
    if token := re.search(r"[?&]token=([\w-]+)", given):
        given = token[1]
    with errors_kept():
        name = Judges(journal=the_journal()).holder(given)
        if not name or judge_key(name) != judge_key(EVALUATE.now().asked):
            hint = "Copy the whole link, or ask the person who runs the server for a new one."
            raise InputError(f"This is not the link of {EVALUATE.now().asked}.", hint=hint)
        change_judging(judge=name, token=given, asked="")


def _leave() -> None:
    change_judging(judge="", token="")
    st.session_state[_CAME] = "left"
