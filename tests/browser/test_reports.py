"""An exported report in a browser of its own: it is searched and folded, and none of its text is code."""

import pytest
from playwright.sync_api import expect

from core.events.report import report_html
from tests.browser.axe import violations
from tests.browser.steps import alive, watched
from tests.unit.events.test_report import HOSTILE, content

pytestmark = pytest.mark.browser


def report(browser, path, texts):
    path.write_bytes(report_html(content(texts)))
    page = browser.new_page()
    wrong = watched(page, "file:")
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    return page, wrong


def test_the_report_is_searched_and_folded(browser, tmp_path):
    page, wrong = report(
        browser, tmp_path / "report.html", ("Fire in town", "Town on fire", "Zürich in rain")
    )
    rows, card = page.locator(".rows tbody tr:visible"), page.locator(".card")
    page.keyboard.press("/")
    page.keyboard.type("zurich")
    expect(page.get_by_role("status")).to_have_text("1 of 3 headlines")
    expect(rows).to_have_count(1)
    expect(card).to_be_hidden()
    expect(rows.first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(rows).to_have_count(3)
    expect(card).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("")
    page.get_by_role("button", name="Fold all").click()
    expect(page.locator("details[open]")).to_have_count(0)
    # A search opens what it found, and gives back what was folded.
    page.get_by_role("searchbox").fill("town fire")
    expect(rows).to_have_count(2)
    expect(card.locator("li:visible")).to_have_count(2)
    page.get_by_role("searchbox").fill("")
    expect(page.locator("details[open]")).to_have_count(0)
    page.get_by_role("button", name="Open all").click()
    expect(rows).to_have_count(3)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
    assert wrong == []
    page.close()


def test_no_text_of_a_report_runs_or_is_read_as_code(browser, tmp_path):
    texts = ("a'); alert(1); ('", *HOSTILE, *(f"{text} again" for text in HOSTILE))
    page, wrong = report(browser, tmp_path / "report.html", texts)
    for text in texts:
        page.get_by_role("searchbox").fill(text[:20])
    page.get_by_role("searchbox").fill("<script> (.*[")
    expect(page.get_by_role("status")).to_have_text(f"0 of {len(texts)} headlines")
    assert alive(page) == []
    # What somebody added to the file does not run: the policy knows one script.
    hurt = report_html(content(texts)).replace(b"</main>", b"<script>alert('added')</script></main>")
    (tmp_path / "hurt.html").write_bytes(hurt)
    page.goto((tmp_path / "hurt.html").as_uri())
    expect(page.get_by_role("searchbox")).to_be_visible()
    assert all("Content Security Policy" in said for said in wrong)
    assert len(wrong) == 1
    page.close()
