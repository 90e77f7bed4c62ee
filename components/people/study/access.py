"""Programs that reach a study: their tokens, and comments on items."""

from functools import partial
from typing import Final

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.markdown import plain
from components.frame.tables import show_table
from components.frame.widgets import button
from core.journal.journal import the_journal
from core.people.study import Study
from core.study_access import study_items, tokens
from core.study_access.tokens import Role

_MADE: Final = "study-token-made"
_ROLE: Final = "study-token-role"
_NAME: Final = "study-token-name"


def programs(study: Study) -> None:
    """Draws the tokens of a study; a new one is shown once."""
    if made := st.session_state.pop(_MADE, ""):
        st.success("The token, shown this once. Programs send it as `Authorization: Bearer …`")
        st.code(made, language=None)
    with st.popover("Programs", icon=":material/key:"):
        st.caption("With a token a program does what its role does, below `api/studies` of this app.")
        for each in tokens.tokens(the_journal()).values():
            if each.opens(study.code):
                st.markdown(plain(each.line))
                revoke = partial(errors_kept()(tokens.revoke), the_journal(), each.id)
                button("Revoke", f"study-revoke-{each.id}", revoke, type="tertiary")
        st.selectbox("Role", list(Role), format_func=str.capitalize, key=_ROLE)
        st.text_input("Who answers or decides with it", key=_NAME, max_chars=40)
        button("Make a token", "study-token", _make, study.code)


@errors_kept()
def _make(code: str) -> None:
    role, name = st.session_state[_ROLE], st.session_state[_NAME]
    st.session_state[_MADE] = tokens.make_token(the_journal(), role, name, code)


def show_comments(study: Study) -> None:
    if said := study_items.comments(the_journal(), study):
        st.header("Comments", anchor=False)
        rows = [
            {"Item": " | ".join(each.texts), "Comment": each.text, "Flag": "flag" * each.flag}
            | {"Person": each.person, "When": f"{each.when:%Y-%m-%d %H:%M}"}
            for each in reversed(said)
        ]
        show_table(rows, alt="Comments on items, the newest first", most=300)
