"""The judged pairs of the shared task: counts, days, pseudo-headlines and the join with an archive."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.sources.given import _FILES, Dialogue2021
from core.errors import InputError
from core.parts import Part

ROWS = {
    Part.TRAIN: [
        ("OK", "glava-tuvy-zarazilsya-virusom", "v-tuve-zabolel-glava"),
        ("BAD", "1", "bank-snizil-stavku-snova"),
    ],
    Part.VALIDATION: [("BAD", "shtorm-zakryl-port-na-sutki", "bank-snizil-stavku-snova")],
    Part.TEST: [("OK", "raketa-vyshla-na-orbitu", "raketa-startovala-na-orbitu")],
}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ru_news_dialogue2021"
    folder.mkdir()
    for file, (part, _, _) in _FILES.items():
        lines = [
            f"{quality}\thttps://h.ru/{first}\thttps://h.ru/{second}" for quality, first, second in ROWS[part]
        ]
        (folder / file).write_text("\n".join(["quality\tfirst_url\tsecond_url", *lines]) + "\n")
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    return folder


@pytest.mark.slow
def test_each_day_is_a_timeline_and_a_part(data: Path) -> None:
    pairs = load_pair_set("dialogue2021")
    counts = {part: (int((pairs.parts[pairs.left] == part.value).sum())) for part in Part}
    assert counts == {Part.TRAIN: 5_531, Part.VALIDATION: 3_104, Part.TEST: 2_792}
    for part, day in ((Part.TRAIN, 18_407), (Part.VALIDATION, 18_409), (Part.TEST, 18_411)):
        assert set(pairs.days[pairs.parts == part.value].tolist()) == {day}
        assert len(np.unique(pairs.timelines[pairs.parts == part.value])) == 1


def test_pairs_without_two_headlines_are_left_out(small: Path) -> None:
    pairs = Dialogue2021().load()
    assert pairs.labels.tolist() == [1, 0, 1]
    assert pairs.texts[0] == "Глава тувы заразился вирусом"
    assert pairs.tags == [("validation",), ("public",), ("private",)]


def test_an_archive_gives_the_real_headlines(small: Path) -> None:
    archive = small / "archive.csv"
    archive.write_text(
        "url,title\nhttps://h.ru/1,Первый\nhttps://www.h.ru/bank-snizil-stavku-snova/,«Банк» снизил ставку\n",
        encoding="utf-8",
    )
    pairs = Dialogue2021(archive=str(archive)).load()
    assert pairs.texts == ["Первый", "«Банк» снизил ставку"]
    archive.write_text("url,title\nhttps://other.ru/1,Первый\n", encoding="utf-8")
    with pytest.raises(InputError, match="None of the judged pairs"):
        Dialogue2021(archive=str(archive)).load()


def test_an_unknown_judgement_is_refused(small: Path) -> None:
    file = small / next(iter(_FILES))
    file.write_text("quality\tfirst_url\tsecond_url\nMAYBE\thttps://h.ru/a-b-c-d\thttps://h.ru/e-f-g-h\n")
    with pytest.raises(InputError, match="MAYBE"):
        Dialogue2021().load()
