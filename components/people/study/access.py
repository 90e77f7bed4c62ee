"""Programs that reach a study: their tokens, what is told to addresses, and comments on items."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.markdown import plain
from components.frame.tables import show_table
from components.frame.widgets import button
from core.journal.journal import the_journal
from core.models.endpoints.addresses import sentence_of
from core.people.study import Study
from core.runtime import workshop
from core.study_access import study_items, study_webhooks, tokens
from core.study_access.tokens import Role

_MADE, _ROLE, _NAME = "study-token-made", "study-token-role", "study-token-name"
_ADDRESS, _ANSWERS = "study-webhook-address", "study-webhook-answers"


def programs(study: Study) -> None:
    """Draws the tokens of a study and, where its owner alone is here, the addresses that are told of it."""
    if made := st.session_state.pop(_MADE, ""):
        st.success("The token, shown this once. Programs send it as `Authorization: Bearer …`")
        st.code(made, language=None)
    with st.popover("Programs", icon=":material/key:"):
        st.caption("With a token a program does what its role does, below `api/studies` of this app.")
        known = [each for each in tokens.tokens(the_journal()).values() if each.opens(study.code)]
        _list(known, "Revoke", "study-revoke", partial(tokens.revoke, the_journal()))
        st.selectbox("Role", list(Role), format_func=str.capitalize, key=_ROLE)
        st.text_input("Who answers or decides with it", key=_NAME, max_chars=40)
        button("Make a token", "study-token", _make, study.code)
        if not workshop():
            _webhooks(study)


@errors_kept()
def _make(code: str) -> None:
    role, name = st.session_state[_ROLE], st.session_state[_NAME]
    st.session_state[_MADE] = tokens.make_token(the_journal(), role, name, code)


@errors_kept()
def _tell(study: Study) -> None:
    address, answers = st.session_state[_ADDRESS].strip(), st.session_state[_ANSWERS]
    study_webhooks.set_webhook(the_journal(), study, address, answers)


def _webhooks(study: Study) -> None:
    hooks = study_webhooks.webhooks(the_journal(), study.code)
    remove = partial(study_webhooks.remove_webhook, the_journal(), study.code)
    _list(hooks, "Remove", "study-webhook-remove", remove)
    for origin in dict.fromkeys(hook.origin for hook in hooks):
        st.caption(plain(sentence_of(origin, "Numbers of answers")))
    st.text_input("Address of your own that is told", key=_ADDRESS)
    st.number_input("At so many answers (0: when the study is full)", 0, 10_000_000, 0, key=_ANSWERS)
    button("Add the address", "study-webhook", _tell, study)


def _list(
    known: Iterable[tokens.Token | study_webhooks.StudyWebhook],
    label: str,
    key: str,
    end: Callable[[str], object],
) -> None:
    for each in known:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(" · ".join([*each.about.values()][1:])), width="content")
            button(label, f"{key}-{each.id}", errors_kept()(end), each.id, type="tertiary")


def show_comments(study: Study) -> None:
    said = study_items.comments(the_journal(), study)
    if not said:
        return
    st.header("Comments", anchor=False)
    rows = [
        {"Item": " | ".join(each.texts), "Comment": each.text, "Flag": "flag" * each.flag}
        | {"Person": each.person, "When": f"{each.when:%Y-%m-%d %H:%M}"}
        for each in reversed(said)
    ]
    show_table(rows, alt="Comments on items, the newest first", most=300)
