"""Headlines with a blank: where they come from, and that rows keep their places."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.data.articles.articles import article_sources
from core.data.articles.blanks import NAMES, load_blanks, load_fill_predictions, numeval_blanks, numhg_blanks
from core.errors import DataSourceError
from core.parts import Part
from core.runtime import data_folder

SAMPLE = Path("samples/numhg/numhg_slice.csv")
needs_data = pytest.mark.skipif(
    not (data_folder() / "numhg" / "numhg_train.csv.gz").is_file(), reason="the NumHG rows are not here"
)
needs_numeval = pytest.mark.skipif(
    not (data_folder() / "numeval2024").is_dir(), reason="SemEval-2024 is not here"
)


def test_sample_has_a_blank_in_every_headline():
    blanks = numhg_blanks(SAMPLE)
    assert len(blanks) == 200
    assert all(headline.count("____") == 1 for headline in blanks.headlines)
    assert blanks.annotations[0] == "Trans( seven )"
    assert blanks.answers[0] == "7"
    assert blanks.operations[0] == "reasoning"


def test_numeval_answers_are_texts(tmp_path):
    path = tmp_path / "questions.json"
    row = {"news": "A", "masked headline": "____", "calculation": " Copy(99.5)", "ans": 99.5}
    path.write_text(json.dumps([row, row | {"ans": 19, "calculation": "Trans(two)"}]), encoding="utf-8")
    blanks = numeval_blanks(path)
    assert blanks.answers == ("99.5", "19")
    assert blanks.operations == ("copy", "reasoning")
    assert blanks.parts == (Part.TEST, Part.TEST)


@pytest.mark.parametrize("name", NAMES)
def test_an_absent_file_is_named(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    with pytest.raises(DataSourceError, match="not on this machine"):
        load_blanks(name)
    with pytest.raises(DataSourceError, match="not on this machine"):
        load_fill_predictions()


@needs_data
def test_numhg_is_divided_as_its_articles_are():
    blanks = load_blanks("numhg")
    assert Counter(blanks.parts) == {Part.TRAIN: 7709, Part.VALIDATION: 535, Part.TEST: 1051}
    assert Counter(blanks.operations) == {"copy": 6452, "reasoning": 2843}
    articles = article_sources.parse("numhg").load()
    assert articles.ids == blanks.ids
    assert articles.texts == blanks.texts
    assert articles.numbers == blanks.answers


@needs_numeval
def test_published_answers_belong_to_their_rows():
    blanks, predictions = load_blanks("numeval"), load_fill_predictions()
    assert len(blanks) == len(predictions.answers) == 2572
    assert sum(map(str.__eq__, blanks.answers, predictions.answers)) == 2320
