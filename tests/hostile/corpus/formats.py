"""Files of other kinds, under their own name or under that of a table."""

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import struct
import tarfile
import zipfile

import numpy as np
import pyarrow as pa
from pyarrow import feather

from tests.hostile.corpus.file import File

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


def tarred():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("../a.csv")
        entry.size = len(PLAIN)
        archive.addfile(entry, io.BytesIO(PLAIN))
    return buffer.getvalue()


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


def feathered():
    buffer = io.BytesIO()
    feather.write_feather(pa.table({"headline": ["Storm closes airport"]}), buffer)
    return buffer.getvalue()


def safetensors():
    head = b'{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    return struct.pack("<Q", len(head)) + head + bytes(8)


HTML_TABLE = (
    b"<html><head><script>alert(1)</script></head><body><table><tr><td>headline</td></tr>"
    b"<tr><td>Storm closes airport</td></tr></table></body></html>"
)
XML_2003 = (
    b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
    b'<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Row><Cell>'
    b"<Data>headline</Data></Cell></Row></Table></Worksheet></Workbook>"
)
ODS = zipped(
    mimetype=b"application/vnd.oasis.opendocument.spreadsheet", content_dot_xml=b"<office:document-content/>"
)
MAIL = (
    b"From: a@b.example\nSubject: Storm closes airport\nContent-Type: text/html; charset=utf-8\n"
    b"Content-Transfer-Encoding: base64\n\nPHA+U3Rvcm08L3A+\n"
)
NOTEBOOK = b'{"cells": [{"cell_type": "code", "source": ["import os"]}], "metadata": {}, "nbformat": 4}'
LOG = b"2024-05-01 10:00:00 ERROR Storm closes airport\n2024-05-01 10:00:01 INFO Bank raises rates\n"

FILES = {
    "a PDF": File("a.pdf", b"%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript>>>> endobj\n%%EOF", "PDF"),
    "a JPEG called XLSX": File("a.xlsx", b"\xff\xd8\xff\xe0" + bytes(200), "called a workbook"),
    "a GIF called JSON": File("a.json", b"GIF89a" + bytes(range(200)), "GIF"),
    "an SVG with a script": File("a.svg", b'<svg onload="alert(1)"><script>alert(1)</script></svg>', "svg"),
    "an old Excel workbook": File("a.xls", OLE + bytes(504), "old .xls"),
    "a workbook with a password": File(
        "a.xlsx", OLE + bytes(504) + "EncryptedPackage".encode("utf-16-le"), "password"
    ),
    "HTML called XLS": File("a.xls", HTML_TABLE, "are not read"),
    "HTML called CSV": File("a.csv", HTML_TABLE, "web page"),
    "XML of Excel 2003 called XLS": File("a.xls", XML_2003, "are not read"),
    "a sheet of OpenDocument": File("a.ods", ODS, "zip archive"),
    "a binary workbook": File("a.xlsb", zipped(xl__workbook_dot_bin=b"\x83\x01\x00"), "damaged"),
    "a bundle with paths that leave it": File("bundle.zip", traversal, "zip"),
    "an empty archive": File("a.xlsx", b"PK\x05\x06" + bytes(18), "zip archive"),
    "a tar archive": File("a.tar", tarred, "not text"),
    "a 7z archive": File("a.csv", b"7z\xbc\xaf\x27\x1c" + bytes(100), "7z"),
    "a bz2 archive": File("a.csv.bz2", bz2.compress(PLAIN), "bz2"),
    "an xz archive called CSV": File("a.csv", lzma.compress(PLAIN), "xz"),
    "gz inside gz": File("a.csv.gz", gzip.compress(gzip.compress(PLAIN)), "gz file inside"),
    "gz of a picture": File("a.csv.gz", gzip.compress(b"\x89PNG\r\n\x1a\n" + bytes(99)), "PNG"),
    "gz with a damaged checksum": File("a.csv.gz", gzip.compress(PLAIN)[:-8] + bytes(8), "damaged"),
    "gz that is plain text": File("a.csv.gz", PLAIN, headlines=2),
    "a pickle that calls": File("a.pkl", pickle.dumps(Calls()), "pickle"),
    "a pickle that calls, called Parquet": File("a.parquet", pickle.dumps(Calls()), "arquet"),
    "an array of pickles": File("a.npy", npy, "NumPy"),
    "weights as safetensors": File("model.safetensors", safetensors(), "weights"),
    "weights as GGUF": File("model.gguf", b"GGUF\x03\x00\x00\x00" + bytes(64), "model"),
    "weights as a zip of pickles": File(
        "model.pt", zipped(archive__data_dot_pkl=pickle.dumps(Calls())), "zip archive"
    ),
    "a SQLite database": File("a.db", database, "SQLite"),
    "a program": File("a.csv", b"\x7fELF\x02\x01\x01" + bytes(100), "program"),
    "an Arrow file": File("a.arrow", feathered, "Arrow"),
    "a message called CSV": File("a.csv", MAIL, headlines=4),
    "a notebook called JSON": File("a.json", NOTEBOOK, "headline column"),
    "a script of Python": File("a.py", b"import os\nos.system('id')\n", "py"),
    "a script of a shell called CSV": File("a.csv", b"#!/bin/sh\nrm -rf ~\n", "headline column"),
    "a log called CSV": File("a.csv", LOG, "headline column"),
    "no ending at all": File("headlines", PLAIN, headlines=2),
    "a name of one dot and an ending": File(".csv", PLAIN, headlines=2),
    "a name that is a path": File("../../etc/passwd.csv", PLAIN, headlines=2),
    "a name of markup": File("<img src=x onerror=alert(1)>.csv", PLAIN, headlines=2),
    "a name of a formula": File("=HYPERLINK(1).csv", PLAIN, headlines=2),
    "a name that turns round": File("\u202evsc.exe.csv", PLAIN, headlines=2),
    "a name of 200 characters": File("x" * 200 + ".csv", PLAIN, headlines=2),
}
