import csv
import io
import json
from collections import Counter, defaultdict

import pandas as pd
import pytest

from core.data.articles import opening
from core.data.articles.article_files import parse_articles
from core.data.articles.articles import article_sources
from core.data.articles.blanks import load_blanks, load_fill_predictions, numeval_blanks
from core.data.articles.numhg import FOLDS, part_of
from core.data.articles.opening import load_articles
from core.errors import DataSourceError, InputError
from core.parts import Part
from core.runtime import data_folder

STORM = "A storm shut the airport of Genoa on Monday. Nobody was hurt."
VOTE = "The senate voted on the budget. It passed by 51 to 49."


def as_csv(rows):
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def as_jsonl(*rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def refused(data, name):
    with pytest.raises(InputError) as error:
        parse_articles(data, name)
    return str(error.value)


def test_numhg_columns():
    rows = [["text", "summary", "cloze", "cloze_gt", "cloze_annotation", "need_reasoning"]]
    rows += [[STORM, "Shuts 1 Airport", "…", "1", "Copy(1)", "0"], [VOTE, "By 2", "…", "2", "x", "1"]]
    read = parse_articles(as_csv(rows), "numhg_train.csv").articles
    assert read.name == "numhg_train"
    assert read.texts == (STORM, VOTE)
    assert read.references == (("Shuts 1 Airport",), ("By 2",))
    assert read.numbers == ("1", "2")
    assert read.operations == ("copy", "reasoning")
    assert read.ids == ("0", "1")


def test_several_references():
    numbered = [["text", "reference_1", "reference_2"], [STORM, "One", "Two"], [VOTE, "Three", ""]]
    assert parse_articles(as_csv(numbered), "a.csv").articles.references == (("One", "Two"), ("Three",))
    listed = as_jsonl({"text": STORM, "references": ["One", "Two", "One"]}, {"text": VOTE, "references": []})
    assert parse_articles(listed, "a.jsonl").articles.references == (("One", "Two"), ())


def test_what_the_write_command_made_is_no_reference():
    rows = [["news", "headline_input", "headline", "headline_2"], [STORM, "Editor's", "Ours", "Ours too"]]
    assert parse_articles(as_csv(rows), "a.csv").articles.references == (("Editor's",),)
    rows = [["text", "summary", "headline"], [STORM, "Editor's", "Ours"]]
    assert parse_articles(as_csv(rows), "a.csv").articles.references == (("Editor's",),)


def test_html_is_kept_as_plain_text_and_said():
    page = "<p>A storm &amp; rain</p><script>alert(1)</script><p>in <b>Genoa</b>.</p>"
    read = parse_articles(as_jsonl({"text": page}, {"text": "Rates < 5 % & > 3 %."}), "a.jsonl")
    assert read.articles.texts == ("A storm & rain\nin Genoa.", "Rates < 5 % & > 3 %.")
    assert "1 article holds HTML; the text was kept, the tags were not." in read.notes
    assert read.table["text"][0] == page


def test_what_is_odd_is_read_and_said():
    read = parse_articles(as_jsonl({"text": STORM}, {"text": "storm " * 50_000}), "a.jsonl")
    assert (len(read.articles.texts[1].split()), read.articles.references) == (50_000, ((), ()))
    assert any("row 2 has 50,000 words" in note for note in read.notes)
    some = parse_articles(as_csv([["text", "title"], [STORM, "A storm"], [VOTE, ""]]), "a.csv")
    assert any("1 article has no headline" in note for note in some.notes)


def test_empty_articles_are_named_and_nothing_is_read():
    rows = [["text", "title"], [STORM, "a"], ["", "b"], [VOTE, "c"], [" \t", "d"], ["<p></p>", "e"]]
    assert refused(as_csv(rows), "a.csv").startswith("Rows 2, 4, 5 of a.csv have no text.")
    assert refused(as_csv(rows[:3]), "a.csv").startswith("Row 2 of a.csv has no text.")
    many = as_csv([["text", "title"], *[["", "x"]] * 9])
    assert "Rows 1, 2, 3, 4, 5 and 4 more of a.csv have no text." in refused(many, "a.csv")


def test_a_broken_line_is_named_by_its_number():
    data = as_jsonl({"text": STORM}) + b'\n{"text": "half\n\n' + as_jsonl({"text": VOTE})
    assert refused(data, "a.jsonl").startswith("Line 2 of a.jsonl cannot be read")


needs_data = pytest.mark.skipif(
    not (data_folder() / "numhg" / "numhg_train.csv.gz").is_file(), reason="the NumHG rows are not here"
)
needs_numeval = pytest.mark.skipif(
    not (data_folder() / "numeval2024").is_dir(), reason="SemEval-2024 is not here"
)


def test_numeval_answers_are_texts(tmp_path):
    path = tmp_path / "questions.json"
    row = {"news": "A", "masked headline": "____", "calculation": " Copy(99.5)", "ans": 99.5}
    path.write_text(json.dumps([row, row | {"ans": 19, "calculation": "Trans(two)"}]), encoding="utf-8")
    blanks = numeval_blanks(path)
    assert blanks.answers == ("99.5", "19")
    assert blanks.operations == ("copy", "reasoning")
    assert blanks.parts == (Part.TEST, Part.TEST)


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


@pytest.mark.parametrize("name", article_sources.names())
def test_a_source_holds_articles_with_headlines_each_once_and_an_event_in_one_part(name):
    try:
        source = article_sources.parse(name).load()
    except DataSourceError as error:
        pytest.skip(error.message)
    assert len(source) > 100
    assert len(set(source.ids)) == len(source)
    assert all(source.texts)
    assert all(any(given) for given in source.references)
    assert len(source.part(Part.TEST)) > 30
    parts = defaultdict(set)
    for cluster, part in zip(source.clusters, source.parts, strict=True):
        parts[cluster or object()].add(part)
    assert all(len(found) == 1 for found in parts.values())


@pytest.mark.parametrize(("name", "count"), [("articles", 40), ("articles_ru", 10)])
def test_a_sample_is_what_its_card_says(name, count):
    card = opening.info(name)
    articles = load_articles(f"sample:{name}")
    assert (articles.name, len(articles)) == (name, count)
    assert all(any(given) for given in articles.references)
    readme = (card.path.parent / "README.md").read_text(encoding="utf-8")
    assert card.licence in readme
    assert card.source in readme
    assert f"{count} articles" in readme


def test_the_samples_come_from_the_test_parts():
    rows = pd.read_csv(opening.info("articles").path, dtype=str)
    assert {part_of(text) for text in rows["text"]} == {Part.TEST}
    sample = load_articles("sample:articles_ru")
    assert sorted(map(bool, sample.clusters)) == [False] * 4 + [True] * 6
    try:
        assert set(sample.ids) <= set(load_articles("telegram_ru").ids)
    except DataSourceError as error:
        pytest.skip(error.message)


def test_five_folds_test_each_article_once():
    texts = [f"Article {row} about {row % 7} things." for row in range(2_000)]
    folds = [[part_of(text, fold) for text in texts] for fold in range(1, FOLDS + 1)]
    assert all(parts.count(Part.TEST) == 1 for parts in zip(*folds, strict=True))
    for parts in folds:
        assert [round(parts.count(part) / len(texts), 1) for part in Part] == [
            {Part.TRAIN: 0.7, Part.VALIDATION: 0.1, Part.TEST: 0.2}[part] for part in Part
        ]
    assert [part_of(text, 0) for text in texts] == [part_of(text) for text in texts]
