"""Readiness, what is counted, and the log."""

import json
import logging

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from components.server import health, logs, queue
from components.server.security import Security
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import the_journal
from core.journal.opening import VARIABLE, close
from core.runtime import MODE, Mode
from core.variables import LOG


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setenv(MODE, Mode.WORKSHOP)
    monkeypatch.setenv(health.BEARER, "secret")

    async def page(_request):
        return PlainTextResponse("ok")

    ways = [*health.ROUTES, Route("/{before:path}", page)]
    middleware = [Middleware(logs.Watched), Middleware(Security)]
    yield TestClient(Starlette(routes=ways, middleware=middleware), headers={"host": "localhost"})
    close(the_journal().url)


def test_a_server_that_can_store_is_ready_also_under_a_sub_path(client):
    for address in ("/ready", "/lab/ready"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()) == (200, {"ready": True, "failing": []})


def test_it_is_not_ready_without_its_database_or_space_and_says_no_path(client, monkeypatch, tmp_path):
    monkeypatch.setattr(health, "LEAST_BYTES", 10**18)
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/{'x' * 300}/journal.sqlite")
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["failing"]) == (503, ["database", "disk"])
    assert str(tmp_path) not in answer.text
    close(the_journal().url)


def test_being_asked_whether_it_is_ready_stores_nothing(client):
    the_journal().append("rooms/x", [NewEntry(kind="opened")])
    before = the_journal().streams()
    client.get("/ready")
    assert the_journal().streams() == before


def test_what_is_counted_is_told_to_the_owner_alone(client, monkeypatch):
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer secre"}).status_code == 404
    monkeypatch.setattr(queue, "load", lambda: (1, 3))
    client.get("/join")
    client.get("/", headers={"host": "attacker.example"})
    told = dict(
        line.rsplit(" ", 1)
        for line in client.get("/metrics", headers={"authorization": "Bearer secret"}).text.splitlines()
    )
    assert (told["headline_lab_jobs_running"], told["headline_lab_jobs_waiting"]) == ("1", "3")
    assert int(told["headline_lab_memory_bytes"]) > 10**6
    assert int(told['headline_lab_requests_total{status="2xx"}']) >= 1
    assert int(told['headline_lab_requests_total{status="4xx"}']) >= 2


@pytest.mark.parametrize(("mode", "owner"), [(Mode.WORKSHOP, 404), (Mode.LOCAL, 200)])
def test_without_a_token_metrics_are_for_one_s_own_computer(client, monkeypatch, mode, owner):
    monkeypatch.delenv(health.BEARER)
    monkeypatch.setenv(MODE, mode)
    monkeypatch.setattr("streamlit.config.get_option", lambda name: "127.0.0.1")
    assert client.get("/metrics").status_code == owner


@pytest.fixture
def written(monkeypatch, capsys):
    """Sets the log up as a variable says; gives the lines since."""
    kept = logs.log.handlers[:], logs.log.level, logs.log.propagate

    def lines(form):
        monkeypatch.setenv(LOG, form)
        logs.set_up()
        return capsys

    yield lines
    logs.log.handlers[:], logs.log.propagate = kept[0], kept[2]
    logs.log.setLevel(kept[1])


def test_a_request_is_a_line_of_json_without_headlines_tokens_and_addresses(client, written):
    lines = written("json")
    client.get("/judge?token=abc&headline=Storm")
    client.get("/lab/keep/ticket123")
    client.get("/Storm hits coast")
    logs.audit("room opened")
    told = [json.loads(line) for line in lines.readouterr().err.splitlines()]
    assert [line.get("place", line.get("act")) for line in told] == ["judge", "keep", "other", "room opened"]
    assert all(line["level"] == "INFO" and line["time"].endswith("+00:00") for line in told)
    text = json.dumps(told)
    assert not any(word in text for word in ("Storm", "abc", "ticket123"))


def test_phones_that_wait_for_their_room_are_no_lines_and_no_seconds(client, written):
    lines, before = written("json"), dict(health.answered)
    client.get("/lab/room-mark/abc?known=x")
    assert (lines.readouterr().err, dict(health.answered)) == ("", before)


def test_lines_of_text_say_the_same_and_faults_come_with_their_traceback(client, written):
    lines = written("text")
    client.get("/join")
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("headline_lab").exception("A page failed.")
    told = lines.readouterr().err.splitlines()
    assert "place=join" in told[0]
    assert "status=200" in told[0]
    assert "A page failed." in told[1]
    assert told[-1] == "ValueError: broken"


def test_another_form_is_refused(monkeypatch):
    monkeypatch.setenv(LOG, "xml")
    with pytest.raises(InputError, match="xml"):
        logs.set_up()
