import pytest

from core.archive.opened import archives_folder
from tests.archives import OUTLETS, made
from tests.pages.opening import metrics, opened, settled


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))


def headlines(app):
    return app.dataframe[-1].value["Headline"].tolist()


def test_without_an_archive_it_says_what_to_do():
    app = opened("archive")
    assert "`headline-lab archive FILE`" in app.info[0].value


def test_search_outlet_and_days_are_kept_in_the_link():
    table = made(archives_folder() / "storms", 900)
    app = opened("archive")
    assert not app.exception
    assert metrics(app)["Headlines"] == "900"
    settled(app.text_input(key="archive-words").set_value("genoa"))
    settled(app.selectbox(key="archive-outlet").set_value(OUTLETS[2]))
    expected = table[table["headline"].str.contains("Genoa") & (table["publisher"] == OUTLETS[2])]
    assert metrics(app)["Headlines"] == str(len(expected))
    assert headlines(app) == expected["headline"].tolist()[:25]
    link = {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}
    assert link == {"part": "archive", "archive": "storms", "words": "genoa", "outlet": OUTLETS[2]}
    again = opened("archive", **link, first="2024-05-10", last="2024-05-12")
    day = expected["published"].dt.strftime("%Y-%m-%d")
    assert (
        headlines(again) == expected[(day >= "2024-05-10") & (day <= "2024-05-12")]["headline"].tolist()[:25]
    )


def test_what_is_open_stays_open_when_another_archive_is_made(tmp_path):
    made(archives_folder() / "storms", 90)
    app = opened("archive")
    made(archives_folder() / "floods", 180)
    assert metrics(settled(app))["Headlines"] == "90"
    assert metrics(opened("archive"))["Headlines"] == "180"
    app.selectbox(key="archive-name").set_value("floods")
    assert metrics(settled(app))["Headlines"] == "180"


def test_a_group_has_a_card_and_opens_as_a_timeline():
    table = made(archives_folder() / "storms", 900)
    app = opened("archive", event="1")
    assert metrics(app) == {"Headlines": "8", "Outlets": "3", "Days": "1 May 2024"}
    assert headlines(app) == table["headline"].tolist()[:8]
    settled(app.button(key="archive-open").click())
    assert not app.exception
    app.switch_page("pages/timeline.py")
    assert metrics(settled(app))["Headlines"] == "8"


def test_an_area_is_selected_without_webgl():
    made(archives_folder() / "storms", 900)
    app = opened("archive", picture="yes")
    next(one for one in app.number_input if one.label == "Right").set_value(50)
    next(one for one in app.button if one.label == "Select the area").click()
    settled(app)
    assert not app.exception
    assert 0 < int(metrics(app)["Headlines"]) < 900
    assert "lasso" in app.query_params
    settled(app.button(key="archive-clear").click())
    assert metrics(app)["Headlines"] == "900"
    assert "lasso" not in app.query_params


def test_visitors_see_archives_that_are_shared(monkeypatch):
    made(archives_folder() / "own", 90)
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    app = opened("archive", archive="own")
    assert "No archive is shown here yet" in app.info[0].value
    made(archives_folder() / "for-all", 180, shared=True)
    app = opened("archive", archive="own")
    assert metrics(app)["Headlines"] == "180"


def test_an_archive_that_is_not_finished_or_damaged_is_said_in_a_sentence():
    folder = archives_folder() / "storms"
    made(folder, 90)
    (folder / "points.gz").write_bytes(b"x")
    app = opened("archive")
    assert not app.exception
    assert "points" in app.error[0].value
    (folder / "summary.json").unlink()
    assert "is not finished" in opened("archive").error[0].value


def test_a_line_of_what_is_open_leads_to_it():
    made(archives_folder() / "storms", 90)
    app = opened("open")
    found = app.dataframe[0].value
    at = found["Kind"].tolist().index("Archive")
    assert found["Name"][at] == "storms"
    assert found["Kind"].tolist()[0] == "Sample"
    app.session_state["open-list"] = {"selection": {"rows": [at], "columns": [], "cells": []}}
    settled(app)
    assert metrics(app)["Headlines"] == "90"
