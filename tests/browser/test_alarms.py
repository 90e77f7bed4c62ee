"""A followed stream tells: a rule set up in a few clicks, the alarm on the page and in the feed."""

import json
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from core.live.follow import Following, follow
from core.live.kept import stream_file
from core.live.log import StreamHeader, StreamLog
from core.live.rules import Rule, RuleKind, set_rule
from core.live.sources import source_of
from core.runtime import Runtime
from tests.browser.steps import MOST_CLICKS, choose, counted, made, opened, said, show, turned

pytestmark = pytest.mark.browser
NOTIFICATIONS = """
window.told = []; window.prompts = 0;
window.Notification = class {
  static permission = "default";
  static async requestPermission() { window.prompts += 1; return (this.permission = "granted"); }
  constructor(title, { body }) { window.told.push([title, body]); }
};
"""
"""Stands in the place of the browser's own, which no test can read."""
ROW = "{},2024-05-06T1{}:00:00Z,wire\n"


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.fixture
def app_url(folder):
    with made(folder) as url:
        yield url


@pytest.fixture
def brought(folder, monkeypatch):
    """Brings headlines into a stream of the app, as its follower does."""
    monkeypatch.setenv("HEADLINE_LAB_USER", str(folder / "user"))

    def bring(*rows, stream="news"):
        source = folder / f"{stream}.csv"
        if not source.exists():
            source.write_text("headline,date,source\n", encoding="utf-8")
        with source.open("a", encoding="utf-8") as file:
            file.writelines(rows)
        how = {"seconds": 1, "once": True, "told": lambda *_: None, "note": print}
        header = StreamHeader(source=str(source))
        following = Following(header=header, source=source_of(str(source)), **how)
        follow(StreamLog(stream_file(stream)), following, Runtime())

    return bring


@pytest.fixture
def webhook():
    """An address of this computer, and what was sent there."""
    told = []

    class Told(BaseHTTPRequestHandler):
        def do_POST(self):
            told.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Told) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/hook", told
        server.shutdown()


def test_a_rule_is_set_up_in_five_clicks_and_its_alarm_is_read(page, app_url, brought):
    brought(ROW.format("Bank raises rates", 0), ROW.format("Actors end their strike", 1))
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Sources")
    show(page, "Live")
    page.get_by_role("button", name="Tell me when …").click()
    page.get_by_label("Word", exact=True).fill("Storm")
    page.get_by_role("button", name="The word appears").click()
    expect(page.get_by_text("“Storm” appears in a headline.")).to_be_visible()
    assert 0 < page.evaluate("window.clicks") <= MOST_CLICKS

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy address: RSS").click()
    page.wait_for_function("() => navigator.clipboard.readText().then((text) => text.includes('alarms'))")
    address = page.evaluate("() => navigator.clipboard.readText()")
    assert address.startswith(app_url)

    brought(ROW.format("Storm & rain close Genoa", 2))
    expect(page.locator(".live-log").first).to_contain_text("“Storm” appears")
    expect(page.locator(".live-log").first).to_contain_text("Storm & rain close Genoa")
    feed = page.request.get(address)
    assert feed.ok
    assert "close Genoa" in feed.text()
    assert page.request.get(address.replace(".xml", "0.xml")).status == 404
    (item,) = page.request.get(address.replace(".xml", ".json")).json()["items"]
    assert "Storm & rain close Genoa" in json.dumps(item)


def test_a_webhook_of_this_computer_is_told_of_an_alarm(page, app_url, brought, webhook):
    address, told = webhook
    brought(ROW.format("Bank raises rates", 0))
    opened(page, app_url, "Timeline")
    turned(page, "Sources")
    show(page, "Live")
    page.get_by_role("button", name="Tell me when …").click()
    page.get_by_label("Word", exact=True).fill("Storm")
    page.get_by_role("textbox", name="Send to a webhook (optional)").fill(address)
    page.get_by_role("button", name="The word appears").click()
    expect(page.get_by_text("“Storm” appears in a headline.")).to_be_visible()
    brought(ROW.format("Storm closes Kiel", 1))
    (body,) = told
    assert [alarm["text"] for alarm in body["alarms"]] == ["Storm closes Kiel"]
    expect(page.locator(".live-log").first).to_contain_text("closes Kiel")
    assert "Not sent" not in said(page)


def test_the_browser_tells_of_new_alarms_from_a_click_on_until_another(page, app_url, brought):
    page.add_init_script(NOTIFICATIONS)
    brought(ROW.format("Bank raises rates", 0))
    opened(page, app_url, "Timeline")
    turned(page, "Sources")
    show(page, "Live")
    expect(page.get_by_role("button", name="Notify me in this browser")).to_have_count(0)  # no rule yet
    page.get_by_role("button", name="Tell me when …").click()
    page.get_by_label("Word", exact=True).fill("Storm")
    page.get_by_role("button", name="The word appears").click()
    expect(page.get_by_text("“Storm” appears in a headline.")).to_be_visible()
    page.keyboard.press("Escape")
    brought(ROW.format("Storm closes Kiel", 1))
    alarms = page.locator(".live-log").first
    expect(alarms).to_contain_text("closes Kiel")
    assert page.evaluate("[window.prompts, window.told.length]") == [0, 0]
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.get_by_role("button", name="Stop notifications")).to_be_visible()
    brought(ROW.format("Storm & rain < wind in Genoa", 2))
    page.wait_for_function("() => window.told.length")
    assert page.evaluate("window.told") == [["“Storm” appears", "Storm & rain < wind in Genoa"]]
    page.get_by_role("button", name="Stop notifications").click()
    brought(ROW.format("Storm closes Dover", 3))
    expect(alarms).to_contain_text("closes Dover")
    assert page.evaluate("[window.prompts, window.told.length]") == [1, 1]


def test_alarms_of_two_streams_in_one_tab_stay_apart(page, app_url, brought):
    page.add_init_script(NOTIFICATIONS)
    for stream in ("news", "wires"):
        brought(ROW.format(f"Bank raises rates for {stream}", 0), stream=stream)
        set_rule(
            StreamLog(stream_file(stream)), Rule(kind=RuleKind.WORD, since=datetime.now(UTC), word="Storm")
        )
    opened(page, app_url, "Timeline")
    turned(page, "Sources")
    show(page, "Live")
    choose(page, "Stream", "news")
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.get_by_role("button", name="Stop notifications")).to_be_visible()
    choose(page, "Stream", "wires")
    expect(page.get_by_role("button", name="Notify me in this browser")).to_be_visible()
    brought(ROW.format("Storm closes Kiel", 1), stream="wires")
    alarms = page.locator(".live-log").first
    expect(alarms).to_contain_text("closes Kiel")
    brought(ROW.format("Storm closes Genoa", 1))
    choose(page, "Stream", "news")
    expect(alarms).to_contain_text("closes Genoa")
    expect(alarms).not_to_contain_text("closes Kiel")
    page.wait_for_function("() => window.told.length")
    assert page.evaluate("window.told") == [["“Storm” appears", "Storm closes Genoa"]]
    choose(page, "Stream", "wires")
    expect(alarms).to_contain_text("closes Kiel")
    choose(page, "Stream", "news")
    expect(alarms).to_contain_text("closes Genoa")
    assert page.evaluate("window.told.length") == 1
