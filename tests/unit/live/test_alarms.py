"""Rules on a stream that is replayed: each alarm once, also over restarts; feeds and webhooks of them."""

import json
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.live import webhooks
from core.live.alarm_feeds import as_json_feed, as_rss
from core.live.alarms import Watch, kept_alarms
from core.live.arrivals import Arrival
from core.live.book import StreamBook
from core.live.changes import ChangeKind, StreamChange, StreamRecord
from core.live.digest import StreamReader
from core.live.follow import Following, follow
from core.live.log import StreamHeader, StreamLog
from core.live.replay import set_speed
from core.live.rules import HOSTS, Rule, RuleKind, remove_rule, rules_of, set_rule
from core.live.sources import REPLAY, source_of
from core.runtime import Runtime
from tests.unit.live.conftest import rows

NOON = datetime(2024, 5, 6, 12, tzinfo=UTC)
HOSTILE = '<script>alert("1")</script> & <b>14</b> dead \x07]]>'


class Replay:
    """A stream whose headlines are given with minutes after noon; each event has a number."""

    def __init__(self, folder):
        self.log, self.key = StreamLog(folder / "wire.jsonl"), 0
        self.log.begin(StreamHeader(source="wire"))
        self.notes = []
        self.restart()

    def restart(self):
        self.book, records = StreamBook(), tuple(StreamLog(self.log.path).new())
        for record in records:
            self.book.apply(record)
        self.watch = Watch(self.log, self.book, records, self.notes.append)

    def store(self, minutes, text, outlet="Wire", *, event=1, edits=None, url=None, seen=None):
        self.key += 1
        key, when = f"{self.key:032x}", NOON + timedelta(minutes=minutes)
        headline = Arrival(key=key, text=text, published=when, publisher=outlet, edits=edits, url=url)
        change = StreamChange(kind=ChangeKind.JOINED, group=event, keys=(key,), alike=0.5, line=0.3)
        decided = when if seen is None else NOON + timedelta(minutes=seen)
        record = StreamRecord(
            number=self.book.records + 1, time=decided, headline=headline, changes=(change,)
        )
        self.log.append([record])
        self.book.apply(record)
        self.watch.take([record])
        return key

    def said(self):
        """What was raised so far, as it is stored."""
        self.watch.look()
        lines = self.log.alarms.read_bytes().splitlines() if self.log.alarms.exists() else ()
        return [row["said"] for row in map(json.loads, lines) if "said" in row]


@pytest.fixture
def replay(tmp_path):
    replay = Replay(tmp_path)
    yield replay
    replay.watch.close()


def test_rules_that_are_set_at_once_are_all_kept(replay):
    words = [f"word {number}" for number in range(20)]
    given = [rule("word", word=word) for word in words]
    setting = [threading.Thread(target=set_rule, args=(replay.log, each)) for each in given]
    for each in setting:
        each.start()
    for each in setting:
        each.join()
    assert sorted(each.word for each in rules_of(replay.log)) == sorted(words)
    replay.log.remove()
    assert list(replay.log.path.parent.iterdir()) == []


@pytest.mark.parametrize("kind", ["word", "edit"])
def test_accents_and_hidden_characters_are_no_word(replay, kind):
    with pytest.raises(InputError):
        set_rule(replay.log, rule(kind, word="\u0301 \u0308"))
    set_rule(replay.log, rule(kind, word="  Erd\u00adbe\u200bben\n"))
    assert [each.word for each in rules_of(replay.log)] == ["Erdbeben"]


def test_of_two_wordings_at_one_look_and_moment_no_alarm_says_which_came_first(replay):
    for kind in ("edit", "number"):
        set_rule(replay.log, rule(kind))
    first = replay.store(0, "Dam burst kills 14", url="https://wire.example/dam")
    replay.store(0, "Dam burst kills 9", url="https://wire.example/dam", edits=first)
    (said,) = replay.said()
    assert "not known" in said
    assert "→" not in said


def rule(kind, *, since=NOON, **more):
    return Rule(kind=RuleKind(kind), since=since, **more)


def test_outlets_that_report_one_event_in_a_short_time_raise_one_alarm(replay):
    set_rule(replay.log, rule("outlets", outlets=3, minutes=30))
    for minutes, outlet in ((0, "Alpha"), (5, "Beta"), (6, "ALPHA"), (7, "Beta")):
        replay.store(minutes, "Quake in Peru", outlet)
    assert replay.said() == []
    replay.store(8, "Chess in Berlin", "Gamma", event=2)
    replay.store(38, "Quake in Peru", "Gamma")  # more than half an hour after the others
    assert replay.said() == []
    replay.store(38, "Quake in Peru", "Delta")
    replay.store(38, "Quake in Peru", "Epsilon")
    assert len(replay.said()) == 1
    replay.restart()
    replay.store(39, "Quake in Peru", "Zeta")
    assert len(replay.said()) == 1


def test_slow_reports_raise_none(replay):
    set_rule(replay.log, rule("outlets", outlets=3, minutes=30))
    for minutes, outlet in ((0, "Alpha"), (20, "Beta"), (40, "Gamma"), (60, "Delta")):
        replay.store(minutes, "Quake in Peru", outlet)
    assert replay.said() == []


def test_a_changed_number_is_told_once_and_an_equal_one_never(replay):
    set_rule(replay.log, rule("number"))
    replay.store(0, "Quake in Peru kills 14", "Alpha")
    replay.store(1, "Peru quake: 14 dead", "Beta")
    assert replay.said() == []
    replay.store(30, "Peru quake: death toll rises to 20", "Alpha")
    replay.store(31, "Quake in Peru kills 20", "Beta")
    assert replay.said() == ["14 → 20 dead"]
    replay.restart()
    replay.store(32, "Peru quake kills 20, says governor", "Gamma")
    assert replay.said() == ["14 → 20 dead"]


@pytest.mark.parametrize("dated", [True, False])
def test_the_title_of_an_event_states_the_newest_toll_that_outlets_agree_on(replay, dated):
    reader = StreamReader(StreamLog(replay.log.path))

    def title():
        (group,) = reader.digest(0).new
        return group.title

    first = replay.store(0, "Ferry sinks off Kiel, killing 3", "Alpha", url="https://alpha.example/ferry")
    replay.store(5, "Ferry disaster kills three", "Beta")
    assert title() == "Ferry sinks off Kiel, killing 3"
    url = "https://alpha.example/ferry"
    edited = replay.store(dated * 9, "Ferry sinks, 7 dead", "Alpha", edits=first, url=url, seen=9)
    assert title() == "Ferry sinks, 7 dead"
    replay.store(20, "Ferry: 9 dead", "Beta")
    replay.store(21, "9 dead in ferry disaster", "Gamma")
    assert title() == "Ferry: 9 dead"
    replay.store(30, "Ferry sinks, no survivors", "Alpha", edits=edited, url=url)
    assert title() == "Ferry: 9 dead"


NO_CHANGE = {
    "two sides of a ballot": (
        "Lords pass the rent cap by 312 votes to 287",
        "Rent cap passes with 312 votes",
    ),
    "the other side named later": (*2 * ("Rent cap passes with 312 votes",), "Rent cap: 312 votes to 287"),
    "a score in two notations": ("Kiel beat Lübeck 3-1", "Kiel schlägt Lübeck 3:1", "Kiel 3-1 Lübeck"),
    "a score from the other side": ("Kiel beat Lübeck 3-1", "Kiel win 3-1", "Lübeck lose 1-3"),
    "an older toll again": ("3 dead in ferry", "9 dead in ferry", "3 dead in ferry", "3 dead in ferry"),
}


@pytest.mark.parametrize("texts", NO_CHANGE.values(), ids=list(NO_CHANGE))
@pytest.mark.parametrize("looks", [True, False])
def test_what_is_written_otherwise_or_stood_there_already_is_no_change(replay, texts, looks):
    set_rule(replay.log, rule("number"))
    for at, text in enumerate((*texts, *texts[-1:])):
        replay.store(at, text, f"Outlet {at}")
        if looks:
            replay.said()
    assert [said for said in replay.said() if said != "3 → 9 dead"] == []


def test_what_two_outlets_confirm_in_later_looks_is_a_change(replay):
    set_rule(replay.log, rule("number"))
    for at, toll in enumerate((14, 14, 20)):
        replay.store(at, f"Quake in Peru kills {toll}", f"Outlet {at}")
    assert replay.said() == []
    replay.store(5, "Peru quake: 20 dead", "Delta")
    assert replay.said() == ["14 → 20 dead"]


def test_many_headlines_of_one_look_are_compared_with_before_it_or_the_first_of_them(replay):
    set_rule(replay.log, rule("number"))
    for at, toll in enumerate((3, 3, 9, 17, 21, 21)):
        last = replay.store(at, f"Ferry sinks, {toll} dead", f"Outlet {at % 3}")
        replay.store(at, "Chess in Berlin", event=2)
    assert replay.said() == ["3 → 21 dead"]
    assert [alarm.headline for alarm in kept_alarms(replay.log).values()] == [last]
    for at, toll in enumerate((22, 25, 25)):
        replay.store(9 + at, f"Ferry sinks, {toll} dead", f"Outlet {at}")
    assert replay.said() == ["3 → 21 dead", "21 → 25 dead"]


def test_edits_and_words_raise_alarms_of_new_headlines_alone(replay):
    replay.store(-5, "Quake near Lima", url="https://wire.example/a")
    set_rule(replay.log, rule("edit"))
    set_rule(replay.log, rule("edit", word="chess"))
    set_rule(replay.log, rule("word", word="lima"))
    first = replay.store(1, "Quake in LÍMA kills 14")
    replay.store(2, "Talks on the climate in Kolima", event=2)  # no word of its own
    second = replay.store(3, "Quake in Lima kills 9", edits=first)
    replay.store(4, "地震 in Lima and more", edits=second)
    assert replay.said() == ["changed 14 → 9 dead", "no longer says 9 dead", "“lima” appears"]
    replay.restart()
    assert len(replay.said()) == 3


def test_what_came_before_a_kill_is_told_after_it(replay):
    set_rule(replay.log, rule("word", word="quake"))
    replay.store(1, "Quake in Peru")  # stored, and killed before anybody looked
    replay.restart()
    assert replay.said() == ["“quake” appears"]
    replay.log.watched.unlink()
    replay.restart()
    assert len(replay.said()) == 1


def test_rules_stay_and_are_removed_one_by_one(replay):
    set_rule(replay.log, rule("word", word="quake"))
    set_rule(replay.log, rule("number"))
    set_rule(replay.log, rule("number", since=NOON + timedelta(hours=1)))
    kept = rules_of(StreamLog(replay.log.path))
    assert [one.kind for one in kept] == ["word", "number"]
    assert kept[1].since > NOON
    remove_rule(replay.log, kept[0].id)
    assert [one.kind for one in rules_of(replay.log)] == ["number"]


def test_a_damaged_file_of_rules_is_said_and_the_stream_goes_on(replay):
    replay.log.rules.write_bytes(b"{")
    replay.restart()
    replay.store(1, "Quake in Peru")
    assert replay.said() == []
    assert replay.log.rules.name in replay.notes[0]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"kind": "word"}, "no word"),
        ({"kind": "outlets", "outlets": 1}, "bounds"),
        ({"kind": "outlets", "minutes": 0}, "bounds"),
        ({"kind": "edit", "webhook": "ftp://127.0.0.1/"}, "not an address"),
        ({"kind": "edit", "webhook": "http://me:secret@127.0.0.1/"}, "name or password"),
        ({"kind": "edit", "webhook": "https://hooks.example.org/T0"}, "on the internet"),
        ({"kind": "edit", "webhook": "http://93.184.215.14/"}, "on the internet"),
    ],
)
def test_what_is_no_rule_is_refused(replay, more, said):
    with pytest.raises(InputError, match=said):
        set_rule(replay.log, rule(**more))
    assert rules_of(replay.log) == []


def test_an_owner_allows_hosts_of_the_internet_by_name_and_encrypted(replay, monkeypatch):
    monkeypatch.setenv(HOSTS, "other.example, Hooks.example.org")
    set_rule(replay.log, rule("edit", webhook="https://hooks.example.org/T0"))
    with pytest.raises(InputError, match="not encrypted"):
        set_rule(replay.log, rule("edit", webhook="http://hooks.example.org/T0"))
    with pytest.raises(InputError, match="on the internet"):
        set_rule(replay.log, rule("edit", webhook="https://example.org/T0"))


def test_feeds_of_alarms_are_read_as_feeds_and_no_title_is_html(replay):
    set_rule(replay.log, rule("word", word="dead"))
    replay.store(1, HOSTILE, url="https://wire.example/a?b=1&c=<2>")
    replay.store(2, "Two dead in Lima", url="javascript:alert(1)")
    replay.said()
    alarms = StreamReader(StreamLog(replay.log.path)).alarms()
    rss = as_rss("Alarms: <i>wire</i>", alarms)
    assert b"<script" not in rss
    assert b"&lt;script" not in rss  # nor for who unfolds it once
    assert b"javascript" not in rss
    found = load(rss, "alarms.xml")
    assert found.texts[0] == "“dead” appears: Two dead in Lima"
    assert "14</b> dead" in found.texts[1] or "14 dead" in found.texts[1]
    assert str(found.table["published"][1]) == "2024-05-06 12:01:00+00:00"
    feed = json.loads(as_json_feed("Alarms", alarms))
    assert feed["version"].endswith("/1.1")
    assert [item.get("url") for item in feed["items"]] == [None, "https://wire.example/a?b=1&c=<2>"]
    assert len({item["id"] for item in feed["items"]}) == 2
    assert len(load(json.dumps(feed).encode(), "alarms.json").texts) == 2


def test_what_is_forgotten_is_in_no_feed(replay):
    set_rule(replay.log, rule("word", word="quake"))
    replay.store(1, "Quake in Peru", "Some Outlet")
    replay.said()
    for text in ("Quake in Peru", "Some Outlet"):
        assert text not in replay.log.alarms.read_text(encoding="utf-8")


class Heard:
    """A server on this computer that writes down what it is told, and answers as it is told to."""

    def __init__(self):
        self.bodies, self.answers, self.came = [], [], threading.Event()
        self.release = threading.Event()
        heard = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = heard.answers.pop(0) if heard.answers else 204
                heard.bodies.append((self.path, self.headers["Content-Type"], body))
                if status == "slow":
                    heard.came.set()
                    heard.release.wait(60)
                    return
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook?key=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def heard():
    heard = Heard()
    yield heard
    heard.release.set()
    heard.server.shutdown()
    heard.server.server_close()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(webhooks, "WAITS", (0.0, 0.0, 0.0))


def problems(replay):
    return [alarm.problem for alarm in kept_alarms(replay.log).values()]


def sent(replay):
    """What came of each alarm, when all tries are over."""
    replay.watch._webhooks._pool.shutdown()
    return problems(replay)


def test_a_webhook_is_told_each_alarm_once(replay, heard):
    set_rule(replay.log, rule("word", word="quake", webhook=heard.address))
    replay.store(1, HOSTILE.replace("dead", "quake"), "Alpha", url="https://wire.example/a")
    replay.said()
    assert sent(replay) == [""]
    ((path, kind, body),) = heard.bodies
    assert (path, kind, body["stream"]) == ("/hook?key=1", "application/json", "wire")
    (alarm,) = body["alarms"]
    page = (Path(__file__).parents[3] / "docs/live.md").read_text(encoding="utf-8")
    documented = json.loads(page.split("```json\n")[1].split("```")[0])
    assert (documented.keys(), documented["alarms"][0].keys()) == (body.keys(), alarm.keys())
    assert alarm["problem"] is documented["alarms"][0]["problem"] is None
    assert alarm["text"] == HOSTILE.replace("dead", "quake")
    assert (alarm["publisher"], alarm["url"], alarm["event"]) == ("Alpha", "https://wire.example/a", 1)
    assert alarm["time"] == "2024-05-06T12:01:00+00:00"
    replay.restart()
    replay.said()
    replay.watch.close()
    assert len(heard.bodies) == 1


def test_a_failing_webhook_is_tried_a_few_times_and_said(replay, heard):
    heard.answers += [500, 302, 200]
    set_rule(replay.log, rule("word", word="quake", webhook=heard.address))
    replay.store(1, "Quake in Peru")
    replay.said()
    assert sent(replay) == [""]
    assert [path for path, _, _ in heard.bodies] == ["/hook?key=1"] * 3  # a redirect is not followed
    replay.restart()
    heard.answers += [500] * 9
    replay.store(2, "Quake in Chile")
    replay.said()
    assert "status 500" in sent(replay)[1]
    assert len(heard.bodies) == 6
    assert any("status 500" in note for note in replay.notes)
    assert "key=1" not in "".join(replay.notes)
    alarms = StreamReader(StreamLog(replay.log.path)).alarms()
    assert [bool(one["problem"]) for one in alarms] == [True, False]


def test_a_slow_webhook_holds_up_no_look_and_is_given_up(replay, heard, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_FETCH_SECONDS", "1")
    heard.answers += ["slow"] * 3
    set_rule(replay.log, rule("word", word="quake", webhook=heard.address))
    replay.store(1, "Quake in Peru")
    assert len(replay.said()) == 1  # while the address has not answered
    assert heard.came.wait(60)
    replay.store(2, "Quake in Chile")
    assert len(replay.said()) == 2
    assert "longer than 1 seconds" in sent(replay)[0]
    assert len(heard.bodies) == 4  # three tries, and the next alarm


def test_what_was_not_tried_to_the_end_is_told_by_the_next_process(replay, heard, monkeypatch):
    monkeypatch.setattr(webhooks, "WAITS", (0.0, 600.0))
    heard.answers += [500]
    now = datetime.now(UTC)
    set_rule(replay.log, rule("word", word="quake", webhook=heard.address))
    replay.store((now - NOON).total_seconds() / 60, "Quake in Peru")
    replay.said()
    replay.watch.close()
    assert problems(replay) == [None]
    replay.restart()
    replay.watch.close()
    assert problems(replay) == [""]
    assert len(heard.bodies) == 2


def test_an_address_that_turns_out_to_be_public_is_not_told(replay, monkeypatch):
    from core.live import fetch

    monkeypatch.setattr(fetch.socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.215.14", 80))])
    monkeypatch.setattr(fetch.socket, "create_connection", lambda *_, **__: pytest.fail("it was asked"))
    set_rule(replay.log, rule("word", word="quake", webhook="http://newsdesk/hook"))
    replay.store(1, "Quake in Peru")
    replay.said()
    assert "address of the internet" in sent(replay)[0]


@pytest.mark.slow
def test_following_raises_alarms_when_it_looks_and_a_new_start_doubles_none(growing, tmp_path):
    log, notes = StreamLog(tmp_path / "day.jsonl"), []

    def look():
        how = {"seconds": 1, "once": True, "told": lambda *_: None, "note": notes.append}
        header = StreamHeader(source=str(growing))
        follow(
            StreamLog(log.path), Following(header=header, source=source_of(str(growing)), **how), Runtime()
        )
        return [(one["text"], one["problem"]) for one in StreamReader(StreamLog(log.path)).alarms()]

    assert look() == []
    set_rule(log, rule("word", since=datetime.now(UTC), word="number 3", webhook="http://127.0.0.1:1/x"))
    growing.write_text(growing.read_text(encoding="utf-8") + rows(3, 4), encoding="utf-8")
    ((text, problem),) = look()
    assert text == "Headline number 3 says something"
    assert problem
    assert look() == [(text, problem)]
    log.remove()
    assert not [path for path in tmp_path.iterdir() if "day" in path.name]


BREAKING = """headline,date,source,url
Quake in Peru kills 14,2024-05-06T10:00:00Z,Alpha,https://alpha.example/a/quake
Peru quake: 14 dead as houses fall,2024-05-06T10:05:00Z,Beta,https://beta.example/a/quake
Quake in Peru kills at least 14,2024-05-06T10:09:00Z,Gamma,https://gamma.example/a/quake
Peru quake kills 14 in the south,2024-05-06T10:12:00Z,Delta,https://delta.example/a/quake
Quake kills 14 in southern Peru,2024-05-06T10:20:00Z,Epsilon,https://epsilon.example/a/quake
Quake in Peru kills 20,2024-05-06T11:00:00Z,Alpha,https://alpha.example/a/quake
Peru quake: 20 dead as houses fall,2024-05-06T11:10:00Z,Gamma,https://gamma.example/b/quake
Chess: Berlin wins the cup final,2024-05-06T12:00:00Z,Beta,https://beta.example/a/chess
"""
RAISED = {
    "outlets": {"outlets": 5, "minutes": 30},
    "number": {},
    "edit": {},
    "word": {"word": "chess"},
}


@pytest.mark.slow
def test_a_file_that_is_replayed_raises_each_kind_of_alarm_once(tmp_path):
    path, log = tmp_path / "breaking.csv", StreamLog(tmp_path / "day.jsonl")
    path.write_text(BREAKING, encoding="utf-8")
    for kind, more in RAISED.items():
        set_rule(log, rule(kind, **more))
    set_rule(log, rule("word", word="tennis"))
    set_speed(log, 1.0)

    def replayed():
        here = StreamLog(log.path)
        source = source_of(f"{REPLAY}{path}", log=here)
        how = {"seconds": 0.5, "once": False, "told": lambda *_: None, "note": lambda _: None}
        follow(
            here, Following(header=StreamHeader(source=f"{REPLAY}{path}"), source=source, **how), Runtime()
        )
        return [
            (each["kind"], each["text"], each["said"]) for each in StreamReader(StreamLog(log.path)).alarms()
        ]

    raised = replayed()
    assert sorted(kind for kind, *_ in raised) == sorted(RAISED)
    said = {kind: (text, words) for kind, text, words in raised}
    assert said["number"][1] == "14 → 20 dead"
    assert said["edit"][0] == "Quake in Peru kills 20"
    assert said["word"][0].startswith("Chess")
    assert replayed() == raised, "a second replay brings nothing new"
