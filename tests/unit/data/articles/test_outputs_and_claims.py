import json
import re
from collections import Counter

import numpy as np
import pytest

from core.data.articles import written_claims
from core.data.articles.articles import articles_of
from core.data.articles.blanks import load_blanks, numhg_blanks
from core.data.articles.comparison_file import ComparisonColumns, parse_comparison, sniff_comparison
from core.data.articles.outputs import parse_outputs
from core.data.articles.written_claims import article_key, load_written_claims
from core.data.column_files import column, read_columns
from core.errors import DataSourceError, InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.table import all_missing, comparison_table
from core.headlines.comparison.written_table import notes
from core.headlines.opening import GivenFile, load_given
from core.parts import Part
from research.training.numerals.lessons import is_judged
from tests.training_data import numhg_file, written_claims_folder
from tests.unit.data.articles.test_article_files import as_csv

WIDE = (
    "id,reference,M10,M17,M22\na,Storm hits town,Storm hit,A storm,Storm x\nb,Bank rises,Bank up,A bank,B x\n"
)
LONG = (
    "id,reference,model_id,decoded\na,Storm hits town,M10,Storm hit\na,Storm hits town,M17,A storm\n"
    "b,Bank rises,M17,A bank\nb,Bank rises,M10,Bank up\na,Storm hits town,M22,Storm x\n"
)


def proposed(text):
    return sniff_comparison(text.encode(), "s.csv").proposed


def test_columns_are_proposed():
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


def test_wide_and_long_are_the_same_comparison():
    wide, systems = parse_comparison(WIDE.encode(), "s.csv")
    long, others = parse_comparison(LONG.encode(), "s.csv")
    assert wide.articles.fingerprint == long.articles.fingerprint
    assert wide.articles.references == (("Storm hits town",), ("Bank rises",))
    given = {"M10": ("Storm hit", "Bank up"), "M17": ("A storm", "A bank"), "M22": ("Storm x", "B x")}
    assert {one.system: one.headlines for one in systems} == given
    assert {one.system: one.headlines for one in others} == given | {"M22": ("Storm x", "")}
    assert any("lacks" in note for note in long.notes)
    marks = {one.system: one.fingerprint for one in others}
    assert {one.system: one.fingerprint for one in systems[:2]} == {one: marks[one] for one in ("M10", "M17")}
    again = parse_comparison(LONG.encode(), "another name.csv")[1]
    assert [one.fingerprint for one in again] == list(marks.values())


@pytest.mark.parametrize("text", [WIDE, LONG])
def test_markup_in_headlines_is_cut_off_with_a_note(text):
    given = GivenFile("s.csv", text.replace("A storm", "A <b>storm</b>").encode())
    loaded = load_given(given, [], None)
    assert next(one.headlines for one in loaded.outputs if one.system == "M17")[0] == "A storm"
    note = "M17: 1 headline held HTML; the text was kept, the tags were not."
    assert note in loaded.notes
    assert loaded.articles is not None
    found = compare(loaded.articles, loaded.outputs, ["rouge"], resamples=100)
    assert note in notes(found, comparison_table(found))


def test_without_articles_what_needs_them_says_so_and_the_rest_is_measured():
    read, systems = parse_comparison(WIDE.encode(), "s.csv")
    found = compare(read.articles, systems, ["rouge", "novelty"], resamples=100)
    missing = {place.column.name: all_missing(found, place) for place in found.places}
    assert not missing["rouge1"]
    assert missing["coverage"]
    place = next(place for place in found.places if place.column.name == "coverage")
    assert found.why_undefined(place) == "No article here has a text."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("headline\nStorm hits\n", "no column with the articles"),
        ("a,b\n1,2\n", "no column with headlines of a system"),
        (LONG + "a,Storm,M10,Again\n", "M10 has two headlines for 'a': in rows 1 and 6"),
        ("system,headline\nx,One a\nx,Two b\ny,One c\n", "different numbers of headlines: x 2, y 1"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(text, says):
    with pytest.raises(InputError, match=says):
        parse_comparison(text.encode(), "s.csv")


TEXTS = ["The first article.", "The second article.", "The third article."]
NAMED, NUMBERED = articles_of("news", TEXTS, ids=["a", "b", "c"]), articles_of("news", TEXTS)


def headlines(data, name, articles):
    return {one.system: one.headlines for one in parse_outputs(data, name, articles)}


def refused(data, name, articles):
    with pytest.raises(InputError) as error:
        parse_outputs(data, name, articles)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_line_a_headline(end):
    data = f"One{end}\u2028Two  b{end}Three{end}".encode()
    assert headlines(data, "bart.txt", NUMBERED) == {"bart": ("One", "Two b", "Three")}
    assert headlines(f"One{end}{end}Three".encode(), "a.txt", NUMBERED) == {"a": ("One", "", "Three")}


@pytest.mark.parametrize("count", [1, 4])
def test_another_number_of_lines_says_both(count):
    rows = as_csv([["headline", "system"], *[["x", "s"]] * count])
    for data, name in ((b"x\n" * count, "a.txt"), (rows, "a.csv")):
        assert f"{count} headlines for the 3 articles of news" in refused(data, name, NUMBERED)


@pytest.mark.parametrize("column", ["headline", "prediction", "title"])
def test_rows_find_their_articles_by_id(column):
    rows = [["id", column], ["c", "Three"], ["a", "One"], ["b", "Two"]]
    assert headlines(as_csv(rows), "bart.csv", NAMED) == {"bart": ("One", "Two", "Three")}


def test_ids_missing_on_one_side_are_counted_and_the_first_is_named():
    few = as_csv([["id", "headline"], ["a", "One"]])
    assert re.search("2 of the ids have no row.*first is 'b'", refused(few, "a.csv", NAMED))
    more = as_csv([["id", "headline"], *([name, "x"] for name in "abcde")])
    assert re.search("2 of the ids are no ids.*first is 'd'", refused(more, "a.csv", NAMED))


@pytest.mark.parametrize("prefix", ["", "pred_", "prediction_"])
def test_a_column_a_system_with_published_scores(prefix):
    header = ["id", "reference", f"{prefix}t5", "rougeL_t5", f"{prefix}bart", "rougeL_bart"]
    rows = [header, *[[key, "gold", f"T {key}", "0.5", f"B {key}", ""] for key in "cab"]]
    t5, bart = parse_outputs(as_csv(rows), "all.csv", NAMED)
    assert (t5.system, t5.headlines, t5.source) == ("t5", ("T a", "T b", "T c"), "all.csv")
    assert t5.published["rougeL"].tolist() == [0.5, 0.5, 0.5]
    assert bart.headlines == ("B a", "B b", "B c")
    assert np.isnan(bart.published["rougeL"]).all()


def test_another_article_in_a_row_is_told():
    rows = [["text", "headline"], [TEXTS[0], "1"], [TEXTS[2], "3"], [TEXTS[1], "2"]]
    assert "Row 2 of a.csv holds another article" in refused(as_csv(rows), "a.csv", NUMBERED)


def test_what_the_write_command_made_is_articles_and_one_system():
    rows = [
        ["text", "summary", "headline", "headline_2"],
        *[[text, "gold", "ours", "more"] for text in TEXTS],
    ]
    read, (ours,) = parse_comparison(as_csv(rows), "pn.csv")
    assert read.articles.references == (("gold",),) * 3
    assert (ours.system, ours.headlines) == ("pn", ("ours",) * 3)


CARD = (written_claims.PLACE.require() / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def blanks(tmp_path, monkeypatch):
    """Made-up rows, whose written headlines lie in the data folder."""
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    monkeypatch.setattr(written_claims, "PLACE", written_claims_folder(tmp_path))
    return numhg_blanks(numhg_file(tmp_path))


@pytest.mark.parametrize("part", list(written_claims.FILES))
def test_the_card_counts_what_ships(part):
    path = written_claims.PLACE.require() / written_claims.FILES[part]
    table = read_columns(path, delimiter="\t", quoted=False)
    kinds = Counter(column(table, "kind", path))
    told = rf"{sum(kinds.values()):,}(?: headlines)? \({kinds['']:,}(?: true)?"
    assert re.search(rf"`{path.name}`, {told}", CARD)
    assert f"of {len(set(table['article'])):,}" in CARD
    at = list(written_claims.FILES).index(part)
    counted = re.findall(r"^\| `(\w+)` \| .+ \| (\d+) \| (\d+) \|$", CARD, re.MULTILINE)
    assert {row[0]: int(row[1 + at]) for row in counted} == {
        kind: kinds[kind] for kind in written_claims.KINDS
    }
    assert len(set(zip(table["article"], table["headline"], strict=True))) == sum(kinds.values())


def test_what_ships_is_of_articles_that_networks_learn_from():
    try:
        numhg = load_blanks("numhg")
    except DataSourceError:
        pytest.skip("NumHG is not on this machine")
    for part in written_claims.FILES:
        given = numhg.part(part)
        claims = load_written_claims(part, given)
        assert all(claim.headline[claim.start : claim.end].strip() for claim in claims)
        assert all(claim.true is (claim.kind == "") for claim in claims)
    keys = set(
        read_columns(written_claims.PLACE.require() / written_claims.FILES[Part.TRAIN], delimiter="\t")[
            "article"
        ]
    )
    assert not any(is_judged(text) for text in numhg.texts if article_key(text) in keys)


@pytest.mark.parametrize(
    "broken",
    [
        "{key}\ttrue\t\tFire Leaves [[21]] Dead, [[2]] Hurt",
        "{key}\ttrue\tact\tFire Leaves [[21]] Dead",
        "{key}\tperhaps\t\tFire Leaves [[21]] Dead",
    ],
)
def test_a_broken_line_is_named(broken, blanks):
    given = blanks.part(Part.TRAIN)
    path = written_claims.PLACE.require() / written_claims.FILES[Part.TRAIN]
    with path.open("a", encoding="utf-8") as file:
        file.write(broken.format(key=article_key(given.texts[0])) + "\n")
    with pytest.raises(InputError, match=r"Line 8 of train\.tsv is no headline with one"):
        load_written_claims(Part.TRAIN, given)


def test_articles_with_plain_headlines_are_what_the_card_says():
    files = sorted(written_claims.PLACE.require().glob("**/*.jsonl"))
    rows = [(path, json.loads(line)) for path in files for line in path.read_text("utf-8").splitlines()]
    invented = sum(path.parent.parent.name == "invented" for path, _ in rows)
    articles = [row for _, row in rows if "true_plain" in row]
    assert f"`invented/` holds {invented} articles" in CARD
    assert f"The {len(articles)} articles of" in CARD
    for article in articles:
        assert {len(article[name]) for name in ("true", "false", "kinds", "right")} == {6}
        assert {len(article[name]) for name in ("true_plain", "false_plain", "plain_kinds")} == {2}
        plain = [*article["true_plain"], *article["false_plain"]]
        assert not any(character.isdigit() for headline in plain for character in headline)


ARTICLE = "Three people died when a ferry ran aground off Lerwick on Tuesday, police said."
MADE, PEOPLE = "Four die as ferry runs aground", "Three die as ferry runs aground"


@pytest.mark.parametrize(
    "row",
    [
        {"article": ARTICLE, "gold_headline": PEOPLE, "gpt-4o": MADE},
        {"Artikeltext": ARTICLE, "Originalüberschrift": PEOPLE, "System A": MADE},
        {"texte": ARTICLE, "human": PEOPLE, "pred_bart": MADE},
        {"article_id": "7", "article": ARTICLE, "target": PEOPLE, "model": "t5", "generated_headline": MADE},
        {"doc_id": 7, "document": ARTICLE, "target": PEOPLE, "arguments": [["A"]], "filtered_resps": [MADE]},
    ],
)  # fmt: skip
def test_the_headline_of_people_is_no_system_whatever_it_is_called(row):
    read, (output,) = parse_comparison(f"{json.dumps(row)}\n".encode(), "made.jsonl")
    assert read.articles.texts == (ARTICLE,)
    assert read.articles.references == ((PEOPLE,),)
    assert output.headlines == (MADE,)


def test_the_whole_answer_of_a_language_model_is_its_headline():
    answer = {
        "status_code": 200,
        "body": {"id": "c", "choices": [{"index": 0, "message": {"role": "assistant", "content": MADE}}]},
    }
    row = {"id": "batch_1", "custom_id": "7", "response": answer, "error": None}
    given = articles_of("news", [ARTICLE], ids=["7"])
    (output,) = parse_outputs(f"{json.dumps(row)}\n".encode(), "batch.jsonl", given)
    assert output.headlines == (MADE,)
