"""Workbooks with wide gaps between rows, and with tags that go on and on."""

import pytest

from core.data.timelines.load import load, read_table
from core.data.timelines.readers.xlsx import LAST_ROW, LONGEST_TAG
from core.errors import InputError
from tests.hostile.corpus.workbooks import SHEET, changed

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


def test_where_blank_rows_count_a_gap_of_too_many_is_refused():
    data = workbook(row(1, "headline"), row(2, "Storm hits"), row(200_000, "Bank falls"))
    with pytest.raises(InputError, match="more than 50,000 rows"):
        read_table(data, "a.xlsx", blank_rows=True)


def test_empty_rows_are_no_parts_of_one_row():
    data = workbook(row(1, "headline"), b"<row/>" * 400_000, row(400_002, "Storm hits"))
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


def test_a_long_text_is_no_tag():
    data = workbook(row(1, "headline"), row(2, "Storm hits"), row(2, "x" * LONG, column="B"))
    assert load(data, "a.xlsx").texts == ["Storm hits"]
