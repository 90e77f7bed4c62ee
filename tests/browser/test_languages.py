"""A phone whose reader reads from right to left, and headlines that run as their letters do."""

import pytest
from playwright.sync_api import expect

from components.frame.language import LANGUAGES
from core.files import secret
from core.journal.journal import Journal
from core.journal.opening import sqlite_url
from core.people.room.draws import pair_item, same_event_task
from core.people.room.rooms import Rooms
from tests.browser.steps import ready, violations

pytestmark = pytest.mark.browser
ARABIC = LANGUAGES["ar"]["texts"]
HEADLINES = ("العاصفة تضرب الساحل", "Storm hits the coast")
_SIDES = """
text => {
  const main = document.querySelector('[data-testid="stMain"]');
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && !walk.currentNode.data.includes(text));
  const range = document.createRange();
  range.selectNodeContents(walk.currentNode);
  const [whole, words] = [walk.currentNode.parentElement, range].map((each) => each.getBoundingClientRect());
  return [Math.round(words.left - whole.left), Math.round(whole.right - words.right)];
}
"""
"""How far the words of a line are from its left and its right end, in pixels."""


@pytest.fixture
def rooms(app_folder):
    user = app_folder / "user"
    return Rooms(Journal(sqlite_url(user)), secret=secret(user / "server.key"))


def test_a_phone_in_arabic_runs_from_right_to_left_and_fits_390_pixels(browser, app_url, rooms):
    task = same_event_task("Storms", [pair_item(*HEADLINES, same=True)], key_from="people grouped them")
    code, _ = rooms.open(task)
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="ar-EG")
    page = context.new_page()
    page.goto(f"{app_url}/join?room={code}")
    page.get_by_label(ARABIC["Your nickname"]).fill("ليلى")
    page.get_by_role("button", name=ARABIC["Join"], exact=True).click()
    question = page.get_by_text(ARABIC["Do both headlines report the same event?"])
    expect(question).to_be_visible()
    ready(page)
    html = page.locator("html")
    expect(html).to_have_attribute("dir", "rtl")
    expect(html).to_have_attribute("lang", "ar")
    for text, ends_at in ((HEADLINES[0], 1), (HEADLINES[1], 0)):
        assert page.evaluate(_SIDES, text)[ends_at] <= 1, text
        assert page.evaluate(_SIDES, text)[1 - ends_at] > 20, text
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    same = page.get_by_role("button", name=ARABIC["Same event"])
    assert same.bounding_box()["y"] + same.bounding_box()["height"] < 844
    assert violations(page) == []
    same.click()
    expect(page.get_by_text(ARABIC["All answered"])).to_be_visible()
    assert [*rooms.room(code).round.first.values()] == ["same"]
    context.close()
