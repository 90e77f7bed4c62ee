"""Headlines with a blank: where they come from, and that rows keep their places."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from core.data.articles.articles import article_sources
from core.data.articles.sets import NAMES, load_blanks, load_fill_predictions, numeval_blanks, numhg_blanks
from core.errors import DataSourceError, InputError, UnknownNameError
from core.parts import Part
from core.runtime import data_folder

SAMPLE = Path("samples/numhg/numhg_slice.csv")
needs_data = pytest.mark.skipif(
    not (data_folder() / "numhg" / "numhg_train.csv.gz").is_file(), reason="the NumHG rows are not here"
)
needs_numeval = pytest.mark.skipif(
    not (data_folder() / "numeval2024").is_dir(), reason="SemEval-2024 is not here"
)


def test_sample_has_a_blank_in_every_headline() -> None:
    blanks = numhg_blanks(SAMPLE)
    assert len(blanks) == 200
    assert all(headline.count("____") == 1 for headline in blanks.headlines)
    assert blanks.annotations[0] == "Trans( seven )"
    assert blanks.answers[0] == "7"
    assert blanks.operations[0] == "reasoning"


def test_rows_stay_together() -> None:
    blanks = numhg_blanks(SAMPLE).at([5, 3])
    whole = numhg_blanks(SAMPLE)
    assert blanks.ids == ("5", "3")
    assert blanks.texts == (whole.texts[5], whole.texts[3])
    assert blanks.answers == (whole.answers[5], whole.answers[3])
    parts = Counter(whole.parts)
    assert len(whole.part(Part.TEST)) == parts[Part.TEST] > 0


def test_numeval_answers_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    row = {"news": "A", "masked headline": "____", "calculation": " Copy(99.5)", "ans": 99.5}
    path.write_text(json.dumps([row, row | {"ans": 19, "calculation": "Trans(two)"}]), encoding="utf-8")
    blanks = numeval_blanks(path)
    assert blanks.answers == ("99.5", "19")
    assert blanks.operations == ("copy", "reasoning")
    assert blanks.parts == (Part.TEST, Part.TEST)


@pytest.mark.parametrize("content", ["{", "[1]", '[{"news": "A"}]', "3"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "questions.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError):
        numeval_blanks(path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("text,cloze\na,b\n", encoding="utf-8")
    with pytest.raises(InputError, match="cloze_gt"):
        numhg_blanks(path)


@pytest.mark.parametrize("name", NAMES)
def test_an_absent_file_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    with pytest.raises(DataSourceError, match="not on this machine"):
        load_blanks(name)
    with pytest.raises(DataSourceError, match="not on this machine"):
        load_fill_predictions()


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="numhg, numeval"):
        load_blanks("imagenet")


@needs_data
def test_numhg_is_divided_as_its_articles_are() -> None:
    blanks = load_blanks("numhg")
    assert Counter(blanks.parts) == {Part.TRAIN: 7709, Part.VALIDATION: 535, Part.TEST: 1051}
    assert Counter(blanks.operations) == {"copy": 6452, "reasoning": 2843}
    articles = article_sources.parse("numhg").load()
    assert articles.ids == blanks.ids
    assert articles.texts == blanks.texts
    assert articles.numbers == blanks.answers


@needs_numeval
def test_published_answers_belong_to_their_rows() -> None:
    blanks, predictions = load_blanks("numeval"), load_fill_predictions()
    assert len(blanks) == len(predictions.answers) == 2572
    assert sum(map(str.__eq__, blanks.answers, predictions.answers)) == 2320
