"""One table that holds a whole comparison: wide or long, with or without the articles."""

from __future__ import annotations

import pytest

from core.data.articles.comparison_file import ComparisonColumns, parse_comparison, sniff_comparison
from core.errors import InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.report import notes
from core.headlines.comparison.table import all_missing, table
from core.headlines.reruns import GivenFile, load_given

WIDE = (
    "id,reference,M10,M17,M22\na,Storm hits town,Storm hit,A storm,Storm x\nb,Bank rises,Bank up,A bank,B x\n"
)
LONG = (
    "id,reference,model_id,decoded\na,Storm hits town,M10,Storm hit\na,Storm hits town,M17,A storm\n"
    "b,Bank rises,M17,A bank\nb,Bank rises,M10,Bank up\na,Storm hits town,M22,Storm x\n"
)


def proposed(text: str) -> ComparisonColumns:
    return sniff_comparison(text.encode(), "s.csv").proposed


def test_columns_are_proposed() -> None:
    assert proposed(WIDE) == ComparisonColumns(
        id="id", references=("reference",), systems=("M10", "M17", "M22")
    )
    assert proposed(LONG) == ComparisonColumns(
        id="id", references=("reference",), system="model_id", headline="decoded"
    )
    with_text = WIDE.replace("reference", "text,reference").replace("Storm hits", "Body,Storm hits")
    assert proposed(with_text.replace("Bank rises", "Body,Bank rises")).text == "text"
    assert proposed("id,text,headline\na,Body,Storm hits\n") == ComparisonColumns(
        id="id", text="text", references=("headline",)
    )


def test_wide_and_long_are_the_same_comparison() -> None:
    wide, systems = parse_comparison(WIDE.encode(), "s.csv")
    long, others = parse_comparison(LONG.encode(), "s.csv")
    assert wide.articles.fingerprint == long.articles.fingerprint
    assert wide.articles.references == (("Storm hits town",), ("Bank rises",))
    assert {one.system: one.headlines for one in systems} == {
        "M10": ("Storm hit", "Bank up"),
        "M17": ("A storm", "A bank"),
        "M22": ("Storm x", "B x"),
    }
    assert {one.system: one.headlines for one in others} == {
        "M10": ("Storm hit", "Bank up"),
        "M17": ("A storm", "A bank"),
        "M22": ("Storm x", ""),
    }
    assert any("lacks" in note for note in long.notes)
    marks = {one.system: one.fingerprint for one in others}
    assert {one.system: one.fingerprint for one in systems[:2]} == {one: marks[one] for one in ("M10", "M17")}
    again = parse_comparison(LONG.encode(), "another name.csv")[1]
    assert [one.fingerprint for one in again] == list(marks.values())


@pytest.mark.parametrize("text", [WIDE, LONG])
def test_markup_in_headlines_is_cut_off_with_a_note(text: str) -> None:
    given = GivenFile("s.csv", text.replace("A storm", "A <b>storm</b>").encode())
    loaded = load_given(given, [], None)
    assert next(one.headlines for one in loaded.outputs if one.system == "M17")[0] == "A storm"
    note = "M17: 1 headline held HTML; the text was kept, the tags were not."
    assert note in loaded.notes
    assert loaded.articles is not None
    found = compare(loaded.articles, loaded.outputs, ["rouge"], resamples=100)
    assert note in notes(found, table(found))


def test_without_articles_what_needs_them_says_so_and_the_rest_is_measured() -> None:
    read, systems = parse_comparison(WIDE.encode(), "s.csv")
    found = compare(read.articles, systems, ["rouge", "novelty"], resamples=100)
    missing = {place.column.name: all_missing(found, place) for place in found.places}
    assert not missing["rouge1"]
    assert missing["coverage"]
    place = next(place for place in found.places if place.column.name == "coverage")
    assert found.why_undefined(place) == "No article here has a text."


def test_chosen_columns_win() -> None:
    columns = ComparisonColumns(references=("M22",), systems=("M10",))
    read, (only,) = parse_comparison(WIDE.encode(), "s.csv", columns)
    assert read.articles.ids == ("0", "1")
    assert read.articles.references == (("Storm x",), ("B x",))
    assert (only.system, only.unused) == ("M10", ("id", "reference", "M17"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("headline\nStorm hits\n", "no column with the articles"),
        ("a,b\n1,2\n", "no column with headlines of a system"),
        (LONG + "a,Storm,M10,Again\n", "M10 has two headlines for 'a': in rows 1 and 6"),
        ("system,headline\nx,One a\nx,Two b\ny,One c\n", "different numbers of headlines: x 2, y 1"),
        ("system,headline\n,One a\nx,Two b\n", "Row 1 of s.csv has no system"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_comparison(text.encode(), "s.csv")


def test_a_column_means_one_thing() -> None:
    columns = ComparisonColumns(references=("M10",), systems=("M10", "M17"))
    with pytest.raises(InputError, match="cannot mean two things"):
        parse_comparison(WIDE.encode(), "s.csv", columns)
