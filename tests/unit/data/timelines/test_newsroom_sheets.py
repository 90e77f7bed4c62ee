"""Sheets as newsrooms keep them: titles above the header, several sheets, failed formulas, totals."""

from __future__ import annotations

import io
import re
from datetime import UTC, date, datetime

import openpyxl
import pytest

from core.data.timelines.load import load, sniff
from core.data.timelines.readers import xlsx
from core.data.timelines.timeline import Field, Period, periods, rows_within, telling_columns, whole
from core.errors import InputError
from core.files import ROOT
from tests.hostile.corpus.workbooks import FILES

NOW = datetime(2024, 1, 1, tzinfo=UTC)
TITLE = ["Monitored by the desk"]
HEADER = ["Nr.", "Überschrift / hed\n(as published)", "Wann?", None, "Outlet name", "Leaning"]
ROWS = [
    [1, "Central bank raises rates by a quarter", datetime(2021, 6, 7, 9, 30), None, "Alpha Post", "left"],
    [2, "Rates raised a quarter point by the bank", "08.06.2021", None, "Beta Times", "right"],
    [3, "Storm closes two airports on the coast", "15.06.2021", None, "Alpha Post", "left"],
]


def workbook(*sheets: tuple[str, list[list[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


DESK = workbook(("Read me", [["Ask the night desk."]]), ("Headlines", [TITLE, [], HEADER, *ROWS]))


def test_the_fullest_sheet_is_read_from_its_header_on() -> None:
    preview = sniff(DESK, "desk.xlsx")
    assert (preview.sheet, preview.header) == ("Headlines", 3)
    assert preview.mapping == {
        Field.HEADLINE: ("Überschrift / hed (as published)",),
        Field.PUBLISHED: ("Wann?",),
        Field.PUBLISHER: ("Outlet name",),
    }
    assert len(preview.columns) == 5
    assert re.search("Read me.*Monitored by the desk", " ".join(preview.notes))
    assert load(DESK, "desk.xlsx").texts == [row[1] for row in ROWS]


def test_sheet_and_header_can_be_chosen() -> None:
    assert sniff(DESK, "desk.xlsx", sheet="Read me").row_count == 1
    numbered = sniff(DESK, "desk.xlsx", header=0)
    assert numbered.columns[0] == "column_1"
    assert numbered.row_count == 5
    with pytest.raises(InputError, match="no sheet"):
        load(DESK, "desk.xlsx", sheet="Summary")
    with pytest.raises(InputError, match="Line 2 is empty"):
        load(DESK, "desk.xlsx", header=2)


def test_a_csv_that_a_sheet_became_keeps_its_title_line() -> None:
    data = b"Monitored by the desk;;\r\n;;\r\nheadline;date;outlet\r\nA b c;2021-06-07;Alpha\r\n"
    preview = sniff(data, "desk.csv")
    assert preview.header == 3
    assert preview.columns == ("headline", "date", "outlet")


def test_no_headline_above_a_table_without_header_is_lost() -> None:
    data = b"Only a headline stands here;;\nStorm hits the coast;2021-06-07;Alpha\nBank raises rates;;Beta\n"
    assert len(load(data, "desk.csv", mapping={Field.HEADLINE: "column_1"})) == 3


@pytest.mark.parametrize(
    ("headline", "when", "words"),
    [
        ("#REF!", "2021-06-07", "formula failed"),
        ("A b c", "#N/A", "formula failed"),
        ("4711", "2021-06-07", "only a number"),
        ("A b c", "31.06.2021", "no such day"),
        ("A b c", "week 23", "cannot be read"),
        ("hed", "online", "repeats the names"),
        ("  ", "", "empty"),
    ],
)
def test_why_a_row_is_no_headline(headline: str, when: str, words: str) -> None:
    data = f"hed;online;outlet\nGood row here;2021-06-07;Alpha\n{headline};{when};Alpha\n".encode()
    mapping = {Field.HEADLINE: "hed", Field.PUBLISHED: "online"}
    timeline = load(data, "a.csv", mapping=mapping)
    (rejected,) = timeline.report.rejected
    assert rejected.line == 3
    assert words in rejected.reason
    assert len(timeline) == 1
    assert len(load(b"headline\n9/11 remembered\n50 %  more\n#metoo\n2021: a year\n", "a.csv")) == 4


def test_a_repeated_row_is_kept_and_told() -> None:
    data = b"headline;date;outlet\nA b c;2021-06-07;X\nD e f;2021-06-07;X\nA b c;2021-06-07;X\n"
    timeline = load(data, "a.csv")
    assert len(timeline) == 3
    assert any("line 4 repeats line 2" in note for note in timeline.report.notes)


def test_columns_that_tell_the_reports_of_an_event_apart() -> None:
    timeline = load(DESK, "desk.xlsx")
    assert telling_columns(timeline, [0, 1]) == ("Leaning",)
    assert telling_columns(timeline, [0, 2]) == ()


def test_weeks_hold_their_days_and_nothing_else() -> None:
    timeline = load(DESK, "desk.xlsx", now=NOW)
    days = [date(2021, 6, 15), date(2021, 6, 8), date(2021, 6, 7)]
    assert whole(timeline) == Period(days[2], days[0])
    assert periods(timeline) == {Period(day, day): 1 for day in days}
    assert rows_within(timeline, Period(days[2], days[1])).tolist() == [True, True, False]
    assert rows_within(timeline, None).all()
    undated = load(b"headline;date\nA b c;2021-06-07\nD e f;\nG h i;2021-08-20\n", "a.csv", now=NOW)
    assert [week.words for week in periods(undated)] == ["16 – 22 Aug 2021", "7 – 13 Jun 2021"]
    assert rows_within(undated, whole(undated)).tolist() == [True, False, True]


def test_a_sheet_is_read_once_and_gaps_count_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROWS", "20")
    far = [["headline"], ["Storm closes airport"], *[[]] * 37, ["Far below"]]
    near = [["headline"], ["Bank raises rates"], ["Storm closes harbour"], *[[]] * 8, ["Snow falls"]]
    data = workbook(("far", far), ("near", near))
    passes: list[str] = []
    walk = xlsx.numbered_rows
    monkeypatch.setattr(xlsx, "numbered_rows", lambda sheet: passes.append(sheet.title) or walk(sheet))
    assert load(data, "a.xlsx").texts == ["Bank raises rates", "Storm closes harbour", "Snow falls"]
    assert passes == ["far", "near"]
    assert load(data, "a.xlsx", sheet="far").texts == ["Storm closes airport", "Far below"]


def test_a_row_past_the_last_is_refused_where_as_many_may_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROWS", "2000000")
    with pytest.raises(InputError, match="past row 1,048,576"):
        load(FILES["a row past the last one"].content, "a.xlsx")


def test_the_day_of_publication_wins_over_the_time_of_filling_a_form() -> None:
    sheet = (
        "Timestamp,Headline,Date of publication\n"
        "3/20/2026 10:00:00,Storm closes airport,3/2/2026\n3/21/2026 11:00:00,Bank raises rates,3/13/2026\n"
    )
    timeline = load(sheet.encode(), "form.csv")
    assert [str(day)[:10] for day in timeline.table["published"]] == ["2026-03-02", "2026-03-13"]


def test_dates_follow_their_column_and_a_word_for_a_day_leaves_its_row_undated() -> None:
    data = (ROOT / "tests/data/cases/presseschau.xlsx").read_bytes()
    timeline, preview = load(data, "presseschau.xlsx", now=NOW), sniff(data, "presseschau.xlsx")
    dates = dict(zip(timeline.texts, timeline.table["published"], strict=True))
    assert str(dates["GDL ruft zu dreitägigem Bahnstreik auf"].date()) == "2026-11-03"
    assert str(dates["Dortmund verliert in München deutlich"]) == "NaT"
    assert "line 29" not in [row.place for row in timeline.report.rejected]
    for notes in (timeline.report.notes, preview.notes):  # the second where the file is opened
        assert any("line 16" in note and "day/month" in note for note in notes)
        assert any("line 29" in note and "gestern" in note for note in notes)


def test_a_headline_of_which_nothing_could_be_read_is_reported() -> None:
    rows = "".join(f"央行加息第{n}次,2024-01-01,x\n" for n in range(9_000))
    data = f"headline,date,note\n{rows}".encode("gb18030") + b"\xff\xff,2024-01-02,x\n"
    timeline = load(data, "gb_bad.csv")
    assert len(timeline) == 9_000
    assert [row.line for row in timeline.report.rejected] == [9_002]
    assert "could be read" in timeline.report.rejected[0].reason
