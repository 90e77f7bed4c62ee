"""Parquet with odd columns, odd metadata and broken ends."""

import io
import struct

import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.corpus.file import File

TWO = ["Storm closes airport", "Bank raises rates"]


def stored(table, **options):
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def of(**columns):
    return stored(pa.table(columns))


def twice_named():
    return stored(pa.Table.from_arrays([pa.array(TWO), pa.array(TWO)], names=["headline", "headline"]))


def nested():
    inner = pa.array([{"a": {"b": [{"c": "<b>"}]}}, None])
    pairs = pa.array([[("k", "v")], []], type=pa.map_(pa.string(), pa.string()))
    return stored(pa.table({"headline": pa.array(TWO), "deep": inner, "map": pairs}))


def deep(depth):
    kind = pa.string()
    for _ in range(depth):
        kind = pa.list_(kind)
    return stored(pa.table({"headline": pa.array(TWO), "deep": pa.array([None, None], type=kind)}))


def talkative():
    notes = {f"key {i}": "<script>alert(1)</script>" * 400 for i in range(200)}
    return stored(pa.table({"headline": TWO}).replace_schema_metadata(notes))


def footer(content, length):
    """A file whose end says that its description is so long."""
    return content[:-8] + struct.pack("<i", length) + b"PAR1"


def noisy_footer(content):
    size = struct.unpack("<i", content[-8:-4])[0]
    start = len(content) - 8 - size
    return content[:start] + bytes((byte * 7 + 3) % 256 for byte in content[start:-8]) + content[-8:]


def damaged_page(content):
    return content[:4] + bytes(60) + content[64:]


FILES = {
    "nested columns": File("a.parquet", nested, headlines=2),
    "lists in lists past all depth": File("a.parquet", lambda: deep(60), "damaged"),
    "names that stand twice": File("a.parquet", twice_named, headlines=2),
    "metadata of two megabytes": File("a.parquet", talkative, headlines=2),
    "headlines as bytes": File(
        "a.parquet", lambda: of(headline=[b"Storm \xff\xfe hits", b"Bank"]), headlines=2
    ),
    "headlines as numbers": File("a.parquet", lambda: of(headline=[1.5, float("nan")]), "None of the"),
    "no rows in Parquet": File("a.parquet", lambda: of(headline=pa.array([], type=pa.string())), "no rows"),
    "no columns in Parquet": File("a.parquet", lambda: stored(pa.table({})), "no rows"),
    "201 columns in Parquet": File(
        "a.parquet", lambda: of(**{f"c{i}": ["x"] for i in range(201)}), "at most 200"
    ),
    "moments past the calendar": File(
        "a.parquet",
        lambda: of(headline=TWO, date=pa.array([2**62, -(2**62)], type=pa.timestamp("us"))),
        headlines=1,
    ),
    "days past the calendar": File(
        "a.parquet",
        lambda: of(headline=TWO, date=pa.array([2**31 - 1, -(2**31)], type=pa.date32())),
        headlines=1,
    ),
    "a description longer than the file": File(
        "a.parquet", lambda: footer(of(headline=TWO), 2**30), "damaged"
    ),
    "a description of no length": File("a.parquet", lambda: footer(of(headline=TWO), 0), "damaged"),
    "a description of noise": File("a.parquet", lambda: noisy_footer(of(headline=TWO)), "damaged"),
    "a damaged page": File("a.parquet", lambda: damaged_page(of(headline=TWO)), "damaged"),
    "an encrypted Parquet": File("a.parquet", b"PARE" + bytes(90) + b"PARE", "not one"),
    "Parquet called CSV": File("a.csv", lambda: of(headline=TWO), headlines=2),
    "a table called Parquet": File("a.parquet", b"headline\nStorm\n", "not one"),
}
