"""Generated files: tables in every format, spoiled in every way, and long runs of a hostile piece."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

PIECES: Final = {
    "one letter": "a",
    "spaces": " ",
    "quotation marks": '"',
    "commas": ",",
    "brackets": "[",
    "digits": "7",
    "many short lines": "a\n",
    "combining marks": "\u0316\u0301",
    "letters past ASCII": "é",
    "markup": "<!--<a ",
    "nested objects": '{"a":',
    "tabs and bars": "\t|",
}
"""What a hostile file repeats."""

TOLD: Final = "(Sep 25, 2016  1:28 PM CDT) Police said 12 people were hurt."
TEXTS: Final = (
    TOLD,
    *("Storm hurts 12 people", "Rates rise by 2 %, bank says", "Пятьсот человек спасены", "東京で地震"),
    *("", " ", "0", "1", "ok", "bad", "train", "=1+1", "nan", "#REF!", "____", "The ____ of 5", "a; b"),
    *(
        "2015-01-14",
        "14.01.2015 9:30",
        "Jan 5, 2016 3:15 PM EST",
        "1394470370698",
        "31.02.2020",
        "9999-99-99",
    ),
    *("https://a.org/b?c", "http://[", "<b>Storm</b> &amp; wind", '["a", "b"]', "[[1", "\ud83d\ude00"),
    *("a\x00b", "\u202eturned", "\ufeff", "'", '"'),
)
NAMES: Final = (
    ("headline", "date", "publisher", "url", "text"),
    ("headline_a", "headline_b", "label", "date_a", "date_b", "timeline_id", "part", "tags"),
    ("first_title", "second_title", "quality", "first_url", "second_url"),
    ("timeline", "headline", "global_group", "annot_1_group", "annot_2_group", "date"),
    ("ID", "TITLE", "URL", "PUBLISHER", "CATEGORY", "STORY", "HOSTNAME", "TIMESTAMP"),
    ("text", "summary", "cloze", "cloze_gt", "need_reasoning"),
    ("news", "headline", "masked headline", "calculation", "ans"),
    ("id", "headline", "system", "pred_one", "pred_two", "rouge_one"),
    ("judge", "article", "system", "headline", "numeral_accuracy", "reasonableness", "readability"),
    ("check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b"),
)
"""The columns of every kind of table that is read."""
FITTING: Final = {
    **dict.fromkeys(("label", "need_reasoning"), ("0", "1")),
    **dict.fromkeys(("date", "date_a", "date_b"), ("2015-01-14", "14.01.2015 9:30", "")),
    **dict.fromkeys(("text", "news"), (TOLD, "A storm hurt 12 people on Monday.", "<p>A bank cut 3 %.</p>")),
    **dict.fromkeys(("cloze", "masked headline"), ("Storm hurts ____ people",)),
    **dict.fromkeys(("cloze_gt", "ans", "rouge_one"), ("12", "3.5")),
    **dict.fromkeys(
        ("headline", "TITLE", "summary"), ("Storm hurts 12", "Bank cuts rates by 3 %", "東京で地震")
    ),
    **dict.fromkeys(("pred_one", "pred_two"), ("Storm hurts 12", "Bank cuts rates by 3 %")),
    **dict.fromkeys(("numeral_accuracy", "reasonableness", "readability"), ("1", "2", "")),
    "quality": ("OK", "BAD"),
    "part": ("train", "validation", "test", ""),
    "TIMESTAMP": ("1394470370698",),
    "expected": ("same", "different", "unchanged"),
    "judge": ("Ann", "Ben"),
}
"""What a column holds in files that mean no harm."""
ENCODINGS: Final = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251", "cp1252", "shift_jis", "gb18030")
ENDINGS: Final = ("csv", "tsv", "txt", "json", "jsonl", "xlsx", "parquet")
_LENGTHS: Final = (1, 7, 60, 400, 2_000, 9_000)

Rows = list[list[str]]


def generated(
    draw: random.Random, *, endings: Sequence[str] = ENDINGS, names: Sequence[Sequence[str]] = NAMES
) -> tuple[str, bytes]:
    rows = _rows(draw, draw.choice(names))
    ending = draw.choice(endings)
    data = _written(rows, ending, draw)
    for _ in range(draw.choice((0, 0, 1, 1, 2, 4))):
        data = draw.choice(_SPOILED)(data, draw)
    if draw.random() < 0.05:
        data, name = gzip.compress(data, 1), f"a.{ending}.gz"
    else:
        name = f"a.{ending}" if draw.random() < 0.85 else draw.choice(("a", "", "a.md", "a.zip", "a.csv"))
    return name, data


def run_of(piece: str, length: int) -> str:
    return (piece * (length // len(piece) + 1))[:length]


def _rows(draw: random.Random, columns: Sequence[str]) -> Rows:
    names, harm = list(columns), draw.choice((0.0, 0.03, 0.3, 1.0))
    if draw.random() < 0.2:
        draw.shuffle(names)
    rows = [names] if draw.random() < 0.9 else []
    for _ in range(draw.choice((0, 1, 2, 2, 5, 12))):
        rows.append([_cell(name, harm, draw) for name in names])
    for row in rows:
        if draw.random() < 0.03:
            row[draw.randrange(len(row)) :] = [_text(draw) for _ in range(draw.randrange(3))]
    return rows


def _cell(name: str, harm: float, draw: random.Random) -> str:
    if draw.random() < harm:
        return _text(draw)
    return draw.choice(FITTING[name]) if name in FITTING else f"{name} {draw.randrange(100)}"


def _text(draw: random.Random) -> str:
    if draw.random() < 0.93:
        return draw.choice(TEXTS)
    return run_of(draw.choice(list(PIECES.values())), draw.choice(_LENGTHS))


def _written(rows: Rows, ending: str, draw: random.Random) -> bytes:
    if ending in {"csv", "tsv", "txt"}:
        separator = {"csv": draw.choice(",;|"), "tsv": "\t", "txt": draw.choice("\t|,")}[ending]
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=separator, lineterminator=draw.choice(("\n", "\r\n", "\r"))).writerows(rows)
        return out.getvalue().encode(draw.choice(ENCODINGS), errors="replace")
    named = [dict(zip(rows[0], row, strict=False)) for row in rows[1:]] if rows else []
    if ending == "json":
        value: Any = named if draw.random() < 0.7 else {"rows": named, "x": rows, "n": [1, None, 2.5, True]}
        return json.dumps(value).encode()
    if ending == "jsonl":
        return b"".join(json.dumps(row).encode() + b"\n" for row in named)
    if ending == "rss":
        return _feed(named)
    return _workbook(rows) if ending == "xlsx" else _parquet(rows)


def _feed(rows: Sequence[dict[str, str]]) -> bytes:
    items = []
    for row in rows:
        inside = [("title", next(iter(row.values()), "")), *row.items()]
        elements = (f"<{name}>{escape(text)}</{name}>" for name, text in inside if name.isidentifier())
        items.append(f"<item>{''.join(elements)}</item>")
    return f"<rss><channel><title>Desk</title>{''.join(items)}</channel></rss>".encode("utf-8", "replace")


def _workbook(rows: Rows) -> bytes:
    from core.data.timelines.writers import xlsx_bytes

    return xlsx_bytes({"Sheet": [[cell[:30_000] for cell in row] for row in rows], "Empty": []})


def _parquet(rows: Rows) -> bytes:
    import pandas as pd

    names = list(dict.fromkeys(rows[0])) if rows else ["headline"]
    cells = [[cell.encode("utf-8", "replace").decode() for cell in row] for row in rows[1:]]
    kept = [(row + [""] * len(names))[: len(names)] for row in cells]
    out = io.BytesIO()
    pd.DataFrame(kept, columns=[name.encode("utf-8", "replace").decode() for name in names]).to_parquet(out)
    return out.getvalue()


def _flipped(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 20)) if changed else 0):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def _dropped(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    return data[:at] + data[at + draw.randrange(40) :]


def _doubled(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    return data[:at] + data[draw.randrange(len(data) + 1) :] + data[at:]


def _filled(data: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(data) + 1)
    run = run_of(draw.choice(list(PIECES.values())), draw.choice(_LENGTHS))
    return data[:at] + run.encode(draw.choice(("utf-8", "cp1252", "utf-16-le")), "replace") + data[at:]


def _within(data: bytes, draw: random.Random) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {part: archive.read(part) for part in archive.namelist()}
    except Exception:  # no workbook, or one that was spoiled before
        return _flipped(data, draw)
    chosen = draw.choice(sorted(parts))
    parts[chosen] = draw.choice((_flipped, _cut, _dropped, _doubled, _filled))(parts[chosen], draw)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return out.getvalue()


_SPOILED: Final[Sequence[Callable[[bytes, random.Random], bytes]]] = (
    _flipped, _cut, _dropped, _doubled, _filled, _within, _within,
)  # fmt: skip
