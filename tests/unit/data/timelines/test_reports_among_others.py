"""Headlines among menus, related stories, cards, bylines and what stands around copied lists."""

import json

import pytest

from core.data.timelines.load import load
from core.data.timelines.reading_check import check_reading

TITLES = [
    "Fire guts historic theatre in Oakhaven",
    "Nurses vote to accept five percent pay deal",
    "Teenager sails solo around the Isle of Maren",
    "Court halts demolition of Brandt cement works",
    "Two rescued from Velden avalanche after nine hours",
]
OUTLETS = ["The Oakhaven Echo", "Northern Star", "Maren Mail", "The Guardian", "Velden Kurier"]
DAYS = [f"2025-11-0{day}" for day in range(1, 6)]
URLS = [f"https://news{at}.example/2025/{'-'.join(title.lower().split())}" for at, title in enumerate(TITLES)]
REPORTS = [
    {
        "title": title,
        "publishedAt": f"{day}T06:00:00Z",
        "source": {"code": "X:1", "literal": outlet},
        "link": url,
    }
    for title, outlet, day, url in zip(TITLES, OUTLETS, DAYS, URLS, strict=True)
]
OLDER = [
    {"title": "An older story of another town", "publishedAt": "2024-01-01", "link": "https://a.example/b"}
]
MENU = [{"title": f"Section {number} of the site", "url": f"/{number}"} for number in range(20)]
ANSWERS = {
    "menu": {"menu": MENU, "found": REPORTS},
    "zones": {
        "seo": {"title": "The Echo and all its news"},
        "menu": MENU,
        "zones": [
            {"title": "Most read in the north", "link": "/n", "blocks": [{"items": [{"teaser": row}]}]}
            for row in REPORTS
        ],
    },
    "wrapped": [
        {"id": at, "content": {**row, "more": {"items": [{"content": OLDER[0]}]}}}
        for at, row in enumerate(REPORTS)
    ],
    "related": {
        "result": [{"rank": at, "article": {**row, "related": OLDER}} for at, row in enumerate(REPORTS)]
    },
    "clusters": {"groups": [{"id": "a", "members": REPORTS[:2]}, {"id": "b", "members": REPORTS[2:]}]},
    "highlight": {"found": [{"highlight": REPORTS[0], "stories": REPORTS[1:4]}, REPORTS[4]]},
}
POSTS = [
    {
        "created_at": f"{day}T06:00:00Z",
        "content": f"Read number {at}",
        "author": {"name": outlet},
        "card": {"title": title, "url": url},
    }
    for at, (title, outlet, day, url) in enumerate(zip(TITLES, OUTLETS, DAYS, URLS, strict=True))
]


def loaded(text, name):
    return load(text.encode(), name)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
def test_reports_are_found_wherever_they_stand_and_related_ones_are_none(answer):
    timeline = loaded(json.dumps(answer), "a.json")
    assert timeline.texts == TITLES
    assert timeline.publishers == OUTLETS
    assert [str(day)[:10] for day in timeline.table["published"]] == DAYS


def test_objects_over_several_lines_one_after_the_other_are_rows():
    text = "\n".join(json.dumps(row, indent=2) for row in REPORTS)
    assert loaded(text, "a.json").texts == loaded(text, "a.jsonl").texts == TITLES


def test_posts_are_called_as_the_cards_of_their_links():
    timeline = loaded(json.dumps(POSTS), "a.json")
    assert timeline.texts == TITLES
    assert timeline.undated == 0


def test_one_title_for_all_rows_and_names_of_periodicals_are_no_headlines():
    task = "Title,Input.words\n" + "".join(f"Label the event of a headline,{title}\n" for title in TITLES)
    assert loaded(task, "a.csv").texts == TITLES
    rows = zip(OUTLETS, TITLES, DAYS, strict=True)
    press = loaded("Tytuł;Tytuł artykułu;Data\n" + "".join(f"{';'.join(row)}\n" for row in rows), "a.csv")
    assert (press.texts, press.publishers) == (TITLES, OUTLETS)


COPIES = {
    "page": "Echo board\nnew | past | ask | submit\n"
    + "".join(
        f"{at + 1}. {title} ({OUTLETS[at]})\n{at} points by u{at} {at} hours ago\n"
        for at, title in enumerate(TITLES)
    ),
    "sections": "\nPolitics and law\n"
    + "".join(f"* {title} ({outlet})\n" for title, outlet in zip(TITLES, OUTLETS, strict=True))
    + "Sign up for our newsletter by e-mail",
    "papers": "What the papers say\n"
    + "".join(f"{outlet}: {title}\n" for title, outlet in zip(TITLES, OUTLETS, strict=True)),
    "results": "Search Summary\n\n"
    + "".join(
        f"{title}\n{outlet}, 06:42, {at + 1} November 2025, 300 words\nA lead of some words.\n\n"
        for at, (title, outlet) in enumerate(zip(TITLES, OUTLETS, strict=True))
    ),
    "clippings": "Hi all,\n\nbelow is the harvest of today. Sorry for being late.\n\nINSIDE\n"
    + "".join(f"  • {title} ({outlet}, p. 4)\n" for title, outlet in zip(TITLES, OUTLETS, strict=True))
    + "\nNothing on us in the Sundays so far.\n\nBest\nDana\n",
    "takes": "".join(
        f"ZCZC\nYPO1{at}\nB CRO S0B\n{title}\n  ({outlet}) - OAKHAVEN - Text.\n"
        f"0{at + 1}-NOV-25 08:41 NNNN\n\n"
        for at, (title, outlet) in enumerate(zip(TITLES, OUTLETS, strict=True))
    ),
}


@pytest.mark.parametrize("copy", COPIES.values(), ids=list(COPIES))
def test_copied_lists_are_read_without_what_stands_around_their_headlines(copy):
    timeline = loaded(copy, "a.txt")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_the_stories_of_a_newsletter_are_read_without_greeting_and_teasers():
    stories = "".join(
        f"****\nTHE NORTH\n****\n\n{title}\nWhat our reporter saw there.\nRead more: {url}\n\n"
        for title, url in zip(TITLES, URLS, strict=True)
    )
    head = "THE TIDE — a briefing\nThe Oakhaven Echo · Saturday, November 1, 2025\n\nGood morning!\n\n"
    timeline = loaded(
        f"{head}{stories}--\nYou get this as you signed up.\nUnsubscribe: https://a.example/u\n", "a.txt"
    )
    assert timeline.texts == TITLES
    assert set(timeline.publishers) == {"The Oakhaven Echo"}
    assert {str(day)[:10] for day in timeline.table["published"]} == {"2025-11-01"}
    assert list(timeline.table["url"]) == URLS


def test_names_with_the_address_of_their_page_are_names():
    linked = [f"{outlet} (https://notes.example/{at})" for at, outlet in enumerate(OUTLETS)]
    marked = [f"[{title}]({url})" for title, url in zip(TITLES, URLS, strict=True)]
    rows = [{"Headline": title, "Outlet": outlet} for title, outlet in zip(marked, linked, strict=True)]
    timeline = loaded(json.dumps(rows), "a.json")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)
    kept = "Mayor resigns (see https://a.example/b)"
    assert loaded(json.dumps([{"headline": kept}, {"headline": TITLES[0]}]), "a.json").texts[0] == kept


def test_a_row_without_its_outlet_has_that_of_its_site():
    own = {"publisher": "Velden Kurier", "date": DAYS[0]}
    rows = [
        {"headline": title, "url": f"https://kurier.example/{at}", **own} for at, title in enumerate(TITLES)
    ]
    rows[1] = {**rows[1], "publisher": ""}
    rows[2] = {**rows[2], "publisher": None, "url": "https://other.example/2"}
    publishers = loaded(json.dumps(rows), "a.json").publishers
    assert publishers == ["Velden Kurier", "Velden Kurier", "other.example", "Velden Kurier", "Velden Kurier"]


def test_days_of_results_and_takes_are_read():
    for name in ("results", "takes"):
        assert [str(day)[:10] for day in loaded(COPIES[name], "a.txt").table["published"]] == DAYS


def test_names_of_whom_nobody_knows_and_lines_that_are_no_headlines_are_asked_about():
    speakers = ["Anders", "Brandt", "Carlsen", "Dorn", "Ekström"]
    spoken = loaded(
        "".join(f"{who}: {title}\n" for who, title in zip(speakers, TITLES, strict=True)), "a.txt"
    )
    assert [question.name for question in check_reading(spoken)] == ["beginnings"]
    mixed = loaded("".join(f"{title}\nZone {at}\n" for at, title in enumerate(TITLES)), "a.txt")
    (question,) = check_reading(mixed)
    assert question.settled().texts == TITLES


def test_a_quotation_at_the_beginning_of_a_cell_keeps_its_marks():
    quoted = '"Never again": survivors return to Velden'
    text = f'title,outlet\n{quoted},Echo\n"Ends with a comma,","Star"\n"She said ""no"", again",Mail\n'
    assert loaded(text, "a.csv").texts == [quoted, "Ends with a comma,", 'She said "no", again']


def test_a_date_beside_names_is_read_and_its_zone_told_by_the_address():
    rows = "".join(
        f'"{title}",https://echo.{country}/{at}/a-b-c,"PTI / Updated: November 2, 2025, 07:42 AM IST"\n'
        for at, (title, country) in enumerate(zip(TITLES, ["in", "in", "com", "in", "in"], strict=True))
    )
    timeline = loaded("headline,url,byline\n" + rows, "a.csv")
    assert [str(day)[:16] for day in timeline.table["published"]][1:3] == [
        "2025-11-02 02:12",
        "2025-11-02 00:00",
    ]
    assert list(timeline.table["day_only"])[1:3] == [False, True]


def test_a_table_of_html_that_is_called_xls_is_read():
    cells = "".join(
        f"<tr><td>{day}</td><td>{outlet}</td><td><a href='{url}'>{title}</a></td></tr>"
        for day, outlet, url, title in zip(DAYS, OUTLETS, URLS, TITLES, strict=True)
    )
    head = "<tr><th colspan=3>Report</th></tr><tr><th>Date</th><th>Source</th><th>Headline</th></tr>"
    timeline = loaded(f"<html><body><table>{head}{cells}</table></body></html>", "a.xls")
    assert (timeline.texts, timeline.publishers, list(timeline.table["url"])) == (TITLES, OUTLETS, URLS)


def test_a_feed_that_never_closes_its_tags_and_has_days_in_its_own_language_is_read():
    items = "".join(
        f"<item><title>{title}<link>{url}</link><description>x<br>y <i>z</description>"
        f"<media:x/><pubDate>Mi, {day[-2:]} Mrz 2025 06:00:00 +0100</pubDate></item>"
        for title, url, day in zip(TITLES, URLS, DAYS, strict=True)
    )
    text = f'\n<?xml version="1.0"?><rss><channel><title>Der Kurier - Startseite</title>{items}'
    timeline = loaded(text, "a.rss")
    assert (timeline.texts, timeline.undated, set(timeline.publishers)) == (TITLES, 0, {"Der Kurier"})


def test_of_cells_that_show_a_page_the_headline_is_taken():
    rows = [
        {"shown": f"<b>Headline:</b> {title}<br><i>{outlet}</i>", "label": "a"}
        for title, outlet in zip(TITLES, OUTLETS, strict=True)
    ]
    assert loaded("\n".join(map(json.dumps, rows)), "a.jsonl").texts == TITLES


def test_a_subtotal_of_a_section_and_a_title_that_was_not_set_are_no_headlines():
    rows = "".join(
        f"{title},{outlet},{at}00\n"
        for at, (title, outlet) in enumerate(zip(TITLES, OUTLETS, strict=True), 1)
    )
    timeline = loaded(f"headline,outlet,reach\n{rows}Subtotal City,,1500\n(not set),Echo,3\n", "a.csv")
    assert timeline.texts == TITLES


def test_a_ticker_is_read_without_its_frame_and_an_outlet_without_its_page():
    ticker = "".join(f"+++ 21:{at}7 Uhr: {title} +++\n" for at, title in enumerate(TITLES))
    assert loaded(f"Ticker\n\n{ticker}", "a.txt").texts == TITLES
    named = zip(TITLES, OUTLETS, strict=True)
    clippings = "".join(f"- {title} ({outlet}, p. {at})\n" for at, (title, outlet) in enumerate(named, 1))
    timeline = loaded(clippings, "a.txt")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)
