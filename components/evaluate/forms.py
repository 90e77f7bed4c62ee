"""The choice of a form, and a form of one's own from a plain file."""

from __future__ import annotations

import streamlit as st

from components.evaluate import state
from components.markdown import plain
from components.page import show_error
from components.page_state import controlled
from core.errors import CoreError
from core.people.form import EvaluationForm, evaluation_forms
from core.people.own_forms import add_form, faulty_forms, known_forms
from core.runtime import workshop


def choose_form(current: EvaluationForm) -> None:
    """Draws the choice of a form; on one's own computer with a way to add one."""
    forms = known_forms()
    name = evaluation_forms.name_of(current)
    with st.container(horizontal=True, vertical_alignment="bottom", key="evaluate-forms"):
        st.selectbox(
            "Form",
            list(forms),
            format_func=lambda one: f"{forms[one].title}: {forms[one].summary}",
            **controlled("evaluate-form", name, lambda chosen: state.change(form=chosen, sheet=0)),
            help="The questions that are asked. Answers to one form are no answers to another.",
        )
        if not workshop():
            with st.popover("Add a form", icon=":material/note_add:"):
                _add()
    if not workshop():
        for fault in faulty_forms():
            st.caption(f":material/warning: {plain(fault)}")


def _add() -> None:
    st.markdown("A plain TOML file with your questions.")
    given = st.file_uploader("Form (TOML)", key="evaluate-form-file")
    if st.button("Add this form", key="evaluate-form-add", icon=":material/check:", disabled=given is None):
        try:
            if given is not None:
                added = add_form(given.getvalue(), given.name)
                state.change(form=added.name, sheet=0)
                st.rerun()
        except CoreError as error:
            show_error(error)
