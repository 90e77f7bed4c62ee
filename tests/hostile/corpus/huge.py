"""Small files that are large inside, and large ones; made when they are asked for."""

import gzip
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.file import File
from tests.hostile.corpus.workbooks import SHEET, cell, changed, hand_rows, sheet_of

HEAD = b"headline\nStorm closes airport\n"


def filled_rows(count):
    return sheet_of(hand_rows() + (b"<row>" + cell("x") + b"</row>") * count)


def dictionary(rows):
    """One long text that is stored once and stands in every row."""
    values = pa.DictionaryArray.from_arrays(pa.array([0] * rows, type=pa.int32()), pa.array(["x" * 90_000]))
    buffer = io.BytesIO()
    pq.write_table(pa.table({"headline": ["Storm"] * rows, "body": values}), buffer, compression="zstd")
    return buffer.getvalue()


def bomb(megabytes):
    return changed(lambda parts: parts.update({SHEET: b"<worksheet>" + b" " * (megabytes * 1_000_000)}))


def zip_in_zip():
    inner = gzip.compress(bytes(2_000_000))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(50):
            archive.writestr(f"{number}.gz", inner)
    return buffer.getvalue()


FILES = {
    "a cell of one megabyte": File(
        "a.csv", lambda: b"headline,body\nStorm," + b"x" * 1_000_000 + b"\nBank,y\n", headlines=1
    ),
    "a quotation mark before one megabyte": File(
        "a.csv", lambda: b'headline,body\nStorm,"x\n' + b"Snow falls,y\n" * 40_000, headlines=40000
    ),
    "100,000 columns": File("a.csv", lambda: b"headline" + b",x" * 99_999 + b"\nStorm\n", "at most 200"),
    "100,000 columns in JSON": File(
        "a.json",
        lambda: json.dumps([{"headline": "Storm", **{f"n{i}": 1 for i in range(100_000)}}]).encode(),
        "at most 200",
    ),
    "a million empty lines": File("a.csv", lambda: HEAD + b"\n" * 1_000_000 + b"Bank\n", headlines=2),
    "50,001 rows": File("a.csv", lambda: HEAD + b"Bank\n" * 50_000, "50,000 rows"),
    "50,001 entries of JSON": File("a.json", lambda: b'[{"a":1}' + b",{}" * 50_000 + b"]", "50,000 rows"),
    "1,048,576 rows of a sheet": File("a.xlsx", lambda: filled_rows(1_048_576), "50,000 rows|unpacks"),
    "50,001 rows of Parquet": File("a.parquet", lambda: dictionary(50_001), "50,000 rows"),
    "one text in every row of Parquet": File("a.parquet", lambda: dictionary(6_000), "unpacks"),
    "a sheet that unpacks to 2 MB": File("a.xlsx", lambda: bomb(2), "unpacks", megabytes=1),
    "a gz of many members": File(
        "a.csv.gz",
        lambda: gzip.compress(HEAD) + gzip.compress(b"Bank raises rates\n" * 4_000) * 20,
        "unpacks",
        megabytes=1,
    ),
    "bombs in a zip": File("a.xlsx", zip_in_zip, "zip archive"),
    "a text of one megabyte in JSON": File(
        "a.json",
        lambda: json.dumps([{"headline": "x" * 1_000_000}, {"headline": "Bank"}]).encode(),
        headlines=1,
    ),
    "a word of a megabyte without an ending": File("words", lambda: b"x" * 1_000_000, "at most 1,000"),
    "a million opened tags": File(
        "a.csv", lambda: b"headline,body\nStorm," + b"<b>" * 33_000 + b"\nBank,y\n", headlines=2
    ),
    "a million marks on one letter": File(
        "a.csv", lambda: b"headline\na" + "\u0301".encode() * 500_000 + b"\nBank\n", headlines=2
    ),
    "2 MB where 1 MB is allowed": File("a.csv", lambda: HEAD * 70_000, "at most 1 MB", megabytes=1),
}
