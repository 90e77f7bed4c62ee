"""Whatever bytes come, the readers answer with a timeline or with one sentence; and nothing is lost."""

import csv
import gzip
import io
import json
import re
from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load, load_text
from core.data.timelines.moments import parse
from core.data.timelines.preview import sniff
from core.data.timelines.writers import rejected_csv, write, write_table
from core.data.timelines.xlsx_writer import xlsx_bytes
from core.errors import CoreError
from core.text.markup import repaired
from core.text.normalise import clean_line

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.txt", "a.xlsx", "a.parquet", "a.csv.gz", "a", "", "a.zip"]
quick = settings(max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

texts = st.text(max_size=40)
words = st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
headlines = st.lists(words, min_size=1, max_size=6).map(" ".join).filter(clean_line)
dates = st.sampled_from(["", "2015-01-14", "14.01.2015", "Jan 5, 2016 3:15 PM EST", "1394470370698", "soon"])
marked = st.one_of(texts, headlines, st.builds("{}{}".format, st.from_regex(r"\A['@=+-]{1,3}\Z"), headlines))
rows = st.lists(st.tuples(dates, texts, st.one_of(headlines, texts)), min_size=1, max_size=12)


def answered(data, name):
    try:
        sniff(data, name)
        timeline = load(data, name, now=NOW)
    except CoreError as caught:
        error: CoreError | None = caught
    else:
        error = None
    if error is not None:
        assert "\n" not in str(error)
        assert error.hint
        return
    assert len(timeline) == len(timeline.table) == len(timeline.original) > 0
    assert all(text and text == clean_line(text) for text in timeline.texts)
    assert timeline.fingerprint
    rejected_csv(timeline.report)
    find_duplicates(timeline.texts)


tables = st.text(alphabet="ab\",;\t|\n\r'=0 {}[]:-\x00é", max_size=200)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(st.one_of(st.sampled_from(["headline", "date", "label"]), texts), inner, max_size=5),
    ),
    max_leaves=20,
)
pairs = st.lists(
    st.fixed_dictionaries(
        {"headline_a": texts, "headline_b": texts, "label": st.sampled_from([0, 1, "x", None])},
        optional={"date_a": dates, "date_b": dates, "timeline_id": st.integers(0, 2)},
    ),
    max_size=6,
)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "cp1251", "latin-1"])


@settings(quick, max_examples=250)
@given(
    st.one_of(
        st.tuples(st.binary(max_size=400), st.sampled_from(NAMES)),
        st.tuples(
            st.builds(
                lambda text, encoding: text.encode(encoding, "replace"), st.text(max_size=300), ENCODINGS
            ),
            st.sampled_from(NAMES[:5]),
        ),
        st.tuples(
            st.builds(
                lambda head, text: f"{head}{text}".encode(), st.sampled_from(["", "headline,date\n"]), tables
            ),
            st.sampled_from(NAMES[:5]),
        ),
        st.one_of(values, pairs).map(lambda value: (json.dumps(value).encode(), "a.json")),
        values.map(lambda value: (gzip.compress(json.dumps([value, value]).encode()), "a.json.gz")),
    )
)
def test_anything_is_a_timeline_or_a_sentence(file):
    answered(*file)


@quick
@given(st.binary(min_size=1, max_size=40), st.integers(0, 10_000), st.sampled_from(["parquet", "xlsx"]))
def test_damaged_binary_files(noise, place, form):
    timeline = load(b"headline,date\nA b,2015-01-14\nC d,\n", "a.csv")
    data = bytearray(write(timeline, {"group": [1, 2]}, form, signature="s"))
    at = place % len(data)
    data[at : at + len(noise)] = noise
    answered(bytes(data), f"a.{form}")


@quick
@given(rows)
def test_every_row_is_accepted_or_rejected(rows):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([("date", "publisher", "headline"), *rows])
    filled = sum(any(cell.strip() for cell in row) for row in rows)
    try:
        timeline = load(buffer.getvalue().encode(), "a.csv", now=NOW)
    except CoreError:
        assert all(not re.search(r"[^\W\d_]", clean_line(row[2])) or row[0] == "soon" for row in rows)
        return
    report = timeline.report
    assert len(timeline) + len(report.rejected) == filled
    # each is a sentence on a cell that stands in its own row
    assert all(row.reason.endswith(".") and row.column in row.cells for row in report.rejected)
    back = list(csv.DictReader(io.StringIO(rejected_csv(report).decode(), newline="")))
    assert len(back) == len(report.rejected)
    assert [row["rejected_line"] for row in back] == [str(row.line) for row in report.rejected]


@quick
@given(
    st.lists(st.tuples(marked, marked, st.sampled_from(["", "2015-01-14", "-5"])), min_size=1, max_size=8),
    st.sampled_from(["csv", "tsv", "json", "jsonl", "parquet", "xlsx"]),
)
def test_what_is_written_reads_back_with_all_rows_in_order(rows, form):
    data = json.dumps([dict(zip(("headline", "note", "date"), row, strict=True)) for row in rows]).encode()
    try:
        timeline = load(data, "a.json", now=NOW)
    except CoreError:
        return
    groups = list(range(len(timeline)))
    again = load(write(timeline, {"group": groups}, form, signature="s"), f"a.{form}", now=NOW)
    assert list(again.original.columns) == [*timeline.original.columns, "group"]
    assert list(again.original["group"]) == [str(group) for group in groups]
    assert again.texts == [clean_line(repaired(text).text) for text in timeline.original["headline"]]
    notes = [list(read.original["note"]) for read in (again, timeline)]
    if form == "xlsx":  # a workbook has neither empty texts nor control characters
        notes = [[clean_line(note or "") for note in read] for read in notes]
    assert notes[0] == notes[1]


@quick
@given(st.text(max_size=60), st.booleans())
def test_dates_never_fail_otherwise_than_unreadable(text, day_first):
    moment = parse(text, day_first=day_first, serials=True)
    assert moment is None or (moment.when.tzinfo is UTC and 1 <= moment.when.year <= 9999)


@quick
@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.timezones()))
def test_an_iso_time_keeps_its_instant(when):
    offset = when.utcoffset()
    if offset is None or offset.total_seconds() % 60:
        return
    assert parse(when.isoformat()).when == when.astimezone(UTC)


@quick
@given(st.lists(headlines, max_size=20))
def test_duplicates_point_backwards_and_are_settled(values):
    found = find_duplicates(values)
    assert all(first <= row for row, first in enumerate(found.duplicate_of))
    assert (found.duplicate_of[found.duplicate_of] == found.duplicate_of).all()
    assert ((found.kind == 0) == (found.duplicate_of == range(len(values)))).all()


lines_of_text = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "  ", ",", '"', ',"', "|---|---|", "Storm hits,2024-05-01", '"a', 'b",2024-05-01', "{}"]
        ),
        st.text(alphabet='ab ",;\t|{}[]', max_size=12),
        st.just(json.dumps({"headline": "Storm hits coast", "date": "2024-05-01"})),
        st.just("https://a.org/b"),
        st.builds("{},2024-05-01,https://a.org".format, words),
    ),
    min_size=1,
    max_size=14,
)


@quick
@given(
    lines_of_text,
    st.sampled_from(["a.csv", "a.tsv", "a.txt", "a.jsonl"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.sampled_from(["", "headline,date\n", "sep=;\nheadline;date\n", "A title\n\nheadline,date,link\n"]),
)
def test_every_line_is_kept_rejected_or_named(lines, name, end, ended, head):
    end = "\n" if name == "a.jsonl" else end
    text = head.replace("\n", end) + end.join(lines) + end * ended
    try:
        ledger = dict(load(text.encode(), name, now=NOW).report.ledger)
    except CoreError:
        return
    count = len(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n"))
    assert ledger.pop("lines") == count
    assert all(number >= 0 for number in ledger.values())
    assert sum(ledger.values()) == count, ledger


cells = st.one_of(st.sampled_from(["", " ", "Storm hits coast", "5", "\ufffd", "1", "0"]), headlines)
few = settings(quick, max_examples=20)


@few
@given(
    st.lists(st.tuples(cells, cells, cells, dates), min_size=1, max_size=8),
    st.sampled_from(["json", "parquet", "xlsx", "csv"]),
    st.sampled_from([("headline", "note", "author"), ("headline_a", "headline_b", "label")]),
    st.booleans(),
)
def test_every_entry_and_row_is_kept_rejected_or_named(rows, form, names, pairs):
    names = (*names, "date")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    filled, count = sum(any(map(str.strip, row)) for row in rows), len(rows)
    if form == "xlsx":
        data = xlsx_bytes({"s": [names, *rows]})
        # a row without any cell that is filled is none, but has its place between the pairs of others
        count = None if pairs else filled + 1
    elif form == "json":
        values = [*(dict(zip(names, row, strict=True)) for row in rows), 5, None]
        data, count = json.dumps(values).encode(), count + 2
    elif form == "csv":
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator="\n").writerows([names, *rows])
        data = buffer.getvalue().encode()
        count = data.count(b"\n")
    else:
        data = write_table(pd.DataFrame(columns, dtype=object), {}, form, about={}, rows="rows")
    try:
        if pairs:
            ledger = dict(parse_pairs(data, f"a.{form}").ledger)
        else:
            ledger = dict(load(data, f"a.{form}", now=NOW).report.ledger)
    except CoreError:
        return
    lines = ledger.pop("lines")
    assert count is None or lines == count
    assert all(number >= 0 for number in ledger.values())
    assert sum(ledger.values()) == lines, ledger


@pytest.mark.parametrize("bullet", ["•\t", "*\t", "-\u3000", "•\u00a0", "–\t\t", "- \u2003"])
def test_an_empty_bullet_of_a_pasted_list_is_rejected_with_its_line(bullet):
    timeline = load_text(f"Storm hits coast\n{bullet}\nOther news today")
    assert timeline.texts == ["Storm hits coast", "Other news today"]
    assert [row.line for row in timeline.report.rejected] == [2]
    assert timeline.report.ledger["lines"] == 3
