import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import numpy as np
import pytest

from core.events.pictures import ReportCard, ReportContent, ReportHeadlines
from core.events.report import report_html, search_script
from core.files import ROOT
from core.maps.labels import MapLabel
from core.results.page import script_hash
from core.results.render import clean, safe_link
from core.results.table import Table, TableColumn

HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>',
    "</svg></style><iframe src=//evil.example>", "{{ 7 * 7 }} {% raw %} \\u0022 ' + datum.value + '",
    "nul \x00 bell \x07 lone \ud800 override \u202e end", "שלום עולם – مرحبا 😀",
    "=HYPERLINK(1) &amp; &lt;b&gt;",
]  # fmt: skip


def quality(*row):
    return Table(columns=tuple(map(TableColumn, ("Measure", "Value", "What it says"))), rows=(row,))


def content(texts=("Fire in town", "Town on fire", "Rain"), **other):
    n = len(texts)
    start = datetime(2015, 1, 14, tzinfo=UTC)
    heads = ReportHeadlines(
        texts=texts,
        published=tuple(start + timedelta(days=i) for i in range(n)),
        day_only=(True,) * n,
        publishers=tuple(f"Paper {i}" for i in range(n)),
        urls=tuple(f"https://example.org/{i}" for i in range(n)),
    )
    made = ReportContent(
        title="Town",
        facts=(("Headlines", str(n)),),
        headlines=heads,
        groups=np.array([0, 0, *range(1, n - 1)]),
        cards=(ReportCard(group=0, representative=1, rows=(0, 1)),),
        positions=np.arange(2 * n, dtype=np.float32).reshape(n, 2),
        labels=(MapLabel(0, 0, 0.0, 1.0, n, texts[0]),),
        quality=quality("AMI", "0.90", "agreement"),
        signature="average.v1|granularity:0.5",
        fingerprint="0123456789abcdef",
    )
    return replace(made, **other)


class Page(HTMLParser):
    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.scripts: list[str] = []
        self.feed(page.decode("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and self.cdata_elem:
            self.scripts.append(data)
        self.text += data


LOADING = {"img", "iframe", "link", "object", "embed", "base", "form", "image", "use"}


def assert_inert(page, urls):
    assert page.scripts == [search_script()]
    for tag, attrs in page.tags:
        assert tag not in LOADING
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.keys().isdisjoint({"src", "srcset", "xlink:href"})
        if tag == "a":
            assert attrs["href"] in urls
            assert set(attrs) <= {"href", "class", "dir", "rel"}
        else:
            assert "href" not in attrs


def test_it_loads_nothing_and_runs_its_own_script_alone():
    raw = report_html(content())
    page = Page(raw)
    (policy,) = (attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv"))
    assert str(policy).startswith("default-src 'none'; style-src 'unsafe-inline'; script-src ")
    assert str(policy).endswith(f"'{script_hash(page.scripts[0])}'")
    assert_inert(page, {f"https://example.org/{i}" for i in range(3)})
    style = re.search(r"<style>(.*?)</style>", raw.decode(), re.S)
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    assert [tag for tag, _ in page.tags].count("svg") == 2
    pictures = [attrs for tag, attrs in page.tags if attrs.get("role") == "img"]
    assert all(len(attrs["aria-label"] or "") > 60 for attrs in pictures)
    assert len(pictures) == 2


def test_signature_and_fingerprint_stand_on_every_figure_and_at_the_end():
    raw = report_html(content()).decode()
    assert raw.count("average.v1|granularity:0.5") == raw.count("0123456789abcdef") == 4


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_shown_as_text_everywhere(hostile):
    made = content(
        (hostile, hostile + " again", "Rain"),
        title=hostile,
        facts=((hostile, hostile),),
        quality=quality(hostile, hostile, hostile),
        notes=(hostile,),
        signature=hostile,
        fingerprint=hostile,
        version=hostile,
    )
    heads = replace(made.headlines, publishers=(hostile,) * 3, urls=(hostile,) * 3)
    page = Page(report_html(replace(made, headlines=heads)))
    assert_inert(page, set())
    assert page.text.count(clean(hostile)) >= 8
    assert not [tag for tag, _ in page.tags if tag == "b"]


@pytest.mark.parametrize(
    "url",
    [
        *("JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,<script>1</script>", "", None),
        *("//example.org", "https://", "http://[::1", "https://example.org/a b"),
        "https://example.org/" + "a" * 3000,
    ],
)
def test_only_web_addresses_become_links(url):
    assert safe_link(url) is None


def test_it_has_the_paper_ink_and_words_of_the_pages():
    spec = (ROOT / "docs" / "look.md").read_text("utf-8")
    made = content()
    raw = report_html(made)
    day, night = raw.decode().partition("</style>")[0].split("prefers-color-scheme:dark", 1)
    for role in ("paper", "raised", "rule between things", "quiet ink"):
        light, dark = re.search(rf"^\| {role}\b.*?(#\w{{6}}) \| (#\w{{6}})", spec, re.MULTILINE).groups()
        assert light in day, role
        assert dark in night, role
    assert "serif" not in day.replace("sans-serif", "")
    said = Page(raw.partition(b"<body>")[2].partition(b"<script>")[0]).text
    assert "Event 0 · 2 headlines · 2 outlets" in said
    assert not re.search(r"\b(group|publisher)s?\b", said, re.IGNORECASE)


def test_a_lane_ends_with_how_many_headlines_it_has():
    raw = report_html(content(("Other", "W" * 20 + " mm" * 30, "Rain"), positions=None)).decode()
    assert "W… (2)<" in raw or "m… (2)<" in raw
    assert "Single reports (1)<" in raw


def test_without_dates_places_groups_or_headlines_it_still_stands():
    made = content(positions=None, labels=(), quality=None, rejected=3)
    heads = replace(made.headlines, published=(None,) * 3)
    text = Page(report_html(replace(made, headlines=heads))).text
    assert "3 rows of the input could not be read" in text
    assert "that people made" not in text
    nothing = {"headlines": ReportHeadlines((), (), (), (), ()), "groups": np.zeros(0, dtype=np.int64)}
    empty = replace(made, facts=(), cards=(), positions=np.zeros((0, 2), dtype=np.float32), **nothing)
    assert b"<svg" not in report_html(empty)


def test_a_copy_stands_once_with_the_outlets_that_have_it():
    made = content()
    heads = replace(made.headlines, publishers=("<b>Beta</b>", "Alpha", "Gamma"))
    card = replace(made.cards[0], reports=((1, 0),))
    page = report_html(replace(made, headlines=heads, cards=(card,))).decode()
    (article,) = page.split("<article")[1:]
    article = article.partition("</article>")[0]
    assert article.count("<li>") == 1
    assert "also in: &lt;b&gt;Beta&lt;/b&gt;" in article
    assert "2 headlines · 1 different report · 2 outlets" in article
