"""While work runs only our own signs of it are seen: a line under the bar, and progress with Stop."""

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.steps import LOOKS, begun, opened

pytestmark = pytest.mark.browser

_WATCHED = LOOKS["signs"]


def held(page):
    """Keeps from the page that its script has ended."""

    def connected(socket):
        def passed(message):
            said = ForwardMsg.FromString(message)
            status = said.session_status_changed
            still = said.HasField("session_status_changed") and not status.script_is_running
            if not still and not said.HasField("script_finished"):
                socket.send(message)

        socket.connect_to_server().on_message(passed)

    page.route_web_socket("**/_stcore/stream", connected)


def test_only_our_own_signs_are_seen(browser, app_url):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"({_WATCHED})()")
    for address, title in (
        ("/?show=map", "Timeline"),
        ("/write?system=smollm2_headlines.v1", "Write"),
        ("/consistency", "Consistency"),
    ):
        opened(page, app_url + address, title)
        assert page.evaluate("window.seen") == []
    page.get_by_test_id("stMainMenu").click()
    menu = page.get_by_test_id("stMainMenuPopover")
    expect(menu.get_by_text("Print", exact=True)).to_be_visible()
    expect(menu.get_by_text("Streamlit")).to_be_hidden()
    # Another test may have computed all of this before: what lasts is made to last.
    held(page)
    begun(page, app_url)
    page.goto(app_url)
    page.wait_for_function("window.ours > 0")
    assert page.evaluate("window.seen") == []
    context.close()
