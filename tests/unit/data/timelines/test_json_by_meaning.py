"""JSON of many shapes: what a value says, and where the rows are."""

import json
from datetime import datetime

import pytest

from core.data.articles.article_files import parse_articles
from core.data.timelines import nested
from core.data.timelines.load import load
from core.data.timelines.timeline import Field
from tests.unit.data.timelines.source_samples import ADDRESSES, DAYS, OUTLETS, TITLES

PLAIN = [
    {"title": title, "outlet": outlet, "date": day, "url": url}
    for title, outlet, day, url in zip(TITLES, OUTLETS, DAYS, ADDRESSES, strict=True)
]
NAMES = ["title", "outlet", "date", "url"]
CELLS = [[row[name] for name in NAMES] for row in PLAIN]
WITHOUT = [{name: row[name] for name in ("title", "date", "url")} for row in PLAIN]
MILLISECONDS = [int(datetime.fromisoformat(f"{day}T12:00Z").timestamp() * 1000) for day in DAYS]
ONE, TWO = [[row] for row in PLAIN]
FIRST, SECOND = WITHOUT
CELLS_OF_GOOGLE = [{"c": [{"v": cell} for cell in row]} for row in CELLS]

WRAPPED = {
    "elasticsearch": {
        "hits": {"hits": [{"_id": "1", "_source": row, "sort": [1]} for row in PLAIN], "total": {"value": 2}}
    },
    "fields of lists": {
        "hits": {"hits": [{"fields": {name: [text] for name, text in row.items()}} for row in PLAIN]}
    },
    "buckets beside": {
        "hits": {"hits": [{"_source": row} for row in PLAIN]},
        "aggregations": {"by": {"buckets": [{"key": "a"}] * 9}},
    },
    "graphql": {
        "data": {
            "posts": {
                "edges": [{"cursor": "c", "node": row} for row in PLAIN],
                "pageInfo": {"hasNextPage": False},
            }
        }
    },
    "json:api": {
        "data": [
            {"type": "article", "id": "1", "attributes": row, "links": {"self": {"href": "x"}}}
            for row in PLAIN
        ]
    },
    "schema.org": {
        "@graph": [
            {
                "@type": "NewsArticle",
                "headline": row["title"],
                "datePublished": row["date"],
                "url": row["url"],
                "publisher": {"@type": "Organization", "name": row["outlet"]},
            }
            for row in PLAIN
        ]
    },
    "item list": {"itemListElement": [{"position": 1, "item": row} for row in PLAIN]},
    "firebase": {"articles": {"-Nab1": PLAIN[0], "-Nab2": PLAIN[1]}},
    "search with a menu": {
        "news_results": PLAIN,
        "menu_links": [{"title": "U.S. news and more", "token": "t"}] * 9,
    },
    "by address": {row["url"]: {name: row[name] for name in ("title", "outlet", "date")} for row in PLAIN},
    "by number": {"0": PLAIN[0], "1": PLAIN[1]},
    "columns as objects": {
        name: {str(place): row[name] for place, row in enumerate(PLAIN)} for name in NAMES
    },
    "columns as lists": {name: [row[name] for row in PLAIN] for name in NAMES},
    "split": {"columns": NAMES, "index": [0, 1], "data": CELLS},
    "table": {"schema": {"fields": [{"name": name} for name in NAMES]}, "data": PLAIN},
    "cells": [NAMES, *CELLS],
    "sheet": {"range": "A1:D3", "majorDimension": "ROWS", "values": [NAMES, *CELLS]},
    "sheet by columns": {
        "majorDimension": "COLUMNS",
        "values": [list(column) for column in zip(NAMES, *CELLS, strict=True)],
    },
    "names further inside": {
        "meta": {"view": {"columns": [{"name": name} for name in NAMES]}},
        "data": CELLS,
    },
    "google's table": {
        "table": {"cols": [{"id": "A", "label": name} for name in NAMES], "rows": CELLS_OF_GOOGLE}
    },
    "query": [{"columns": NAMES, "values": CELLS}],
    "by outlet": {OUTLETS[0]: [FIRST], OUTLETS[1]: [SECOND]},
    "by day": {row["date"]: [{name: row[name] for name in ("title", "outlet", "url")}] for row in PLAIN},
    "by day and outlet": {
        row["date"]: {row["outlet"]: [{"title": row["title"], "url": row["url"]}]} for row in PLAIN
    },
    "outlets with articles": [
        {"outlet": OUTLETS[0], "articles": [FIRST]},
        {"outlet": OUTLETS[1], "articles": [SECOND]},
    ],
    "outlets by name": {
        "papers": {
            OUTLETS[0]: {"link": "https://a.example", "articles": [FIRST]},
            OUTLETS[1]: {"link": "https://b.example", "articles": [SECOND]},
        }
    },
    "pages": [{"status": "ok", "articles": ONE}, {"status": "ok", "articles": TWO}],
    "pages deep inside": [
        {"response": {"status": "ok", "results": ONE}},
        {"response": {"status": "ok", "results": TWO}},
    ],
    "pages by number": {"page1": ONE, "page2": TWO},
    "lists of lists": [ONE, TWO],
    "answer of sparql": {
        "head": {"vars": NAMES},
        "results": {
            "bindings": [
                {name: {"type": "literal", "value": text} for name, text in row.items()} for row in PLAIN
            ]
        },
    },
    "export of a database": [
        {
            "titulo": row["title"],
            "crawledAt": {"$date": "2030-01-01T00:00:00Z"},
            "fechaPublicacion": {"$date": {"$numberLong": str(MILLISECONDS[place])}},
            "medio": {"nombre": row["outlet"]},
            "enlace": row["url"],
        }
        for place, row in enumerate(PLAIN)
    ],
    "objects of other names": [
        {
            "page": 1,
            "payload": {
                "stories": [
                    {
                        "storyId": place,
                        "heading": {"text": row["title"], "lang": "en"},
                        "when": {"harvested": "2030-01-01T00:00:00Z", "published": row["date"]},
                        "brand": {"outlet": row["outlet"]},
                        "links": {"api": "https://api.example", "url": row["url"]},
                    }
                ]
            },
        }
        for place, row in enumerate(PLAIN)
    ],
    "events": {
        "events": [
            {"title": "What happened at sea", "articles": ONE},
            {"title": "What banks did", "articles": TWO},
        ]
    },
}


@pytest.mark.parametrize("name", WRAPPED)
def test_rows_are_found_wherever_they_are(name):
    timeline = load(json.dumps(WRAPPED[name]).encode(), "answer.json")
    assert timeline.texts == list(TITLES)
    assert timeline.publishers == list(OUTLETS)
    assert [str(day)[:10] for day in timeline.table[Field.PUBLISHED]] == list(DAYS)
    assert list(timeline.table[Field.URL]) == list(ADDRESSES)
    assert timeline.table[Field.GOLD].isna().all()


def test_an_object_that_tells_nothing_costs_no_row():
    rows = [
        {"title": row["title"], "when": {"published": "", "seen": None}, "brand": {"outlet": ""}}
        for row in PLAIN
    ]
    timeline = load(json.dumps(rows).encode(), "answer.json")
    assert timeline.texts == list(TITLES)
    assert timeline.undated == len(TITLES)


def test_pages_of_an_answer_in_lines_are_joined_with_the_line_of_each_row():
    lines = "\n".join(json.dumps({"status": "ok", "articles": page}) for page in (ONE, TWO))
    timeline = load(lines.encode(), "pages.jsonl")
    assert timeline.texts == list(TITLES)
    assert timeline.lines.tolist() == [1, 2]


def test_headlines_without_names_get_the_key_that_they_stand_under():
    by_day = load(json.dumps({DAYS[0]: [TITLES[0]], DAYS[1]: [TITLES[1]]}).encode(), "a.json")
    assert (by_day.texts, by_day.undated) == (list(TITLES), 0)
    by_outlet = load(json.dumps({OUTLETS[0]: [TITLES[0]], OUTLETS[1]: [TITLES[1]]}).encode(), "a.json")
    assert (by_outlet.texts, by_outlet.publishers) == (list(TITLES), list(OUTLETS))
    by_address = load(json.dumps(dict(zip(ADDRESSES, TITLES, strict=True))).encode(), "a.json")
    assert (by_address.texts, list(by_address.table[Field.URL])) == (list(TITLES), list(ADDRESSES))
    listed = [
        {"date": day, "headlines": [title, f"{title} again"]} for day, title in zip(DAYS, TITLES, strict=True)
    ]
    assert (
        len(load(json.dumps(listed).encode(), "a.json")),
        load(json.dumps(listed).encode(), "a.json").undated,
    ) == (4, 0)


def test_sections_are_no_outlets_and_events_give_the_groups():
    sections = load(json.dumps({"politics": [FIRST], "sport": [SECOND]}).encode(), "a.json")
    assert sections.publishers == ["harbour.example", "finance.example"]
    assert list(sections.original["section"]) == ["politics", "sport"]
    events = [
        {"event_id": 1, "articles": WITHOUT},
        {"event_id": 2, "articles": [{"title": "Harbour reopens"}]},
    ]
    assert list(load(json.dumps(events).encode(), "a.json").table[Field.GOLD]) == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("value", "field", "said"),
    [
        ({"id": None, "name": "Harbour Post"}, Field.PUBLISHER, "Harbour Post"),
        ({"uri": "x.example", "dataType": "news", "title": "Harbour Post"}, Field.PUBLISHER, "Harbour Post"),
        (
            {"kicker": "At sea", "print_headline": "In print", "main": "Ferry aground"},
            Field.HEADLINE,
            "Ferry aground",
        ),
        ({"rendered": "Ferry aground"}, Field.HEADLINE, "Ferry aground"),
        ({"eng": "Ferry aground", "deu": "Fähre auf Grund"}, Field.HEADLINE, "Ferry aground"),
        (["Ferry aground"], Field.HEADLINE, "Ferry aground"),
        (
            [{"name": "A. Reporter"}, {"name": "B. Reporter"}, {"name": "A. Reporter"}],
            Field.AUTHORS,
            "A. Reporter, B. Reporter",
        ),
        ([{"href": "https://x.example", "type": "text/html"}], Field.URL, "https://x.example"),
        ({"title": "Read on", "href": "https://x.example"}, Field.URL, "https://x.example"),
        ({"$date": {"$numberLong": "1705299000000"}}, Field.PUBLISHED, "1705299000000"),
        ({"sections": [{"headline": ["Part"], "paragraphs": ["One.", "Two."]}]}, Field.BODY, "One.\n\nTwo."),
        ({"@url": "https://x.example", "#text": "Harbour Post"}, Field.PUBLISHER, "Harbour Post"),
        ({"x": {"y": 1}}, Field.HEADLINE, ""),
    ],
)
def test_a_value_says_its_name_title_or_text(value, field, said):
    assert nested.part(value, field) == said


def test_cells_of_other_tables_are_read_like_json():
    repr_of_python = "title,source,publishedAt\n" + "\n".join(
        f"\"{title}\",\"{{'id': None, 'name': '{outlet}'}}\",{day}"
        for title, outlet, day in zip(TITLES, OUTLETS, DAYS, strict=True)
    )
    timeline = load(repr_of_python.encode(), "news.csv")
    assert (timeline.texts, timeline.publishers) == (list(TITLES), list(OUTLETS))
    assert timeline.original["source"][0].startswith("{'id'"), "exports keep what was there"
    quoted = [json.dumps(row).replace('"', '""') for row in PLAIN]
    payload = "id,payload\n" + "\n".join(f'{number},"{text}"' for number, text in enumerate(quoted))
    assert load(payload.encode(), "dump.csv").texts == list(TITLES)


def test_what_stays_notation_is_no_headline_and_brackets_of_people_are():
    rows = [{"x": {"y": 1}}, '{"main": "Ferry…', "[1, 2]", "<x-title>Fire in town</x-title>"]
    kept = ["[VIDEO] Fire in town hall", "<3 is not enough", "{Live} blog of the storm", "Fire in town"]
    timeline = load(json.dumps([{"headline": row} for row in [*rows, *kept]]).encode(), "a.json")
    assert timeline.texts == kept
    assert [row.line for row in timeline.report.rejected] == [1, 2, 3, 4]
    assert load(b'[{"headline": "<b>Fire</b> in <i>town</i>"}]', "a.json").texts == ["Fire in town"]


def test_pictures_and_related_stories_are_no_headlines():
    around = {
        "multimedia": [{"caption": "A long caption of the picture"}],
        "related": [{"title": "Some other story told here"}],
    }
    rows = [around | {"headline": {"main": row["title"]}, "pub_date": row["date"]} for row in PLAIN]
    assert load(json.dumps(rows).encode(), "a.json").texts == list(TITLES)


def test_one_object_among_plain_texts_is_read_too():
    rows = [{"headline": f"Storm number {number} hits"} for number in range(300)]
    rows.append({"headline": {"main": "Ferry aground"}})
    assert load(json.dumps(rows).encode(), "a.json").texts[-1] == "Ferry aground"


def test_articles_have_the_text_of_their_parts():
    body = {
        "summary": [],
        "sections": [{"headline": [], "paragraphs": ["Three people died.", "Two are hurt."]}],
    }
    articles = parse_articles(
        json.dumps([{"title": "Three dead", "body": body, "authors": ["A. Reporter"]}]).encode(), "a.json"
    )
    assert articles.articles.texts[0].split() == ["Three", "people", "died.", "Two", "are", "hurt."]
