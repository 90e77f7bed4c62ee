"""Files that load, through the pages; files of 300 MB, pasted text, and models that are none."""

import re

import pytest

from tests.hostile.corpus import FORMULAS, LOADED, MARKUP
from tests.hostile.running import settled


def limits_for(file, monkeypatch):
    if file.megabytes is not None:
        monkeypatch.setenv("HEADLINE_LAB_FILE_MEGABYTES", str(file.megabytes))
        monkeypatch.setenv("HEADLINE_LAB_UNPACKED_MEGABYTES", str(file.megabytes))


def written(file, folder):
    path = folder / file.name.replace("/", "∕")
    path.write_bytes(file.content)
    return path


def calm(app):
    assert not app.exception
    shown = " ".join(error.value for error in app.error)
    assert "Something went wrong" not in shown, shown


def one_sentence(text, says):
    assert re.search(says, text.replace("\\", "")), text
    assert "Traceback" not in text
    assert 1 <= len(text.strip().splitlines()) <= 2
    assert len(text) < 1_500


def upload(visit, file):
    app = visit("open")
    app.file_uploader(key="upload").set_value((file.name, file.content, "text/csv"))
    return settled(app)


@pytest.mark.parametrize("file", LOADED.values(), ids=list(LOADED))
def test_page_loads(file, visit):
    app = upload(visit, file)
    calm(app)
    assert not app.error
    app.button(key="load").click()
    settled(app)
    for page in ("timeline", "map"):
        app.switch_page(f"pages/{page}.py")
        settled(app)
        calm(app)
        assert not app.error
    app.switch_page("pages/timeline.py")
    settled(app)
    assert {metric.label: metric.value for metric in app.metric}["Headlines"] == f"{file.headlines}"


@pytest.fixture
def huge(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"headline\nStorm hits\n")
        file.truncate(300_000_000)
    yield path
    path.unlink()


def test_a_300_mb_file_is_refused_before_it_is_read(huge, command):
    code, out, err = command("group", huge)
    assert (code, out) == (2, "")
    one_sentence(err, "300 MB; at most 200 MB")


@pytest.mark.slow
def test_a_300_mb_file_that_is_allowed_still_gives_one_sentence(huge, command, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FILE_MEGABYTES", "400")
    code, out, err = command("group", huge)
    assert (code, out) == (2, "")
    one_sentence(err, ".")


@pytest.mark.parametrize("model", ["folder", "owner/name", "../../etc", "<script>", ""])
def test_a_model_that_is_none_is_said_on_the_page(model, visit, tmp_path):
    app = visit("timeline", encoder="transformers_encoder.v1")
    calm(app)
    field = next(box for box in app.text_input if re.search("transformers.*model", box.key or ""))
    field.set_value(str(tmp_path) if model == "folder" else model)
    settled(app)
    calm(app)
    assert len(app.error) == 1
    one_sentence(app.error[0].value, ".")


def test_pasted_nastiness_is_headlines(visit):
    app = visit("open")
    app.text_area(key="pasted").set_value("\n".join((*MARKUP, *FORMULAS)))
    settled(app)
    calm(app)
    app.button(key="load").click()
    settled(app)
    calm(app)
    assert not app.error
    assert {metric.label: metric.value for metric in app.metric}["Headlines"] == f"{len(MARKUP + FORMULAS)}"


def test_pasted_text_past_its_limit_is_refused(visit, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_PASTED_CHARACTERS", "20")
    app = visit("open")
    app.text_area(key="pasted").set_value("Storm closes airport\nBank raises rates\n")
    settled(app)
    calm(app)
    assert len(app.error) == 1
    one_sentence(app.error[0].value, "at most 20 are read")
