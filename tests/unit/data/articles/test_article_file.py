"""Files of articles: their columns, and one sentence for whatever is wrong with them."""

import csv
import io
import json

import pytest

from core.data.articles.load import parse_articles
from core.errors import InputError

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
