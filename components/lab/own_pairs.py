"""Pairs of one's own, added and removed."""

from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button
from components.opened.column_form import column_form, first_rows, meanings
from components.opened.reading import looked_at, read
from core.data.pair_sets.kept import keep_pairs, own_sets, take_away
from core.data.pair_sets.pair_columns import sniff_pairs
from core.runtime import workshop


def choose_added(chosen: str) -> None:
    """Chooses the pairs that were just added, alone or next to others; called before the choice is drawn."""
    name = st.session_state.pop(f"{chosen}-added", None)
    if name is not None:
        before = st.session_state.get(chosen)
        st.session_state[chosen] = list(dict.fromkeys([*before, name])) if isinstance(before, list) else name


def bring_pairs(chosen: str, *, key: str) -> None:
    if workshop():
        return
    if said := st.session_state.pop(f"{key}-said", ""):
        st.success(said, icon=":material/check_circle:")
    with st.expander("Your own pairs", icon=":material/upload_file:", key=f"{key}-box"):
        st.markdown(WORDS["texts"]["own_pairs"])
        given = st.file_uploader("File of labelled pairs", key=f"{key}-file")
        if given is not None and st.session_state.get(f"{key}-taken") != given.file_id:
            with errors_shown("Your own pairs"):
                _understand(given, chosen, key)
        show_kept_error()
        stored = list(own_sets())
        if stored:
            with st.container(horizontal=True, vertical_alignment="bottom"):
                name = st.selectbox("Stored here", stored, key=f"{key}-kept")
                button("Remove", f"{key}-away", _drop, name, key, icon="delete")


def _understand(given: UploadedFile, chosen: str, key: str) -> None:
    asked = "Reading the pairs", sniff_pairs, given.getvalue(), given.name
    preview = looked_at(*asked, remembered=f"{key}-seen", mark=given.file_id)
    problem = st.container()
    st.markdown(f"**{preview.row_count:,} rows** of {plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    proposed = {name: (column,) for name, column in preview.proposed.items()}
    columns = column_form(meanings("pairs"), preview.columns, proposed, key=f"{key}-map")
    lacks = not {"headline_a", "headline_b", "label"} <= set(columns)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", key=f"{key}-name-{given.file_id}", placeholder="as the file", width=240)
        look = "secondary" if lacks else "primary"
        add = button("Add these pairs", f"{key}-add", icon="check", type=look, disabled=lacks)
    at_once = preview.named and st.session_state.get(f"{key}-tried") != given.file_id
    st.session_state[f"{key}-tried"] = given.file_id
    if not add and not at_once:
        return
    usual = preview.named and columns == proposed
    meant = None if usual else {name: names[0] for name, names in columns.items()}
    with problem, errors_shown("Your own pairs"):
        work = partial(keep_pairs, name=name.strip(), columns=meant)
        name = read("Reading the pairs", work, given.getvalue(), given.name)
        st.session_state[f"{chosen}-added"] = name
        st.session_state[f"{key}-said"] = f"These pairs are now called **{plain(name)}**."
        st.session_state[f"{key}-taken"] = given.file_id
        st.rerun()


@errors_kept()
def _drop(name: str, key: str) -> None:
    take_away(name)
    st.session_state[f"{key}-said"] = f"**{plain(name)}** was removed."
