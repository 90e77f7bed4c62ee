"""Who takes part in a study: by an id in its link, a name, or the token that goes on in another browser."""

import re
from typing import Final

import streamlit as st

from components.frame.cookie import keep_cookie
from components.frame.errors import errors_kept
from components.frame.language import say
from components.frame.markdown import plain
from components.frame.widgets import button, notice
from components.opened.views.people import EVALUATE, STUDY, change_judging
from components.people.room.startup_key import may_open
from core.errors import InputError
from core.journal.journal import the_journal
from core.people import studies
from core.people.judges import Judges, NameTaken
from core.runtime import workshop
from core.study_access import tokens
from core.text.normalise import clean_line, judge_key

COOKIE: Final = "headline_lab_participant"
COOKIE_SECONDS: Final = 90 * 24 * 3600
IDS: Final = ("PROLIFIC_PID", "workerId", "participant")  # in links of those who send people
_NAME: Final = "evaluate-judge"
_LINK: Final = "study-personal-link"
_CAME: Final = "participant_came"


def kept() -> str:
    """The participant of this browser, with the code of the study."""
    return Judges(journal=the_journal()).holder(str(st.context.cookies.get(COOKIE, "")))


def locked() -> bool:
    """Whether this browser takes part in a study of a workshop: then nothing else opens in it."""
    return workshop() and not may_open() and bool(kept())


def come_in() -> None:
    if _CAME in st.session_state:
        go_on()
        return
    st.session_state[_CAME] = True
    given = next(filter(None, (clean_line(st.query_params.get(name, "")) for name in IDS)), "")
    linked, code = EVALUATE.now().token, STUDY.now().code
    if not code and "study" not in st.query_params:  # a code that is none is not that of another study
        code = studies.study_in(kept())
    STUDY.put(code=code)
    change_judging(judge="", token="")
    for token in (linked, str(st.context.cookies.get(COOKIE, ""))):
        name = Judges(journal=the_journal()).holder(token)
        if studies.study_in(name) == code and given in {"", studies.own_id(name)}:
            change_judging(judge=name, token=token, asked="")
            return
    if given:
        _take(given)


def holds_name() -> bool:
    """Whether nobody else has begun under this person's name, or opened its link, since it was taken."""
    now = EVALUATE.now()
    return not now.token or Judges(journal=the_journal()).holder(now.token) == now.judge


def go_on() -> None:
    """Takes the name again, or asks who this is where another browser has begun under it."""
    if not holds_name():
        _take(studies.own_id(EVALUATE.now().judge))


def ask_who() -> None:
    if asked := EVALUATE.now().asked:
        notice("participant_taken", name=plain(asked))
        st.text_input(say("Your link"), key=_LINK, type="password", max_chars=2_000, on_change=_show_link)
    else:
        look = {"max_chars": 40, "on_change": lambda: _take(clean_line(st.session_state[_NAME]))}
        st.text_input(say("Your name or initials"), key=_NAME, **look)
    button(say("Next"), "study-next", type="primary")


def keep_participant() -> None:
    if EVALUATE.now().token or st.session_state[_CAME] == "left":
        keep_cookie(COOKIE, EVALUATE.now().token, COOKIE_SECONDS, key="study-cookie")


def leave() -> None:
    change_judging(judge="", token="", asked="")
    st.session_state[_CAME] = "left"


@errors_kept()
def _take(given: str) -> None:
    name = studies.participant(STUDY.now().code, given)
    if not given:
        return
    judges = Judges(journal=the_journal())
    # Who opened a link and did nothing has not begun: whoever opens it next gets the name.
    take = judges.renew if judges.taken(name) and not _begun(name) else judges.take
    try:
        change_judging(judge=name, token=take(name), asked="")
    except NameTaken:
        change_judging(judge="", token="", asked=given)


def _begun(name: str) -> bool:
    """Whether a person agreed, or answered where there was nothing to agree to, or is a program."""
    journal, study = the_journal(), studies.study_of(the_journal(), STUDY.now().code)
    own = [each for each in studies.stored(journal, study) if judge_key(each.who) == judge_key(name)]
    agreed = study.consent or study.background
    programs = map(judge_key, journal.people(tokens.STREAM))
    return any(agreed or each.kind != studies.JOINED for each in own) or judge_key(name) in programs


@errors_kept()
def _show_link() -> None:
    typed = st.session_state[_LINK].strip()
    found = re.search(r"[?&]token=([\w-]+)", typed)
    token = found[1] if found else typed
    name = Judges(journal=the_journal()).holder(token)
    if name != studies.participant(STUDY.now().code, EVALUATE.now().asked):
        hint = "Copy the whole link from the browser in which you began."
        raise InputError("This is not your link to this study.", hint=hint)
    change_judging(judge=name, token=token, asked="")
