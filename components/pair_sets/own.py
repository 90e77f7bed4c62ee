"""Files of pairs of one's own: bringing one, and removing it again."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.open.reading import read
from core.data.pair_sets.own import keep_pairs, own_sets, take_away
from core.errors import CoreError
from core.runtime import workshop


def bring_pairs(chosen: str, *, key: str, many: bool = False) -> None:
    """Draws the place for a file of pairs; what is dropped is kept under a name and chosen at once.

    Args:
        chosen: Key of the widget whose value becomes the new set.
        key: Begins the keys of what is drawn.
        many: That widget holds several sets; the new one is added to them.

    Draws nothing in a workshop: what is kept is there for everybody, and anybody could remove it.
    """
    if workshop():
        return
    # Said outside the box: it would be hidden with it when the page is drawn again.
    said = st.session_state.pop(f"{key}-said", None)
    if said:
        icon = ":material/error:" if said[0] else ":material/check_circle:"
        (st.error if said[0] else st.success)(said[1], icon=icon)
    with st.expander("Your own pairs", icon=":material/upload_file:"):
        st.markdown(
            "A table with the columns `headline_a`, `headline_b` and `label` (1 same event, 0 not), and "
            "`date_a`, `date_b` and `part` (train, validation, test) where they are known. Without `part`, "
            "whole events are drawn for each part. The file stays on this computer, under its name, until it "
            "is removed; the command line knows it by the same name."
        )
        st.file_uploader(
            "File of labelled pairs",
            key=f"{key}-file",
            on_change=_keep,
            args=(chosen, key, many),
        )
        kept = list(own_sets())
        if kept:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.selectbox("Kept here", kept, key=f"{key}-kept")
                st.button(
                    "Remove", key=f"{key}-away", icon=":material/delete:", on_click=_drop, args=(name, key)
                )


def _keep(chosen: str, key: str, many: bool) -> None:
    given = st.session_state[f"{key}-file"]
    if given is None:
        return
    try:
        name = read("Reading the pairs", keep_pairs, given.getvalue(), given.name)
    except CoreError as error:
        st.session_state[f"{key}-said"] = True, f"**{plain(error.message)}**  \n{plain(error.hint)}"
        return
    before = st.session_state.get(chosen, [])
    st.session_state[chosen] = list(dict.fromkeys([*before, name])) if many else name
    st.session_state[f"{key}-said"] = False, f"These pairs are now called **{plain(name)}**."


def _drop(name: str, key: str) -> None:
    try:
        take_away(name)
    except CoreError as error:
        st.session_state[f"{key}-said"] = True, plain(error.message)
        return
    st.session_state[f"{key}-said"] = False, f"**{plain(name)}** was removed."
