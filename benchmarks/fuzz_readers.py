"""Generated files, each through one reader, all readers in turn: what is not refused in one sentence."""

import csv
import gzip
import io
import json
import os
import random
import time
import traceback
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from html import escape
from typing import Any, Final

from core import limits
from core.bounded_work import apart
from core.consistency.studies.suite import read_suite
from core.data.articles.article_files import parse_articles
from core.data.articles.articles import articles_of
from core.data.articles.outputs import parse_outputs
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines import readers, shapes
from core.data.timelines.load import load, load_text
from core.data.timelines.preview import sniff
from core.data.timelines.tables import read_table
from core.data.timelines.writers import rejected_csv
from core.data.timelines.xlsx_writer import xlsx_bytes
from core.errors import CoreError, InputError
from core.headlines.opening import GivenFile, load_given
from core.numerals.checks.opening import blanks_in, headlines_in
from core.people.forms import form_of
from core.people.rating_files import read_ratings
from core.text.normalise import has_hidden

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
    *("a\x00b", "\u202eturned", "\ufeff", "'", '"', "Täter Peter (35", "’", "\u3000", "\ud800", "-\u00a0"),
)
BULLETS: Final = (
    "",
    "- ",
    "-\t",
    "*\u00a0",
    "• ",
    "•\t",
    "–\u3000",
    " \t",
    "1. ",
    "| ",
    "> ",
    "#",
    "---",
    "\u2028",
)
"""What stands before a line of a list that was pasted."""
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


def repeated(piece: str, length: int) -> str:
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
    return repeated(draw.choice(list(PIECES.values())), draw.choice(_LENGTHS))


def _written(rows: Rows, ending: str, draw: random.Random) -> bytes:
    if ending == "txt" and draw.random() < 0.5:
        lines = (
            draw.choice(BULLETS) + draw.choice((*row, "")) + draw.choice(("", "", "\t", " ")) for row in rows
        )
        return draw.choice(("\n", "\r\n", "\r")).join(lines).encode(draw.choice(ENCODINGS), errors="replace")
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
    if ending == "xls":
        lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>".encode("utf-8", "replace")
    return _workbook(rows) if ending == "xlsx" else _parquet(rows)


def _feed(rows: Sequence[dict[str, str]]) -> bytes:
    items = []
    for row in rows:
        inside = [("title", next(iter(row.values()), "")), *row.items()]
        elements = (f"<{name}>{escape(text)}</{name}>" for name, text in inside if name.isidentifier())
        items.append(f"<item>{''.join(elements)}</item>")
    return f"<rss><channel><title>Desk</title>{''.join(items)}</channel></rss>".encode("utf-8", "replace")


def _workbook(rows: Rows) -> bytes:
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
    run = repeated(draw.choice(list(PIECES.values())), draw.choice(_LENGTHS))
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


SEED: Final = 14
GENERATED: Final = 200_000
_AT_ONCE: Final = 4_400
FREE_SECONDS: Final = 1.0
"""Of processor time for any file, however short: a busy machine takes three times as long as an idle one."""
SECONDS_A_BYTE: Final = 8e-5
"""Of processor time beyond that at most; ordinary tables take a four-hundredth of it."""
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_ARTICLES: Final = articles_of("news", ["A storm hurt 12 people.", "A bank raised rates by 2 %."])

_OWN: Final[dict[str, tuple[int, ...]]] = {
    "format hlgd_pairs": (1,),
    "format telegram_pairs": (2,),
    "format hlgd_timeline": (3,),
    "format uci_news_aggregator": (4,),
    "format numhg": (5,),
    "articles": (5, 6, 7),
    "pairs": (1,),
    "outputs": (7,),
    "articles with outputs": (5, 7),
    "ratings": (8,),
    "blanks": (5, 6),
    "checked headlines": (5, 6),
    "suite": (9,),
}
"""Which tables a reader is meant for; of the others, any."""
_OWN_ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "format feed": ("rss",),
    "format csv": ("csv", "tsv"),
    "format pasted": ("txt",),
    "format html_table": ("xls",),
    "suite": ("csv", "json"),
    **{f"format {ending}": (ending,) for ending in ("json", "jsonl", "xlsx", "parquet")},
}

Read = Callable[[bytes, str], object]


def every_reader() -> dict[str, Read]:
    """Whatever reads bytes that a user gives, by name: each registered format, and each kind of file."""
    sources = {form.name for form in shapes.layouts()} - {"hlgd_timeline", "uci_news_aggregator"}
    named = (name for name in readers.names() if name not in sources)  # no generated file is of a source
    formats: dict[str, Read] = {f"format {name}": _as_format(name) for name in named}
    return formats | {
        "timeline": _timeline,
        "preview": sniff,
        "pasted text": lambda data, name: load_text(data.decode("utf-8", errors="replace")),
        "articles": parse_articles,
        "pairs": parse_pairs,
        "outputs": lambda data, name: parse_outputs(data, name, _ARTICLES),
        "articles with outputs": _with_outputs,
        "ratings": lambda data, name: read_ratings(data, name, form_of("numhg.v1")),
        "blanks": lambda data, name: blanks_in(read_table(data, name, blank_rows=True), name),
        "checked headlines": lambda data, name: headlines_in(read_table(data, name, blank_rows=True), name),
        "suite": read_suite,
    }


def _as_format(format_name: str) -> Read:
    return lambda data, name: load(data, name, format=format_name, now=_NOW)


def _timeline(data: bytes, name: str) -> None:
    found = load(data, name, now=_NOW)
    assert len(found) == len(found.table) == len(found.original) > 0
    assert found.fingerprint
    ledger = dict(found.report.ledger)
    assert ledger.get("kept", len(found)) == len(found)  # of pairs they are no lines
    assert ledger.pop("lines") == sum(ledger.values())
    assert all(text.strip() and not has_hidden(text) for text in found.texts)
    rejected_csv(found.report)


def _with_outputs(data: bytes, name: str) -> None:
    loaded = load_given(GivenFile(name, data), [GivenFile(name, data)], _ARTICLES)
    for problem in loaded.problems:
        raise problem


def through_readers(count: int, *, first: int = 0, seed: int = SEED) -> dict[str, Any]:
    """So many generated files, each through one reader, all readers in turn."""
    every = every_reader()
    _warm(every.values())
    told: dict[str, dict[str, Any]] = {
        name: {"files": 0, "read": 0, "refused": 0, "slowest_seconds": 0.0, "slowest_bytes": 0}
        for name in every
    }
    faults: list[dict[str, Any]] = []
    highest = total = 0.0
    size = 0
    for number in range(first, first + count):
        reader = list(every)[number % len(every)]
        name, data = file_of(reader, seed, number)
        wrong, seconds = _tried(every[reader], data, name)
        row = told[reader]
        row["files"] += 1
        row["refused" if wrong == "" else "read"] += 1
        total, size = total + seconds, size + len(data)
        if seconds > row["slowest_seconds"]:
            row["slowest_seconds"], row["slowest_bytes"] = round(seconds, 4), len(data)
        highest = max(highest, (seconds - FREE_SECONDS) / max(1, len(data)))
        if seconds > FREE_SECONDS + SECONDS_A_BYTE * len(data):  # once more: the machine may have paused
            seconds = min(seconds, _tried(every[reader], data, name)[1])
            if seconds > FREE_SECONDS + SECONDS_A_BYTE * len(data):
                wrong = f"took {seconds:.2f} s for {len(data):,} bytes"
        if wrong:
            faults.append({"seed": seed, "number": number, "reader": reader, "file": name, "what": wrong})
    return {
        "files": count,
        "bytes": size,
        "seconds": round(total, 1),
        "microseconds_a_byte": round(1e6 * total / max(1, size), 3),
        "highest_microseconds_a_byte_past_the_free_time": round(1e6 * max(0.0, highest), 3),
        "faults": faults,
        "readers": told,
    }


def file_of(reader: str, seed: int, number: int) -> tuple[str, bytes]:
    """A generated file; two of three are of the kind that the reader is meant for."""
    draw = random.Random(f"{seed}|{number}")
    if draw.random() < 1 / 3:
        return generated(draw)
    names = [NAMES[place] for place in _OWN.get(reader, range(len(NAMES)))]
    return generated(draw, endings=_OWN_ENDINGS.get(reader, ENDINGS), names=names)


def _tried(read: Read, data: bytes, name: str) -> tuple[str | None, float]:
    started = time.process_time()
    wrong: str | None = None
    try:
        read(data, name)
    except CoreError as error:
        wrong = "" if error.message and error.hint else f"an error without a sentence: {error!r}"
    except Exception:
        wrong = traceback.format_exc()[-2_000:]
    return wrong, time.process_time() - started


def _warm(every: Iterable[Read]) -> None:
    for read in every:
        for number in range(30):
            name, data = generated(random.Random(f"warm|{number}"))
            _tried(read, data, name)


def run_fuzz_readers() -> dict[str, Any]:
    """Generated files, each through one reader, all readers in turn: what is not refused in one sentence.

    Two of three files are of the kind that the reader is meant for, most of them spoiled. A fault is an
    exception that is no sentence, more processor time than a second and 80 microseconds a byte, or the end of
    the process. `HEADLINE_LAB_GENERATED` sets how many files are made, 200,000 where it does not.
    """
    return in_processes(0, int(os.environ.get("HEADLINE_LAB_GENERATED", GENERATED)))


def in_processes(first: int, end: int) -> dict[str, Any]:
    """The same files from one number to another: a reader that ends its process costs that file alone."""
    os.environ[limits.READING_SECONDS.variable] = "36000"
    starts = range(first, end, _AT_ONCE)
    return summary([part for start in starts for part in _apart(start, min(_AT_ONCE, end - start))])


def _apart(first: int, count: int) -> list[dict[str, Any]]:
    try:
        return [apart(partial(through_readers, count, first=first), step="Reading generated files")]
    except InputError as error:
        if count > 1:
            half = count // 2
            return [*_apart(first, half), *_apart(first + half, count - half)]
        return [_ended(first, error.message)]


def _ended(number: int, what: str) -> dict[str, Any]:
    reader = list(every_reader())[number % len(every_reader())]
    name, data = file_of(reader, SEED, number)
    fault = {"seed": SEED, "number": number, "reader": reader, "file": name, "what": what}
    row = {"files": 1, "read": 0, "refused": 0, "slowest_seconds": 0.0, "slowest_bytes": 0}
    return {"files": 1, "bytes": len(data), "seconds": 0.0, "faults": [fault], "readers": {reader: row}}


def summary(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = {}
    for part in parts:
        for reader, told in part["readers"].items():
            row = rows.setdefault(
                reader, {"reader": reader, "files": 0, "read": 0, "refused": 0, "faults": 0}
            )
            for name in ("files", "read", "refused"):
                row[name] += told[name]
            row["faults"] += sum(fault["reader"] == reader for fault in part["faults"])
            if told["slowest_seconds"] >= row.get("slowest_seconds", 0.0):
                row |= {name: told[name] for name in ("slowest_seconds", "slowest_bytes")}
    size, seconds = (sum(part[name] for part in parts) for name in ("bytes", "seconds"))
    return {
        "benchmark": "fuzz_readers",
        "rows": list(rows.values()),
        "files": sum(part["files"] for part in parts),
        "megabytes": round(size / 1e6, 1),
        "microseconds_a_byte": round(1e6 * seconds / max(1, size), 3),
        "faults": [fault for part in parts for fault in part["faults"]],
    }
