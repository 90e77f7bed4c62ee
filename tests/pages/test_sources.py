import re
from datetime import UTC, datetime
from io import BytesIO

import pandas as pd
import pytest
import streamlit as st

from components.frame.page_state import OPEN
from components.opened import resources
from components.server import security, sessions, shelf
from components.sources.archive.selection import _line
from core import files, limits
from core.archive.build import ArchiveSettings, build
from core.archive.kept import archives_folder, keep_upload
from core.archive.resuming import beginning_or_all
from core.errors import Cancelled
from core.live.arrivals import Arrival
from core.live.follow import Following, follow
from core.live.kept import stream_file
from core.live.log import StreamHeader, StreamLog
from core.live.rules import Rule, RuleKind, rules_of, set_rule
from core.live.sources import source_of
from core.live.stream import Stream
from core.runtime import Runtime
from tests.archives import OUTLETS, made
from tests.pages.opening import loaded, metrics, opened, press, settled, shown_html, turned
from tests.unit.data.timelines.source_samples import OUTLETS as OUTLETS_OF_TITLES
from tests.unit.data.timelines.source_samples import SAMPLES, TITLES


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    shelf._store.cache_clear()


HEADER = "headline,date,source\n"
STORM = [
    "Storm closes the harbour of Genoa",
    "Harbour of Genoa closed by the storm",
    "Genoa: storm closes harbour again <img src=x onerror=alert(1)",
]


def row(text, hour):
    return f"{text},2024-05-06T{hour:02}:00:00Z,wire\n"


def headlines(app):
    (lines,) = [line.value for line in app.markdown if line.value.startswith("- ")]
    return [line[2:].rstrip() for line in lines.split("\n")[::2]]


def said(app):
    """How much of the archive is selected, in one line."""
    return next(line.value for line in app.markdown if re.match(r"[\d,]+ headlines? · ", line.value))


def test_without_an_archive_that_of_the_sample_is_ready():
    app = opened("archive")
    known = "level 0.98 · match with human groups 0.91"
    assert said(app) == f"4,774 headlines · 165 groups · 10 – 12 Mar 2014 · {known}"
    settled(app.text_input(key="archive-words").set_value("bitcoin"))
    assert 0 < int(said(app).split()[0]) < 4774
    assert all("bitcoin" in one.lower() for one in headlines(app))


@pytest.mark.slow
def test_an_archive_is_made_of_a_file_and_opened(tmp_path):
    news = tmp_path / "news.csv"
    news.write_text(HEADER + "".join(row(f"{text} {day}", day) for day, text in enumerate(STORM * 5)))
    app = opened("archive")
    press_made(app, tmp_path / "missing.csv")
    assert "cannot be read" in app.error[0].value
    most = f"{limits.ARCHIVE_HEADLINES.value:,} headlines"
    assert any(most in one.value for one in app.markdown), "as many as the limit lets in"
    assert said(app).split()[0] == "4,774"
    press_made(app, news)
    assert said(app).split()[0] == "15"
    assert app.query_params["archive"] in ("news", ["news"])


def uploads():
    return [file.name for file in archives_folder().glob(".uploads/*/*")]


def test_an_archive_is_made_of_a_file_that_was_sent_which_does_not_stay(monkeypatch):
    content = HEADER + "".join(row(f"{text} {day}", day) for day, text in enumerate(STORM * 5))
    app = opened("archive")

    def send(name, content):
        sent = next(one for one in app.file_uploader if one.key.startswith("archive-upload"))
        sent.set_value((name, content.encode(), "text/csv"))
        press(app, "Make the archive")

    send("picture.csv", "headline\nStorm\n")
    assert "has a date" in app.error[0].value
    send("../../Storms of 2024.CSV", content)
    assert not app.error
    assert said(app).split()[0] == "15"
    assert app.query_params["archive"] in ("storms-of-2024", ["storms-of-2024"])
    assert uploads() == []
    monkeypatch.setenv(limits.FILE_MEGABYTES.variable, "1")
    send("large.csv", content + "x" * 1_000_000)
    assert "MB" in app.error[0].value
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    assert not list(opened("archive").file_uploader)


def test_a_file_that_was_sent_stays_until_its_archive_is_finished_or_deleted():
    content = HEADER + "".join(row(f"{text} {day}", day) for day, text in enumerate(STORM * 5))
    runtime = Runtime(report=lambda step, *_: runtime.stop.set() if step == "Joining groups" else None)
    for name in ("kept", "gone"):
        sent = keep_upload(BytesIO(content.encode()), f"{name}.csv", len(content))
        runtime.stop.clear()
        with pytest.raises(Cancelled):
            beginning_or_all(sent, archives_folder() / name, "", runtime)
    assert sorted(uploads()) == ["gone.csv", "kept.csv"]
    app = opened("archive")
    press(app, "archive-delete-gone")
    assert uploads() == ["kept.csv"]
    press(app, "archive-resume-kept")
    assert said(app).split()[0] == "15"
    assert uploads() == []


def press_made(app, path):
    next(one for one in app.text_input if one.label.startswith("Path of")).set_value(str(path))
    press(app, "Make the archive")


def test_an_archive_that_was_stopped_is_told_and_goes_on_or_is_deleted(tmp_path):
    news = tmp_path / "news.csv"
    news.write_text(HEADER + "".join(row(f"{text} {day}", day) for day, text in enumerate(STORM * 5)))
    runtime = Runtime(report=lambda step, *_: runtime.stop.set() if step == "Joining groups" else None)
    for name in ("kept", "gone"):
        runtime.stop.clear()
        with pytest.raises(Cancelled):
            build(news, archives_folder() / name, ArchiveSettings(), {}, runtime)
    app = opened("archive")
    assert [name in one.value and "at headline 15 of 15" in one.value for name, one in zip(
        ("gone", "kept"), app.info, strict=True)] == [True, True]  # fmt: skip
    press(app, "archive-delete-gone")
    assert not (archives_folder() / "gone").exists()
    press(app, "archive-resume-kept")
    assert said(app).split()[0] == "15"
    assert app.query_params["archive"] in ("kept", ["kept"])
    assert not app.info


def test_search_outlet_and_days_are_kept_in_the_link():
    table = made(archives_folder() / "storms", 900)
    app = opened("archive")
    assert said(app).split()[0] == "900"
    settled(app.text_input(key="archive-words").set_value("genoa"))
    settled(app.selectbox(key="archive-outlet").set_value(OUTLETS[2]))
    expected = table[table["headline"].str.contains("Genoa") & (table["publisher"] == OUTLETS[2])]
    assert said(app).split()[0] == str(len(expected))
    assert headlines(app) == expected["headline"].tolist()[:24]
    link = {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}
    assert link == {"part": "archive", "archive": "storms", "words": "genoa", "outlet": OUTLETS[2]}
    again = opened("archive", **link, first="2024-05-10", last="2024-05-12")
    expected = expected[expected["published"].dt.strftime("%Y-%m-%d").between("2024-05-10", "2024-05-12")]
    assert headlines(again) == expected["headline"].tolist()[:24]


def test_a_group_has_a_card_and_opens_as_a_timeline():
    table = made(archives_folder() / "storms", 900)
    app = opened("archive", event="1")
    assert said(app) == "8 headlines · 3 outlets · 1 May 2024"
    assert headlines(app) == table["headline"].tolist()[:6]
    press(app, "archive-open")
    app.switch_page("pages/timeline.py")
    assert metrics(settled(app))["Headlines"] == "8"


def test_a_headline_of_a_group_leads_to_its_report_alone():
    report = {
        "headline": "Storm [hits](http://a.example) <b>Genoa</b>",
        "publisher": "A · [b]",
        "published": None,
    }
    line = _line(report | {"url": "https://a.example/1>x"})
    assert line.startswith(r"- [Storm \[hits\]")
    assert "](<https://a.example/1%3Ex>)" in line
    assert line.count("](<") == 1
    for address in ("javascript:alert(1)", None):
        assert "](" not in _line(report | {"url": address})


def test_an_area_is_selected_without_webgl():
    made(archives_folder() / "storms", 900)
    app = opened("archive", picture="yes")
    next(one for one in app.number_input if one.label == "Right").set_value(50)
    press(app, "Select the area")
    assert 0 < int(said(app).split()[0]) < 900
    assert "lasso" in app.query_params
    press(app, "archive-clear")
    assert said(app).split()[0] == "900"
    assert "lasso" not in app.query_params


def test_visitors_see_archives_that_are_shared(monkeypatch):
    made(archives_folder() / "own", 90)
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    app = opened("archive", archive="own")
    assert said(app).split()[0] == "4,774"
    assert not any(one.label.startswith("Path of") for one in app.text_input)
    made(archives_folder() / "for-all", 180, shared=True)
    app = opened("archive", archive="own")
    assert said(app).split()[0] == "180"


def test_an_archive_that_is_not_finished_or_damaged_is_said_in_a_sentence():
    folder = archives_folder() / "storms"
    made(folder, 90)
    (folder / "points.gz").write_bytes(b"x")
    app = opened("archive", archive="storms")
    assert "points" in app.error[0].value
    (folder / "summary.json").unlink()
    assert "is not finished" in opened("archive", archive="storms").error[0].value
    listed = table_of(opened("open")).set_index("Name")
    assert listed["Days"]["storms"] == "not finished"


def table_of(app):
    """What is open, as a table; the kind stands in the key of the button, too."""
    lines = re.findall(
        r'"open-facts"><span>(.*?)</span><span>(.*?)</span><span>(.*?)</span>', shown_html(app)
    )
    table = pd.DataFrame(lines, columns=["Kind", "Headlines", "Days"])
    table["Kind"] = table["Kind"].str.partition(":")[0]
    names = [one for one in app.button if re.match("open-[A-Z]", one.key or "")]
    return table.assign(Name=[one.label.replace("\\", "") for one in names], Key=[one.key for one in names])


@pytest.mark.slow
def test_what_is_open_is_one_list_and_a_line_leads_to_it(news):
    made(archives_folder() / "storms", 90)
    brought(news, "wire")
    app = opened("open")
    table = table_of(app).set_index(["Kind", "Name"])
    assert table.loc[("Archive", "storms"), "Headlines"] == "90 headlines"
    assert table.loc[("Archive", "storms"), "Days"] == "1 – 30 May 2024"
    assert table.loc[("Stream", "news.csv"), "Headlines"] == "2 headlines"
    assert table.loc[("Stream", "news.csv"), "Days"] == "6 May 2024"
    assert set(table["Headlines"]) == {f"{count} headlines" for count in ("2", "47", "90", "200", "4,774")}
    select(app, "Archive", "storms")
    assert said(app).split()[0] == "90"
    app = opened("open")
    select(app, "Stream", "news.csv")
    assert metrics(app)["Headlines"] == "2"


def select(app, kind, name):
    table = table_of(app)
    press(app, table.set_index(["Kind", "Name"]).loc[(kind, name), "Key"])


def file_opened(name, hour, texts=STORM):
    """The app after a file of some headlines was opened, and the name that a link has for it."""
    app = opened("open")
    loaded(app, name, (HEADER + "".join(row(text, hour) for text in texts)).encode())
    return app, app.session_state["state_TimelineView"]["data"]


def test_a_source_is_recognised_said_and_can_be_read_otherwise():
    name, text = SAMPLES["newsapi"]
    app = opened("open")
    settled(app.file_uploader[0].set_value((name, text.encode(), "application/json")))
    assert any("read as NewsAPI" in told.value for told in app.markdown)
    settled(app.selectbox(key="open-format").set_value("json"))
    assert any("read as JSON" in told.value for told in app.markdown)
    settled(app.selectbox(key="open-format").set_value("newsapi"))
    press(app, "load")
    read = resources.timeline(app.session_state["state_TimelineView"]["data"])
    assert (read.texts, read.publishers, read.report.format) == (
        list(TITLES),
        list(OUTLETS_OF_TITLES),
        "newsapi",
    )


def remembered(name, monkeypatch):
    monkeypatch.setattr(type(st.context), "cookies", property(lambda _: {OPEN: name}))


def test_files_stay_listed_in_a_new_session_and_the_timeline_opens_on_the_last(monkeypatch):
    remembered(file_opened("first.csv", 1)[1], monkeypatch)
    app = opened("open")
    assert "first" in table_of(app)["Name"].tolist()
    assert metrics(settled(turned(app, "timeline")))["Headlines"] == "3"
    app, link = file_opened("second.csv", 2, STORM[:2])
    assert {"first", "second"} <= {*app.selectbox(key="pick-data").options}
    assert metrics(opened("timeline", data=link))["Headlines"] == "2"
    assert metrics(opened("timeline", group="3"))["Headlines"] == "47"


def test_two_files_of_one_name_stay_apart():
    for link in [file_opened("daily.csv", hour)[1] for hour in (3, 4)]:
        app = settled(opened("timeline", data=link))
        assert {"daily", "daily (2)"} <= {*app.selectbox(key="pick-data").options}
        assert app.session_state["state_TimelineView"]["data"] == link


def test_several_files_are_opened_as_one_timeline():
    app = opened("open")
    parts = [
        (f"part_{at}.csv", (HEADER + row(text, at)).encode(), "text/csv") for at, text in enumerate(STORM)
    ]
    settled(app.file_uploader(key="upload").set_value(parts))
    press(app, "load")
    assert metrics(settled(turned(app, "timeline")))["Headlines"] == "3"


def test_a_visitor_of_a_workshop_is_not_led_to_another_s_file(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    names = {"cookies": "ada"}
    monkeypatch.setattr(sessions, "visitor", lambda: names["cookies"])
    remembered(file_opened("mine.csv", 1)[1], monkeypatch)
    for visitor, headlines_there in (("bo", "47"), ("ada", "3")):
        names["cookies"] = visitor
        app = opened("open")
        assert ("mine" in table_of(app)["Name"].tolist()) is (visitor == "ada")
        assert metrics(settled(turned(app, "timeline")))["Headlines"] == headlines_there


def test_what_is_open_can_be_removed_but_what_ships_cannot(news):
    made(archives_folder() / "storms", 90)
    brought(news, "wire")
    app = opened("open")
    loaded(app, "own.csv", news.read_bytes())
    settled(turned(app, "open"))
    for name in ("own (file)", "news.csv (stream)", "storms (archive)"):
        chosen = app.selectbox(key="remove-what")
        assert name in chosen.options
        settled(chosen.select(name))
        press(app, "Remove it")
        assert name.split(" ")[0] not in table_of(app)["Name"].tolist()
    assert "remove-what" not in {box.key for box in app.selectbox}
    assert not stream_file("wire").exists()
    assert not (archives_folder() / "storms").exists()
    assert len(table_of(app)) == 5


def brought(source, name, *, shared=False):
    how = {"seconds": 1, "once": True, "told": lambda *_: None, "note": print}
    header = StreamHeader(source=str(source), shared=shared)
    following = Following(header=header, source=source_of(str(source)), **how)
    follow(StreamLog(stream_file(name)), following, Runtime())


@pytest.fixture
def news(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    path = tmp_path / "news.csv"
    path.write_text(HEADER + row(STORM[0], 9) + row("Bank raises rates", 10), encoding="utf-8")
    return path


def headings(app):
    return [one.value for one in app.header]


def test_without_a_stream_a_replay_of_the_sample_is_one_click_away(news):
    app = opened("live")
    assert any("4,774 real headlines" in one.value for one in app.caption)
    assert "Fed official says weak data caused by weather" in shown_html(app)
    moments = re.findall(r"<time>([\d:]+)</time>", shown_html(app))
    assert moments == sorted(moments)
    assert 4 < len(moments) == shown_html(app).count("headlines</small>")
    assert app.button(key="live-replay").label == "Start the replay"
    assert any("headline-lab live SOURCE" in one.value for one in app.caption)
    assert ["Address of" in field.label for field in app.text_input] == [True]
    assert headings(app)[:2] == ["Replay a day", "Follow your own feed"]
    assert "<b" not in shown_html(app), "no headline to come is bold"


def test_a_link_to_a_stream_that_is_not_here_says_so_in_a_sentence(news):
    brought(news, "day")
    app = opened("live", stream="elsewhere")
    (said,) = [one.value for one in app.warning]
    assert "stream=elsewhere" in said.replace("\\", "")
    assert metrics(app)["Headlines"]
    assert not opened("live").warning


def test_a_source_that_could_not_be_followed_says_why(news):
    said = stream_file("wire").with_suffix(".log")
    said.parent.mkdir(parents=True)
    said.write_text("Error: <b>it answered</b> with status 404.", encoding="utf-8")
    app = opened("live", stream="wire")
    assert "status 404" in app.warning[0].value
    assert ["Address of" in field.label for field in app.text_input] == [True]


def test_it_shows_what_is_new_and_remembers_in_the_link_what_changed_since(news):
    brought(news, "day")
    app = opened("live")
    assert metrics(app)["Headlines"] == "2"
    assert metrics(app)["Source looked at"] == "not followed"
    assert headings(app)[2].endswith("(0)")
    assert not any("last visit" in one for one in headings(app))  # there was none
    since = app.query_params["since"]
    with news.open("a", encoding="utf-8") as file:
        file.write(row(STORM[1], 11) + row(STORM[2], 12))
    brought(news, "day")
    settled(app)
    assert metrics(app)["Headlines"] == "4"
    assert headings(app)[2].endswith("(1)")
    assert "again &lt;img src=x" in shown_html(app)
    assert "<img" not in shown_html(app)
    again = opened("live", since=since[0] if isinstance(since, list) else since)
    assert headings(again)[2] == "Changed since your last visit (1)"
    press(again, "live-seen")
    assert headings(again)[2] == "Changed since your last visit (0)"


def test_what_came_before_the_page_was_opened_is_no_change_also_in_the_midst_of_a_look(news):
    brought(news, "day")
    log = StreamLog(stream_file("day"))
    stream = Stream(Runtime(), log.new(), regroup_after=9.0)
    early, late = (Arrival(key=f"{n:032x}", text=STORM[n]) for n in (1, 2))
    log.append(list(stream.add([early])))
    app = opened("live")
    assert metrics(app)["Headlines"] == "3"
    assert headings(settled(app))[2] == "Changed since you opened this page (0)"
    log.append(list(stream.add([late])))
    assert headings(settled(app))[2] == "Changed since you opened this page (1)"


def test_hours_of_a_stream_are_in_the_reader_s_zone_which_is_said(news):
    brought(news, "day")
    here, there = (metrics(opened("live", timezone=zone))["Newest headline"] for zone in (None, "Asia/Tokyo"))
    hours = [int(re.search(r"(\d\d):\d\d (UTC|JST)$", said)[1]) for said in (here, there)]
    assert (hours[1] - hours[0]) % 24 == 9
    assert any("JST" in caption.value for caption in opened("live", timezone="Asia/Tokyo").caption)


def test_it_waits_for_the_stream_that_was_followed_and_shows_no_other(news):
    brought(news, "day")
    log = StreamLog(stream_file("wire"))
    with files.only_one(log.looked) as alone:  # as its follower holds it
        assert alone
        app = opened("live", stream="wire")
        assert app.info[0].value.startswith("**The stream begins in a few seconds.**")
        assert not app.metric
        assert "since" not in app.query_params
    brought(news, "wire")
    settled(app)
    assert metrics(app)["Headlines"] == "2"
    assert app.selectbox(key="live-stream").value == "wire"


def test_a_page_that_is_paused_stays_as_it_is(news):
    brought(news, "day")
    app = opened("live")
    press(app, "live-pause")
    with news.open("a", encoding="utf-8") as file:
        file.write(row(STORM[1], 11))
    brought(news, "day")
    settled(app)
    assert metrics(app)["Headlines"] == "2"
    press(app, "live-pause")
    assert metrics(app)["Headlines"] == "3"


def test_a_stream_opens_as_a_timeline(news):
    brought(news, "day")
    app = opened("live")
    press(app, "live-open")
    assert app.session_state["state_TimelineView"]["data"].startswith("file-")
    app.switch_page("pages/timeline.py")
    assert metrics(settled(app))["Headlines"] == "2"


@pytest.mark.slow
def test_a_feed_that_changed_a_title_shows_one_headline_and_what_changed(news):
    address = ",https://wire.example/a/storm-1\n"
    lines = (
        row(text, 9 + at).rstrip("\n") + address
        for at, text in enumerate(("14 dead in storm", "9 dead in storm"))
    )
    news.write_text(HEADER.rstrip("\n") + ",url\n" + "".join(lines), encoding="utf-8")
    brought(news, "day")
    app = opened("live")
    assert metrics(app)["Headlines"] == "1"
    said = " ".join(one.value for one in app.markdown)
    assert "1 edited headline" in said
    assert "changed 14 → 9 dead" in said
    there = " ".join(one.value for one in opened("live", timezone="Asia/Tokyo").markdown)
    assert re.search(r"changed 14 → 9 dead, .* JST", there.replace("\\", ""))
    assert any(one.label == "CSV of these edits" for one in app.get("download_button"))


def test_a_rule_is_set_tells_and_is_removed(news):
    brought(news, "day")
    app = opened("live")
    press(app, "rule-add-word")
    assert "no word" in app.error[0].value
    app.text_input(key="rule-word").set_value("<b>storm")
    app.text_input(key="rule-webhook").set_value("https://example.org/hook")
    press(app, "rule-add-word")
    assert "on the internet" in app.error[0].value
    app.text_input(key="rule-webhook").set_value("")
    app.text_input(key="rule-word").set_value("storm")
    press(app, "rule-add-word")
    assert "Alarms" not in headings(app)
    with news.open("a", encoding="utf-8") as file:
        file.write(row(STORM[1], 11))
    brought(news, "day")
    settled(app)
    assert headings(app)[0] == "Alarms"
    assert "“storm” appears" in shown_html(app)
    assert "<img" not in shown_html(app)
    (rule,) = rules_of(StreamLog(stream_file("day")))
    press(opened("live"), f"rule-remove-{rule.id}")
    assert rules_of(StreamLog(stream_file("day"))) == []


def test_visitors_of_a_workshop_set_no_rule_and_see_no_alarm(news, monkeypatch):
    brought(news, "day", shared=True)
    stream = StreamLog(stream_file("day"))
    set_rule(stream, Rule(kind=RuleKind.WORD, since=datetime.now(UTC), word="storm"))
    with news.open("a", encoding="utf-8") as file:
        file.write(row(STORM[1], 11))
    brought(news, "day", shared=True)
    assert headings(opened("live"))[0] == "Alarms"
    monkeypatch.setattr(security, "_installed", [True])
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    app = opened("live")
    assert metrics(app)["Headlines"] == "3"
    assert "Alarms" not in headings(app)
    assert "appears" not in shown_html(app)
    assert not [one for one in app.button if one.key and one.key.startswith("rule-")]
    assert not app.text_input


def test_visitors_see_streams_that_are_shared_and_follow_nothing(news, monkeypatch):
    brought(news, "own")
    monkeypatch.setenv("HEADLINE_LAB_MODE", "workshop")
    app = opened("live", stream="own")
    assert not app.metric
    assert app.button(key="live-replay").label == "Start the replay"
    assert not app.text_input
    brought(news, "for-all", shared=True)
    app = opened("live", stream="own")
    assert metrics(app)["Headlines"] == "2"
    assert not app.text_input
    assert str(news.parent) not in " ".join([shown_html(app), *(one.value for one in app.markdown)])


def test_what_cannot_be_followed_is_said_in_a_sentence(news):
    app = opened("live")
    refused = {"http://127.0.0.1:1/feed": "private network", "/no/such/file.csv": "no file or folder"}
    for given, said in refused.items():
        app.text_input[0].set_value(given)
        press(app, "Follow")
        assert said in app.error[0].value
