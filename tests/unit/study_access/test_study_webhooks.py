"""Addresses of one's own are told once that a study has answers, or is full; no other address is."""

import pytest

from core.errors import InputError
from core.journal.journal import the_journal
from core.live import webhooks
from core.people import studies
from core.study_access import study_webhooks
from core.study_access.study_webhooks import WebhookWatch, remove_webhook, set_webhook
from tests.unit.live.test_alarms import Heard
from tests.unit.study_access.conftest import registered

JOINING = {"agree": True, "background": {"Age": "40"}}


@pytest.fixture
def heard(monkeypatch):
    monkeypatch.setattr(webhooks, "WAITS", (0.0, 0.0))
    heard = Heard()
    yield heard
    heard.server.shutdown()
    heard.server.server_close()


def looked():
    """One look of a server that begins, until all it tells is told."""
    watch = WebhookWatch(the_journal())
    watch.look()
    watch.look()  # what is being told is not told again
    watch.close()


def said(heard):
    return [event for _, _, body in heard.bodies for event in body["events"]]


def test_an_address_is_told_once_when_there_are_so_many_answers_and_when_a_study_is_full(
    program, study, heard
):
    set_webhook(the_journal(), study, heard.address, 3)
    set_webhook(the_journal(), study, heard.address)
    annotator = program("annotator")
    annotator.ask("join", JOINING, status=204)
    looked()
    assert not heard.bodies
    annotator.answer_all()
    looked()
    looked()  # as after a restart
    (event,) = said(heard)
    given = len(studies.answered(the_journal(), study))
    assert (event["event"], event["study"], event["answers"], event["joined"]) == (
        "answers", study.code, given, 1,
    )  # fmt: skip
    assert "Ada" not in str(event)
    other = program("annotator", "Bo")
    other.ask("join", JOINING, status=204)
    other.answer_all()
    looked()
    assert [event["event"] for event in said(heard)] == ["answers", "full"]
    known = study_webhooks.webhooks(the_journal()).values()
    assert [hook.line.rpartition("  ")[2] for hook in known] == ["sent", "sent"]


def test_a_study_is_full_when_nobody_else_may_take_part_and_one_that_is_gone_stops_no_other(server, heard):
    gone = studies.register(the_journal(), studies.templates()["same_event"])
    set_webhook(the_journal(), gone, heard.address)
    study = registered("Few", people=1)
    set_webhook(the_journal(), study, heard.address)
    looked()
    assert not heard.bodies
    studies.join(the_journal(), study, "Ada", {})
    looked()
    assert [event["event"] for event in said(heard)] == ["full"]


def test_what_is_in_vain_is_noted_and_what_was_removed_is_not_told(server, study, heard):
    set_webhook(the_journal(), study, heard.address)
    (hook,) = study_webhooks.webhooks(the_journal()).values()
    for nonsense in ("", "zz"):
        with pytest.raises(InputError):
            remove_webhook(the_journal(), nonsense)
    remove_webhook(the_journal(), hook.id[:8])
    few = registered("Few", people=1)
    studies.join(the_journal(), few, "Ada", {})
    set_webhook(the_journal(), few, heard.address)
    heard.answers[:] = [500, 500]
    looked()
    looked()
    assert len(heard.bodies) == 2
    (hook,) = study_webhooks.webhooks(the_journal()).values()
    assert "500" in hook.line
    assert "key=1" not in hook.line


def test_an_address_that_nobody_allowed_is_refused(server, study):
    for address in ("https://example.com/hook", "ftp://127.0.0.1/", "http://user:pw@127.0.0.1/", "x"):
        with pytest.raises(InputError):
            set_webhook(the_journal(), study, address)
    assert not study_webhooks.webhooks(the_journal()).values()
