"""Lists, headers, sheets and encodings as desks, libraries, studies and classes write them."""

import json
import re
from datetime import UTC, datetime

import pytest

from core.data.timelines.dates import parse_column
from core.data.timelines.load import load
from core.errors import InputError
from tests.unit.data.timelines import source_samples
from tests.unit.data.timelines.test_columns_and_sheets import workbook

TITLES = [
    "Fire guts historic theatre in Oakhaven",
    "Nurses vote to accept five percent pay deal",
    "2. Liga: Oakhaven wins at last – and stays",
    "Court halts demolition of Brandt cement works",
    "Two rescued from Velden avalanche after nine hours",
]
OUTLETS = ["The Oakhaven Echo", "Northern Star", "Maren Mail", "The Guardian", "Daily Chronicle"]
DAYS = [f"2025-11-0{day}" for day in range(1, 6)]
WORDED = [f"{day} November 2025" for day in range(1, 6)]
URLS = [f"https://news{at}.example/2025/story-{at}" for at in range(5)]
ROWS = list(zip(TITLES, OUTLETS, DAYS, WORDED, URLS, strict=True))


def loaded(text, name="a.txt"):
    return load(text.encode() if isinstance(text, str) else text, name)


def days(timeline):
    return [str(day)[:10] for day in timeline.table["published"]]


LISTS = {
    "stories": "The Harbor Brief\n\nFriday, November 7, 2025\n\nGood morning! Rain before noon.\n\n"
    + "".join(
        f"** {title}\n{'-' * 60}\nOur reporter saw it.\n\nRead more (https://a.example/c)\n\n"
        for title in TITLES
    )
    + "** Forward to a friend (https://a.example/f)\n",
    "undated references": "REVUE DE PRESSE\n\nLOCAL\n"
    + "".join(f"« {title} », {outlet}, p. 4\n" for title, outlet, *_ in ROWS),
    "behind": "Fire notes\n" + "".join(f"{title} – {outlet}, {day}\n" for title, outlet, _, day, _ in ROWS),
    "quoted": "REVUE DE PRESSE DU SAMEDI 1 NOVEMBRE 2025\nDiffusion restreinte\n\nMOBILITÉ\n\n"
    + "".join(f"« {title} » ({outlet}, p. 1 et 4)\n" for title, outlet, *_ in ROWS)
    + "\nBonne lecture,\nLa cellule\nà demain\n",
    "report": 'Coverage of "Fires" (embargo lifted)\n\nNational\n'
    + "".join(f"• {title} ({outlet}, print only) {url}\n" for title, outlet, *_, url in ROWS)
    + "\n5 pieces in total. Thanks all!\n",
    "blanks": "SAME STORY OR DIFFERENT?\nName: ________\nWrite a letter beside each.\n"
    + "".join(f"{at + 1}. {title} ______\n" for at, title in enumerate(TITLES)),
    "wire": "Top News > Materials > Brandt (BRA.OL)\n"
    + "".join(f"07:4{at}:11 0{at + 1}-Nov-2025  RTRS - {row[0]}\n" for at, row in enumerate(ROWS)),
    "teletext": " 110  Text   Sa 01.11.25 07:42:11\n\n Home\n"
    + "".join(f" {row[0]} {'.' * (4 + at)} 11{at}\n" for at, row in enumerate(ROWS))
    + "\n Weather 170   Sport 200\n",
    "references": "REVIEW OF THE PRESS\n\n"
    + "".join(f"« {title} », {outlet}, {day}, p. 4.\n" for title, outlet, _, day, _ in ROWS),
    "answer": "Sure! Here are five headlines:\n\n"
    + "".join(
        f"{at + 1}. **{title}** – *{outlet}* ({day}) ([a.example][{at + 1}])\n"
        for at, (title, outlet, _, day, _) in enumerate(ROWS)
    )
    + "\nLet me know if you want more!\n\n"
    + "".join(f'[{at + 1}]: {url} "{title}"\n' for at, (title, *_, url) in enumerate(ROWS)),
    "digest": "# Harbour digest\n\nGood morning, here is what matters.\n\n"
    + "".join(f"## {day}\n\n- **{title}** ({outlet}, p. 3)\n\n" for title, outlet, _, day, _ in ROWS)
    + "*Reply STOP to leave.*\n",
    "worksheet": "Year 9            Name: ________\n\nTask 1. Read the headlines. Underline every verb.\n\n"
    + "".join(f"{at + 1}) {row[0]} ({row[1]}, {row[3]})\n" for at, row in enumerate(ROWS))
    + "\nHomework: write your own headline.\n",
    "letter": "The Early Edition\n\nGood morning! Forward this to a friend.\n\n"
    + "".join(f"• {title} ({outlet})\nWhat our reporter saw.\n→ Read more\n\n" for title, outlet, *_ in ROWS)
    + "— A MESSAGE FROM OUR SPONSOR —\n\nSleep better tonight\n",
    "papers": "TOMORROW'S FRONT PAGES\n\n" + "".join(f"{outlet} – {title}\n" for title, outlet, *_ in ROWS),
}


@pytest.mark.parametrize("name", LISTS)
def test_lines_of_a_list_that_are_written_alike_are_its_headlines(name):
    timeline = loaded(LISTS[name])
    assert timeline.texts == TITLES
    if name not in {"wire", "teletext", "blanks", "stories"}:
        assert timeline.publishers == OUTLETS
    if name in {"wire", "references", "answer", "digest", "worksheet", "behind"}:
        assert days(timeline) == DAYS
    if name == "quoted":
        assert set(days(timeline)) == {DAYS[0]}
    if name in {"answer", "report"}:
        assert list(timeline.table["url"]) == URLS


def test_a_line_that_is_written_otherwise_is_listed_and_with_the_mark_of_the_others_a_headline():
    bare = "Mayor of Oakhaven resigns after the fire"
    listed = "".join(f"• {title} ({outlet})\n" for title, outlet, *_ in 2 * ROWS)
    timeline = loaded(f"{listed}{bare}\n")
    assert timeline.texts == 2 * TITLES
    assert [row.value for row in timeline.report.rejected] == [bare]
    assert loaded(f"{listed}• {bare}\n").texts == [*2 * TITLES, bare]
    some = [f"{title} ({outlet})" if at % 2 else title for at, (title, outlet, *_) in enumerate(ROWS)]
    assert len(loaded("\n".join(some))) == len(ROWS)


def test_titles_below_their_ranks_are_read_without_the_menu():
    ranked = "".join(f"{at}\n{title}\n" for at, title in enumerate(TITLES, 1))
    timeline = loaded(f"Most read\n{ranked}\nHome\nSport\nPrivacy Policy\n")
    assert timeline.texts == TITLES


def test_of_a_chat_that_passes_links_on_the_talk_is_no_headline():
    messages = [f"[1{at}/11/2025 09:12] Tom Lind\n{row[0]}\n{row[4]}\n" for at, row in enumerate(ROWS)]
    talk = "[15/11/2025 09:13] Moira Tate\nthanks, on to the coastguard now\n"
    timeline = loaded("\n".join([messages[0], talk, *messages[1:]]))
    assert (timeline.texts, list(timeline.table["url"])) == (TITLES, URLS)
    assert days(timeline)[0] == "2025-11-10"


def test_a_table_of_markdown_stands_among_text():
    rows = "".join(
        f"| {at} | {title} \\| live | *{outlet}* |\n" for at, (title, outlet, *_) in enumerate(ROWS)
    )
    head = "# Real or fake?\n\nVote with your cards.\n\n| No. | Headline | Where we saw it |\n|:-:|:--|--:|\n"
    timeline = loaded(f"{head}{rows}\nSources: seen in May 2025.\n", "a.md")
    assert (timeline.texts, timeline.publishers) == ([f"{title} | live" for title in TITLES], OUTLETS)


def test_cards_with_remarks_above_and_one_help_text_are_read():
    help_text = "Say it in one whole sentence, with a and the."
    cards = "".join(f"{title}\t{outlet}\t{help_text}\n" for title, outlet, *_ in ROWS)
    timeline = loaded(f"#separator:tab\n#html:true\n#deck:English\n{cards}")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_days_that_would_lie_in_the_future_decide_the_order_of_day_and_month():
    now = datetime(2026, 11, 27, tzinfo=UTC)
    read = parse_column(["12/03/2026"], now=now), parse_column(["03/12/2026"], now=now)
    assert {str(dates.published[0])[:10] for dates in read} == {"2026-03-12"}


def survey(questions, *rows):
    lines = [",".join(f"Q{at}" for at in range(len(questions))), ",".join(questions)]
    lines.append(",".join(f'"{{""ImportId"": ""QID{at}""}}"' for at in range(len(questions))))
    return "\n".join([*lines, *(",".join(row) for row in rows)])


def test_names_of_columns_over_several_lines_and_questions_of_forms_are_names():
    asked = ["Please paste the headline", "Which newspaper is it from?", "When was it published?", "Why?"]
    rows = [(title, outlet, day, "It names people.") for title, outlet, day, *_ in ROWS]
    form = loaded(survey(asked, *rows), "a.csv")
    assert (form.texts, form.publishers, days(form)) == (TITLES, OUTLETS, DAYS)
    head = [["Article", None, None], ["Titular", "Medio", "Fecha"], ["v01", "v02", "v03"]]
    coded = loaded(workbook({"Matriz": [*head, *([*row[:2], row[2]] for row in ROWS)]}), "a.xlsx")
    assert (coded.texts, coded.publishers, days(coded)) == (TITLES, OUTLETS, DAYS)


def test_the_sheet_with_headlines_is_read_where_a_list_of_media_is_fuller():
    media = [["Titel", "Verlag"], *([f"Kieler Bote {at}", "Bote GmbH"] for at in range(20))]
    clips = [
        ["Nr.", "Datum", "Medium", "Schlagzeile"],
        *([at, row[2], row[1], row[0]] for at, row in enumerate(ROWS)),
    ]
    timeline = loaded(workbook({"Medienliste": media, "Clippings": clips}), "a.xlsx")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)
    assert any("Medienliste" in note for note in timeline.report.notes)


def test_outlets_down_and_days_across_are_read_below_a_title():
    head = ["Outlet", *(f"Mon {day} March 2026" for day in (9, 10, 11))]
    cells = [[outlet, *(f"{title} {at}" for at in range(3))] for title, outlet, *_ in ROWS]
    timeline = loaded(workbook({"Pages": [["What led the news? Class 9b"], head, *cells]}), "a.xlsx")
    assert len(timeline) == 15
    assert set(days(timeline)) == {"2026-03-09", "2026-03-10", "2026-03-11"}


def test_letters_of_an_old_mac_and_days_in_four_columns_are_read():
    rows = "".join(
        f"2004|3|1{at}|7:42|El Litoral|Adjudican el muelle a una española {at}\r" for at in range(5)
    )
    timeline = loaded(f"año|mes|día|hora|diario|titular\r{rows}".encode("mac-roman"))
    assert timeline.texts[0] == "Adjudican el muelle a una española 0"
    assert str(timeline.table["published"][0])[:16] == "2004-03-10 07:42"


def test_an_alert_is_no_outlet_and_its_links_lead_to_the_sites():
    entries = "".join(
        f"<entry><id>{at}</id><title>{row[0]}</title><published>{row[2]}T06:00:00Z</published>"
        f'<link href="https://www.google.com/url?rct=j&amp;url={row[4]}&amp;ct=ga"/></entry>'
        for at, row in enumerate(ROWS)
    )
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Google Alert – fire</title>{entries}</feed>'
    timeline = loaded(feed, "a.xml")
    assert list(timeline.table["url"]) == URLS
    assert timeline.publishers == [f"news{at}.example" for at in range(5)]


@pytest.mark.parametrize("provider", ["<provider><name>{}</name></provider>", '<provider literal="{}"/>'])
def test_items_of_a_news_agency_are_read(provider):
    items = "".join(
        f'<newsItem guid="urn:{at}"><itemMeta>{provider.format(outlet)}'
        f"<firstCreated>{day}T06:10:00Z</firstCreated><title>ABC{at} 5 WI</title></itemMeta>"
        f"<contentMeta><headline>{title}</headline></contentMeta></newsItem>"
        for at, (title, outlet, day, *_) in enumerate(ROWS)
    )
    message = (
        f'<newsMessage xmlns="http://iptc.org/std/nar/2006-10-01/"><itemSet>{items}</itemSet></newsMessage>'
    )
    timeline = loaded(message, "a.xml")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)


def test_a_column_with_the_names_of_the_sites_has_the_outlets():
    rows = [
        {
            "Headline": title,
            "Where": outlet,
            "Link": f"https://www.{outlet.lower().replace(' ', '')}.example/{at}",
        }
        for at, (title, outlet, *_) in enumerate(ROWS)
    ]
    rows[4] = {**rows[4], "Where": "Sunday Packet", "Link": ""}
    assert loaded(json.dumps(rows), "a.json").publishers == [*OUTLETS[:4], "Sunday Packet"]


def test_an_empty_column_of_publishers_gives_way_to_that_of_publications():
    rows = [
        {"Title": title, "Publication Title": outlet, "Publisher": "", "Date": day}
        for title, outlet, day, *_ in ROWS
    ]
    assert loaded(json.dumps(rows), "a.json").publishers == OUTLETS


def test_names_of_fields_of_a_search_engine_and_cards_with_outlet_and_day_in_one_cell_are_read():
    found = [
        {"id": "a", "title_txt_es": [row[0]], "source_name_s": row[1], "pub_date_dt": row[2]} for row in ROWS
    ]
    answer = {"responseHeader": {"status": 0}, "response": {"numFound": 5, "docs": found}}
    timeline = loaded(json.dumps(answer), "a.json")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)
    cards = "".join(f"{title}\t{outlet}, {day}\n" for title, outlet, _, day, _ in ROWS)
    assert days(loaded(cards)) == DAYS


def test_papers_across_below_an_empty_corner_codes_above_labels_and_sums_of_months_are_read():
    grid = [["", *OUTLETS[:3]], *([day, *(f"{title} {at}" for at in range(3))] for title, _, day, *_ in ROWS)]
    timeline = loaded(workbook({"A": grid}), "a.xlsx")
    assert len(timeline) == 15
    assert set(timeline.publishers) == set(OUTLETS[:3])
    head = [["V1", "V2", "V3"], ["Publication date", "Newspaper", "Headline as printed"]]
    coded = loaded(workbook({"Coding": [*head, *([row[2], row[1], row[0]] for row in ROWS)]}), "a.xlsx")
    assert (coded.texts, coded.publishers, days(coded)) == (TITLES, OUTLETS, DAYS)
    months = {
        month: [
            ["Piece", "Outlet", "Reach"],
            *([*row[:2], at] for at, row in enumerate(ROWS)),
            ["TOTAL", None, 9],
        ]
        for month in ("January", "February")
    }
    assert loaded(workbook(months), "a.xlsx").texts == 2 * TITLES


def test_days_of_other_weeks_and_of_pages_are_read_and_those_of_reports_are_meant():
    feed = "".join(
        f"<item><title>{row[0]}</title><pubDate>{name}, 0{at + 1} Nov 2025 09:00:00 +0300</pubDate></item>"
        for at, (row, name) in enumerate(zip(ROWS, ("Cmt", "Paz", "Pzt", "Sal", "Çar"), strict=True))
    )
    assert days(loaded(f"<rss><channel><title>Haber</title>{feed}</channel></rss>", "a.rss")) == DAYS
    page = [
        {
            "title": row[0],
            "created": f'<time datetime="{row[2]}T18:40:00+02:00" class="x">11/03 - 18:40</time>\n',
        }
        for row in ROWS
    ]
    assert days(loaded(json.dumps(page), "a.json")) == DAYS
    rows = [
        {
            "Date of incident": "2025-10-09",
            "Date reported": row[2],
            "Added on": "2025-12-01",
            "Headline": row[0],
        }
        for row in ROWS
    ]
    assert days(loaded(json.dumps(rows), "a.json")) == DAYS


def test_names_of_newspapers_with_an_article_are_outlets_above_their_headlines():
    papers = ["De Telegraaf", "AD", "de Volkskrant"]
    cells = [[day, *(f"{title} {at}" for at in range(3))] for title, _, day, *_ in ROWS]
    timeline = loaded(workbook({"A": [["Datum", *papers], *cells]}), "a.xlsx")
    assert set(timeline.publishers) == set(papers)
    assert len(timeline) == 15


def test_an_alert_in_portuguese_is_read_without_its_head():
    stories = "".join(
        f"{title}\n{outlet}\nO movimento aumentou face ao ano passado e a administração ...\n<{url}>\n"
        "Sinalizar como irrelevante\n\n"
        for title, outlet, *_, url in ROWS
    )
    head = "Google Alertas\n\nporto\nAtualização diária ⋅ 12 de março de 2026\n\nNOTÍCIAS\n\n"
    timeline = loaded(f"{head}{stories}Ver mais resultados\nEditar este alerta\n")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_records_of_another_table_and_a_line_of_rights_are_no_outlets_and_headlines():
    records = [
        {"Headline": title, "Outlet": [f"rec9SEAx{at}z12345"], "Outlet name (lookup)": [outlet]}
        for at, (title, outlet, *_) in enumerate(ROWS)
    ]
    assert (
        loaded(json.dumps({"records": [{"fields": row} for row in records]}), "a.json").publishers == OUTLETS
    )
    table = "title,outlet\n" + "".join(f"{row[0]},{row[1]}\n" for row in ROWS)
    timeline = loaded(
        f"{table}Copyright © 2026 ProQuest LLC. All rights reserved. Terms: https://a.example/x,\n", "a.csv"
    )
    assert timeline.texts == TITLES
    assert len(timeline.report.rejected) == 1


def test_a_title_that_ends_in_its_own_outlet_is_cut_even_if_no_other_does():
    rows = [{"title": title, "source": outlet} for title, outlet, *_ in ROWS]
    rows[1]["title"] += " - Northern Star"
    rows[3]["title"] += " – minister"
    timeline = loaded(json.dumps(rows), "a.json")
    assert timeline.texts == [*TITLES[:3], f"{TITLES[3]} – minister", TITLES[4]]


def test_an_index_of_captures_is_refused_by_name():
    index = "".join(
        f"com,a)/story-{at} 20260310074200 {url} text/html 200 ABC 180\n" for at, url in enumerate(URLS)
    )
    with pytest.raises(InputError) as refused:
        loaded(f" CDX N b a m s k S\n{index}")
    assert re.search("CDX", refused.value.message)


def test_what_stands_around_a_list_in_a_mail_or_below_the_name_of_a_digest_is_no_headline():
    listed = "\n".join(f"* {title}" for title in TITLES)
    mail = loaded(f"Back page options for Saturday, can you shout by five\n\n{listed}\n\nCheers\nTom\n")
    assert mail.texts == TITLES
    found = "".join(
        f"{title}\n{outlet} | Norway | {day} | Reach 4M\nA first sentence …\nRead more | Share\n\n"
        for title, outlet, _, day, _ in ROWS
    )
    digest = loaded(f"Your Morning Report\nClean Rivers Now | 11 March 2026 | 5 results\n\n{found}")
    assert digest.texts == TITLES
    assert digest.publishers == OUTLETS


def test_tags_behind_the_outlets_of_notes_are_no_part_of_them():
    notes = "# Water\n\n" + "\n".join(f"- [{t}]({u}) — *{o}* #followup" for t, o, _, _, u in ROWS)
    assert loaded(notes, "Water.md").publishers == OUTLETS


def test_titles_that_stand_in_one_of_two_columns_are_one_column():
    rows = [f"{o};{t};" if at % 2 else f"{o};;{t}" for at, (t, o, *_) in enumerate(ROWS)]
    timeline = loaded("\n".join(["Medium;Titre FR;Titel NL", *rows]), "a.csv")
    assert timeline.texts == TITLES
    assert not timeline.report.rejected
    assert "Titel NL" in timeline.report.notes[0]


def test_lists_of_messages_and_of_results_give_days_and_outlets_and_no_codes():
    found = "\n\n".join(
        f"{at}.\n{t}\n{o}, 05:0{at}, {day}, 400 words, By Staff Writer\nA lead ...\nDocument XXXX0000{at}"
        for at, (t, o, _, day, _) in enumerate(ROWS, 1)
    )
    factiva = loaded(f"Factiva\n\nResults Found   5\n\nHeadlines\n\n{found}\n")
    assert (factiva.texts, factiva.publishers, days(factiva)) == (TITLES, OUTLETS, DAYS)
    rows = "\n".join(f"0{at}.11.2025 14:5{at}\tbdt041{at}\t3\tpl\t{t}" for at, t in enumerate(TITLES, 1))
    wire = loaded(f"Basisdienst – Stand: 05.11.2025 15:00 Uhr\n\n{rows}\n")
    assert (wire.texts, wire.publishers, days(wire)) == (TITLES, [None] * 5, DAYS)
    assert [row.line for row in wire.report.rejected] == [1]


def test_a_mail_s_head_in_spanish_is_no_headline():
    alert = "".join(f"{t}\n{o}\nLos portavoces explicaron ...\n<{u}>\n\n" for t, o, _, _, u in ROWS)
    head = "De: Alertas de Google <a@b.example>\nPara: yo@b.example\nFecha: 11 feb 2026\nAsunto: vivienda\n\n"
    assert loaded(head + alert).texts == TITLES


def test_sheets_of_months_are_read_beside_a_fuller_sheet_of_remarks():
    remarks = [["Revue de presse 2026"], ["Mise à jour le 30/04/2026"], *[["Ne pas modifier les titres"]] * 5]
    head = ["Jour", "Média", "Titre de l’article"]
    months = [[head, *([day, o, t] for t, o, day, *_ in ROWS[part])] for part in (slice(2), slice(2, 5))]
    timeline = loaded(workbook({"Lisez-moi": remarks, "Février": months[0], "Mars": months[1]}), "a.xlsx")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)


def test_polish_days_and_an_outlet_that_ends_its_own_title_are_read():
    cells = [f"{TITLES[0]} - NPR;NPR", *(f"{title};Onet" for title in TITLES[1:])]
    rows = [f"{told};{at} listopada 2025 r." for at, told in enumerate(cells, 1)]
    timeline = loaded("\n".join(["Tytuł;Źródło;Data publikacji", *rows]), "a.csv")
    assert (timeline.texts, days(timeline)) == (TITLES, DAYS)


def test_swedish_names_and_an_outlet_s_column_of_one_s_own_are_found():
    rows = [
        {
            "id": str(at),
            "createdTime": "2026-07-30T11:22:33Z",
            "fields": {"Rubrik": t, "Källa": o, "Publicerad": d},
        }
        for at, (t, o, d, *_) in enumerate(ROWS)
    ]
    timeline = loaded(json.dumps({"records": rows}), "a.json")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)
    name, text = source_samples.SAMPLES["webscraper"]
    renamed = load(text.replace(",source", ",medio", 1).encode(), name)
    assert renamed.publishers == list(source_samples.OUTLETS)


def test_years_of_eras_names_of_papers_and_credits_are_read():
    days_of = ["令和7年11月1日", "R7.11.2", "令和7年11月3日", "民國114年11月4日", "R7.11.5"]
    rows = "\n".join(f"{day},{o},{t}" for day, (t, o, *_) in zip(days_of, ROWS, strict=True))
    timeline = loaded(f"掲載日,紙名,見出し\n{rows}\n", "a.csv")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)
    wires = [
        {"headline": t, "kicker": "Unglück", "creditline": o, "version_created": d} for t, o, d, *_ in ROWS
    ]
    assert loaded(json.dumps({"entries": wires}), "a.json").publishers == OUTLETS


def test_bold_titles_of_a_chat_and_the_head_of_a_press_review_are_read():
    chat = "\n".join(f"0{at}/11/2025 09:40 - Ana: *{t}*\n{u}" for at, (t, *_, u) in enumerate(ROWS, 1))
    assert loaded(chat + "\n").texts == TITLES
    review = "".join(f"{at}. {t}\n    {o}, 0{at}.11.2025, S. 14\n" for at, (t, o, *_) in enumerate(ROWS, 1))
    timeline = loaded(f"PRESSESPIEGEL\nStadt · Referat Öffentlichkeit\nMittwoch, 6. Mai 2026\n\n{review}")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)


@pytest.mark.parametrize("mark", ["{}、", "{}．", "①②③④⑤", "一、二、三、四、五、", "・"])
def test_numbers_and_outlets_of_chinese_and_japanese_lists_are_no_words_of_headlines(mark):
    titles = [
        "台风登陆台东 花莲撤离八千人",
        "花莲光复乡再淹水 居民有预警",
        "台铁东部干线今日全线停驶",
        "3死51伤 台风减弱为热带低压",
        "卓荣泰视察灾区堰塞湖稳定",
    ]
    outlets = ["联合新闻网", "中央社", "自由时报", "澎湃新闻", "联合早报"]
    marks = mark.split("、") if "二" in mark else list(mark)
    numbers = [
        mark.format(at + 1) if "{" in mark else marks[at % len(marks)] + "、" * ("二" in mark)
        for at in range(5)
    ]
    lines = (f"{n}{title}（{outlet}）" for n, title, outlet in zip(numbers, titles, outlets, strict=True))
    head = "今日简报" if mark == "・" else "今日简报（台风）"
    timeline = loaded(f"{head}\n\n" + "\n".join(lines) + "\n\n（完）\n")
    assert (timeline.texts, timeline.publishers) == (titles, outlets)


@pytest.mark.parametrize("header", ["data,titolo,pag.", "date,headline,page"])
def test_a_sheet_for_each_newspaper_is_one_timeline_and_copies_of_one_sheet_are_not(header):
    def of(names, titles):
        sheets = {
            name: [header.split(","), *([day, title, 1] for title, day in rows)]
            for name, rows in zip(names, titles, strict=True)
        }
        return load(workbook(sheets | {"note": [["By the press office"]]}), "a.xlsx")

    rows = list(zip(TITLES, DAYS, strict=True))
    timeline = of(("Corriere", "la Repubblica"), (rows[:2], rows[2:]))
    assert (timeline.texts, timeline.publishers) == (TITLES, ["Corriere"] * 2 + ["la Repubblica"] * 3)
    assert days(timeline) == DAYS
    assert of(("Corriere", "Corriere checked"), (rows[:3], rows[:3])).texts == TITLES[:3]
    alone = of(("Corriere",), (rows,))
    assert (alone.texts, alone.publishers) == (TITLES, [None] * 5)


def test_the_words_of_a_link_that_never_differ_are_no_headlines_and_dutch_days_are_read():
    head = '"web-scraper-order","web-scraper-start-url","artikel","artikel-href","kop","datum"\n'
    rows = "".join(
        f'"17-{at}","https://o.example","Lees meer","{url}","{title}","{day} {15 + at} nov 2026, 07:14"\n'
        for at, (title, url, day) in enumerate(zip(TITLES, URLS, ("zo", "ma", "di", "wo", "do"), strict=True))
    )
    timeline = loaded(head + rows, "a.csv")
    assert timeline.texts == TITLES
    assert days(timeline) == [f"2026-11-{15 + at}" for at in range(5)]


def test_the_name_alone_above_an_alert_is_no_headline():
    blocks = "".join(
        f"{title}\n{outlet}\nOnly the beginning of the text ...\n<https://www.google.com/url?rct=j&url={url}>\n\n"
        for title, outlet, _, _, url in ROWS
    )
    head = "Google Alerts <alerts@mail.example>\nTo: kim@mail.example\n"
    head += 'Date: 14 November 2026 at 09:02\nSubject: Google Alert - "rail"\n\nGoogle\n"rail"\nNEWS\n\n'
    assert loaded(head + blocks, "a.txt").texts == TITLES


def test_an_entry_without_source_loses_its_outlet_where_the_other_titles_end_in_theirs():
    entries = "".join(
        f"<item><title>{title} - {outlet}</title>{f'<source>{outlet}</source>' * (at != 3)}</item>"
        for at, (title, outlet, *_) in enumerate(ROWS)
    )
    feed = '<rss version="2.0"><channel><title>"fire" - News</title>{}</channel></rss>'
    timeline = loaded(feed.format(entries), "a.xml")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)
    sourceless = re.sub(r"<source>.*?</source>", "", entries)
    assert loaded(feed.format(sourceless + "<item><title>Rain - and wind</title></item>"), "a.xml").texts[
        -1
    ] == ("Rain - and wind")


def test_sections_between_sums_are_no_headlines_and_a_press_organ_is_an_outlet():
    rows = [["Revista de imprensa", None, None], ["Título", "Órgão", "Data"]]
    for part, first in (("POLÍTICA", 0), ("ECONOMIA", 2), ("DESPORTO", 4)):
        told = [[*row[:3]] for row in ROWS[first : first + 2]]
        rows += [[f"--- {part} ---", None, None], *told, [f"Subtotal: {len(told)} notícias", None, None]]
    timeline = load(workbook({"Clipping": [*rows, ["Total: 5 notícias", None, None]]}), "a.xlsx")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)


def test_an_alert_as_a_mail_program_prints_it_is_read():
    blocks = "".join(
        f"{title}\n{outlet}\nThe beginning of the text goes over\ntwo lines ...\n"
        f"<https://www.google.com/url?rct=j&url={url}>\n{'Full Coverage' * (at % 2)}\nFlag as irrelevant\n\n"
        for at, (title, outlet, _, _, url) in enumerate(ROWS)
    )
    head = "Google Alerts <alerts@mail.example>\tMon, Nov 23, 2026 at 8:03 AM\nTo: kim@mail.example\n"
    head += "\nGoogle\n\nferries\n"
    foot = "See more results <https://a.example/s> | Edit this alert <https://a.example/e>\n"
    foot += "\nUnsubscribe <https://a.example/r>\n"
    timeline = loaded(f"{head}Daily update ⋅ November 23, 2026\n\nNEWS\n\n{blocks}{foot}")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_days_with_blanks_behind_their_points_are_read():
    rows = "".join(f"{title};{day}. 3. 2026 6:0{day}\n" for day, title in enumerate(TITLES, 1))
    timeline = loaded("nadpis;datum\n" + rows, "a.csv")
    assert [f"{when:%m-%d %H:%M}" for when in timeline.table["published"]] == [
        f"03-0{day} 06:0{day}" for day in range(1, 6)
    ]


def test_an_alert_in_any_language_is_its_paragraphs_that_lead_through_the_search_engine():
    alert = "".join(
        f"{title}\n{outlet}\nLe mouvement touche plusieurs\nservices ...\n"
        f"<https://www.google.com/url?rct=j&url={url}>\nSignaler\n<https://www.google.com/alerts/feedback?x>\n\n"
        for title, outlet, _, _, url in ROWS
    )
    timeline = loaded(f"Google Alertes\n\nhôpital public\nMise à jour ⋅ 3 mars 2026\n\n{alert}Voir plus\n")
    assert (timeline.texts, timeline.publishers, timeline.table["url"].tolist()) == (TITLES, OUTLETS, URLS)


def test_titles_that_a_search_engine_s_feed_handed_on_end_in_their_outlets():
    items = [
        {"title": f"{title} - {outlet}" if at < 2 else title, "origin": {"title": feed}}
        for at, (title, outlet, feed) in enumerate(
            zip(TITLES, OUTLETS, ['"yangın" - Google Haberler'] * 2 + OUTLETS[2:], strict=True)
        )
    ]
    timeline = loaded(json.dumps({"id": "user/1", "items": items}), "a.json")
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)


def test_a_line_of_rights_beside_a_count_and_a_danish_sum_are_no_headlines():
    rows = "".join(f"{at};{title};{outlet};{day}\n" for at, (title, outlet, day, *_) in enumerate(ROWS, 1))
    timeline = loaded(f"Nr.;Titel;Quelle;Datum\n{rows}5 Dokumente;© Wirtschaftsdatenbank GmbH\n", "a.csv")
    assert timeline.texts == TITLES
    sheets = {
        name: [
            ["Dato", "Overskrift"],
            *([day, title] for title, _, day, *_ in told),
            [None, f"I alt: {len(told)}"],
        ]
        for name, told in (("Politiken", ROWS[:3]), ("Berlingske", ROWS[3:]))
    }
    assert load(workbook(sheets), "a.xlsx").texts == TITLES


def test_tabs_part_more_cells_than_the_commas_inside_them():
    row = "2026031012300{0}-1\t20260310123000\t1\tpost.example\t{1}" + "\t" * 11 + "a,b,c,d,e,f,g,h,i,j,k,l\t"
    row += "m,n,o,p,q,r,s,t,u\t" + "\t" * 8 + "\t<PAGE_TITLE>{2}</PAGE_TITLE>\n"
    text = "".join(row.format(at, url, title) for at, (title, _, _, _, url) in enumerate(ROWS))
    assert loaded(text, "20260310123000.gkg.csv").texts == TITLES


def test_where_all_titles_end_in_outlets_one_that_is_called_otherwise_is_cut_as_well():
    told = [*zip(TITLES, OUTLETS, OUTLETS, strict=True), ("Crane falls on ship", "NU.nl", "NU.nl")]
    told += [
        ("Ships rerouted after the fall", "Splash247.com", "Splash247"),
        ("Kran stürzt", "DER SPIEGEL", "Spiegel Online"),
    ]
    articles = [
        {
            "source": {"id": None, "name": name},
            "title": f"{title} - {end}",
            "url": f"https://news.google.com/{at}",
            "publishedAt": "2026-01-01T00:00:00Z",
        }
        for at, (title, end, name) in enumerate(told)
    ]
    timeline = loaded(json.dumps({"status": "ok", "totalResults": 8, "articles": articles}), "a.json")
    assert timeline.texts == [title for title, *_ in told]
    assert timeline.publishers == [name for *_, name in told]


def test_an_edition_behind_a_day_a_zone_of_africa_and_a_cell_of_mysql_without_value_are_read():
    rows = f"{TITLES[0]}\tMay 4, 2026 Monday Edition 1; National\t\\N\n"
    rows += f"{TITLES[1]}\tTue, 10 Mar 2026 06:15:00 EAT\twww.post.example\n"
    timeline = loaded("headline\tdate\toutlet\n" + rows, "a.tsv")
    assert [str(when)[:16] for when in timeline.table["published"]] == [
        "2026-05-04 00:00",
        "2026-03-10 03:15",
    ]
    assert timeline.publishers == [None, "post.example"]


def test_an_article_of_a_reader_without_title_has_the_beginning_of_its_text():
    items = [
        {
            "fingerprint": str(at),
            "originId": url,
            "published": 1772000000000,
            "crawled": 1772000000001,
            "title": title,
            "origin": {"title": "Post"},
        }
        for at, (title, *_, url) in enumerate(ROWS)
    ]
    items.append(
        {**items[0], "title": None, "summary": {"content": "<p>Boil your water. More tomorrow.</p>"}}
    )
    assert loaded(json.dumps({"id": "x", "items": items}), "a.json").texts == [
        *TITLES,
        "Boil your water. More tomorrow.",
    ]


def test_a_part_that_a_table_of_parts_has_not_is_no_other_part():
    rows = "".join(
        f"{title},https://www.post.example/{at},{day}T06:00:00Z,News,{'What it means' * (at % 2)}\n"
        for at, (title, _, day, *_) in enumerate(ROWS)
    )
    head = "webTitle,webUrl,webPublicationDate,sectionName,fields.trailText\n"
    timeline = loaded(head + rows, "a.csv")
    assert (timeline.texts, set(timeline.publishers)) == (TITLES, {"post.example"})
    assert not any(timeline.table["body"].notna())


def test_a_sum_in_words_and_a_dutch_month_for_short_are_read():
    rows = "".join(f"{title};{day} mrt. 2026 07:20\n" for day, title in enumerate(TITLES, 1))
    ended = "End of story;6 mrt. 2026\nEnd;6 mrt. 2026\n"
    assert loaded(f"kop;datum\n{rows}{ended}", "a.csv").texts == [*TITLES, "End of story", "End"]
    timeline = loaded(f"kop;datum\n{rows}End of results: 5 documents;\n", "a.csv")
    assert (timeline.texts, days(timeline)) == (TITLES, [f"2026-03-0{day}" for day in range(1, 6)])


def test_a_cell_that_ends_at_the_beginning_of_a_line_ends_there():
    rows = "".join(
        f'"{at}","  {title}\n","{day}","{outlet}"\r\n' for at, (title, outlet, day, *_) in enumerate(ROWS)
    )
    timeline = loaded('"n","cim","datum","forrás"\r\n' + rows, "a.csv")
    assert (timeline.texts, timeline.publishers, days(timeline)) == (TITLES, OUTLETS, DAYS)


def test_days_between_numbered_lines_are_read_with_weekdays_of_any_language():
    lines = [f"{at}. {title} ({outlet})" for at, (title, outlet, *_) in enumerate(ROWS, 1)]
    lines[3:3] = ["", "Thứ Ba, 04/11/2025"]
    text = "\n".join(["Điểm tin báo chí tuần 14", "", "Thứ Hai, 03/11/2025", *lines, "", "Tổng cộng: 5 tin"])
    timeline = loaded(text)
    assert (timeline.texts, timeline.publishers) == (TITLES, OUTLETS)
    assert days(timeline) == ["2025-11-03"] * 3 + ["2025-11-04"] * 2
