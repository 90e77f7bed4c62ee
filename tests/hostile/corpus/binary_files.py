"""Workbooks with what a workbook may hold and may not; Parquet with odd columns, metadata and ends."""

import io
import re
import struct
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.file import File, book, parquet

SHEET = "xl/worksheets/sheet1.xml"
ROWS = (["headline", "date"], ["Storm closes airport", "2024-05-01"], ["Bank raises rates", "2024-05-02"])


def saved(book):
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def book_of(*rows):
    book = openpyxl.Workbook()
    for row in rows or ROWS:
        book.active.append(row)
    return book


def plain(*rows):
    return saved(book_of(*rows))


def changed(change, content=None):
    """A workbook whose parts were changed."""
    with zipfile.ZipFile(io.BytesIO(content or plain())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def without(name):
    return changed(lambda parts: parts.pop(name))


def replaced(name, old, new):
    def change(parts):
        assert old in parts[name]
        parts[name] = parts[name].replace(old, new)

    return changed(change)


def sheet_of(rows, dimension=b"A1:A3"):
    """A workbook whose sheet is written by hand."""
    head = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="'
    whole = head + dimension + b'"/><sheetData>' + rows + b"</sheetData></worksheet>"
    return changed(lambda parts: parts.update({SHEET: whole}))


def cell(text):
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'.encode()


def hand_rows(*cells):
    return b"".join(b"<row>" + one + b"</row>" for one in (cell("headline"), *cells))


def hidden():
    book = openpyxl.Workbook()
    book.active.append(["secret"])
    book.active.append(["x"])
    book.active.sheet_state = "hidden"
    shown = book.create_sheet("shown")
    for row in ROWS:
        shown.append(row)
    book.active = 1
    return saved(book)


def macro():
    return changed(lambda parts: parts.update({"xl/vbaProject.bin": b"Shell calc" * 99}))


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">'
    + b"".join(b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 10))
    + b"]>"
)


def laughing():
    """A sheet of a few bytes that would unpack to gigabytes of laughter."""

    def change(parts):
        body = parts[SHEET].split(b"?>", 1)[-1]
        parts[SHEET] = LAUGHS + re.sub(rb"<sheetData>", b"<sheetData><row>" + cell("&a9;") + b"</row>", body)

    return changed(change)


def reading_files():
    entity = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'

    def change(parts):
        body = parts[SHEET].split(b"?>", 1)[-1]
        parts[SHEET] = entity + re.sub(rb"<sheetData>", b"<sheetData><row>" + cell("&e;") + b"</row>", body)

    return changed(change)


def lying_sizes():
    """Every part says that it unpacks to nothing."""
    content = bytearray(plain())
    place = content.find(b"PK\x01\x02")
    while place >= 0:
        content[place + 24 : place + 28] = bytes(4)
        place = content.find(b"PK\x01\x02", place + 4)
    return bytes(content)


def huge_sizes():
    """A part says that it unpacks to four gigabytes."""
    content = bytearray(plain())
    place = content.find(b"PK\x01\x02")
    content[place + 24 : place + 28] = b"\xff\xff\xff\xfe"
    return bytes(content)


WORKBOOKS = {
    "a workbook with macros": File("a.xlsm", macro, 2),
    "a hidden sheet first": book(hidden, 2),
    "errors of formulas as headlines": book(
        lambda: sheet_of(hand_rows(b'<c t="e"><v>#REF!</v></c>', b'<c t="e"><v>#N/A</v></c>')), "None of the"
    ),
    "a shared text that is missing": book(lambda: sheet_of(hand_rows(b'<c t="s"><v>999</v></c>')), "damaged"),
    "a cell in the last column": book(
        lambda: sheet_of(hand_rows(b'<c r="XFD2" t="inlineStr"><is><t>far</t></is></c>')), "at most 200"
    ),
    "a row past the last one": book(
        lambda: sheet_of(hand_rows(cell("Storm")) + b'<row r="999999999999">' + cell("Bank") + b"</row>"),
        "past row 1,048,576",
    ),
    "sizes of a sheet that lie": book(
        lambda: sheet_of(hand_rows(cell("Storm"), cell("Bank")), b"A1:XFD1048576"), 2
    ),
    "a workbook without its sheet": book(lambda: without(SHEET), "no rows"),
    "a sheet that is cut off": book(
        lambda: changed(lambda parts: parts.update({SHEET: parts[SHEET][:-60]})), "damaged"
    ),
    "parts that lead out of the workbook": book(
        lambda: replaced("xl/_rels/workbook.xml.rels", b"/xl/worksheets/sheet1.xml", b"/../../etc/passwd"),
        "no rows",
    ),
    "entities that laugh": book(laughing, "document type"),
    "entities that read files": book(reading_files, "document type"),
    "parts that lie about their size": book(lying_sizes, "damaged"),
    "parts that say they are huge": book(huge_sizes, "unpacks"),
    "16,384 columns": book(lambda: plain([f"c{i}" for i in range(16_384)], ["x"] * 16_384), "at most 200"),
    "a workbook called CSV": File("a.csv", plain, 2),
    "a table called XLSX": book(b"headline\nStorm\nBank\n", "called a workbook"),
}


TWO = ["Storm closes airport", "Bank raises rates"]


def stored(table, **options):
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def of(**columns):
    return stored(pa.table(columns))


def nested():
    inner = pa.array([{"a": {"b": [{"c": "<b>"}]}}, None])
    pairs = pa.array([[("k", "v")], []], type=pa.map_(pa.string(), pa.string()))
    return stored(pa.table({"headline": pa.array(TWO), "deep": inner, "map": pairs}))


def deep(depth):
    kind = pa.string()
    for _ in range(depth):
        kind = pa.list_(kind)
    return stored(pa.table({"headline": pa.array(TWO), "deep": pa.array([None, None], type=kind)}))


def footer(content, length):
    """A file whose end says that its description is so long."""
    return content[:-8] + struct.pack("<i", length) + b"PAR1"


def noisy_footer(content):
    size = struct.unpack("<i", content[-8:-4])[0]
    start = len(content) - 8 - size
    return content[:start] + bytes((byte * 7 + 3) % 256 for byte in content[start:-8]) + content[-8:]


PARQUET = {
    "nested columns": parquet(nested, 2),
    "lists in lists past all depth": parquet(lambda: deep(60), "damaged"),
    "headlines as bytes": parquet(lambda: of(headline=[b"Storm \xff\xfe hits", b"Bank"]), 2),
    "no rows in Parquet": parquet(lambda: of(headline=pa.array([], type=pa.string())), "no rows"),
    "201 columns in Parquet": parquet(lambda: of(**{f"c{i}": ["x"] for i in range(201)}), "at most 200"),
    "moments past the calendar": parquet(
        lambda: of(headline=TWO, date=pa.array([2**62, -(2**62)], type=pa.timestamp("us"))), 2
    ),
    "a description longer than the file": parquet(lambda: footer(of(headline=TWO), 2**30), "damaged"),
    "a description of noise": parquet(lambda: noisy_footer(of(headline=TWO)), "damaged"),
    "Parquet called CSV": File("a.csv", lambda: of(headline=TWO), 2),
    "a table called Parquet": parquet(b"headline\nStorm\n", "not one"),
}
