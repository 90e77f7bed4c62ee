"""The form of a scorer around another: its inner scorer is a text, and a wrong one is one sentence."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def form() -> None:
    import streamlit as st

    from components.recipes import recipe_form
    from core.errors import CoreError
    from core.pairs.scorer import pair_scorers

    try:
        st.code(pair_scorers.signature(recipe_form(pair_scorers.parse("with_time"), key="form")))
    except CoreError as error:
        st.error(str(error))


def test_the_inner_scorer_can_be_typed() -> None:
    app = AppTest.from_function(form).run(timeout=60)
    assert not app.exception
    app.text_input[0].set_value("symmetric|base:tfidf").run()
    assert app.code[0].value == "with_time.v1|base:(symmetric.v1|base:tfidf.v1)|tau_days:2.8"


def test_an_unknown_inner_scorer_is_one_sentence() -> None:
    app = AppTest.from_function(form).run(timeout=60)
    app.text_input[0].set_value("telepathy").run()
    assert not app.exception
    assert "no pair scorer called 'telepathy'" in app.error[0].value
