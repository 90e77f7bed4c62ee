"""Formats that repeat and what looks misread: recognised, and nothing else is."""

import tomllib
from pathlib import Path

import pytest

from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.formats import REPEATED
from core.data.timelines.load import load
from core.data.timelines.reading_check import check_reading, settle
from core.data.timelines.timeline import Field

ROWS = tomllib.loads(Path(__file__).with_name("formats.toml").read_text(encoding="utf-8"))
TITLES = (
    "Ferry with 40 runs aground off Lindholm",
    "Ferry stranded near Lindholm, 40 on board",
    "Central bank of Norland lifts its key rate",
    "Norland raises interest rates by half a point",
)


def csv(rows, names="title,outlet,date,url"):
    return load("\n".join([names, *rows]).encode(), "a.csv")


@pytest.mark.parametrize("name", ROWS["formats"])
def test_titles_of_formats_are_recognised_in_the_languages_that_are_read(name):
    titles = ROWS["formats"][name]
    assert csv([f'"{title}",,,' for title in titles]).formats == (name,) * len(titles)


def test_reports_that_sound_like_a_format_are_none():
    titles = ROWS["reports"]["titles"]
    found = csv([f'"{title}",,,' for title in titles]).formats
    assert {title: name for title, name in zip(titles, found, strict=True) if name} == {}


def test_section_and_address_say_what_a_title_does_not():
    timeline = csv(
        [
            "Why the storm was no accident,Post,2024-01-15,https://a.org/opinion/2024/why-storm",
            "Opinion leaders meet in Brack,Post,2024-01-15,https://a.org/news/opinion-leaders-meet",
            "Ask the stars what comes,Post,2024-01-15,https://a.org/horoscopes/stars",
        ]
    )
    assert timeline.formats == ("opinion", "", "horoscope")
    sections = csv(["Why the storm was no accident,Opinion", "Storm closes airport,World"], "title,section")
    assert sections.formats == ("opinion", "")


def test_one_title_day_after_day_of_one_outlet_is_a_format_and_an_agency_story_of_many_is_none():
    daily = [
        f"How stocks fared 5/{day}/2026,Wire,2026-05-{day:02},https://w.org/{day}" for day in range(4, 9)
    ]
    weekly = [f"Council this week,Post,2026-05-{day:02},https://p.org/{day}" for day in (4, 11, 18)]
    copies = [f"Storm closes airport,Outlet {k},2026-05-04,https://o{k}.org/1" for k in range(5)]
    quakes = [f"Magnitude {k}.1 quake,Wire,2026-05-0{k},https://w.org/q{k}" for k in range(4, 9)]
    found = csv([*daily, *weekly, *copies, *quakes]).formats
    assert found == (REPEATED,) * 8 + ("",) * 10


def test_labels_before_and_behind_a_headline_are_no_words():
    head = "Storm closes the airport in Brack"
    labelled = [
        head,
        f"{head} – live",
        f"{head} | AP",
        f"WATCH: {head}",
        f"UPDATE 3-{head}",
        f"{head} (video)",
    ]
    assert not find_duplicates(labelled).duplicate_of.any()
    assert find_duplicates(
        [head, "Storm closes the airport in Brack where we live"]
    ).duplicate_of.tolist() == [0, 1]


def names(timeline):
    return [question.name for question in check_reading(timeline)]


ROW = '"{}{}",{},2024-01-{:02},https://{}.org/{}'


def rows(*, before="", ends=("",), outlets=("Post", "Wire"), days=(15, 16), hosts=("a", "b")):
    return [
        ROW.format(
            before.format(k), title + ends[k % len(ends)], outlets[k % len(outlets)],
            days[k % len(days)], hosts[k % len(hosts)], k,
        )
        for k, title in enumerate(TITLES * 3, 1)
    ]  # fmt: skip


def test_nothing_is_asked_where_all_is_well():
    assert names(csv(rows())) == []


@pytest.mark.parametrize("sign", ["-", "–", "|"])
def test_outlets_at_the_end_of_titles_are_asked_about_and_taken_out(sign):
    outlets = [
        f"{town} {kind}"
        for town in ("Harbour", "Coast", "Brack", "Norland")
        for kind in ("Post", "Sun", "TV")
    ]
    ends = [f" {sign} {outlet}" for outlet in outlets]
    timeline = csv(rows(ends=ends, outlets=("Feeds",)))
    (question,) = check_reading(timeline)
    assert question.name == "endings"
    assert "12" in question.because
    cut = question.settled()
    assert cut.texts == list(TITLES * 3)
    assert set(cut.publishers) == {*outlets}
    assert list(cut.original["title"]) == list(timeline.original["title"])
    assert names(cut) == []
    known = check_reading(csv(rows(ends=ends, outlets=[f"The {outlet}" for outlet in outlets])))[0].settled()
    assert set(known.publishers) == {f"The {outlet}" for outlet in outlets}


def test_dashes_inside_headlines_are_no_outlets():
    own = [
        f"Storm {k} hits coast - {what}" for k, what in enumerate(("two people are dead", "what we know now"))
    ]
    assert (
        names(csv([f'"{title}",Post,2024-01-15,https://a.org/{k}' for k, title in enumerate(own * 4)])) == []
    )


def test_code_in_place_of_headlines_is_left_out_and_named():
    bad = ['"{{ post.title }} Quake shakes Karveda",Post,2024-01-15,https://a.org/x'] * 2
    timeline = csv([*rows(), *bad])
    (question,) = check_reading(timeline)
    left = question.settled()
    assert (question.name, len(left), len(left.report.rejected)) == ("markup", 12, 2)
    assert "Quake" in left.report.rejected[0].cells["title"]
    assert left.report.ledger["kept"] == 12


def test_another_column_is_offered_where_one_was_believed_by_its_name():
    cells = [
        f'"[caption id={k} align=left]",{title},2024-01-15,Text {k},https://a.org/{k},2024-01-{10 + k}'
        for k, title in enumerate(text.replace(",", "") for text in TITLES * 3)
    ]
    told = {Field.HEADLINE: "headline", Field.PUBLISHED: "date", Field.URL: "link"}
    content = "\n".join(["headline,label,date,link,target,printed", *cells])
    timeline = load(content.encode(), "a.csv", mapping=told)
    assert set(names(timeline)) == {"markup", "addresses", "one_day"}
    settled = settle(timeline)
    assert names(settled) == []
    assert settled.texts[2] == TITLES[2]
    assert settled.table["url"].iloc[0] == "https://a.org/0"
    assert settled.days.max() > settled.days.min()


def test_numbers_and_one_outlet_for_all():
    numbered = csv(rows(before="{}. "))
    assert names(numbered) == ["numbers"]
    assert settle(numbered).texts == list(TITLES * 3)
    one = csv(rows(outlets=("Feed reader",), hosts=("a", "b", "c")))
    assert names(one) == ["outlets"]
    assert len(set(settle(one).publishers)) == 3
