"""Which column is which, and sheets, sections and several files as people make them."""

import csv
import io

import openpyxl
import pytest

from core.archive.reading import read as read_for_archive
from core.data.timelines.load import load
from core.data.timelines.preview import sniff
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.runtime import Runtime

TITLES = [
    "Ferry with 40 passengers runs aground off Lindholm",
    "Passenger ferry stranded near Lindholm island, 40 on board",
    "Central bank of Norland lifts key rate to 4.5 percent",
    "Norland raises interest rates by half a point",
    "Quake of magnitude 6.1 shakes southern Karveda",
    "Strong earthquake hits Karveda, no tsunami warning",
]
OUTLETS = ["Harbour Post", "Coast Daily", "Finance Wire", "Harbour Post", "World Bulletin", "Coast Daily"]
DAY = "2024-01-15"


def table(header, *columns, rows=TITLES):
    buffer = io.StringIO()
    cells = zip(rows, *columns, strict=True)
    csv.writer(buffer).writerows([header.split("/"), *cells] if header else cells)
    return load(buffer.getvalue().encode(), "table.csv")


def each(value):
    return [value] * len(TITLES)


def days(timeline):
    return {str(day)[:10] for day in timeline.table["published"]}


def notes(timeline):
    return " ".join(timeline.report.notes)


def workbook(sheets, **links):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cell, link in links.items():
            sheet[cell].hyperlink = link
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "header",
    ["date_download/date_publish", "updated_at/pubDate", "Indexed/Released", "abgerufen/erschienen am"],
)
def test_the_day_of_publication_wins_and_the_choice_is_said(header):
    visited, published = header.split("/")
    timeline = table(f"title/{header}", each("2024-02-01 08:00:00"), each(DAY))
    assert days(timeline) == {DAY}
    assert published in notes(timeline)
    assert visited in notes(timeline)
    only = table(f"title/{visited}", each("2024-02-01 08:00:00"))
    assert days(only) == {"2024-02-01"}
    assert "not when it was published" in notes(only)


@pytest.mark.parametrize("name", ["date", "when"])
def test_a_column_of_dates_that_nobody_can_read_is_asked_about(name, tmp_path):
    timeline = table(f"title/source/{name}", OUTLETS, each("week 3 of 2024"))
    assert timeline.undated == len(TITLES)
    assert f"No date could be read in the column '{name}'" in notes(timeline)
    path = tmp_path / "table.csv"
    path.write_text("title,date\n" + "".join(f'"{title}",3/2024 (week)\n' for title in TITLES))
    with pytest.raises(InputError, match="No date could be read in the column 'date'"):
        read_for_archive(path, {}, tmp_path, Runtime())


def test_days_in_three_columns_and_hours_in_one():
    timeline = table("title/Tag/Monat/Jahr/Stunde", each("15"), each("1"), each("2024"), each("6"))
    assert {str(time) for time in timeline.table["published"]} == {"2024-01-15 06:00:00+00:00"}
    zoned = table("title/pub_date/pub_time", each("01/15/2024"), each("6:10 AM ET"))
    assert {str(time) for time in zoned.table["published"]} == {"2024-01-15 11:10:00+00:00"}


@pytest.mark.parametrize("mark", [" - ", " | ", " – "])
def test_recurrent_endings_of_titles_are_the_outlets(mark):
    ended = [f"{title}{mark}{outlet}" for title, outlet in zip(TITLES, OUTLETS, strict=True)]
    links = [f"https://news.google.com/rss/articles/{row}" for row in range(len(TITLES))]
    timeline = table("title/link", links, rows=ended)
    assert timeline.texts == TITLES
    assert timeline.publishers == OUTLETS
    assert "was taken off" in notes(timeline)
    assert timeline.original["title"].tolist() == ended


def test_who_said_it_stays_in_the_title():
    said = [*TITLES[:3], *(f"{title} – Zelensky" for title in TITLES[3:])]
    timeline = table("title/source", OUTLETS, rows=said)
    assert timeline.texts == said


@pytest.mark.parametrize("host", ["www.msn.com", "news.google.com", "feedly.com", "t.co", "apple.news"])
def test_a_host_that_passes_headlines_on_is_no_outlet(host):
    timeline = table("title/url", [f"https://{host}/a/{row}" for row in range(len(TITLES))])
    assert set(timeline.publishers) == {None}
    assert host.removeprefix("www.") in notes(timeline)
    assert set(table("title/domain", each(host)).publishers) == {None}


NAMES = (
    "paper soporte source_s agency channel medium fuente fonte media_name media publication sitename pubtitle"
)


@pytest.mark.parametrize("name", NAMES.split())
def test_names_of_columns_that_hold_the_outlet(name):
    links = [f"https://n.example/{row}" for row in range(len(TITLES))]
    assert table(f"title/url/{name}", links, OUTLETS).publishers == OUTLETS


def test_a_link_is_an_address_and_the_title_the_shorter_text_that_varies():
    links = [f"https://n.example/{row}" for row in range(len(TITLES))]
    texts = [f"{title}. A paragraph of the story that goes on for a while." for title in TITLES]
    timeline = table("Link/Link-href/Text/start", links, texts, each("https://n.example/search?q=ferry"))
    assert timeline.texts == TITLES
    assert timeline.table["url"].tolist() == links
    assert table("", texts, [f"{row}" for row in range(len(TITLES))]).texts == TITLES


def test_a_column_of_stories_may_hold_the_headlines():
    timeline = table("Story/Day/Paper", each(DAY), OUTLETS)
    assert timeline.texts == TITLES
    assert set(table("Title/Story", each("Storm at sea")).table[Field.GOLD]) == {"Storm at sea"}


@pytest.mark.parametrize("first", ["news", "Media", "Story", "Title fight at the harbour tonight"])
def test_a_known_word_in_the_first_row_is_no_header(first):
    kinds = [first, "sport", "politics", "culture", "world", "sport"]
    assert table("", kinds).texts == TITLES


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("above", ["Coverage Report", "Coverage Report: ferries\n2024-01-01 - 2024-01-31\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lines_of_a_title_above_the_names_are_no_rows(above, sign, encoding):
    titles = [title.replace(",", "") for title in TITLES]
    rows = [sign.join((DAY, *pair)) for pair in zip(titles, OUTLETS, strict=True)]
    text = "\n".join([above, sign.join(("Date", "Headline", "Outlet Name")), *rows])
    timeline = load(text.encode(encoding), "report.csv")
    assert timeline.texts == titles
    assert (timeline.publishers, days(timeline)) == (OUTLETS, {DAY})


def test_groups_of_columns_above_their_names():
    rows = [["Quelle", None, "Abruf", None, "Inhalt"], ["Name", "Land", "Datum", "Uhrzeit", "Schlagzeile"]]
    rows += [
        [outlet, "DE", "15.01.2024", "06:10", title] for outlet, title in zip(OUTLETS, TITLES, strict=True)
    ]
    timeline = load(workbook({"A": rows}), "a.xlsx")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, {DAY})


@pytest.mark.parametrize(
    "line", ["--- Lokales ---", "== Politik ==", "Wirtschaft", "35 Meldungen", "Gesamt: 6"]
)
def test_lines_of_sections_and_sums_are_named_and_no_headlines(line):
    cells = [[DAY if row != line else "" for row in (*TITLES, line)], [*OUTLETS, ""]]
    timeline = table("headline/date/source", *cells, rows=[*TITLES, line])
    assert timeline.texts == TITLES
    assert [row.value for row in timeline.report.rejected] == [line]
    short = table("headline/date/source", *cells, rows=[*TITLES, "Pope dies in Rome at 88"])
    assert len(short) == len(TITLES) + 1


def test_all_sheets_are_one_timeline_by_outlet_or_day():
    def of(names):
        pairs = zip(names, (TITLES[:2], TITLES[2:4], TITLES[4:]), strict=True)
        sheets = {name: [["Title", "Rank"], *([title, 1] for title in titles)] for name, titles in pairs}
        return workbook({"Cover": [["Press review"]]} | sheets)

    outlets = load(of(["Harbour Post", "Coast Daily", "Finance Wire"]), "a.xlsx", sheet="*")
    assert outlets.texts == TITLES
    assert outlets.publishers == [
        name for name in ("Harbour Post", "Coast Daily", "Finance Wire") for _ in "ab"
    ]
    assert "Cover" in notes(outlets)
    dated = load(of(["15.01.2024", "16.01.2024", "17.01.2024"]), "a.xlsx", sheet="*")
    assert days(dated) == {DAY, "2024-01-16", "2024-01-17"}
    assert set(dated.publishers) == {None}
    assert set(load(of(["Tabelle1", "Tabelle2", "Tabelle3"]), "a.xlsx", sheet="*").publishers) == {None}
    assert len(load(of(["A", "B", "C"]), "a.xlsx")) == 2


def test_addresses_behind_cells_are_read():
    rows = [["Title", "Outlet"], *map(list, zip(TITLES, OUTLETS, strict=True))]
    linked = load(workbook({"A": rows}, A2="https://n.example/0", A3="https://n.example/1"), "a.xlsx")
    assert linked.table["url"].tolist()[:3] == ["https://n.example/0", "https://n.example/1", None]
    formulas = [["Title", "Outlet"], *([f'=HYPERLINK("https://n.example/{row}","{title}")', "A"]
                                       for row, title in enumerate(TITLES))]  # fmt: skip
    formula = load(workbook({"A": formulas}), "a.xlsx")
    assert formula.texts == TITLES
    assert formula.table["url"].iloc[4] == "https://n.example/4"


def test_several_files_are_one_timeline():
    german = f"Schlagzeile;Datum\n{TITLES[2]};16.01.2024\n".encode()
    first = f"title,date\n{TITLES[0]},{DAY}\n".encode()
    timeline = load(first, "harbour_post.csv", more=[(german, "Kurier.csv")])
    assert timeline.texts == [TITLES[0], TITLES[2]]
    assert timeline.publishers == ["harbour post", "Kurier"]
    assert days(timeline) == {DAY, "2024-01-16"}
    by_day = [(f"title\n{TITLES[row]}\n".encode(), f"news_2024-01-{15 + row}.csv") for row in range(2)]
    dated = load(*by_day[0], more=by_day[1:])
    assert days(dated) == {DAY, "2024-01-16"}
    assert sniff(*by_day[0], more=by_day[1:]).mapping[Field.HEADLINE] == ("title",)
    with pytest.raises(InputError, match=r"other\.csv"):
        load(first, "a.csv", more=[(b"\x00\x01", "other.csv")])


def test_marks_after_a_backslash_are_part_of_the_text():
    rows = "".join(
        f'"He said \\"{title}\\", and left","{outlet}",{DAY}\n'
        for title, outlet in zip(TITLES, OUTLETS, strict=True)
    )
    timeline = load(f"title,source,date\n{rows}".encode(), "spark.csv")
    assert timeline.texts == [f'He said "{title}", and left' for title in TITLES]
    plain = load(b'title,path\n"A ferry runs aground","C:\\new\\"\n"A bank lifts rates","D:\\"\n', "a.csv")
    assert plain.original["path"].tolist() == ["C:\\new\\", "D:\\"]


SIDES = "event,date,left_title,left_source,center_title,center_source\n" + "".join(
    f"{event},2024-03-0{at},Ferry {what} at sea in storm,Coast Daily,Storm: ferry that {what},The Post\n"
    for at, (event, what) in enumerate((("a", "runs aground"), ("b", "sinks"), ("c", "burns")), 1)
)


def test_tables_that_stand_side_by_side_are_read_below_each_other():
    timeline = load(SIDES.encode(), "sides.csv")
    assert timeline.texts[:2] == [
        "Ferry runs aground at sea in storm",
        "Storm: ferry that runs aground",
    ]
    assert timeline.table["publisher"].tolist() == ["Coast Daily", "The Post"] * 3
    assert timeline.table["gold_group"].tolist() == list("aabbcc")
    titles = [
        [f"{who} says the ferry {what} at sea" for who in "XYZ"] for what in ("sank", "burns", "turned")
    ]
    numbered = "\n".join(map(",".join, [["Headline 1", "Headline 2", "Headline 3"], *titles]))
    assert sorted(load(numbered.encode(), "numbered.csv").texts) == sorted(
        title for row in titles for title in row
    )


def test_a_translation_or_the_title_of_a_page_is_no_headline_of_its_own():
    translated = SIDES.replace(
        "left_title,left_source,center_title,center_source", "title_en,url_en,title_de,url_de"
    )
    assert len(load(translated.encode(), "sides.csv")) == 3
    page = "title,url,site_title,site_url\n" + "".join(
        f"Ferry {what} after storm at sea,https://a.example/{at},The news site of the whole coast,https://a.example\n"
        for at, what in enumerate(("sinks", "turns", "burns"))
    )
    assert len(load(page.encode(), "pages.csv")) == 3


@pytest.mark.parametrize(("beside", "differ"), [("feed", 4), ("source", 4), ("related", 4), ("rubric", 2)])
def test_what_stands_around_a_report_is_no_table_beside_it(beside, differ):
    made = "".join(
        f"All the news of town {at % differ},https://f.example/{at % differ},"
        f"Ferry {what} at sea in storm,https://f.example/n{at}\n"
        for at, what in enumerate(("sinks", "turns", "burns", "rests"))
    )
    header = f"{beside}_title,{beside}_url,entry_title,entry_url\n"
    assert len(load((header + made).encode(), "feeds.csv")) == 4


def test_a_day_above_the_first_rows_names_no_column():
    days = ("2024-03-04", "2024-03-05")
    titles = ["Ferry runs aground in storm", "Council votes for second bridge", "Pope arrives in Lisbon"]
    rows = [cells for day in days for cells in ([day], *([f"{title} {day[-1]}", "Post"] for title in titles))]
    timeline = load(workbook({"Press": rows}), "days.xlsx")
    assert timeline.table["published"].dt.strftime("%Y-%m-%d").tolist() == [
        day for day in days for _ in titles
    ]


@pytest.mark.parametrize(
    ("last", "groups", "alone"),
    [
        (("-1", "-1.0"), 4, True),
        (("-1", "-1"), 4, True),
        (("-1", "2"), 4, False),
        (("-1", "-1", "b"), 4, False),
    ],
)
def test_rows_that_a_clustering_program_left_in_no_group_are_each_alone(last, groups, alone):
    cells = ("0", "0", "1", *last)
    rows = "".join(f"Bridge {n} closes in Ulm,2026-03-0{n},{cell}\n" for n, cell in enumerate(cells, 1))
    timeline = load(("headline,date,cluster\n" + rows).encode(), "clusters.csv")
    assert timeline.table[Field.GOLD].nunique() == groups
    assert any("clustering programs" in note for note in timeline.report.notes) is alone
