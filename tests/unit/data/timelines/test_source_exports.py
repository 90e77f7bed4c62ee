# ruff: noqa: E501 (samples are lines as sources write them)
"""Files of sources by other names: which object, date, outlet, address and day is meant in them."""

import csv
import io
import json

import pytest

from core.data.exchange.reader import read_answers
from core.data.timelines.load import load
from core.errors import InputError
from tests.unit.data.timelines.test_columns_and_sheets import workbook

TITLES = [
    "Ferry runs aground in harbour storm",
    "Council votes for second river bridge",
    "Pope arrives in Lisbon",
]
OUTLETS = ["Harbour Post", "Coast Daily", "Harbour Post"]
DAYS = ["2024-03-04", "2024-03-05", "2024-03-07"]
LINKS = [
    f"https://www.{host}/news/story-{at}" for at, host in enumerate(("a.example", "b.example", "a.example"))
]
FIRST = {"headline": TITLES[0], "publisher": OUTLETS[0], "published": DAYS[0], "url": LINKS[0]}


def rows(make):
    return [make(*row) for row in zip(TITLES, OUTLETS, DAYS, LINKS, strict=True)]


def first_of(timeline):
    row = timeline.table.iloc[0]
    day = (
        ""
        if row["published"] is None or row["published"] != row["published"]
        else f"{row['published']:%Y-%m-%d}"
    )
    return {"headline": row["headline"], "publisher": row["publisher"], "published": day, "url": row["url"]}


def source(title, outlet, day, link):
    return {"story": {"headline": title, "published": day}, "site": {"name": outlet}, "permalink": link}


WRAPPED = {
    "elasticsearch": {"hits": {"hits": rows(lambda *row: {
        "_id": "x", "_source": source(*row), "highlight": {"story.headline": [f"<em>{row[0]}</em>"]}, "sort": [1711442460000]})}},
    "typesense": {"hits": rows(lambda *row: {
        "document": source(*row), "highlight": {"headline": {"snippet": f"<mark>{row[0]}</mark>"}}, "text_match": 5})},
    "algolia": {"hits": rows(lambda title, outlet, day, link: {
        "title": title, "source": outlet, "date": day, "url": link,
        "_highlightResult": {"title": {"value": f"<em>{title}</em>"}}})},
    "headline for the page": rows(lambda title, outlet, day, link: {
        "headlines": {"meta_title": f"{title[:9]} | X", "seo": "Seo words of it", "basic": title, "print": "P"},
        "first_publish_date": day, "publish_date": "2024-04-09", "display_date": "2024-04-08",
        "source": {"domain": None, "name": outlet}, "url": link}),
    "outlet of the feed": rows(lambda title, outlet, day, link: {
        "title": title, "url": link, "published_at": day, "created_at": "2024-05-01", "feed": {"id": 4, "title": outlet}}),
    "versions": rows(lambda title, outlet, day, link: {
        "item": {"versioncreated": "2024-05-01", "firstcreated": day, "headline": title, "source": outlet,
                 "uri": "https://api.wire.example/content/1", "canonical_url": link}}),
    "pieces of text": {"name": "Channel", "messages": [{"id": 0, "type": "service", "date": DAYS[0], "title": "New", "text": "",
                                                        "text_entities": []}, *rows(lambda title, outlet, day, link: {
        "id": 1, "type": "message", "date": day, "from": outlet, "text_entities": [],
        "text": ["🔥", {"type": "bold", "text": title}, "\n\nMore of it."]})]},
}  # fmt: skip


@pytest.mark.parametrize("name", WRAPPED)
def test_rows_come_from_the_object_that_is_meant(name):
    timeline = load(json.dumps(WRAPPED[name]).encode(), "a.json")
    assert timeline.texts == TITLES
    assert first_of(timeline) == FIRST | ({"url": None} if name == "pieces of text" else {})


def test_a_list_of_texts_gives_its_first_that_is_not_blank_in_lines_of_any_ending():
    lines = [json.dumps({"headline": ["\n  ", f"{title}\n "], "date": [f"Publisert: {at + 4}. mars 2024 kl. 07:32"]})
             for at, title in enumerate(TITLES)]  # fmt: skip
    timeline = load("\n".join(lines).encode(), "items.jl")
    assert (timeline.texts, first_of(timeline)["published"]) == (TITLES, DAYS[0])


@pytest.mark.parametrize(
    ("given", "outlet"),
    [
        ({"source": {"domain": "a.example", "paywall": False}, "medium": "Article"}, "a.example"),
        ({"medium": "Online"}, "a.example"),
        ({"source": "https://www.a.example/news/x"}, "a.example"),
        ({"outlet": "THE TITLE"}, None),
    ],
)
def test_kinds_of_media_addresses_and_headlines_are_no_outlets(given, outlet):
    def row(title, _outlet, day, link):
        own = {name: title if cell == "THE TITLE" else cell for name, cell in given.items()}
        return {"title": title, "date": day, "url": link, **own}

    assert first_of(load(json.dumps(rows(row)).encode(), "a.json"))["publisher"] == outlet


def test_machine_ids_are_groups_only_where_they_repeat_and_then_that_is_said():
    def read(ids):
        at = iter(ids)
        return load(
            json.dumps(rows(lambda title, *_: {"title": title, "clusterId": next(at)})).encode(), "a.json"
        )

    assert read("abc").table["gold_group"].isna().all()
    assert read("aab").table["gold_group"].tolist() == ["a", "a", "b"]
    assert any("clusterId" in note for note in read("aab").report.notes)


@pytest.mark.parametrize(("site", "url"), [("b.example", "https://b.example/x/1"), ("Harbour", None)])
def test_addresses_without_a_site_are_joined_or_said(site, url):
    data = rows(lambda title, *_: {"title": title, "canonical_url": "/x/1", "website": site})
    timeline = load(json.dumps(data).encode(), "a.json")
    assert first_of(timeline)["url"] == url
    assert any("canonical_url" in note for note in timeline.report.notes) == (url is None)


TABLES = {
    "utc": ("title,date,date_gmt", "{title},2024-03-03T23:30:00,2024-03-04T04:30:00"),
    "zone in letters": ("title,created", "{title},2024-03-03 23:15:00 EST"),
    "page and final link": (
        "Page Name,Page Created,Post Created,URL,Link,Final Link,Link Text",
        "Harbour Post,2008-01-01,2024-03-03 23:15:00 EST,https://www.facebook.com/1/posts/2,https://trib.al/x,{link},{title}",
    ),
    "support": ("Type;Support;Titre;Date;Lien", "Web;{outlet};{title};{day};{link}"),
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_other_names_say_day_outlet_and_address(name):
    header, line = TABLES[name]
    written = rows(
        lambda title, outlet, day, link: line.format(title=title, outlet=outlet, day=day, link=link)
    )
    read = first_of(load("\n".join([header, *written]).encode(), "a.csv"))
    assert (read["headline"], read["published"]) == (TITLES[0], DAYS[0])
    if "ink" in line:
        assert (read["publisher"], read["url"]) == (OUTLETS[0], LINKS[0])


def test_the_date_of_a_page_is_no_publication():
    text = "\n".join(
        ["title,Page Created", *(f"{title},2008-01-0{at + 1}" for at, title in enumerate(TITLES))]
    )
    assert load(text.encode(), "a.csv").undated == 3


@pytest.mark.parametrize("names", [OUTLETS, None])
def test_an_ending_that_is_the_outlet_of_its_row_is_cut_wherever_it_stands_once(names):
    ends = ["A", "B", "The A"]
    made = rows(lambda title, _outlet, day, link: [title, day, link])
    for row, end, own in zip(made, ends if names is None else names, names or [""] * 3, strict=True):
        row[0], row[3:] = f"{row[0]} - {end}", [own]
    text = "\n".join(["title,date,url,outlet", *(",".join(row) for row in made)])
    assert load(text.encode(), "a.csv").texts == TITLES


def test_a_column_that_seems_to_hold_outlets_is_named_where_addresses_were_taken():
    words = ["Harbour Post", "Coast Daily"] * 6
    text = "\n".join(
        [
            "title,url,Träger",
            *(
                f"Ferry number {at} sinks again,https://a.example/{at}/x,{word}"
                for at, word in enumerate(words)
            ),
        ]
    )
    assert any("Träger" in note for note in load(text.encode(), "a.csv").report.notes)


@pytest.mark.parametrize(
    "days", [["Montag, 4. März 2024", "Dienstag, 5. März 2024"], ["04.03.2024", "5 March 2024"]]
)
@pytest.mark.parametrize("place", [0, 2])
def test_a_day_above_the_rows_is_the_day_of_each_with_its_hour(days, place):
    def line(day):
        return [day if at == place else None for at in range(3)]

    sheet = [
        ["Uhrzeit", "Medium", "Titel"],
        line(days[0]),
        ["06:30", "A", TITLES[0]],
        line(days[1]),
        ["07:05", "B", TITLES[1]],
    ]
    timeline = load(workbook({"A": sheet}), "a.xlsx")
    assert timeline.texts == TITLES[:2]
    assert [f"{moment:%Y-%m-%d %H:%M}" for moment in timeline.table["published"]] == [
        "2024-03-04 06:30",
        "2024-03-05 07:05",
    ]


def test_hours_without_days_are_asked_about():
    sheet = [["Uhrzeit", "Titel", "Ton"], *([f"06:3{at}", title, "x"] for at, title in enumerate(TITLES))]
    assert any("Uhrzeit" in note for note in load(workbook({"A": sheet}), "a.xlsx").report.notes)


@pytest.mark.parametrize("sheet", [None, "*"])
def test_a_sheet_without_headlines_is_left_out_and_said(sheet):
    sheets = {"Overview": [["Outlet", "Articles"], *([f"O{at}", at] for at in range(9))]}
    for outlet, title in zip(("Harbour Post", "Coast Daily"), TITLES, strict=False):
        sheets[outlet] = [["#", "Headline", "Link"], [1, title, "https://clips.example/1/x"]]
    timeline = load(workbook(sheets), "a.xlsx", sheet=sheet)
    assert (timeline.texts, timeline.publishers) == (TITLES[:2], ["Harbour Post", "Coast Daily"])
    assert any("Overview" in note for note in timeline.report.notes)


def test_a_group_over_a_name_says_what_it_is_the_name_of():
    sheet = [["MONITORING"], [], ["Outlet", None, "Article", None], ["Name", "Type", "Name", "Link"]]
    sheet += rows(lambda title, outlet, _day, link: [outlet, "Online", title, link])
    timeline = load(workbook({"A": sheet}), "a.xlsx")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_the_head_of_a_mail_dates_its_blocks_and_is_no_headline():
    head = "From: Alerts <alerts@example.org>\nTo: desk@example.org\nSubject: Ferry\nDate: Mon, 4 Mar 2024 06:02:11 +0000\n\n"
    blocks = "\n".join(
        rows(lambda title, outlet, _day, link: f"{title}\n{outlet}\nWhat happened there.\n<{link}>\n")
    )
    timeline = load(
        f"{head}{blocks}\nCreate another Google Alert:\nSign in to manage your alerts:\n".encode(), "mail.txt"
    )
    assert timeline.texts == TITLES
    assert first_of(timeline) == FIRST


@pytest.mark.parametrize("tag", ["<br>", "<hr>", '<img src="x.png">', "<BR/>"])
def test_tags_that_html_never_closes_cost_no_entry(tag):
    items = "".join(
        f"<item><title>{title}</title><description>More{tag}here</description></item>" for title in TITLES
    )
    assert load(f"<rss><channel><title>A</title>{items}</channel></rss>".encode(), "a.rss").texts == TITLES


def test_links_begin_where_their_entry_says():
    entries = "".join(
        f'<entry xml:base="https://{at}.example/"><title>{title}</title><link href="/news/{at}"/></entry>'
        for at, title in enumerate(TITLES)
    )
    timeline = load(f'<feed xml:base="https://planet.example/">{entries}</feed>'.encode(), "a.atom")
    assert timeline.table["url"].tolist() == [f"https://{at}.example/news/{at}" for at in range(3)]


def test_a_grid_of_a_form_is_answers_of_each_person_to_each_item():
    head = ",".join(
        ["Timestamp", "Email Address", *(f'"How clear? (1, 5) [{title}]"' for title in TITLES), "Remarks"]
    )
    form = f"{head}\n2024/04/04 2:03:22 PM GMT+2,ann@desk.example,1,4,3,\n2024/04/04 3:08:22 PM GMT+2,ben@desk.example,1,,3,no\n"
    read = read_answers(form.encode(), "form.csv")
    assert list(read.questions) == ["How clear? (1, 5)"]
    given = read.cells[read.cells["How clear? (1, 5)"] != ""]
    assert given.groupby("text")["annotator"].agg(list).to_dict() == {
        TITLES[0]: ["ann@desk.example", "ben@desk.example"],
        TITLES[1]: ["ann@desk.example"],
        TITLES[2]: ["ann@desk.example", "ben@desk.example"],
    }


def test_webanno_files_give_the_labels_of_each_sentence():
    text = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Entity|identifier|value\n\n\n#Text=Ferry leaves Lisbon\n"
    text += "1-1\t0-5\tFerry\t*\tOBJ[1]\t\n1-2\t6-12\tleaves\t_\t_\t\n1-3\t13-19\tLisbon\t*|*\tLOC[2]|GPE\t\n"
    read = read_answers(text.encode(), "ann.tsv")
    assert read.cells[["text", "annotator", "Entity value"]].to_numpy().tolist() == [
        ["Ferry leaves Lisbon", "ann", "GPE, LOC, OBJ"]
    ]
    with pytest.raises(InputError, match="WebAnno"):
        read_answers(text.replace("OBJ[1]", "_").replace("LOC[2]|GPE", "_").encode(), "ann.tsv")


ABOVE = [["Harbour digest"], ["Client:", "Port"], ["From – to:", "3–9 March"]]
NAMES = {
    "en": ["No.", "Date", "Outlet", "Headline", "Reach"],
    "zh": ["序号", "发布时间", "来源媒体", "标题", "阅读量"],
    "tr": ["Sıra", "Yayın Tarihi", "Yayın Adı", "Haber Başlığı", "Erişim"],
    "pl": ["Lp.", "Data publikacji", "Gazeta", "Tytuł", "Zasięg"],
}  # fmt: skip
SUMS = ["Total", "合计", "TOPLAM", "Durchschnitt", "TOTAL GERAL", "Итого"]


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("ending", ["csv", "txt"])
def test_a_table_below_lines_of_a_title_is_read_in_any_language_without_its_sums(delimiter, language, ending):
    body = rows(lambda title, outlet, day, _link: ["1", day, outlet, title, "12.300"])
    sums = [["", "", "", word, "R$ 254.870"] for word in SUMS]
    lines = [delimiter.join(cells) for cells in (*ABOVE, NAMES[language], *body, *sums)]
    if delimiter == "," and ending == "txt":
        return  # commas in a text alone make no table
    timeline = load("\n".join(lines).encode(), f"a.{ending}")
    assert timeline.texts == TITLES
    assert first_of(timeline) == FIRST | {"url": None}
    assert any("Harbour digest" in note for note in timeline.report.notes)


def test_commas_below_a_line_of_words_make_no_table():
    lines = [
        "Headlines of the week",
        "Rain, wind, snow: a storm",
        "Ferry, bridge, port: all shut",
        "One, two, three hurt",
    ]
    assert load("\n".join(lines).encode(), "a.csv").texts == lines


def test_a_header_without_the_name_of_the_numbers_is_moved():
    lines = ["title\toutlet\tday", *(f"{at}\t{t}\t{o}\t{d}" for at, (t, o, d) in enumerate(zip(TITLES, OUTLETS, DAYS, strict=True), 1))]  # fmt: skip
    timeline = load("\n".join(lines).encode(), "a.tsv")
    assert first_of(timeline) == FIRST | {"url": None}
    shifted = "date,headline\n" + "\n".join(f"{day},Ferry, again" for day in DAYS)
    with pytest.raises(InputError):  # a comma in each headline is no column without a name
        load(shifted.encode(), "a.csv")


def test_a_column_of_outlets_is_known_by_a_word_of_its_name_and_not_by_codes():
    lines = ["V1_TITEL;V2_MEDIUM;V2_MEDIUM_LABEL;V3_DATUM", *rows(lambda t, o, d, _: f"{t};1;{o} ;{d}")]
    assert first_of(load("\n".join(lines).encode(), "a.csv")) == FIRST | {"url": None}


def test_a_column_called_title_is_taken_where_headlines_are_short():
    text = "Titel;Datum\nStreik endet;26.03.2024\nBrücke weg;27.03.2024\n"
    assert load(text.encode(), "a.csv").texts == ["Streik endet", "Brücke weg"]


UNPUBLISHED = [("post", "publish"), ("post", "draft"), ("page", "publish"), ("attachment", "inherit")]


@pytest.mark.parametrize("kind", ["wxr", "csv", "json"])
def test_drafts_pages_and_attachments_are_left_out_and_said(kind):
    made = [(f"{TITLES[0]} {at}", *said) for at, said in enumerate(UNPUBLISHED)]
    if kind == "wxr":
        items = "".join(
            f"<item><title>{t}</title><wp:post_type>{p}</wp:post_type><wp:status>{s}</wp:status></item>"
            for t, p, s in made
        )
        data, name = f'<rss xmlns:wp="w"><channel><title>A</title>{items}</channel></rss>', "a.xml"
    elif kind == "csv":
        data, name = "post_title,post_type,post_status\n" + "\n".join(map(",".join, made)), "a.csv"
    else:
        keys = ("title", "type", "status")
        data, name = (
            json.dumps(
                {
                    "settings": [{"value": "x"}] * 9,
                    "posts": [dict(zip(keys, row, strict=True)) for row in made],
                }
            ),
            "a.json",
        )
    timeline = load(data.encode(), name)
    assert timeline.texts == [made[0][0]]
    assert len(timeline.report.rejected) == 3
    assert any("draft" in note for note in timeline.report.notes)


def test_rows_are_kept_where_nothing_says_that_others_were_published():
    text = "title,status\n" + "\n".join(f"{title},draft" for title in TITLES)
    assert load(text.encode(), "a.csv").texts == TITLES


def test_films_that_are_gone_are_left_out():
    text = "title,date\n" + "\n".join(
        [f"{TITLES[0]},{DAYS[0]}", f"Private video,{DAYS[0]}", f"[Deleted video],{DAYS[0]}"]
    )
    assert load(text.encode(), "a.csv").texts == TITLES[:1]


def test_every_chat_of_an_account_is_read_with_its_name():
    def chat(name, title):
        own = {
            "id": 1,
            "type": "message",
            "date": f"{DAYS[0]}T06:00:00",
            "text": [{"type": "bold", "text": title}, " more"],
            "text_entities": [],
        }
        return {"name": name, "type": "public_channel", "id": 1, "messages": [own]}

    whole = {"contacts": {"list": [{"first_name": "A", "date": DAYS[0]}] * 5},
             "chats": {"list": [chat(*row[::-1]) for row in zip(TITLES, OUTLETS, strict=True)]}}  # fmt: skip
    timeline = load(json.dumps(whole).encode(), "result.json")
    assert timeline.publishers == OUTLETS
    assert [text.startswith(title) for text, title in zip(timeline.texts, TITLES, strict=True)] == [True] * 3


def test_an_item_without_title_has_the_beginning_of_its_text():
    items = [
        {
            "id": "1",
            "url": "https://a.example/1",
            "date_published": DAYS[0],
            "content_text": f"{TITLES[0]}. More of it follows.",
        }
    ]
    timeline = load(
        json.dumps({"version": "https://jsonfeed.org/version/1", "items": items}).encode(), "feed.json"
    )
    assert timeline.texts[0].startswith(TITLES[0])
    assert "follows" not in timeline.texts[0]


def test_a_day_in_the_first_of_several_rows_is_the_day_of_each_with_its_hour():
    lines = ["Wann;Uhr;Wer;Titel"]
    for at, title in enumerate([*TITLES, *TITLES]):
        lines.append(f"{f'0{at // 2 + 4}.03.2024' if at % 2 == 0 else ''};{at + 6}.3;{OUTLETS[0]};{title}")
    timeline = load("\n".join(lines).encode(), "a.csv")
    assert [f"{when:%d %H:%M}" for when in timeline.table["published"]] == [
        f"0{at // 2 + 4} {at + 6:02}:30" for at in range(6)
    ]
    assert any("row above" in note for note in timeline.report.notes)


def test_a_day_that_is_missing_once_is_not_made_up_and_is_said():
    text = "title,date\n" + "\n".join(
        f"{title},{day}" for title, day in zip(TITLES, [DAYS[0], "", DAYS[2]], strict=True)
    )
    timeline = load(text.encode(), "a.csv")
    assert timeline.undated == 1
    assert any("line 3" in note for note in timeline.report.notes)
    assert any("3 headlines" in note for note in load("\n".join(TITLES).encode(), "a.txt").report.notes)


@pytest.mark.parametrize("name", ["Published", "Reach"])
def test_numbers_of_days_are_dates_only_in_a_column_of_dates(name):
    text = f"Headline;{name}\n" + "\n".join(f"{title};4535{at + 5},25" for at, title in enumerate(TITLES))
    timeline = load(text.encode(), "a.csv")
    assert first_of(timeline)["published"] == (DAYS[0] if name == "Published" else "")


MATRIX = [
    ["Datum", *OUTLETS[:2], "Gazette"],
    *([day, *TITLES[at:], *TITLES[:at]] for at, day in enumerate(DAYS)),
]


@pytest.mark.parametrize("turned", [False, True])
def test_a_column_for_each_outlet_or_day_is_a_row_for_each_headline(turned):
    sheet = MATRIX
    if turned:
        sheet = [list(row) for row in zip(*MATRIX, strict=True)]
        sheet[0][0] = "Outlet"
    timeline = load(workbook({"A": sheet}), "a.xlsx")
    assert sorted(timeline.texts) == sorted(TITLES * 3)
    assert set(timeline.publishers) == {*OUTLETS, "Gazette"}
    assert sorted({f"{when:%Y-%m-%d}" for when in timeline.table["published"]}) == DAYS


def test_columns_with_the_parts_of_a_headline_are_not_read_as_further_outlets():
    sheet = [["Datum", "Dachzeile", "Hauptzeile", "Unterzeile"], *MATRIX[1:]]
    timeline = load(workbook({"A": sheet}), "a.xlsx")
    assert (len(timeline), timeline.publishers) == (3, [None] * 3)
    assert any("Unterzeile" in note for note in timeline.report.notes)


PASTED = {
    "whatsapp": "04.03.24, 08:00 - Desk created the group\n04.03.24, 08:41 - Desk: {0} {url}\n05.03.24, 09:00 - Kim: <Media omitted>\n05.03.24, 09:15 - Desk: {1}\n07.03.24, 09:15 - Desk: {2}",
    "iphone": "[04.03.24, 08:41:12] Desk: {0}\n{url}\n[05.03.24, 09:15:02] Desk: {1}\n[07.03.24, 09:15:02] Desk: {2}",
    "telegram": "Desk, [04.03.24 08:41]\n{0}\n{url}\n\nDesk, [05.03.24 09:15]\n{1}\n\nDesk, [07.03.24 09:15]\n{2}",
    "markdown": "---\ntitle: Week 10\ntags: [x]\n---\n# Clips\n\nAll of it.\n\n## 4 March 2024\n\n- [**{0}**]({url}) — *Harbour Post*, 08:41\n\n## 5 March 2024\n- [{1}](https://b.example/2) (Coast Daily, 09:00)\n\n## 7 March 2024\n- [{2}](https://a.example/3) | Harbour Post\n",
    "page": "Full Coverage\n\nHarbour Post\nMore\n{0}\n4 March 2024\nBy Ann\n\nCoast Daily\nMore\n{1}\n2 hours ago\n\nHarbour Post\nMore\n{2}\n7 March 2024\n",
    "days": "Monday, 4 March 2024\n{0}\nTuesday, 5 March 2024\n{1}\n{2}",
    "dated": "04.03.2024 – {0}\n05.03.2024 – {1}\n07.03.2024 – {2}",
}


@pytest.mark.parametrize("name", PASTED)
def test_what_stands_around_pasted_headlines_dates_them_and_is_none(name):
    timeline = load(PASTED[name].format(*TITLES, url=LINKS[0]).encode(), "a.txt")
    assert timeline.texts == TITLES
    read = first_of(timeline)
    assert (read["headline"], read["published"]) == (TITLES[0], DAYS[0])
    assert read["url"] == (LINKS[0] if "{url}" in PASTED[name] else None)
    if name in ("markdown", "page"):
        assert timeline.publishers == OUTLETS


NOTATIONS = {
    "RIS": "TY  - NEWS\nTI  - {0}\nER  - \n",
    "BibTeX": "@article{{a1,\n  title = {{{0}}},\n}}\n",
    "mail": "From a@x.example Mon Mar  4 08:00:00 2024\nSubject: {0}\n\nText of it\n",
    "encoded": "Subject: Digest\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nQUJD\n",
    "SQL": "DROP TABLE IF EXISTS `news`;\nINSERT INTO `news` VALUES (1,'{0}');\n",
    "bookmarks": '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF="https://a.example">{0}</A>\n',
    "wiki": "{{{{Current events|year=2024}}}}\n*[[Ferry]] {0} [https://a.example (A)]\n*[[Port]] {1} [https://a.example (A)]\n",
    "log": '2024-03-27 08:41:00,002 INFO saved title="{0}"\n2024-03-27 08:42:00,002 INFO saved title="{1}"\n',
}


@pytest.mark.parametrize("name", NOTATIONS)
def test_other_notations_that_are_called_texts_are_refused_by_name(name):
    with pytest.raises(InputError, match=r"not a list of headlines|damaged|XML"):
        load(NOTATIONS[name].format(*TITLES).encode(), "a.txt")


@pytest.mark.parametrize("name", NOTATIONS)
def test_cells_of_a_table_by_its_name_may_hold_other_notations(name):
    table = io.StringIO()
    lines = NOTATIONS[name].format(*TITLES).splitlines()
    csv.writer(table).writerows([["title", "note"], *([title, "\n".join(lines)] for title in TITLES)])
    assert load(table.getvalue().encode(), "a.csv").texts == [*TITLES]


def test_headlines_that_begin_like_other_notations_are_read():
    lines = [
        *(f"La {title}" for title in TITLES * 2),
        "Let them eat cake",
        "From Kabul to Kyiv: a year, 2024",
        "Opinion: go",
    ]
    lines += ["2024-03-27 08:41:00 Warning of a storm"] * 2
    assert len(load("\n".join(lines).encode(), "a.txt")) == len(lines)
    assert load(b"Import duties rise\nVar decides a final\n", "a.txt").texts[0] == "Import duties rise"


def as_lines(made):
    return "\n".join(map(json.dumps, made)).encode()


@pytest.mark.parametrize(
    ("make", "published"),
    [
        (lambda title, outlet, day, link: {
            "text": title, "meta": {"date": day, "source": outlet}, "_timestamp": 1710000000, "_annotator_id": "ada"}, True),
        (lambda title, outlet, day, link: {
            "WorkerId": "A1", "AcceptTime": "2024-06-01 10:00", "SubmitTime": "2024-06-01 10:02", "headline": title}, False),
        (lambda title, outlet, day, link: {
            "id": 4, "title": title, "annotator": 2, "created_at": "2024-06-01T10:00:00Z", "lead_time": 4.2}, False),
        (lambda title, outlet, day, link: {"title": title, "_last_judgment_at": "2024-06-01 10:02:12"}, False),
    ],
    ids=["prodigy", "mturk", "label studio", "appen"],
)  # fmt: skip
def test_when_somebody_labelled_a_headline_is_no_publication_without_a_word(make, published):
    timeline = load(as_lines(rows(make)), "answers.jsonl")
    assert timeline.texts == TITLES
    warned = any("may say when" in note for note in timeline.report.notes)
    assert warned is not published
    assert not any("lead_time" in note for note in timeline.report.notes)
    if published:
        assert first_of(timeline)["published"] == DAYS[0]


def test_groups_of_topics_and_events_in_other_languages_are_gold():
    for name in ("topic_id", "Ereignis", "Événement", "Wydarzenie"):
        made = [
            {name: at // 2, "title": title} for at, title in enumerate([*TITLES, "Storm closes the harbour"])
        ]
        assert load(as_lines(made), "groups.jsonl").table["gold_group"].nunique() == 2


def test_an_answer_that_says_an_error_is_no_headline():
    refused = {"status": "error", "code": "rateLimited", "message": "You have made too many requests today."}
    with pytest.raises(InputError):
        load(json.dumps(refused).encode(), "answer.json")
    assert (
        load(json.dumps({"headline": TITLES[0], "status": "live"}).encode(), "one.json").texts == TITLES[:1]
    )
