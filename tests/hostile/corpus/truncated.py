"""Sound files that end before their end."""

import gzip
import json

from tests.hostile.corpus.encodings import RUSSIAN
from tests.hostile.corpus.file import File
from tests.hostile.corpus.parquets import of
from tests.hostile.corpus.workbooks import plain

CSV = b'headline,date\n"Storm, big, closes airport",2024-05-01\n"Bank raises rates",2024-05-02\n'
JSON = json.dumps([{"headline": "Storm"}, {"headline": "Bank"}]).encode()
LINES = b'{"headline": "Storm"}\n{"headline": "Bank"}\n'


def parquet():
    return of(headline=[f"Headline number {i}" for i in range(200)])


FILES = {
    "CSV inside a quoted cell": File("a.csv", CSV[:-20], headlines=1),
    "CSV inside the header": File("a.csv", CSV[:5], "no rows"),
    "CSV after one byte": File("a.csv", CSV[:1], "no rows"),
    "gz after its mark": File("a.csv.gz", gzip.compress(CSV)[:2], "cut off|damaged"),
    "gz after its head": File("a.csv.gz", gzip.compress(CSV)[:10], "cut off"),
    "gz with noise after it": File("a.csv.gz", gzip.compress(CSV) + b"noise", headlines=2),
    "a workbook after its mark": File("a.xlsx", lambda: plain()[:4], "cut off"),
    "a workbook without its last byte": File("a.xlsx", lambda: plain()[:-1], "cut off"),
    "a workbook without its first bytes": File("a.xlsx", lambda: plain()[10:], headlines=2),
    "a workbook with noise before it": File("a.xlsx", lambda: b"noise" + plain(), headlines=2),
    "Parquet after its mark": File("a.parquet", lambda: parquet()[:4], "cut off|damaged"),
    "Parquet without its last byte": File("a.parquet", lambda: parquet()[:-1], "cut off"),
    "Parquet without its middle": File("a.parquet", lambda: parquet()[:100] + parquet()[-300:], "damaged"),
    "JSON after one byte": File("a.json", JSON[:1], "too early"),
    "JSON inside a text": File("a.json", JSON[:-4], "line 1"),
    "lines of JSON inside a line": File("a.jsonl", LINES[:-6], headlines=1),
    "lines of JSON inside the first": File("a.jsonl", LINES[:9], "No line"),
    "UTF-8 inside a letter": File("a.csv", RUSSIAN.encode()[:41], headlines=1),
    "UTF-16 inside a letter": File("a.csv", RUSSIAN.encode("utf-16")[:61], headlines=1),
    "safetensors inside their head": File(
        "model.safetensors", b"\x3b\x00\x00\x00\x00\x00\x00\x00{", "not text"
    ),
}
