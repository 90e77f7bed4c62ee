"""Labels of two windows, and files that are no codebook."""

import re

import pytest

from core.people.codebook import LONGEST_CODEBOOK
from tests.pages.opening import loaded, opened, settled, words
from tests.pages.test_filters import DESK, the


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


@pytest.fixture
def data():
    return the(loaded(opened("open"), "desk.csv", DESK.encode()), "data")


def labelling(data, who, **browser):
    app = opened(data=data, group="1", **browser)
    app.session_state["card-tab-1"] = "Labels"
    (name,) = [field for field in settled(app).text_input if "name" in (field.placeholder or "")]
    settled(name.set_value(who))
    return app


def field(app):
    (area,) = [area for area in app.text_area if area.label.startswith("Labels")]
    return area


def saved(app, text):
    field(app).set_value(text)
    (save,) = [button for button in app.button if button.label == "Save the codebook"]
    return settled(save.click())


def keys(app):
    return {button.key for button in app.button if button.key and len(button.key) == len("label-k")}


def test_a_codebook_of_another_window_takes_nothing_that_was_typed_and_is_not_replaced_unseen(data):
    ada, bo = labelling(data, "Ada", timezone="Asia/Tokyo"), labelling(data, "Bo")
    saved(ada, "[Tone]\np = glad")
    assert not ada.error
    assert re.search(r"1 Nov 2026, \d\d:\d\d JST", words(ada)), "hours are the reader's"
    saved(bo, "[Frame]\nw = war")
    assert "Another codebook" in bo.error[0].value
    assert (field(bo).value, keys(bo)) == ("[Frame]\nw = war", {"label-p"})
    saved(bo, field(bo).value)
    assert (list(bo.error), keys(bo)) == ([], {"label-w"})


def test_of_a_file_that_is_no_codebook_the_beginning_is_shown(data):
    app = labelling(data, "Ada")
    given = ("film.mp4", bytes(range(1, 256)) * 4_000, "video/mp4")
    settled(app.file_uploader(key="codebook-file").set_value([given]))
    assert LONGEST_CODEBOOK < len(field(app).value) < 5 * LONGEST_CODEBOOK
    saved(app, field(app).value)
    assert app.error
