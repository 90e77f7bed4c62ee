"""Sheets as other languages and programs write them: days, formulas, marks, names of columns."""

import json
from datetime import UTC, datetime

import pytest

from core.data.timelines.load import load

NOW = datetime(2026, 11, 27, tzinfo=UTC)
ENGLISH = ["Ferry with 120 aboard runs aground", "Council approves a flood barrier", "Museum recovers hoard"]
GERMAN = ["Bahn und Gewerkschaft einigen sich auf Tarif", "Schneefall legt den Flughafen lahm"]
DUTCH = ["Kabinet verhoogt de accijns volgend jaar", "Veerboot loopt vast op zandbank bij Texel"]
JAPANESE = ["日銀、政策金利を据え置き", "北海道で大雪、多数の列車が運休"]


def sheet(text, name="sheet.csv"):
    return load(text.encode(), name, now=NOW)


def days(timeline):
    return [str(when)[:10] for when in timeline.table.published]


def column(titles, *cells):
    return "headline;date;link\n" + "".join(f"{title};{';'.join(cells)}\n" for title in titles)


@pytest.mark.parametrize(
    ("titles", "link", "day", "why"),
    [
        (DUTCH, "", "2026-05-04", "Dutch"),
        (GERMAN, "", "2026-05-04", "German"),
        (DUTCH + GERMAN, "", "2026-05-04", "Dutch, German"),
        (ENGLISH, "https://post.ie/a/1", "2026-05-04", ".ie"),
        (ENGLISH, "https://post.com/a/1", "2026-04-05", "nothing in the column decides"),
        (JAPANESE, "", "2026-04-05", "nothing in the column decides"),
    ],
)
def test_the_language_or_the_country_says_which_of_two_numbers_is_the_day(titles, link, day, why):
    timeline = sheet(column(titles, "04/05/2026", link))
    assert set(days(timeline)) == {day}
    assert any(why in note for note in timeline.report.notes)


def test_what_the_column_shows_counts_before_its_language():
    assert days(sheet(column(DUTCH, "04/28/2026") + "Treinverkeer ligt stil;04/05/2026")) == [
        *["2026-04-28"] * 2,
        "2026-04-05",
    ]


def quoted(line):
    return '"' + line.replace('"', '""') + '"\r\n'


@pytest.mark.parametrize(
    ("cell", "end"),
    [
        ('=HYPERLINK("https://post.com/a/{at}","{title}")', ","),
        ('=hipervinculo("https://post.com/a/{at}"; "{title}")', ";"),
        ('=COLLEG.IPERTESTUALE("https://post.com/a/{at}";"{title}")', "\t"),
    ],
)
@pytest.mark.parametrize("marks", [True, False])
def test_a_cell_that_is_a_link_gives_its_words_and_its_address(cell, end, marks):
    cells = [cell.format(at=at, title=f"{title}, and more") for at, title in enumerate(ENGLISH)]
    lines = [f"{quoted(text).strip() if marks else text}{end}2026-11-03\n" for text in cells]
    read = sheet(f"headline{end}date\n" + "".join(lines))
    assert read.texts == [f"{title}, and more" for title in ENGLISH]
    assert list(read.table.url) == [f"https://post.com/a/{at}" for at in range(3)]
    assert set(days(read)) == {"2026-11-03"}


def test_the_address_of_a_column_of_its_own_counts_before_that_of_a_link():
    line = '{title}|=HYPERLINK("https://t.co/1","Open")|https://post.com/a/{title[0]}\n'
    read = sheet("headline|more|link\n" + "".join(line.format(title=title) for title in ENGLISH))
    assert read.texts == ENGLISH
    assert read.table.url[0] == "https://post.com/a/F"


@pytest.mark.parametrize("marks", [True, False])
def test_a_text_that_a_formula_keeps_as_it_is_is_that_text(marks):
    cells = [[f'="{word}"' for word in (title, "2026-11-03", "Alpha, Post")] for title in ENGLISH]
    lines = [",".join(quoted(cell).strip() if marks else cell for cell in row) + "\n" for row in cells]
    read = sheet('="headline",="date",="outlet"\n' + "".join(lines))
    assert (read.texts, set(days(read))) == (ENGLISH, {"2026-11-03"})
    assert set(read.table.publisher) == {"Alpha, Post"}


WHOLE = ["headline,date,outlet"] + [f'"{title}, ""so"" it is",2026-11-03,Post' for title in ENGLISH]


@pytest.mark.parametrize("end", ["", ";;"])
@pytest.mark.parametrize("header", [quoted(WHOLE[0]), f"{WHOLE[0]}\r\n"])
@pytest.mark.parametrize("name", ["sheet.csv", "list.txt"])
def test_lines_that_are_one_cell_each_are_read_as_a_table(header, end, name):
    lines = [quoted(line).replace("\r", f"{end}\r") for line in WHOLE[1:]]
    read = sheet(header + "".join(lines), name)
    assert read.texts == [f'{title}, "so" it is' for title in ENGLISH]
    assert (set(days(read)), set(read.table.publisher)) == ({"2026-11-03"}, {"Post"})
    assert not read.report.rejected


def test_a_column_of_quoted_headlines_with_commas_stays_one_column():
    titles = [f"{title}, they say, again" for title in ENGLISH]
    assert sheet(quoted("headline") + "".join(map(quoted, titles))).texts == titles


def test_marks_of_pythons_bytes_are_taken_off():
    titles = [f"{title}: it’s “on” in Café's £" for title in ENGLISH]
    written = [repr(titles[0].encode()), f'b"{titles[1]}"', titles[2]]
    assert (
        sheet("headline,date\n" + "".join(f"{quoted(text).strip()},2026-11-03\n" for text in written)).texts
        == titles
    )


def test_columns_that_are_numbered_are_no_outlets():
    titles = [f"{title} in the town of {town}" for title in ENGLISH for town in ("Alna", "Bered", "Corv")]
    lines = [",".join(("2026-11-03", *titles[at : at + 3])) for at in range(0, 9, 3)]
    read = sheet("date,Top1,Top2,Top3\n" + "\n".join(lines))
    assert sorted(read.texts) == sorted(titles)
    assert read.table.publisher.isna().all()
    named = sheet("date,BBC 1,BBC 2,BBC 3\n" + "\n".join(lines))
    assert set(named.table.publisher) == {"BBC 1", "BBC 2", "BBC 3"}


def test_outlets_are_carried_down_where_days_are():
    lines = ["2026-11-03,Post,{}", ",,{}", ",Herald,{}", "2026-11-04,Post,{}", ",,{}", ",,{}"]
    titles = [*ENGLISH, *(f"{title} again" for title in ENGLISH)]
    body = "\n".join(line.format(title) for line, title in zip(lines, titles, strict=True))
    read = sheet(f"date,outlet,headline\n{body}")
    assert list(read.table.publisher) == ["Post", "Post", "Herald", "Post", "Post", "Post"]
    assert any("without an outlet" in note for note in read.report.notes)
    own = sheet(f"date,outlet,headline\n{body}".replace("\n,", "\n2026-11-05,"))
    assert own.table.publisher.isna().sum() == 3, "rows with days of their own keep what they say"


@pytest.mark.parametrize(
    "times",
    [
        ["2 hours ago", "an hour ago", "yesterday"],
        ["vor 3 Stunden", "vor einer Stunde", "gestern"],
        ["il y a 3 heures", "il y a 25 min", "hier"],
        ["3時間前", "25分前", "昨日"],
    ],
)
def test_a_note_names_the_column_of_times_that_count_back(times):
    read = sheet("headline,seen\n" + "".join(f"{a},{b}\n" for a, b in zip(ENGLISH, times, strict=True)))
    assert read.table.published.isna().all()
    assert any("'seen'" in note and times[0] in note for note in read.report.notes)


HINDI = ["रिजर्व बैंक ने ब्याज दरें स्थिर रखीं", "चेन्नई में भारी बारिश से बाढ़"]


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        ("समाचार शीर्षक,दिनांक,समाचार पत्र", HINDI),
        ("தலைப்பு,தேதி,நாளிதழ்", HINDI),
        ("A,B,समाचार पत्र", HINDI),
        ("HABER BAŞLIĞI,YAYIN TARİHİ,YAYIN ADI", DUTCH),
        ("BAŞLIK,TARİH,GAZETE ADI", DUTCH),
        ("Τίτλος,Ημερομηνία,Ιστοσελίδα", DUTCH),
        ("タイトル,公開日時,メディア", JAPANESE),
        ("Tiêu đề,Ngày đăng,Nguồn", DUTCH),
        ("หัวข้อข่าว,วันที่,สำนักข่าว", DUTCH),
        ("hl,t,src", DUTCH),
    ],
)
def test_columns_are_known_by_their_names_in_many_languages(names, titles):
    lines = (f"{title},2026-11-03,{outlet}\n" for title, outlet in zip(titles, ("Aln", "Bered"), strict=True))
    read = sheet(f"{names}\n" + "".join(lines))
    assert read.texts == titles
    assert (set(days(read)), list(read.table.publisher)) == ({"2026-11-03"}, ["Aln", "Bered"])


WORKBOOK = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Worksheet ss:Name="A"><Table>{}</Table></Worksheet></Workbook>"""


@pytest.mark.parametrize("name", ["list.xls", "list.xml"])
def test_the_xml_of_excel_2003_is_a_table(name):
    cell = '<Cell{}><Data ss:Type="String">{}</Data></Cell>'.format
    rows = [cell("", "headline") + cell("", "kicker") + cell("", "date")]
    rows += [cell("", title) + cell(' ss:Index="3"', "2026-11-03T00:00:00.000") for title in ENGLISH]
    read = sheet(WORKBOOK.format("".join(f"<Row>{row}</Row>" for row in rows)), name)
    assert (read.texts, set(days(read))) == (ENGLISH, {"2026-11-03"})


@pytest.mark.parametrize("name", ["list.txt", "list.json", "list.js"])
@pytest.mark.parametrize("form", ["{}", "const news = {};\n"])
def test_lists_as_python_prints_them_and_scripts_hold_them_are_read(name, form):
    listed = [{"title": title, "date": "2026-11-03", "more": None} for title in ENGLISH]
    if name != "list.txt" or form == "{}":
        assert sheet(form.format(listed), name).texts == ENGLISH
    assert sheet("const news = " + json.dumps(listed) + ";", "list.js").texts == ENGLISH
