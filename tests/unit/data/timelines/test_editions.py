"""Which headlines are one article that its outlet edited, by its address."""

import numpy as np
import pytest

from core.data.timelines.addresses import NOWHERE, names_article, read_address
from core.data.timelines.editions import find_editions
from core.data.timelines.load import load
from core.results.delimited import delimited

DAM = "https://www.alpha.example/news/dam-bursts"
FIRST, LAST = "Dam bursts in Harlow valley killing 12", "Dam bursts in Harlow valley killing 19"


def editions(*rows):
    """Of rows of headline, outlet, address and hour (None for no time)."""
    texts, outlets, links, hours = zip(*rows, strict=True)
    return find_editions(texts, outlets, links, np.array([np.nan if h is None else h / 24 for h in hours]))


@pytest.mark.parametrize(
    "spelling",
    [
        "http://alpha.example/news/dam-bursts/",
        "alpha.example/news/dam-bursts",
        "https://www.alpha.example:443/news/dam-bursts?utm_source=rss&fbclid=1&at_medium=x#comments",
        "https://m.alpha.example/news/dam-bursts?amp=1",
        "https://amp.alpha.example/amp/news/dam-bursts",
        "https://alpha.example/news/dam-bursts/amp/",
        "https://amp.alpha.example/alpha/news/dam-bursts/index.html",
        "https://amp.alpha.example/amp/alpha/news/dam-bursts/",
        "https://alpha.example/news/dam-bursts/amp/index.html",
        "https://alpha.example/news/dam-bursts/index.amp.html",
        "https://www.google.com/amp/s/www.alpha.example/news/dam-bursts",
        "https://alpha-example.cdn.ampproject.org/c/s/alpha.example/news/dam%2Dbursts",
    ],
)
def test_an_article_is_known_in_every_spelling_of_its_address(spelling):
    found = editions((FIRST, "Alpha", DAM, 8), (LAST, "Alpha", spelling, 12))
    assert (found.article.tolist(), found.outdated) == ([0, 0], {0})


def test_a_part_of_a_path_that_is_no_repeated_name_stays():
    for host, path in (("amp.alpha.example", "/beta/dam"), ("amp.news.example", "/news/dam")):
        assert read_address(f"https://{host}{path}").path == path
    assert read_address("https://amp.example/amp/dam") == read_address("https://amp.example/dam")
    for path in ("/alpha", "/alpha/dam"):
        assert read_address(f"https://alpha.example{path}").path == path


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("https://alpha.example/story?id=5", "https://alpha.example/story?utm_medium=x&id=5"),
        ("https://alpha.example/?p=5", "http://www.alpha.example?p=5"),
    ],
)
def test_parameters_that_name_the_article_stay(address, same):
    assert read_address(address) == read_address(same) != read_address(address.replace("5", "6"))
    assert names_article(read_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "", "-", "n/a", "#", "none", "about:blank", "javascript:void(0)", "mailto:desk@alpha.example",
        "http://[::1", "https://alpha.example", "https://www.alpha.example/?utm_source=rss",
        "https://alpha.example/en/", "https://alpha.example/news/world", "https://alpha.example/index.html",
        "https://alpha.example/rss", "https://alpha.example/feed.xml", "https://feeds.alpha.example/world-news",
        "https://alpha.example/world/live/2026/dam", "https://alpha.example/dam-liveblog-12",
        "https://alpha.example/panorama/newsticker/dam", "https://alpha.example/dam-live-updates",
        "https://alpha.example/en-direct/dam", "https://alpha.example/diretta/diga",
    ],
)  # fmt: skip
def test_front_pages_feeds_running_pages_and_placeholders_are_no_article(address):
    found = editions((FIRST, "Alpha", address, 8), (LAST, "Alpha", address, 12))
    assert (found.article.tolist(), found.outdated) == ([0, 1], set())


def test_an_address_of_texts_with_nothing_in_common_is_no_article():
    page = "https://alpha.example/m/7"
    others = ["Striker leaves Milan for Turin", "Central bank cuts rates", "Comet seen over Chile"]
    rows = [(text, "Alpha", page, hour) for hour, text in enumerate([FIRST, LAST, *others])]
    assert editions(*rows).article.tolist() == [0, 1, 2, 3, 4]
    assert editions(*rows[:2]).article.tolist() == [0, 0]
    about = [
        "Harlow rebuilds its bridge",
        "Minister visits Harlow school",
        "Harlow choir sings",
        "Rain in Harlow",
    ]
    rows = [(text, "Alpha", page, hour) for hour, text in enumerate(about)]
    assert editions(*rows).article.tolist() == [0, 1, 2, 3]  # one subject, but not one article


def test_another_story_at_an_address_that_names_none_is_no_edit_a_day_later():
    told = "Choque en la México-Puebla deja 6 muertos", "Choque en la Durango-Mazatlán deja 8 muertos"

    def articles(address, hours, texts=told):
        return editions(
            *((text, "A", address, 14 + at * hours) for at, text in enumerate(texts))
        ).article.tolist()

    assert articles("https://a.example/estados", 24) == [0, 1]
    assert articles("https://a.example/estados", 2) == [0, 0]
    assert articles("https://a.example/estados/choque-en-autopista", 24) == [0, 0]
    assert articles("https://a.example/estados/4711", 24) == [0, 0]
    assert articles("https://a.example/estados", 24, (told[0], told[0].replace("6", "7"))) == [0, 0]


def test_an_article_that_is_rewritten_again_and_again_is_one():
    texts = [
        "Plane catches fire on landing in Tokyo", "Plane with 379 aboard catches fire in Tokyo",
        "All safe after plane catches fire in Tokyo", "Tokyo plane fire: 379 safe, five dead on other jet",
        "Tokyo plane fire: five dead on other jet, inquiry opened",
    ]  # fmt: skip
    found = editions(*((text, "Alpha", DAM, hour) for hour, text in enumerate(texts)))
    assert (set(found.article.tolist()), found.outdated) == ({0}, {0, 1, 2, 3})
    assert editions(("水库溃坝12人死亡", "甲", DAM, 1), ("水库溃坝19人死亡", "甲", DAM, 2)).outdated == {0}


def test_other_outlets_with_the_address_have_articles_of_their_own():
    found = editions((FIRST, "Alpha", DAM, 8), (LAST, "Beta", DAM, 9), (LAST, "ALPHA", DAM, 12))
    assert (found.article.tolist(), found.outdated) == ([0, 1, 0], {0})
    assert editions((FIRST, "Alpha", DAM, 8), (LAST, None, DAM, 12)).article.tolist() == [0, 0]
    assert editions((FIRST, None, DAM, 8), (LAST, None, DAM, 12)).article.tolist() == [0, 0]
    many = [(FIRST, name, DAM, 8) for name in "ABC"]
    assert editions(*many, (LAST, "A", DAM, 9)).article.tolist() == [0, 1, 2, 3]


def test_the_last_headline_with_a_time_is_in_force_and_a_copy_is_no_edit():
    found = editions((LAST, "Alpha", DAM, 12), (FIRST, "Alpha", DAM, None), (FIRST, "Alpha", DAM, 8))
    assert (found.article.tolist(), found.outdated) == ([2, 2, 2], {1, 2})
    assert editions((FIRST, "Alpha", DAM, 8), (FIRST.upper(), "Alpha", DAM, 9)).outdated == set()
    back = editions((FIRST, "Alpha", DAM, 8), (LAST, "Alpha", DAM, 9), (FIRST, "Alpha", DAM, 10))
    assert back.outdated == {1}


def test_a_version_that_stands_elsewhere_is_told_and_two_of_one_time_are_told_once():
    again = LAST.replace("19", "23")
    found = editions((FIRST, "Alpha", DAM, 8), (LAST, "Alpha", DAM, 9), (again, "Alpha", DAM, 10))
    assert found.versions_among((0, 1, 2)) == [[(0, 1), (1, 2)], []]
    assert found.versions_among((0, 2)) == [[(0, 1), (1, 2)], []]
    found = editions((FIRST, "Alpha", DAM, 8), (LAST, "Alpha", DAM, 9), (FIRST, "Alpha", DAM, 10))
    assert found.versions_among((0, 2)) == [[(0, 1), (1, 2)], []], "the same words again, after others"
    found = editions((FIRST, "Alpha", DAM, 8), (LAST, "Alpha", DAM, 8), (FIRST, "Alpha", DAM, 8))
    assert (found.versions_among(range(3)), found.outdated) == ([[], [(0, 1)]], set())


@pytest.mark.parametrize("host", ["m.alpha.example", "www.alpha.example", "amp.alpha.example"])
def test_an_outlet_that_is_taken_from_the_address_is_one_on_phones_too(host):
    lines = [["headline", "url"], [FIRST, DAM], [LAST, f"https://{host}/news/dam-bursts"]]
    timeline = load(delimited(lines).encode(), "a.csv")
    assert set(timeline.publishers) == {"alpha.example"}
    assert timeline.editions.article.tolist() == [0, 0]


def test_strange_addresses_cost_nothing():
    for address in (
        "//\ud800.example/\udfff?\ud800=1",
        "https://a.example/%ff%zz?&&=&;",
        "?" * 5_000,
        "http://a.b:c:d/",
    ):
        assert read_address(address) == NOWHERE or read_address(address).host


@pytest.mark.parametrize("links", [(DAM, f"{DAM}-kills-19"), ("", "")])
@pytest.mark.parametrize(("guids", "articles"), [(("w-1", "w-1"), [0, 0]), (("w-1", "w-2"), [0, 1])])
def test_an_entry_of_a_feed_is_one_article_wherever_its_link_leads(links, guids, articles):
    items = [
        f"<item><title>{title}</title><link>{link}</link><guid isPermaLink='false'>{guid}</guid>"
        f"<pubDate>Mon, 06 May 2024 0{hour}:00:00 GMT</pubDate></item>"
        for title, link, guid, hour in zip((FIRST, LAST), links, guids, (8, 9), strict=True)
    ]
    text = f"<rss version='2.0'><channel><title>Alpha</title>{''.join(items)}</channel></rss>"
    timeline = load(text.encode(), "feed.xml", growing=True)
    assert timeline.editions.article.tolist() == articles
    assert timeline.editions.changes == ({1: 0} if articles == [0, 0] else {})
