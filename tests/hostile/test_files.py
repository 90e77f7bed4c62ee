"""Every bad file, through the command and through the page: good rows, or one clear sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.hostile.corpus import FORMULAS, LOADED, MARKUP, REFUSED, File
from tests.hostile.running import Command, Visit, settled


def limits_for(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    if file.megabytes is not None:
        monkeypatch.setenv("HEADLINE_LAB_FILE_MEGABYTES", str(file.megabytes))
        monkeypatch.setenv("HEADLINE_LAB_UNPACKED_MEGABYTES", str(file.megabytes))


def written(file: File, folder: Path) -> Path:
    path = folder / file.name.replace("/", "∕")
    path.write_bytes(file.content)
    return path


def calm(app: AppTest) -> None:
    assert not app.exception
    shown = " ".join(error.value for error in app.error)
    assert "Something went wrong" not in shown, shown


def one_sentence(text: str, says: str) -> None:
    assert re.search(says, text.replace("\\", "")), text
    assert "Traceback" not in text
    assert 1 <= len(text.strip().splitlines()) <= 2
    assert len(text) < 1_500


@pytest.mark.parametrize("file", REFUSED.values(), ids=list(REFUSED))
def test_command_refuses(
    file: File, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits_for(file, monkeypatch)
    code, out, err = command("group", written(file, tmp_path), "--out", tmp_path / "out.csv")
    assert code == 2
    assert out == ""
    one_sentence(err, file.says)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("file", LOADED.values(), ids=list(LOADED))
def test_command_loads(file: File, command: Command, tmp_path: Path) -> None:
    code, out, err = command("group", written(file, tmp_path), "--json", "--out", tmp_path / "out.json")
    assert code == 0, err
    assert "Traceback" not in err
    assert json.loads(out)["headlines"] == file.headlines
    rows = json.loads((tmp_path / "out.json").read_bytes())["headlines"]
    assert len(rows) == file.headlines
    assert all(row["group"] >= 1 for row in rows)


def upload(visit: Visit, file: File) -> AppTest:
    app = visit("open")
    app.file_uploader(key="upload").set_value((file.name, file.content, "text/csv"))
    return settled(app)


@pytest.mark.parametrize("file", REFUSED.values(), ids=list(REFUSED))
def test_page_refuses(file: File, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    limits_for(file, monkeypatch)
    app = upload(visit, file)
    calm(app)
    if not app.error:  # it is a table; whether it is a timeline is seen when it is loaded
        app.button(key="load").click()
        settled(app)
        calm(app)
    assert len(app.error) == 1
    one_sentence(app.error[0].value, file.says)
    # The app keeps running: the sample is still there.
    app.switch_page("pages/timeline.py")
    settled(app)
    calm(app)
    assert not app.error
    assert {metric.label: metric.value for metric in app.metric}["Headlines"] == "47"


@pytest.mark.parametrize("file", LOADED.values(), ids=list(LOADED))
def test_page_loads(file: File, visit: Visit) -> None:
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
def huge(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.write(b"headline\nStorm hits\n")
        file.truncate(300_000_000)
    yield path
    path.unlink()


def test_a_300_mb_file_is_refused_before_it_is_read(huge: Path, command: Command) -> None:
    code, out, err = command("group", huge)
    assert (code, out) == (2, "")
    one_sentence(err, "300 MB; at most 200 MB")


@pytest.mark.slow
def test_a_300_mb_file_that_is_allowed_still_gives_one_sentence(
    huge: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLINE_LAB_FILE_MEGABYTES", "400")
    code, out, err = command("group", huge)
    assert (code, out) == (2, "")
    one_sentence(err, ".")


@pytest.mark.parametrize(
    ("encoder", "says"),
    [
        ("transformers_encoder.v1|model:{folder}", "model|folder"),
        ("transformers_encoder.v1|model:owner/name", "owner/name"),
        ("transformers_encoder.v1|model:<script>alert(1)</script>", "script"),
        ("nosuch.v1", "nosuch"),
    ],
)
def test_a_model_that_is_none_is_one_sentence(
    encoder: str, says: str, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text('{"model_type": "bert"')
    (tmp_path / "model" / "model.safetensors").write_bytes(b"not weights")
    code, out, err = command("group", "sample:iss", "--encoder", encoder.format(folder=tmp_path / "model"))
    assert (code, out) == (2, "")
    one_sentence(err, says)


@pytest.mark.parametrize("model", ["folder", "owner/name", "../../etc", "<script>", ""])
def test_a_model_that_is_none_is_said_on_the_page(model: str, visit: Visit, tmp_path: Path) -> None:
    app = visit("timeline", encoder="transformers_encoder.v1")
    calm(app)
    fields = [
        box for box in app.text_input if "transformers" in (box.key or "") and "model" in (box.key or "")
    ]
    assert fields
    fields[0].set_value(str(tmp_path) if model == "folder" else model)
    settled(app)
    calm(app)
    assert len(app.error) == 1
    one_sentence(app.error[0].value, ".")


@pytest.mark.parametrize(
    "address",
    [
        {"data": "file-0123456789abcdef"},
        {"data": "<script>alert(1)</script>", "group": "1"},
        {"method": "average_linkage.v1|__class__:1"},
        {"method": "x" * 5_000},
        {"scorer": "cosine_time.v1|half_life:nan"},
        {"scorer": "cosine_time.v1|nosuch:1"},
        {"encoder": "transformers_encoder.v1|model:../../etc/passwd"},
        {"rows": "9" * 5_000, "group": "-1"},
        {"rows": ",".join(map(str, range(5_000))), "fold": "yes"},
        {"since": "file-ffffffffffffffff"},
        {"granularity": "1e-3"},
        {"granularity": "٠.٥"},
        {"colour": "gold' onload=alert(1)"},
        {"nosuch": "\x00\ud7ff"},
    ],
    ids=str,
)
def test_a_forged_link_is_calm(address: dict[str, str], visit: Visit) -> None:
    app = visit("map", **address)
    calm(app)
    assert len(app.error) <= 1
    for error in app.error:
        one_sentence(error.value, ".")


def test_pasted_nastiness_is_headlines(visit: Visit) -> None:
    app = visit("open")
    app.text_area(key="pasted").set_value("\n".join((*MARKUP, *FORMULAS)))
    settled(app)
    calm(app)
    app.button(key="load").click()
    settled(app)
    calm(app)
    assert not app.error
    assert {metric.label: metric.value for metric in app.metric}["Headlines"] == f"{len(MARKUP + FORMULAS)}"


def test_pasted_text_past_its_limit_is_refused(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_PASTED_CHARACTERS", "20")
    app = visit("open")
    app.text_area(key="pasted").set_value("Storm closes airport\nBank raises rates\n")
    settled(app)
    calm(app)
    assert len(app.error) == 1
    one_sentence(app.error[0].value, "at most 20 are read")
