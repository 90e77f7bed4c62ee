"""Damaged feeds, pages that are no feed, pasted lists and blocks: no headline is lost or made up."""

import pytest

from core.data.timelines.load import load, load_path, load_text
from core.errors import InputError
from core.files import ROOT

FERRY, BANK = "Ferry with 40 aboard runs aground off Lindholm", "Central bank of Norland lifts key rate"
QUAKE, COURT = "Quake shakes southern Karveda", "Court clears former minister of fraud"
GOOD = [
    f"<item><title>{title}</title><link>https://h.example/{place}</link></item>\n"
    for place, title in enumerate((FERRY, BANK, QUAKE, COURT))
]
HEAD = '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Harbour Post</title>\n'
END = "</channel></rss>"
DAMAGE = {
    "a tag that ends in the wrong place": "<item><title>Lost <b>in</title></b></item>",
    "HTML that is not closed": "<item><title>Lost</title><description><p>bad<i></p></description></item>",
    "no end": "<item><title>Lost</title>",
    "CDATA without an end": "<item><title><![CDATA[Lost & gone</title></item>",
    "an attribute twice": '<item><title>Lost</title><guid a="1" a="2">x</guid></item>',
    "a tag that is cut": "<item><title>Lost</title><link</item>",
}


def case(name):
    return load_path(ROOT / "tests/data/cases" / name)


def outlets(timeline):
    return list(timeline.table["publisher"])


@pytest.mark.parametrize("bad", DAMAGE.values(), ids=list(DAMAGE))
def test_a_damaged_entry_costs_itself_alone_and_is_named(bad):
    later = "<item><title><![CDATA[Storm & rain close the airport]]></title></item>"
    timeline = load((HEAD + GOOD[0] + bad + "\n" + later + "".join(GOOD[1:]) + END).encode(), "a.rss")
    assert timeline.texts == [FERRY, "Storm & rain close the airport", BANK, QUAKE, COURT]
    (lost,) = timeline.report.rejected
    assert lost.line == 4
    assert "ost" in lost.cells["entry"]
    assert set(outlets(timeline)) == {"Harbour Post"}
    counted = timeline.report.ledger
    assert counted["lines"] == counted["kept"] + counted["rejected"] + counted["feeds"]


def test_a_cut_end_costs_the_entry_that_it_cuts():
    timeline = load((HEAD + "".join(GOOD[:3]) + GOOD[3][:40]).encode(), "a.rss")
    assert timeline.texts == [FERRY, BANK, QUAKE]
    assert [row.line for row in timeline.report.rejected] == [6]
    whole = load((HEAD + "".join(GOOD[:3])).encode(), "a.rss")
    assert (whole.texts, whole.report.rejected) == (timeline.texts, ())


@pytest.mark.parametrize("bad", ["\x0b", "\x01", "&#11;", "&#x1F;", "&#0;", "\ufffe"])
def test_a_control_byte_costs_no_headline_and_its_line_is_named(bad):
    timeline = load((HEAD + "".join(GOOD).replace("Quake ", f"Quake{bad} ") + END).encode(), "a.rss")
    assert timeline.texts == [FERRY, BANK, QUAKE, COURT]
    assert any("line 5" in note for note in timeline.report.notes)


def test_two_feeds_in_one_file_and_what_stands_around_one():
    page = "<br />\n<b>Warning</b>: in /x.php<br />\n"
    both = (
        page + HEAD + "".join(GOOD[:2]) + END + "\n" + HEAD + "".join(GOOD[2:]) + END + "<script>x</script>"
    )
    timeline = load(both.encode(), "a.rss")
    assert timeline.texts == [FERRY, BANK, QUAKE, COURT]
    assert any("Warning: in /x.php" in note for note in timeline.report.notes)
    assert timeline.lines.tolist()[0] == 5


def test_an_outline_that_is_damaged_costs_no_other():
    links = [
        f'<outline text="{text}" url="https://a.org/{k}"/>' for k, text in enumerate((FERRY, "A <b", BANK))
    ]
    timeline = load(("<opml><body><outline text='News'>\n" + "\n".join(links)).encode(), "a.opml")
    assert timeline.texts == [FERRY, BANK]
    assert 3 in [row.line for row in timeline.report.rejected]


def test_entries_without_a_title_have_the_first_sentences_of_their_text():
    timeline = case("feed_without_titles.rss")
    assert [text.rstrip(".") for text in timeline.texts] == [FERRY, BANK, QUAKE]
    long = "Breaking! " + "The council of the town voted for the new bridge " * 9
    entries = f"<entry><content>{long}</content></entry><entry><title/><summary>&lt;p&gt;{BANK}. "
    texts = load(f"<feed>{entries}More soon.&lt;/p&gt;</summary></entry></feed>".encode(), "a.atom").texts
    assert texts[0].startswith("Breaking! The council")
    assert len(texts[0]) <= 160
    assert texts[1] == f"{BANK}."


def test_a_sitemap_of_news_is_a_timeline():
    timeline = case("news_sitemap.xml")
    assert (timeline.texts, timeline.undated) == ([FERRY, BANK, QUAKE], 0)
    assert (set(outlets(timeline)), timeline.table["url"].iloc[0]) == (
        {"Harbour Post"},
        "https://h.example/0",
    )
    inside = "<image:loc>https://a.org/p.jpg</image:loc><image:title>A picture</image:title>"
    picture = f"<image:image>{inside}</image:image>"
    own = f"<url><loc>https://a.org/1</loc>{picture}<n:news><n:title>{FERRY}</n:title></n:news></url>"
    one = load(f"<urlset>{own}<url><loc>https://a.org/</loc></url></urlset>".encode(), "a.xml")
    assert (one.texts, one.table["url"].iloc[0], len(one.report.rejected)) == ([FERRY], "https://a.org/1", 1)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.rss",
            "<!DOCTYPE html><html><head><title>404 Not Found</title></head></html>",
            "web page.*404 Not Found",
        ),
        ("a.xml", "<html><body><h1>Just a moment...</h1></body></html>", "web page.*Just a moment"),
        ("a.csv", "<html><head><title>Log in</title></head></html>", "web page.*Log in"),
        ("a.rss", "Error establishing a database connection", "text and not a feed.*database connection"),
        (
            "a.xml",
            "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>",
            "begins with <Error>.*neither",
        ),
        ("a.xml", "<urlset><url><loc>https://a.org/1</loc></url></urlset>", "sitemap of 1 address "),
        (
            "a.xml",
            "<sitemapindex><sitemap><loc>https://a.org/s.xml</loc></sitemap></sitemapindex>",
            "1 sitemap.*a.org",
        ),
    ],
)
def test_what_is_no_feed_is_called_what_it_is(name, text, said):
    with pytest.raises(InputError, match=said):
        load(text.encode(), name)


def test_json_feed_under_the_name_of_a_feed_is_read():
    assert load(f'{{"items":[{{"title":"{FERRY}"}},{{"title":"{BANK}"}}]}}'.encode(), "a.rss").texts == [
        FERRY,
        BANK,
    ]


THREE = (FERRY, BANK, QUAKE)
LISTS = {
    "points": "1. {}\n2. {}\n3. {}",
    "brackets from eleven": "11) {}\n12) {}\n13) {}",
    "both brackets": "(1) {}\n(2) {}\n(3) {}",
    "letters": "a) {}\nb) {}\nc) {}",
    "down": "3. {}\n2. {}\n1. {}",
    "word processor": "1.\t{}\n2.\t{}\n3.\t{}",
    "with gaps": "1. {}\n\n2. {}\n\n3. {}\n",
    "bullets and tabs": "•\t{}\n•\t{}\n•\t{}",
    "stars": "* {}\n* {}\n* {}",
    "tasks": "- [ ] {}\n- [x] {}\n- [ ] {}",
    "quoted": "> {}\n> {}\n> {}",
}


@pytest.mark.parametrize("pasted", LISTS.values(), ids=list(LISTS))
def test_numbers_and_bullets_of_a_list_are_no_words(pasted):
    timeline = load_text(pasted.format(*THREE))
    assert timeline.texts == list(THREE)
    assert not any(outlets(timeline))


@pytest.mark.parametrize(
    "lines",
    [
        [
            "1. FC Köln siegt in Mainz",
            "Sturm legt die Bahn lahm",
            "3. Liga: Dresden verliert",
            "Bank hebt Zinsen",
        ],
        ["1. Mai: Tausende auf der Straße", "2. Mai: Bahn streikt erneut", "3. Mai: Bank hebt Zinsen"],
        ["1. FC Köln siegt in Mainz", "2. Liga: Hamburg verliert"],
        ["10 dead in ferry accident", "11 hurt as storm hits Brack", "12 arrested in Karveda"],
        ["2024: a year of floods", "2025: a year of fires", "Bank lifts rates"],
        ["3.5 million flee the storm", "4.5 percent more for nurses"],
    ],
)
def test_a_number_that_counts_no_list_is_a_word(lines):
    assert load_text("\n".join(lines)).texts == lines


def test_a_list_may_hold_headlines_that_begin_with_a_number():
    lines = ["1. FC Köln siegt in Mainz", "Sturm legt die Bahn lahm", "3. Liga: Dresden verliert"]
    assert load_text("\n".join(f"{k}. {line}" for k, line in enumerate(lines, 1))).texts == lines


def test_outlet_and_day_in_brackets_at_the_end_of_every_line():
    timeline = case("pasted_numbered.txt")
    assert timeline.texts[0] == "Ferry with 40 passengers runs aground off Lindholm"
    assert outlets(timeline) == ["Harbour Post", "Coast Daily", "Finance Wire", "Market News"]
    assert timeline.undated == 0


ALERT = (
    "{}\nHarbour Post\nA snippet ... goes on here.\n"
    "<https://www.google.com/url?rct=j&url=https://n.example/0&ct=ga>\n\n"
    "{}\nCoast Daily - 15 Jan 2024\nAnother snippet.\n"
    "<https://www.google.com/url?rct=j&url=https://n.example/1&ct=ga>\n"
    "See all stories on this topic:\n<https://www.google.com/alerts/x>\n\n"
    "Unsubscribe from this Google Alert:\n"
)
MAIL = (
    "Google Alerts\n\n{}\nHarbour Post\nA snippet ... here.\nFacebook\nTwitter\nFlag as irrelevant\n\n"
    "{}\nCoast Daily\nMore ..."
)
TURNS = "{}\nHarbour Post\nhttps://n.example/0\n{}\nCoast Daily\nhttps://n.example/1"
OUTLET_FIRST = "Harbour Post\n{}\nhttps://n.example/0\n\nCoast Daily\n{}\nhttps://n.example/1"


@pytest.mark.parametrize(("pasted", "addresses"), [(ALERT, 2), (MAIL, 0), (TURNS, 2), (OUTLET_FIRST, 2)])
def test_a_block_of_lines_is_one_headline_with_outlet_and_link(pasted, addresses):
    timeline = load_text(pasted.format(FERRY, BANK))
    assert timeline.texts == [FERRY, BANK]
    assert outlets(timeline) == ["Harbour Post", "Coast Daily"]
    assert [url for url in timeline.table["url"] if url] == [
        f"https://n.example/{k}" for k in range(addresses)
    ]


def test_blocks_of_an_alert_as_a_file():
    timeline = case("pasted_blocks.txt")
    assert len(timeline) == 4
    assert outlets(timeline) == ["Harbour Post", "Coast Daily", "Finance Wire", "Market News"]
    assert timeline.table["body"].iloc[0].startswith("Some snippet")
    counted = timeline.report.ledger
    assert counted["lines"] == sum(counted[key] for key in counted if key != "lines")


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Google Alert – ferries\nDaily update ⋅ May 8, 2025\nNEWS", "See more results | Edit this alert"),
        ("Google Alert - Fähren\nNACHRICHTEN", "Weitere Ergebnisse anzeigen | Diesen Alert bearbeiten"),
        ("Google Alert: ferries\nNOTICIAS", "Unsubscribe | View all your alerts"),
    ],
)
def test_what_an_alert_writes_around_its_blocks_is_no_headline(above, below):
    blocks = [
        f"{title}\n{outlet}\nWhat is known so far of it, and what comes next ...\n<https://n.example/{title[:4]}>"
        for title, outlet in ((FERRY, "Harbour Post"), (BANK, "Coast Daily"))
    ]
    timeline = load_text("\n\n".join([above, *blocks, below]))
    assert timeline.texts == [FERRY, BANK]
    assert outlets(timeline) == ["Harbour Post", "Coast Daily"]


def test_paragraphs_of_headlines_are_no_blocks():
    lines = [
        FERRY,
        "Storm closes airport",
        BANK,
        "",
        QUAKE,
        "Court clears minister",
        "Team wins the cup final",
    ]
    assert load_text("\n".join(lines)).texts == [line for line in lines if line]
