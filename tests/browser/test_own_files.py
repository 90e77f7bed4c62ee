"""Files of one's own, and the report that is exported: searched, folded, and none of its text is code."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.events.report import report_html
from tests.browser.steps import (
    LONG,
    LOOKS,
    alive,
    choose,
    event_row,
    give,
    opened,
    ready,
    settled,
    turned,
    unfold,
    violations,
    watched,
)
from tests.unit.events.test_report import HOSTILE, content

CASES = Path(__file__).parents[1] / "data" / "cases"

pytestmark = pytest.mark.browser

GLUE = "sentence1,sentence2,label\n" + "".join(
    f"Storm {n} closes the airport,{'Airport shut by storm' if n % 2 else 'Bank raises rates'} {n},{n % 2}\n"
    for n in range(8)
)


def test_columns_of_pairs_are_chosen_and_a_mistake_forgets_nothing(page, app_url):
    opened(page, f"{app_url}/benchmark", "Benchmark")
    unfold(page, "Your own pairs")
    odd = GLUE.replace("sentence1,sentence2,label", "eins,zwei,urteil").replace(",1\n", ",vielleicht\n")
    give(page, [("odd.csv", odd.encode())])
    add = page.get_by_role("button", name="Add these pairs")
    expect(add).to_be_disabled()
    expect(page.get_by_role("combobox", name="One headline", exact=True)).to_have_value("eins")
    choose(page, "Label", "urteil")
    add.click()
    settled(page)
    expect(page.get_by_text("The label is 'vielleicht', not 0 or 1.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Label", exact=True)).to_have_value("urteil")
    expect(add).to_be_visible()
    give(page, [("glue.csv", GLUE.encode())])
    expect(page.get_by_text("These pairs are now called glue.")).to_be_visible()
    ready(page)
    # A name that is taken is changed where that is said.
    give(page, [("mrpc.tsv", (CASES / "mrpc.tsv").read_bytes())])
    add.click()
    settled(page)
    box, error = page.locator(".st-key-pairs-own-box"), page.get_by_test_id("stAlertContentError")
    expect(box.locator(error)).to_be_visible()
    name = page.get_by_label("Name", exact=True)
    name.fill("paraphrases")
    name.press("Tab")
    settled(page)
    add.click()
    expect(page.get_by_text("These pairs are now called paraphrases.")).to_be_visible()
    ready(page)


STORMS = "headline,date\n" + "".join(f"Storm {n} shuts an airport,2024-05-0{n}\n" for n in range(1, 6))


def reloaded_elsewhere(page):
    """Chooses an event, reloads another place, and comes back."""
    event_row(page, 0).click()
    ready(page)
    turned(page, "Sources")
    page.reload()
    expect(page.get_by_role("heading", name="What is open")).to_be_visible()
    ready(page)
    turned(page, "Timeline")


def test_the_browser_finds_its_file_again_after_a_new_window_and_a_reload_elsewhere(browser, app_url):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(app_url)
    expect(page.get_by_text("A made-up article")).to_be_visible()
    ready(page)
    give(page, [("storms.csv", STORMS.encode())])
    expect(page.locator(".st-key-facts")).to_contain_text("5 headlines")
    ready(page)
    page.close()

    page = context.new_page()
    page.goto(app_url)
    facts = page.locator(".st-key-facts")
    expect(facts).to_contain_text("5 headlines")
    ready(page)
    reloaded_elsewhere(page)
    expect(facts).to_contain_text("5 headlines")
    ready(page)
    choose(page, "Headlines", "International Space Station, 2015–2019")
    expect(facts).to_contain_text("47 headlines")
    ready(page)
    reloaded_elsewhere(page)
    expect(facts).to_contain_text("47 headlines")
    context.close()


_LEFT_EDGES = LOOKS["edges"]


def test_a_hebrew_headline_begins_on_the_right(page, app_url):
    opened(page, f"{app_url}/sources", "Sources")
    button = page.get_by_role("button", name="Open these headlines")
    expect(button).to_be_visible()
    ink = "(button) => getComputedStyle(button).color"
    quiet = button.evaluate(ink)
    expect(button).to_have_css("pointer-events", "none")  # there is nothing to open
    page.get_by_label("… or pasted headlines").fill(
        "12 הרוגים ברעידת אדמה בטורקיה\n12 הרוגים ברעידת אדמה חזקה בטורקיה\n"
    )
    assert button.evaluate(ink) != quiet
    button.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline", timeout=LONG)
    ready(page)
    for line in (page.locator(".st-key-event-card h2"), event_row(page, 0).locator(".title")):
        number, word = line.evaluate(_LEFT_EDGES)
        assert number > word


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
