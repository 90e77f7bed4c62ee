"""The feeds of alarms: for who has their address, and for nobody else."""

from datetime import UTC, datetime

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from components.server.security import HEADERS, Security
from components.server.server_keys import own_secret
from components.sources import alarm_routes
from core import files
from core.data.timelines.load import load
from core.live.alarms import Alarm
from core.live.arrivals import Arrival
from core.live.changes import ChangeKind, StreamChange, StreamRecord
from core.live.kept import stream_file
from core.live.log import StreamHeader, StreamLog, line_of
from core.live.rules import RuleKind
from core.runtime import MODE, Mode

NOW = datetime(2024, 5, 6, 12, tzinfo=UTC)


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    own_secret.cache_clear()
    log = StreamLog(stream_file("wire"))
    log.begin(StreamHeader(source="wire", shared=True))
    change = StreamChange(kind=ChangeKind.OPENED, group=1, keys=("1" * 32,), line=0.3)
    headline = Arrival(key="1" * 32, text="Quake in <b>Peru</b>", published=NOW)
    log.append([StreamRecord(number=1, time=NOW, headline=headline, changes=(change,))])
    alarm = Alarm(id="a", rule="r", kind=RuleKind.WORD, time=NOW, headline="1" * 32, said="“quake” appears")
    files.append(log.alarms, line_of(alarm.body()))
    app = Starlette(routes=alarm_routes.ROUTES, middleware=[Middleware(Security)])
    yield TestClient(app, headers={"host": "localhost"})
    own_secret.cache_clear()


def path_of(stream, ending):
    return "/" + alarm_routes.feed_address(stream, ending).split("/", 3)[3]


@pytest.mark.parametrize("before", ["", "/lab"])
def test_who_has_the_address_reads_the_alarms_in_both_forms(client, before):
    answer = client.get(before + path_of("wire", "xml"))
    assert answer.headers["content-type"].startswith("application/rss+xml")
    assert answer.headers["cache-control"] == "no-store"
    assert {name.decode() for name, _ in HEADERS} <= set(answer.headers)
    assert load(answer.content, "alarms.xml").texts[0].startswith("“quake” appears: Quake in")
    (item,) = client.get(before + path_of("wire", "json")).json()["items"]
    assert item["title"] == "“quake” appears: Quake in <b>Peru</b>"


def test_without_its_secret_address_nobody_reads_a_feed_of_alarms(client):
    good = path_of("wire", "xml")
    name, _, mark = good.removesuffix(".xml").rpartition(".")
    others = [
        good.replace("wire", "other"), f"{name}.xml", f"{name}.{mark[:-1]}.xml", f"{name}.{'0' * 32}.xml",
        good.replace(".xml", ".html"), "/alarms/wire.xml", "/alarms/.xml", path_of("gone", "json"),
        path_of("../wire", "json"),
    ]  # fmt: skip
    for path in others:
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert b"Peru" not in answer.content
    assert client.get(good).status_code == 200
