"""`headline-lab train selector` as a person or a script calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.data.selection_sets.dialogue2021 import FILES, FOLDER
from core.headlines.selection.model import read_model
from tests.cli.calling import call

TOWNS = ("kazan", "omsk", "tver", "perm", "tula", "ufa", "sochi", "orel", "penza", "kursk", "chita", "pskov")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data" / FOLDER
    folder.mkdir(parents=True)
    for day in FILES:
        lines = ["quality\tleft_url\tright_url"]
        for number, town in enumerate(TOWNS, 3):
            better = f"https://a.ru/{day}/v-{town}-shtorm-zakryl-{number}-dorog"
            worse = f"https://b.ru/{day}/v-{town}-shtorm-zakryl-dorogi"
            lines += [f"left\t{better}\t{worse}"] if number % 2 else [f"right\t{worse}\t{better}"]
        (folder / f"data__headline_selection__titles_markup_{day}_urls.tsv").write_text("\n".join(lines))
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_selector_is_trained_measured_and_written(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data / "selector"
    code, told, err = call(capsys, "train", "selector", "--out", out, "--trees", 30, "--quiet")
    assert (code, err) == (0, "")
    assert f"catboost.v1|model:{out}" in told
    assert "pseudo-headlines" in told
    assert read_model(out).config.encoder == ""
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "headline-lab train selector --out FOLDER --seed 0" in card
    code, told, err = call(capsys, "train", "selector", "--out", out, "--quiet")
    assert (code, told) == (2, "")
    assert err.startswith(f"{out} is there already")


def test_real_headlines_come_from_an_archive(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"url": f"http://{host}.ru/{day}/v-{town}-shtorm-zakryl-{what}", "title": title}
        for day in FILES
        for number, town in enumerate(TOWNS, 3)
        for host, what, title in (
            ("www.a", f"{number}-dorog", f"Шторм закрыл {number} дорог в городе {town}"),
            ("b", "dorogi", f"Шторм закрыл дороги в городе {town}"),
        )
    ]
    archive = data / "archive.jsonl"
    archive.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    options = ["--documents", archive, "--trees", 30, "--quiet"]
    code, told, _ = call(capsys, "train", "selector", "--out", data / "real", *options)
    assert code == 0
    assert "Headlines are those of the documents that were given." in told
    card = (data / "real" / "README.md").read_text(encoding="utf-8")
    assert "--documents ARCHIVE" in card
    assert "pseudo" not in card
    assert str(data) not in card


def test_wrong_archives_leave_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = data / "other.jsonl"
    other.write_text('{"url": "https://c.ru/1", "title": "Чужой"}')
    for path, says in ((data / "none", "no file or folder"), (other, "None of the judged pairs")):
        code, _, err = call(capsys, "train", "selector", "--out", data / "x", "--documents", path, "--quiet")
        assert code == 2
        assert says in err
    assert not (data / "x").exists()
