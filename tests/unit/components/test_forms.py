from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from components.judge.sitting import _added
from core.errors import InputError
from core.headlines.reruns import GivenFile
from core.journal.database import sqlite_url
from core.journal.journal import Journal
from core.runtime import MODE
from tests.unit.people.by_hand import answer, store_of


def form():
    import streamlit as st

    from components.library import recipe_form
    from core.errors import CoreError
    from core.pairs.scorer import pair_scorers

    try:
        st.code(pair_scorers.signature(recipe_form(pair_scorers.parse("with_time"), key="form")))
    except CoreError as error:
        st.error(str(error))


def test_the_inner_scorer_can_be_typed():
    app = AppTest.from_function(form).run(timeout=60)
    assert not app.exception
    app.text_input[0].set_value("symmetric|base:tfidf").run()
    assert app.code[0].value == "with_time.v1|base:(symmetric.v1|base:tfidf.v1)|tau_days:2.8"


def test_an_unknown_inner_scorer_is_one_sentence():
    app = AppTest.from_function(form).run(timeout=60)
    app.text_input[0].set_value("telepathy").run()
    assert not app.exception
    assert "no pair scorer called 'telepathy'" in app.error[0].value


def sitting(root, judge):
    store = store_of(Journal(sqlite_url(root)))
    return SimpleNamespace(
        form=store.form, whole=SimpleNamespace(task=store.task), judge=judge, everything=store
    )


def table(*judges):
    rows = [f"{judge},a0,A,4" for judge in judges]
    return GivenFile("t.csv", "\n".join(["judge,article,system,readability", *rows]).encode())


@pytest.mark.parametrize("judge", ["", "Bo"])
def test_a_visitor_adds_no_answers_of_others(tmp_path, judge, monkeypatch):
    monkeypatch.setenv(MODE, "workshop")
    here = sitting(tmp_path, judge)
    here.everything.record("Ada", answer("a0", "readability", "A", 2))
    before = here.everything.ratings("Ada").values
    # Neither is it told whether Ada answered so.
    for files in ([table("Ada")], [table("Bo"), table("ADA")], [table("Bo", "Cy")]):
        with pytest.raises(InputError, match="you can add only your own"):
            _added(here, files)
    assert here.everything.ratings().judges == ("Ada",)
    np.testing.assert_array_equal(here.everything.ratings("Ada").values, before)


def test_a_visitor_adds_answers_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv(MODE, "workshop")
    assert _added(sitting(tmp_path, "Bo"), [table("BO")]) == "1 new answers by BO."


def test_the_owner_adds_anybodys(tmp_path):
    assert _added(sitting(tmp_path, ""), [table("Ada", "Bo")]) == "2 new answers by Ada, Bo."
