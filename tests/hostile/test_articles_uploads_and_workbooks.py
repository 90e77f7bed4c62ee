import csv
import io
import json
import re

import pytest

from core import limits
from core.consistency.studies.suite import read_suite
from core.data.articles.article_files import parse_articles
from core.data.articles.articles import articles_of
from core.data.articles.outputs import parse_outputs
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines.load import check_pasted, load
from core.data.timelines.readers.xlsx_guard import LAST_ROW, LONGEST_TAG, MOST_TAGS
from core.data.timelines.tables import read_table
from core.errors import InputError
from core.results.delimited import neutralise, restored
from tests.hostile.corpus import HEADLINES, SHAPES, table
from tests.hostile.corpus.binary_files import SHEET, changed, plain
from tests.hostile.sentences import faults, faults_of_page
from tests.hostile.test_boards_commands_and_names import TELLING
from tests.hostile.test_drawn import markdown_is_harmless
from tests.pages.opening import opened, settled
from tests.programs import printed

ROWS = [["text", "headline", "cluster"], *[[f"{text} said so. {text}", text, text] for text in HEADLINES]]


def test_hostile_articles_are_drawn_as_text():
    app = opened("write")
    app.segmented_control(key="write-source").set_value("A file")
    settled(app)
    app.file_uploader(key="write-upload").set_value(("bad.csv", table(ROWS), "text/csv"))
    settled(app)
    assert not app.error
    row = next(box for box in app.selectbox if box.label == "Article")
    for place in range(len(HEADLINES)):
        row.select_index(place)
        settled(app)
        assert not app.exception
        markdown_is_harmless(app)
        row = next(box for box in app.selectbox if box.label == "Article")


def test_hostile_articles_are_written_as_text(tmp_path, command):
    source, out = tmp_path / "bad.csv", tmp_path / "out.csv"
    source.write_bytes(table(ROWS))
    assert command("write", source, "--system", "first-sentence", "--candidates", 3, "--out", out)[0] == 0
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"), newline="")))
    assert len(rows) == len(ROWS)
    assert all(
        neutralise(restored(cell), numbers=False) in (cell, f"'{cell}") for row in rows for cell in row
    )
    lines = tmp_path / "out.jsonl"
    assert command("write", source, "--system", "textrank", "--out", lines)[0] == 0
    assert len([json.loads(line) for line in lines.read_text(encoding="utf-8").split("\n") if line]) == len(
        HEADLINES
    )


HEADLINE = limits.HEADLINE_CHARACTERS.value
ARTICLES = articles_of("one", ["A storm hit the coast."])


def outputs(text, name):
    return parse_outputs(text.encode(), name, ARTICLES)


ENTRANCES = {
    "headline of an article": (
        HEADLINE,
        lambda text: parse_articles(f"text,headline\nA storm.,{text}\n".encode(), "a.csv"),
    ),
    "line of a system": (HEADLINE, lambda text: outputs(f"{text}\n", "a.txt")),
    "cell of a system": (HEADLINE, lambda text: outputs(f"headline\n{text}\n", "a.csv")),
    "case": (HEADLINE, lambda text: read_suite(f"check,a,b,expected\nc,{text},b,same\n".encode(), "a.csv")),
    "pair": (
        HEADLINE,
        lambda text: parse_pairs(
            f"headline_a,headline_b,label\n{text},b,1\nc,d,0\n".encode(), "a.csv"
        ).strict(),
    ),
    "headline of a timeline": (HEADLINE, lambda text: load(f"headline\n{text}\n".encode(), "a.csv")),
    "pasted text": (limits.PASTED_CHARACTERS.value, check_pasted),
}


@pytest.mark.parametrize(("most", "enter"), ENTRANCES.values(), ids=list(ENTRANCES))
def test_a_longer_text_is_refused(most, enter):
    enter("n" * most)
    with pytest.raises(InputError) as refused:
        enter("n" * (most + 1))
    assert faults(refused.value.message, refused.value.hint) == []


LOAD = "Load these headlines"


def faults_of_upload(app, place, file):
    """What is wrong with what a page says of a file, and of loading it where it offers that."""
    app.file_uploader[place].set_value((file.name, file.content, "application/octet-stream")).run()
    found = faults_of_page(app)
    load = [button for button in app.button if button.label == LOAD and not button.disabled]
    if load and file in TELLING.values():
        load[0].click().run()
        found += faults_of_page(app)
    return found


def wrong_on(page, place, files, monkeypatch):
    """What is wrong with what a page says of each of the files; {} where nothing is."""
    app = opened(page)
    asked, wrong = app.file_uploader[place].label, {}
    for name, file in files.items():
        if asked not in [one.label for one in app.file_uploader]:  # what was loaded stands in its place
            app = opened(page)
        with monkeypatch.context() as limited:
            file.under_its_limits(limited)
            if found := faults_of_upload(app, place, file):
                wrong[name] = found
                app = opened(page)
    return wrong


UPLOADS = {
    page: [*(SHAPES | TELLING)][n::4] for n, page in enumerate(("pairs", "train", "pair_sets", "compare"))
}
UPLOADS["open"] = [*TELLING][::3]
"""Names of the files that a page is given; the pages that take no timelines share them."""


@pytest.mark.parametrize("page", UPLOADS)
def test_any_file_on_a_page(page, monkeypatch):
    files = SHAPES | TELLING
    assert wrong_on(page, 0, {name: files[name] for name in UPLOADS[page]}, monkeypatch) == {}


HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
FOOT = b"</sheetData></worksheet>"
LONG = LONGEST_TAG + 200_000


def row(line, text, *, column="A"):
    cell = f'<c r="{column}{line}" t="inlineStr"><is><t>{text}</t></is></c>'
    return f'<row r="{line}">{cell}</row>'.encode()


def workbook(*rows):
    def change(parts):
        parts[SHEET] = HEAD + b"".join(rows) + FOOT

    return changed(change)


def test_rows_below_a_wide_gap_are_read_with_their_lines():
    data = workbook(
        row(1, "headline"), row(2, "Storm hits"), row(200_000, "Bank falls"), row(LAST_ROW, "Snow")
    )
    assert load(data, "a.xlsx").texts == ["Storm hits", "Bank falls", "Snow"]
    assert list(read_table(data, "a.xlsx").lines) == [2, 200_000, LAST_ROW]


def test_rows_and_cells_that_are_not_in_order_are_read():
    cells = b'<row r="5"><c r="B5"><v>7</v></c><c r="A5" t="inlineStr"><is><t>Snow falls</t></is></c></row>'
    data = workbook(row(1, "headline"), cells, row(4, "Storm hits"), row(4, "Bank falls"))
    assert load(data, "a.xlsx").texts == ["Snow falls", "Storm hits", "Bank falls"]


def test_empty_rows_are_no_parts_of_one_row():
    data = workbook(row(1, "headline"), b"<row/>" * 300_000, row(300_002, "Storm hits"))
    assert load(data, "a.xlsx").texts == ["Storm hits"]


@pytest.mark.parametrize(
    ("before", "token", "says"),
    [
        (b"", b'<row r="3"' + b" " * LONG + b"/>", "tag or comment"),
        (b"", b'<row r="' + b"1" * LONG + b'"/>', "tag or comment"),
        (b"", b"<!--" + b"x>" * (LONG // 2) + b"-->", "tag or comment"),
        (b"", b"<?p " + b"x" * LONG + b"?>", "tag or comment"),
        (b"", b"<row><c><v>&#" + b"0" * LONG + b"55;</v></c></row>", "tag or comment"),
        (b"<!--" + b"x" * LONG + b"-->", b"", "tag or comment"),
        (b"<!DOCTYPE a [<!--" + b"x" * LONG + b"-->]>", b"", "declares a document type"),
    ],
    ids=["spaces", "attribute", "comment", "instruction", "reference", "before the sheet", "document type"],
)
def test_a_tag_that_goes_on_and_a_document_type_are_refused(before, token, says):
    def change(parts):
        parts[SHEET] = before + HEAD + row(1, "headline") + row(2, "Storm hits") + token + FOOT

    with pytest.raises(InputError, match=says):
        load(changed(change), "a.xlsx")


MEGABYTES = 300  # more than these are not taken; a row of three million cells took 1,900
MEASURE = """
import resource, sys
from core.errors import CoreError
from core.data.timelines.load import load
first, *others = [open(name, "rb").read() for name in sys.argv[1:]]
load(first, "plain.xlsx")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for data in others:
    try:
        load(data, "a.xlsx")
        print("read")
    except CoreError as error:
        print(error.message)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1000)
"""


def one_row_of_cells(parts):
    parts[SHEET] = parts[SHEET].replace(b"</row>", b"<c/>" * 3_000_000 + b"</row>", 1)


def one_row_of_cells_with_a_prefix(parts):
    parts[SHEET] = (
        b'<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row>'
        + b"<x:c/>" * 3_000_000
        + b"</x:row></x:sheetData></x:worksheet>"
    )


def styles(parts):
    name = "xl/styles.xml"
    parts[name] = parts[name].replace(b"</cellXfs>", b"<xf/>" * 2_000_000 + b"</cellXfs>", 1)


def names(parts):
    name = "xl/workbook.xml"
    many = b"".join(b'<definedName name="n%d">A1</definedName>' % number for number in range(400_000))
    parts[name] = re.sub(b"<definedNames ?/>", b"<definedNames>" + many + b"</definedNames>", parts[name])
    assert many in parts[name]


def test_it_is_refused_in_little_memory(tmp_path):
    books = [plain(), *map(changed, (one_row_of_cells, one_row_of_cells_with_a_prefix, styles, names))]
    files = [tmp_path / f"{number}.xlsx" for number in range(len(books))]
    for file, book in zip(files, books, strict=True):
        file.write_bytes(book)
    *said, taken = printed(MEASURE, *files).split("\n")[:-1]
    assert [f"{MOST_TAGS:,} tags" in one for one in said] == [True] * 4
    assert int(taken) < MEGABYTES
