import io
import json
import re
from datetime import UTC, date, datetime

import openpyxl
import pytest

import headline_lab
from core.data.timelines.load import load
from core.data.timelines.periods import Period, periods, rows_within, whole
from core.data.timelines.preview import sniff
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import ROOT
from core.results.delimited import delimited

NOW = datetime(2026, 11, 27, tzinfo=UTC)
TITLE = ["Monitored by the desk"]
HEADER = ["Nr.", "Überschrift / hed\n(as published)", "Wann?", None, "Outlet name", "Leaning"]
ROWS = [
    [1, "Central bank raises rates by a quarter", datetime(2021, 6, 7, 9, 30), None, "Alpha Post", "left"],
    [2, "Rates raised a quarter point by the bank", "08.06.2021", None, "Beta Times", "right"],
    [3, "Storm closes two airports on the coast", "15.06.2021", None, "Alpha Post", "left"],
]


def workbook(*sheets):
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


def test_the_fullest_sheet_is_read_from_its_header_on():
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


def test_sheet_and_header_can_be_chosen():
    assert sniff(DESK, "desk.xlsx", sheet="Read me").row_count == 1
    numbered = sniff(DESK, "desk.xlsx", header=0)
    assert numbered.columns[0] == "column_1"
    assert numbered.row_count == 5
    with pytest.raises(InputError, match="no sheet"):
        load(DESK, "desk.xlsx", sheet="Summary")
    with pytest.raises(InputError, match="Line 2 is empty"):
        load(DESK, "desk.xlsx", header=2)


def test_a_cell_over_several_rows_is_said_of_each_of_them():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in [["Outlet", "Headline"], ["Politics"], ["Alpha", "Bank raises rates"], [None, "Storm nears"],
                [], [None, "Ferry sinks off port"], ["Beta", "Fire in the old town"]]:  # fmt: skip
        sheet.append(row)
    for area in ("A2:B2", "A3:A6", "A4:A6"):  # the last overlaps, as only a broken program writes it
        sheet.merged_cells.add(area)
    book.save(buffer := io.BytesIO())
    timeline = load(buffer.getvalue(), "desk.xlsx")
    assert timeline.publishers == ["Alpha", "Alpha", "Alpha", "Beta"]
    assert [row.line for row in timeline.report.rejected] == [2]


def test_a_word_that_often_means_something_else_is_asked_of_the_column():
    rows = "Daily Post;Two dead as river floods town\nEcho;Storm hits coast towns\n"
    data = f"Medium (Titel);Schlagzeile lang\n{rows}"
    assert sniff(data.encode(), "press.csv").mapping == {
        Field.HEADLINE: ("Schlagzeile lang",), Field.PUBLISHER: ("Medium (Titel)",)
    }  # fmt: skip


def test_a_csv_that_a_sheet_became_keeps_its_title_line():
    data = b"Monitored by the desk;;\r\n;;\r\nheadline;date;outlet\r\nA b c;2021-06-07;Alpha\r\n"
    preview = sniff(data, "desk.csv")
    assert preview.header == 3
    assert preview.columns == ("headline", "date", "outlet")


def test_why_a_row_is_no_headline():
    data = b"hed;online\n#REF!;2021-06-07\n4711;2021-06-07\nA b c;31.06.2021\nhed;online\n ;\nGood row;\n"
    timeline = load(data, "a.csv", mapping={Field.HEADLINE: "hed", Field.PUBLISHED: "online"})
    assert timeline.texts == ["A b c", "Good row"]
    assert any("line 4: “31.06.2021” (no such day or time)" in note for note in timeline.report.notes)
    words = ("formula failed", "only a number", "repeats the names")
    for word, row in zip(words, timeline.report.rejected, strict=True):
        assert word in row.reason
    assert len(load(b"headline\n9/11 remembered\n50 %  more\n#metoo\n2021: a year\n", "a.csv")) == 4


MARKS = [
    "•", "*", "4)", "(4)", "a)", "[](http://x.y)", "[ ](", "[", "||", "…", "???", "①", "50 %", "$4,000",
    "http://a.b http://c.d", "– –",
]  # fmt: skip


@pytest.mark.parametrize("name", ["marks.csv", "marks.txt", "marks.jsonl"])
def test_marks_without_a_word_are_no_headlines_in_any_format(name):
    rows = ["Storm hits the coast", *MARKS, "9/11 remembered", "9/11", "地震", "Bank raises rates"]
    as_json = [json.dumps({"headline": row}) for row in rows]
    written = {"csv": delimited([["headline"], *([row] for row in rows)]), "jsonl": "\n".join(as_json)}
    timeline = load(written.get(name.partition(".")[2], "\n".join([*rows, "| |"])).encode(), name)
    assert timeline.texts == [row for row in rows if row not in MARKS]
    rejected = timeline.report.rejected
    assert len(rejected) == len(MARKS) + name.endswith("txt")
    assert all(row.line and row.reason for row in rejected)
    assert headline_lab.read_timeline(rows).texts == timeline.texts


@pytest.mark.slow
def test_a_list_keeps_the_place_of_marks_without_a_group():
    table = headline_lab.group_headlines(["•", "*", "Storm hits coast"])
    assert table["headline"].tolist() == ["•", "*", "Storm hits coast"]
    assert table["group"].isna().tolist() == [True, True, False]


def test_weeks_hold_their_days_and_nothing_else():
    timeline = load(DESK, "desk.xlsx", now=NOW)
    days = [date(2021, 6, 15), date(2021, 6, 8), date(2021, 6, 7)]
    assert whole(timeline) == Period(days[2], days[0])
    assert periods(timeline) == {Period(day, day): 1 for day in days}
    assert rows_within(timeline, Period(days[2], days[1])).tolist() == [True, True, False]
    assert rows_within(timeline, None).all()
    undated = load(b"headline;date\nA b c;2021-06-07\nD e f;\nG h i;2021-08-20\n", "a.csv", now=NOW)
    assert [week.words for week in periods(undated)] == ["16 – 22 Aug 2021", "7 – 13 Jun 2021"]
    assert rows_within(undated, whole(undated)).tolist() == [True, False, True]


def test_gaps_count_for_nothing(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FILE_ROWS", "20")
    far = [["headline"], ["Storm closes airport"], *[[]] * 37, ["Far below"]]
    near = [["headline"], ["Bank raises rates"], ["Storm closes harbour"], *[[]] * 8, ["Snow falls"]]
    data = workbook(("far", far), ("near", near))
    assert load(data, "a.xlsx").texts == ["Bank raises rates", "Storm closes harbour", "Snow falls"]
    assert load(data, "a.xlsx", sheet="far").texts == ["Storm closes airport", "Far below"]


def test_the_day_of_publication_wins_over_the_time_of_filling_a_form():
    sheet = (
        "Timestamp,Headline,Date of publication\n"
        "3/20/2026 10:00:00,Storm closes airport,3/2/2026\n3/21/2026 11:00:00,Bank raises rates,3/13/2026\n"
    )
    timeline = load(sheet.encode(), "form.csv")
    assert [str(day)[:10] for day in timeline.table["published"]] == ["2026-03-02", "2026-03-13"]


def test_dates_follow_their_column_and_a_word_for_a_day_leaves_its_row_undated():
    data = (ROOT / "tests/data/cases/presseschau.xlsx").read_bytes()
    timeline, preview = load(data, "presseschau.xlsx", now=NOW), sniff(data, "presseschau.xlsx")
    dates = dict(zip(timeline.texts, timeline.table["published"], strict=True))
    assert str(dates["GDL ruft zu dreitägigem Bahnstreik auf"].date()) == "2026-11-03"
    assert str(dates["Dortmund verliert in München deutlich"]) == "NaT"
    assert "line 29" not in [row.place for row in timeline.report.rejected]
    for notes in (timeline.report.notes, preview.notes):  # the second where the file is opened
        assert any("line 16" in note and "day/month" in note for note in notes)
        assert any("line 29" in note and "gestern" in note for note in notes)


def test_a_headline_of_which_nothing_could_be_read_is_reported():
    rows = "".join(f"央行加息第{n}次,2024-01-01,x\n" for n in range(9_000))
    data = f"headline,date,note\n{rows}".encode("gb18030") + b"\xff\xff,2024-01-02,x\n"
    timeline = load(data, "gb_bad.csv")
    assert len(timeline) == 9_000
    assert [row.line for row in timeline.report.rejected] == [9_002]
    assert "could be read" in timeline.report.rejected[0].reason


def test_times_in_a_column_of_their_own_belong_to_the_dates():
    lines = (
        "Datum;Uhrzeit;Schlagzeile",
        "24.11.2026;06:10;Erdbeben in der Türkei",
        "24.11.2026 00:00:00;7.05 Uhr;Beben: zwölf Tote",
        "24.11.2026;;Beben: viele Verletzte",
        "24.11.2026;25:90;Beben: Helfer unterwegs",
    )
    timeline = load("\n".join(lines).encode(), "beben.csv")
    times = timeline.table["published"].dt.strftime("%d %H:%M").tolist()
    assert times == ["24 06:10", "24 07:05", "24 00:00", "24 00:00"]
    assert timeline.table["day_only"].tolist() == [False, False, True, True]
    assert any("Uhrzeit" in note for note in timeline.report.notes)


@pytest.mark.parametrize(
    ("names", "whole"),
    [
        (("January", "February"), True), (("KW 11", "KW 12"), True), (("2024", "2025"), True),
        (("14 mars", "15 mars"), True), (("Sheet1", "Sheet2"), False), (("Ana", "Bea"), False),
        (("March", "Selection"), False),
    ],
)  # fmt: skip
def test_sheets_that_are_called_by_weeks_months_or_years_are_one_list(names, whole):
    head = ["Headline", "Outlet", "Date"]
    rows = [
        ["Mayor quits over flood plan", "Echo", "2026-01-02"],
        ["Ferry runs aground", "Mail", "2026-02-03"],
    ]
    data = workbook(*((name, [head, row]) for name, row in zip(names, rows, strict=True)))
    assert load(data, "a.xlsx").texts == [title for title, _, _ in rows[: 1 + whole]]
