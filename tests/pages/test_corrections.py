import json
import re

import pytest

from components.frame.markdown import JOINER, plain
from core.data.timelines.samples import load_sample
from core.journal.journal import the_journal
from tests.pages import opening
from tests.pages.opening import listed, metrics, opened, settled

CARD = "1"
TITLE = "The [alarm](http://evil.example) :fire: **now**"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))


def press(app, start):
    opening.press(app, start)
    assert [one.value for one in app.error] == []
    return app


def split_off_the_first(app):
    ticks(app)[0].check()
    settled(app)
    press(app, "correct-split")


def keyed(app, kind, prefix):
    return next(one for one in getattr(app, kind) if one.key.startswith(prefix))


def ticks(app):
    return [box for box in app.checkbox if str(box.key).startswith("correct-") and box.key != "correct-all"]


def names(app):
    return [box.label.replace(JOINER, "") for box in ticks(app) if box.label != "Star"]


def bar(app):
    return next((one.value for one in app.markdown if "correction" in one.value), "")


def listed_titles(app):
    return [one["title"] for one in listed(app)]


@pytest.mark.slow
def test_a_headline_is_split_off_and_everything_is_undone_and_done_again():
    app = opened(group=CARD)
    assert bar(app) == ""
    before, first = names(app), metrics(app)
    split_off_the_first(app)
    assert names(app) == before[1:]
    assert "**1 correction**" in bar(app)
    assert int(metrics(app)["Single reports"]) == int(first["Single reports"]) + 1
    assert any(name.startswith("✎ ") for name in listed_titles(app))
    assert any("Corrected: split off on" in one.value for one in app.caption)
    press(app, "correction-undo")
    assert re.match("Undone: “.+”, split off", app.toast[0].value)
    assert names(app) == before
    assert metrics(app) == first
    assert not any(name.startswith("✎ ") for name in listed_titles(app))
    press(app, "correction-redo")
    assert names(app) == before[1:]
    # Another visitor, or the same after a restart, finds it.
    assert names(opened(group=CARD)) == before[1:]


def test_a_headline_is_moved_and_events_are_merged_and_freed():
    other = names(opened(group="2"))
    assert {*other} <= {*load_sample("iss").texts}
    app = opened(group=CARD)
    before = names(app)
    ticks(app)[0].check()
    settled(app)
    settled(keyed(app, "selectbox", "correct-goal").set_value(2))
    press(app, "correct-move")
    assert names(app) == before[1:]
    assert set(names(opened(group="2"))) == {*other, before[0]}
    keyed(app, "selectbox", "correct-other").set_value(2)
    settled(app)
    assert any(
        re.search(r"\(event 2, \d+\)$", name) for name in keyed(app, "selectbox", "correct-other").options
    )
    press(app, "correct-merge")
    assert app.toast[0].value.startswith("Corrected.")
    assert set(names(app)) == {*before, *other}
    assert "**2 corrections**" in bar(app)
    press(app, "correct-free")
    assert "**3 corrections**" in bar(app)
    assert "group" not in app.query_params


def test_titles_notes_stars_and_the_name_are_kept():
    app = opened(group=CARD)
    settled(app.text_input(key="correct-who").set_value("Ada"))
    form = {one.label: one for one in app.text_input}
    form["Title"].set_value(TITLE)
    form["Note"].set_value("Check the time")
    next(box for box in app.checkbox if box.label == "Star").check()
    press(app, "Save")
    assert any(one.value == f":material/star: {plain(TITLE)}" for one in app.header)
    assert any("Check the time" in one.value for one in app.markdown)
    assert f"★✎ {TITLE}" in listed_titles(app)
    app = opened(group=CARD, show="lanes")
    assert "✎" in str(json.loads(app.get("plotly_chart")[0].proto.spec))
    press(app, "publish-swimlane")
    (alt,) = (area.value for area in app.text_area if area.label == "Alt text")
    assert TITLE in alt
    assert not {"★", "✎"} & set(alt)
    (source,) = (line.value for line in app.text_input if line.label == "Source")
    assert source.endswith("Headline Lab")
    assert not re.search(r"\b[0-9a-f]{8}\b", source)
    (stream,) = the_journal().streams("corrections/")
    kept = [(one.kind, one.who) for one in the_journal().read(stream)]
    assert kept == [(kind, "Ada") for kind in ("rename", "note", "star")]


@pytest.mark.slow
def test_after_ten_corrections_a_refit_is_offered_shown_and_applied():
    (whole,) = (one["group"] for one in listed(opened(granularity="1")))
    app = opened(group=str(whole), granularity="1")
    for _ in range(10):
        assert not any(button.key == "refit-ask" for button in app.button)
        split_off_the_first(app)
    press(app, "refit-ask")
    said = next(one.value for one in app.markdown if "Level" in one.value or "present level" in one.value)
    count = bar(app)
    assert "Level 1.00 → " in said
    assert bar(app) == count == ":material/edit: **10 corrections**"
    press(app, "refit-apply")
    assert "**11 corrections**" in bar(app)
    assert any("refitted from your corrections" in one.value for one in app.caption)
    press(app, "correction-undo")
    assert any("chosen from the timeline itself" in one.value for one in app.caption)


def test_corrections_are_imported_once(tmp_path, monkeypatch):
    app = opened(group=CARD)
    split_off_the_first(app)
    (stream,) = the_journal().streams("corrections/")
    stored = [one.body for one in the_journal().read(stream)]
    content = json.dumps({"headline_lab_corrections": 1, "corrections": stored}).encode()
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "elsewhere"))
    app = opened(group=CARD)
    assert bar(app) == ""
    settled(app.file_uploader[0].set_value(("corrections.json", content, "application/json")))
    assert "**1 correction**" in bar(app)
    press(app, "correction-undo")
    assert "**0 corrections**" in bar(app)
    settled(app.file_uploader[0].set_value(("again.json", content, "application/json")))
    assert "**1 correction**" in bar(app)


def test_a_title_that_is_typed_stays_while_a_headline_is_split_off():
    def words():
        fields = [*app.text_input, *app.checkbox]
        return [one.id for one in fields if one.label in {"Title", "Note", "Star"}]

    app = opened(group=CARD)
    before = words()
    split_off_the_first(app)
    assert words() == before, "the browser keeps what stands in the same field"
