"""Review by keys alone: each answer is in force at once, there after a reload, and undone by a key."""

import pytest
from playwright.sync_api import expect

from core.files import ROOT
from tests.browser.steps import give, opened, ready

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LINES = (ROOT / "samples/iss/iss_excerpt.csv").read_bytes().splitlines()[:40]


def test_the_least_sure_links_are_answered_by_keys_and_taken_back_by_a_key(page, app_url):
    def facts():
        ready(page)
        level = page.get_by_role("slider").get_attribute("aria-valuenow")
        return page.locator(".st-key-facts").inner_text(), level

    panel = page.locator(".st-key-review-panel")
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("review.csv", b"\n".join(LINES))])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)  # nothing is excluded: the groups follow
    begin = facts()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Review the least sure links").click()
    expect(panel).to_contain_text("0 answered")
    ready(page)
    asked, seen = [], []
    for number in range(1, 5):
        asked.append(panel.get_by_test_id("stColumn").all_inner_texts())
        other = "d" if "Now together" in panel.inner_text() else "s"
        page.keyboard.press("n" if number == 4 else other)
        expect(panel).to_contain_text(f"{number} answered")
        expect(panel).to_contain_text("Your last answer")
        seen.append(facts())
    assert len(set(map(str, asked))) == 4
    assert len(set(seen)) > 2
    page.reload()
    expect(panel).to_contain_text("4 answered")
    assert facts() == seen[-1]
    for number in (3, 2, 1, 0):
        page.keyboard.press("u")
        expect(panel).to_contain_text(f"{number} answered")
        ready(page)
    assert facts() == begin
    assert panel.get_by_test_id("stColumn").all_inner_texts() == asked[0]
    panel.get_by_text("Precision and recall at every level").click()
    expect(panel.get_by_test_id("stVegaLiteChart")).to_be_visible()
