"""Files of other kinds, small ones that are large inside, and sound ones that end before their end."""

import bz2
import gzip
import io
import json
import pickle
import sqlite3
import struct
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.binary_files import SHEET, cell, changed, hand_rows, of, plain, sheet_of
from tests.hostile.corpus.file import File, csv
from tests.hostile.corpus.text_files import RUSSIAN

PLAIN = b"headline\nStorm closes airport\nBank raises rates\n"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(**parts):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return buffer.getvalue()


def traversal():
    """A bundle whose parts would be written outside of its folder."""
    return zipped(
        **{"../../etc/cron.d/job": b"* * * * * root id", "/tmp/x.csv": PLAIN, "report.html": b"<p>"}
    )


class Calls:
    """A pickle of it runs a command where it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """What a pickle reader would run."""
        return eval, ("open('ran','w')",)


def database():
    with sqlite3.connect(":memory:") as opened:
        opened.execute("create table a (headline text)")
        return opened.serialize()


def npy():
    buffer = io.BytesIO()
    np.save(buffer, np.array(["Storm closes airport", Calls()], dtype=object), allow_pickle=True)
    return buffer.getvalue()


def safetensors():
    head = b'{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    return struct.pack("<Q", len(head)) + head + bytes(8)


HTML_TABLE = (
    b"<html><head><script>alert(1)</script></head><body><table><tr><td>headline</td></tr>"
    b"<tr><td>Storm closes airport</td></tr></table></body></html>"
)
ODS = zipped(
    mimetype=b"application/vnd.oasis.opendocument.spreadsheet", content_dot_xml=b"<office:document-content/>"
)

FORMATS = {
    "a PDF": File("a.pdf", b"%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript>>>> endobj\n%%EOF", "PDF"),
    "a JPEG called XLSX": File("a.xlsx", b"\xff\xd8\xff\xe0" + bytes(200), "called a workbook"),
    "an SVG with a script": File("a.svg", b'<svg onload="alert(1)"><script>alert(1)</script></svg>', "svg"),
    "an old Excel workbook": File("a.xls", OLE + bytes(504), "old .xls"),
    "a workbook with a password": File(
        "a.xlsx", OLE + bytes(504) + "EncryptedPackage".encode("utf-16-le"), "password"
    ),
    "HTML called XLS": File("a.xls", HTML_TABLE, 1),
    "HTML called CSV": csv(HTML_TABLE, "web page"),
    "a sheet of OpenDocument": File("a.ods", ODS, "zip archive"),
    "a binary workbook": File("a.xlsb", zipped(xl__workbook_dot_bin=b"\x83\x01\x00"), "damaged"),
    "a bundle with paths that leave it": File("bundle.zip", traversal, "zip"),
    "an empty archive": File("a.xlsx", b"PK\x05\x06" + bytes(18), "zip archive"),
    "a bz2 archive": File("a.csv.bz2", bz2.compress(PLAIN), "bz2"),
    "gz inside gz": File("a.csv.gz", gzip.compress(gzip.compress(PLAIN)), "gz file inside"),
    "gz with a damaged checksum": File("a.csv.gz", gzip.compress(PLAIN)[:-8] + bytes(8), "damaged"),
    "gz that is plain text": File("a.csv.gz", PLAIN, 2),
    "a pickle that calls": File("a.pkl", pickle.dumps(Calls()), "pickle"),
    "a pickle that calls, called Parquet": File("a.parquet", pickle.dumps(Calls()), "arquet"),
    "an array of pickles": File("a.npy", npy, "NumPy"),
    "weights as safetensors": File("model.safetensors", safetensors(), "weights"),
    "weights as a zip of pickles": File(
        "model.pt", zipped(archive__data_dot_pkl=pickle.dumps(Calls())), "zip archive"
    ),
    "a SQLite database": File("a.db", database, "SQLite"),
    "a program": csv(b"\x7fELF\x02\x01\x01" + bytes(100), "program"),
    "a script of Python": File("a.py", b"import os\nos.system('id')\n", "py"),
    "no ending at all": File("headlines", PLAIN, 2),
    "a name that is a path": File("../../etc/passwd.csv", PLAIN, 2),
    "a name of markup": File("<img src=x onerror=alert(1)>.csv", PLAIN, 2),
    "a name that turns round": File("\u202evsc.exe.csv", PLAIN, 2),
    "a name of 200 characters": File("x" * 200 + ".csv", PLAIN, 2),
}


HEAD = b"headline\nStorm closes airport\n"


def filled_rows(count):
    return sheet_of(hand_rows() + (b"<row>" + cell("x") + b"</row>") * count)


def dictionary(rows):
    """One long text that is stored once and stands in every row."""
    values = pa.DictionaryArray.from_arrays(pa.array([0] * rows, type=pa.int32()), pa.array(["x" * 90_000]))
    buffer = io.BytesIO()
    pq.write_table(pa.table({"headline": ["Storm"] * rows, "body": values}), buffer, compression="zstd")
    return buffer.getvalue()


def spaces_of(megabytes):
    return changed(lambda parts: parts.update({SHEET: b"<worksheet>" + b" " * (megabytes * 1_000_000)}))


def zip_in_zip():
    inner = gzip.compress(bytes(2_000_000))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(50):
            archive.writestr(f"{number}.gz", inner)
    return buffer.getvalue()


HUGE = {
    "a cell of one megabyte": csv(lambda: b"headline,body\nStorm," + b"x" * 1_000_000 + b"\nBank,y\n", 1),
    "a quotation mark before one megabyte": csv(
        lambda: b'headline,body\nStorm,"x\n' + b"Snow falls,y\n" * 40_000, 40000
    ),
    "100,000 columns": csv(lambda: b"headline" + b",x" * 99_999 + b"\nStorm\n", "at most 200"),
    "a million empty lines": csv(lambda: HEAD + b"\n" * 1_000_000 + b"Bank\n", 2),
    "50,001 rows": csv(lambda: HEAD + b"Bank\n" * 50_000, "50,000 rows"),
    "1,048,576 rows of a sheet": File("a.xlsx", lambda: filled_rows(1_048_576), "50,000 rows|unpacks"),
    "50,001 rows of Parquet": File("a.parquet", lambda: dictionary(50_001), "50,000 rows"),
    "one text in every row of Parquet": File("a.parquet", lambda: dictionary(6_000), "unpacks"),
    "a sheet that unpacks to 2 MB": File("a.xlsx", lambda: spaces_of(2), "unpacks", megabytes=1),
    "a gz of many members": File(
        "a.csv.gz",
        lambda: gzip.compress(HEAD) + gzip.compress(b"Bank raises rates\n" * 4_000) * 20,
        "unpacks",
        megabytes=1,
    ),
    "bombs in a zip": File("a.xlsx", zip_in_zip, "zip archive"),
    "a million marks on one letter": csv(
        lambda: b"headline\na" + "\u0301".encode() * 500_000 + b"\nBank\n", 2
    ),
    "2 MB where 1 MB is allowed": csv(lambda: HEAD * 70_000, "at most 1 MB", megabytes=1),
}


ROWS = b'headline,date\n"Storm, big, closes airport",2024-05-01\n"Bank raises rates",2024-05-02\n'
ENTRIES = json.dumps([{"headline": "Storm"}, {"headline": "Bank"}]).encode()
LINES = b'{"headline": "Storm"}\n{"headline": "Bank"}\n'


def parquet():
    return of(headline=[f"Headline number {i}" for i in range(200)])


TRUNCATED = {
    "CSV inside a quoted cell": csv(ROWS[:-20], 1),
    "CSV inside the header": csv(ROWS[:5], "no rows"),
    "gz after its head": File("a.csv.gz", gzip.compress(ROWS)[:10], "cut off"),
    "gz with noise after it": File("a.csv.gz", gzip.compress(ROWS) + b"noise", 2),
    "a workbook without its last byte": File("a.xlsx", lambda: plain()[:-1], "cut off"),
    "a workbook without its first bytes": File("a.xlsx", lambda: plain()[10:], 2),
    "a workbook with noise before it": File("a.xlsx", lambda: b"noise" + plain(), 2),
    "Parquet without its last byte": File("a.parquet", lambda: parquet()[:-1], "cut off"),
    "Parquet without its middle": File("a.parquet", lambda: parquet()[:100] + parquet()[-300:], "damaged"),
    "JSON inside a text": File("a.json", ENTRIES[:-4], "line 1"),
    "lines of JSON inside a line": File("a.jsonl", LINES[:-6], 1),
    "UTF-8 inside a letter": csv(RUSSIAN.encode()[:41], 1),
}
