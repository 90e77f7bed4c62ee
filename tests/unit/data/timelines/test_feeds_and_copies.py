import tomllib
from pathlib import Path

import numpy as np
import pytest

from core.data.timelines import duplicates, samples
from core.data.timelines.duplicates import DuplicateKind, find_duplicates, fold
from core.data.timelines.load import load, load_path, load_text
from core.data.timelines.periods import whole
from core.data.timelines.preview import sniff
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.files import ROOT

ROWS = tomllib.loads(Path(__file__).with_name("feeds_and_copies.toml").read_text(encoding="utf-8"))


def near(a, b, **more):
    found = find_duplicates([a, b], **more)
    return found.kind[1] == DuplicateKind.NEAR and found.duplicate_of[1] == 0


@pytest.mark.parametrize(("a", "b"), ROWS["syndicated_copies"])
def test_syndicated_copies(a, b):
    assert near(a, b)
    assert near(b, a)


@pytest.mark.parametrize(("text", "one", "other"), ROWS["what_differs_in_substance_is_no_copy"])
def test_what_differs_in_substance_is_no_copy(text, one, other):
    assert find_duplicates([text.format(one), text.format(other)]).duplicate_of.tolist() == [0, 1]


def test_a_headline_cut_short_joins_no_two_that_go_on_in_different_ways():
    texts = [f"Crew returns safely to the{end}" for end in ("...", " moon", " sea")]
    assert find_duplicates(texts).duplicate_of.tolist() == [0, 1, 2]
    assert find_duplicates(texts[:2]).duplicate_of.tolist() == [0, 0]


def test_small_changes_do_not_add_up_to_another_report():
    names = "Iran Iraq Oman Peru Chad Cuba Mali Fiji".split()  # noqa: SIM905
    texts = [f"{name} says that it will attend the peace talks in Vienna this week" for name in names]
    texts += [f"{name} say it will attend peace talks in Vienna this week" for name in names]
    found = find_duplicates(texts)
    assert found.duplicate_of.tolist()[:8] == list(range(8))
    assert len(set(found.duplicate_of.tolist())) >= 8


def test_an_ending_is_an_outlet_where_it_recurs_behind_different_headlines():
    heads = [
        "Crew returns safely to the station",
        "Rocket explodes on the way",
        "Probe lands on the far moon",
    ]
    texts = [*heads, *(f"{head} - Gazzetta" for head in heads)]
    assert find_duplicates(texts).duplicate_of.tolist() == [0, 1, 2, 0, 1, 2]
    assert find_duplicates([heads[0], texts[3]]).duplicate_of.tolist() == [0, 1]


def test_work_grows_with_the_number_of_headlines(monkeypatch):
    compared = []
    same = duplicates._same_wording
    monkeypatch.setattr(duplicates, "_same_wording", lambda a, b: compared.append(1) or same(a, b))
    texts = [
        f"Quake of a kind nobody knew {('hits', 'moves')[k % 2]} the coast near {'b' * (k % 40)} {k % 90:02}"
        for k in range(1_200)
    ]
    find_duplicates(texts)
    assert len(compared) <= 3 * duplicates.NEIGHBOURS * len(texts)


def test_fold_and_back():
    timeline = load_sample("uci")
    found = find_duplicates(timeline.texts, publishers=list(timeline.table["publisher"]))
    assert found.exact == 26  # one of them but for the tags of HTML in its title
    assert 80 < found.near < 250
    assert not find_duplicates(load_sample("iss").texts).kind.any()
    assert len(find_duplicates([]).duplicate_of) == 0
    folded = fold(timeline, found)
    assert len(folded.timeline) == len(timeline) - found.exact - found.near
    assert folded.timeline.texts == [timeline.texts[row] for row in folded.rows]
    assert np.array_equal(folded.rows[folded.position], found.duplicate_of)
    assert (found.duplicate_of <= np.arange(len(timeline))).all()


RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="m" xmlns:dc="d"><channel><title>City Desk</title><link>https://a.org</link>
<language>en-gb</language><image><title>Logo</title></image>
<item><title><![CDATA[Storm &amp; rain &mdash; again]]></title><media:title>Picture</media:title>
<description>&lt;p&gt;Two &lt;b&gt;airports&lt;/b&gt; closed.&lt;/p&gt;</description>
<link>https://a.org/1</link><pubDate>Tue, 14 Jan 2025 10:00:00 GMT</pubDate>
<dc:creator>A. Reed</dc:creator><dc:creator>B. Moss</dc:creator></item>
<item><title>Bank raises rates - Wire</title><source url="https://w.org">Wire</source>
<guid>https://w.org/2</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>City Desk</title>
<entry><title type="html">Storm &amp;amp; rain &amp;mdash; again</title><link rel="self" href="https://a.org/s"/>
<link href="https://a.org/1"/><updated>2025-01-14T10:00:00Z</updated>
<author><name>A. Reed</name><email>a@a.org</email></author>
<content type="xhtml"><div xmlns="x"><p>Two <b>airports</b> closed.</p></div></content></entry>
<entry><title>Bank raises rates</title><source><id>7</id><title>Wire</title></source>
<link href="https://w.org/2"/></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="r" xmlns:dc="d" xmlns="x"><channel><title>City Desk</title></channel>
<item><title>Storm &amp;amp; rain — again</title><link>https://a.org/1</link><dc:date>2025-01-14T10:00:00Z</dc:date>
<dc:creator>A. Reed</dc:creator></item>
<item><title>Bank raises rates</title><dc:source>Wire</dc:source><link>https://w.org/2</link></item></rdf:RDF>"""


def column(timeline, name):
    return [None if value is None else str(value) for value in timeline.table[name]]


def test_links_that_lead_nowhere_are_counted():
    bad = RSS.replace("<link>https://a.org/1</link>", "<link>javascript:alert(1)</link>")
    timeline = load(bad.encode(), "a.xml")
    assert column(timeline, "url") == [None, "https://w.org/2"]
    assert "Links that are no web addresses were left out (1)." in timeline.report.notes


@pytest.mark.parametrize(("text", "name"), [(RSS, "a.xml"), (ATOM, "a.atom"), (RDF, ""), (RSS, "a.csv")])
def test_a_feed_is_a_timeline(text, name):
    timeline = load(text.encode(), name)
    assert timeline.report.format == "feed"
    assert timeline.texts == ["Storm & rain — again", "Bank raises rates"]
    assert column(timeline, "publisher") == ["City Desk", "Wire"]
    assert column(timeline, "url") == ["https://a.org/1", "https://w.org/2"]
    assert str(timeline.table["published"].iloc[0]) == "2025-01-14 10:00:00+00:00"
    assert str(timeline.table["authors"].iloc[0]).startswith("A. Reed")
    assert "a@a.org" not in str(timeline.table["authors"].iloc[0])


def test_what_else_an_entry_says():
    timeline = load(RSS.encode(), "a.rss")
    assert timeline.table["authors"].iloc[0] == "A. Reed, B. Moss"
    assert " ".join(timeline.table["body"].iloc[0].split()) == "Two airports closed."
    assert timeline.table["language"].iloc[0] == "en"
    assert any("outlet's name" in note for note in timeline.report.notes)
    assert " ".join(load(ATOM.encode(), "a.xml").table["body"].iloc[0].split()) == "Two airports closed."


@pytest.mark.parametrize("encoding", ["windows-1251", "utf-16", "koi8-r"])
def test_a_feed_is_read_in_the_encoding_that_it_declares(encoding):
    item = "<item><title>Шторм закрыл аэропорт</title></item>"
    text = f'<?xml version="1.0" encoding="{encoding}"?><rss>{item}</rss>'
    assert load(text.encode(encoding), "a.rss").texts == ["Шторм закрыл аэропорт"]


def test_links_of_an_outline_are_headlines_and_feeds_are_none():
    link = '<outline text="Storm closes airport" type="link" url="https://a.org/1" created="14 Jan 2025"/>'
    feed = '<outline text="City Desk" xmlUrl="https://a.org/rss"/>'
    timeline = load(f"<opml><outline text='News'>{link}{feed}</outline></opml>".encode(), "a.opml")
    assert timeline.texts == ["Storm closes airport"]
    assert column(timeline, "url") == ["https://a.org/1"]
    assert any("left out (1)" in note for note in timeline.report.notes)
    with pytest.raises(InputError, match=r"lists 1 feed \(City Desk\) and no headlines") as refused:
        load(f"<opml><body>{feed}</body></opml>".encode(), "a.opml")
    assert "Nothing is fetched" in (refused.value.hint or "")


FIRST, SECOND = "https://a.org/storm-closes-airport-1", "https://w.org/2"
STORM, BANK = "Storm closes airport", "Bank raises rates"
LINKS = {
    "title, tab, address": f"{STORM}\t{FIRST}\n{BANK}\t{SECOND}\n",
    "address, space, title": f"{FIRST} {STORM}\n{SECOND} {BANK}\n",
    "title, dash, address": f"{STORM} - {FIRST}\n{BANK} – {SECOND}\n",
    "bars": f"{FIRST} | {STORM}\n{SECOND} | {BANK}\n",
    "Markdown": f"- [{STORM}]({FIRST})\n- [{BANK}]({SECOND})\n",
    "in turns": f"{STORM}\n{FIRST}\n\n{BANK}\n{SECOND}\n",
}


@pytest.mark.parametrize("text", LINKS.values(), ids=list(LINKS))
def test_a_list_of_links_has_titles_and_addresses(text):
    timeline = load_text(text)
    assert timeline.texts == [STORM, BANK]
    assert column(timeline, "url") == [FIRST, SECOND]
    assert column(timeline, "publisher") == ["a.org", "w.org"]


def test_each_pasted_line_is_read_by_itself():
    timeline = load_path(ROOT / "tests/data/cases/pasted_mixed.txt")
    assert len(timeline) == 8
    assert not any("http" in text or text.startswith("•") for text in timeline.texts)
    undone = [text for text, url in zip(timeline.texts, column(timeline, "url"), strict=True) if not url]
    assert undone == ["ECB trims interest rates again, The Guardian, 5 Nov 2026"]
    assert [row.line for row in timeline.report.rejected] == [8], "an address without a headline"


SHEET = (
    'Datum,Quelle,Titel,Notiz\r\n5/1/2024 9:30:00,Tagesschau,"Sturm schließt ""Flughafen""",#N/A\r\n'
    "5/13/2024,Spiegel,Bank hebt die Zinsen an,\r\n,,,\r\n"
)


@pytest.mark.parametrize(("name", "between"), [("News - Sheet1.csv", ","), ("News - Sheet1.tsv", "\t")])
def test_a_sheet_of_google_s_as_it_is_downloaded(name, between):
    quoted, plain = '"Sturm schließt ""Flughafen"""', 'Sturm schließt "Flughafen"'
    text = SHEET if between == "," else SHEET.replace(quoted, plain)
    timeline = load(text.replace(",", between).encode(), name)
    assert timeline.texts == ['Sturm schließt "Flughafen"', "Bank hebt die Zinsen an"]
    assert column(timeline, "publisher") == ["Tagesschau", "Spiegel"]
    assert column(timeline, "published")[0] == "2024-05-01 09:30:00+00:00"


@pytest.mark.parametrize(
    "names",
    ["Titel Medium Datum", "Überschrift Quelle Veröffentlicht", "Titolo Testata Data",
     "Заголовок Источник Дата", "Titre Journal Date", "Título Fuente Fecha", "Titular Periódico Fecha"],
)  # fmt: skip
def test_columns_are_known_in_six_languages(names):
    title, outlet, day = names.split()
    text = f"{outlet},{title},{day}\nTagesschau,Sturm schließt den Flughafen,01.02.2024\n"
    columns = sniff((text + "Spiegel,Bank hebt die Zinsen,02.02.2024\n").encode(), "a.csv").mapping
    assert {field.value: names for field, names in columns.items()} == {
        "headline": (title,), "publisher": (outlet,), "published": (day,)
    }  # fmt: skip


DATA = b"headline,date,group\nA b,2015-01-14,1\nC d,,2\nE f,2015-01-15T12:00:00Z,\n"


def test_the_fingerprint_depends_on_content_alone():
    first = load(DATA, "a.csv")
    assert first.fingerprint == load(DATA, "b.csv", name="other").fingerprint
    assert len(first.fingerprint) == 16
    assert first.fingerprint != load(DATA.replace(b"A b", b"A c"), "a.csv").fingerprint
    shifted = load(b"headline,publisher\nA b,\n", "a.csv"), load(b"headline,url\nA b,\n", "a.csv")
    assert shifted[0].fingerprint == shifted[1].fingerprint  # neither says anything but the headline


@pytest.mark.parametrize("name", samples.names())
def test_each_sample_is_what_its_card_says(name):
    card = samples.info(name)
    timeline = samples.load_sample(name)
    assert (len(timeline), timeline.report.format) == (card.rows, card.format)
    days = whole(timeline)
    assert days is not None
    assert [days.first.isoformat(), days.last.isoformat()] == card.days
    assert not timeline.report.rejected
    assert timeline.name == card.title
    assert card.licence
    assert card.source
    assert card.path.stat().st_size < 2_000_000
    readme = (card.path.parent / "README.md").read_text(encoding="utf-8")
    assert card.licence in readme
    assert card.source in readme
