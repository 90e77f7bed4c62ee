"""Archive is narrowed by names that its selection has, and a search that was saved is opened again."""

import re

import pytest

from core.archive.kept import archives_folder
from core.runtime import user_folder
from tests.archives import made
from tests.pages.opening import opened, press, settled


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


def filters(**address):
    app = opened("archive", **address)
    app.session_state["archive-filters"] = True
    return settled(app)


def keys(app, start):
    return [button.key for button in app.button if str(button.key).startswith(start)]


def headlines(app):
    """How many headlines the page says that it has, as it writes the number."""
    return next(
        found[1] for each in app.markdown if (found := re.match(r"([\d,]+) headlines? ·", each.value))
    )


@pytest.mark.slow
def test_a_name_narrows_the_search_which_is_saved_opened_and_deleted():
    app = filters(words="ukraine", first="2014-03-10", last="2014-03-11")
    (name,) = [key for key in keys(app, "archive-name-") if key.endswith("-Russia")]
    listed = int(next(one.label for one in app.button if one.key == name).partition("(")[2].rstrip(")"))
    press(app, name)
    found = headlines(app)
    assert int(found.replace(",", "")) >= listed > 1
    assert not {*keys(app, "archive-name-")} & {"archive-name-Russia", "archive-name-Ukraine"}
    app.text_input(key="archive-save-name").set_value("<b>East</b>")
    press(app, "Save")
    again = filters()
    assert headlines(again) == "4,774"
    press(again, "archive-saved-")
    assert headlines(again) == found
    opened_again = again.session_state["state_ArchiveView"]
    assert (opened_again["words"], str(opened_again["last"])) == ("ukraine Russia", "2014-03-11")
    press(again, "archive-forget-")
    assert not keys(filters(), "archive-saved-")


def test_a_search_by_meaning_stands_in_the_address_and_a_group_finds_more_like_it():
    app = opened("archive", words="joblessness")
    assert headlines(app) == "0"
    settled(app.toggle(key="archive-meaning").set_value(True))
    assert headlines(app) == "100"
    again = opened("archive", words="joblessness", meaning="yes")
    assert not any("seems close" in note.value for note in again.info)
    far = opened("archive", words="asdf qwer zxcv", meaning="yes")
    assert any("seems close" in note.value for note in far.info)
    first = next(line.value for line in again.markdown if line.value.startswith("- ")).split("\n")[0]
    assert "job" in first.lower()
    card = opened("archive", event="1")
    press(card, "archive-like")
    assert headlines(card) == "100"
    assert card.session_state["state_ArchiveView"]["meaning"]
    made(archives_folder() / "storms", 90)
    without = opened("archive", archive="storms", words="genoa", meaning="yes")
    assert "cannot be searched by meaning" in without.warning[0].value
    assert int(headlines(without)) > 0
    assert "archive-meaning" not in [toggle.key for toggle in without.toggle]


def test_in_a_workshop_saved_searches_stay_in_the_session(workshop):
    app = filters(words="ukraine")
    press(app, "Save")
    assert keys(app, "archive-saved-") == ["archive-saved-ukraine"]
    assert not (user_folder() / "archive_searches.json").exists()
    assert not keys(filters(), "archive-saved-")


def test_a_file_of_searches_that_cannot_be_read_is_said(tmp_path):
    (tmp_path / "archive_searches.json").write_bytes(b"[1]")
    app = filters()
    assert "saved searches cannot be read" in app.error[0].value
