"""Two people label an event of a sample by the keys of their own codebook; exports and agreement follow."""

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.steps import downloaded, event_row, opened, ready

pytestmark = pytest.mark.browser


def labelling(page, app_url):
    opened(page, app_url, "Timeline")
    event_row(page, 0).click()
    ready(page)
    page.get_by_role("tab", name="Labels").click()
    ready(page)


def come_in(page, name):
    page.get_by_placeholder("Your name or initials").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)


def pressed(page, key, then):
    page.keyboard.press(key)
    expect(page.locator(".st-key-steps-label")).to_contain_text(then)
    ready(page)


def chosen(page, label):
    return page.locator(".st-key-event-card").get_by_role("button", name=label)


def test_labels_of_two_people_by_keys_are_exported_with_their_agreement(page, browser, app_url, tmp_path):
    labelling(page, app_url)
    expect(page.get_by_role("button", name="Save the codebook")).to_be_disabled()
    come_in(page, "Ada")
    page.get_by_label("Labels, one a line with its key").fill("[Tone]\np = glad\nm = calm")
    page.get_by_role("button", name="Save the codebook").click()
    ready(page)
    expect(page.locator(".st-key-steps-label")).to_contain_text("The event")
    page.locator("h1").first.click()  # nothing is typed into
    for key, then in (("p", "Headline 1 of"), ("m", "Headline 2 of"), ("p", "Headline 3 of")):
        pressed(page, key, then)
    page.keyboard.press("u")  # the last of them is open again
    ready(page)
    page.get_by_role("button", name="Previous").click()
    expect(page.locator(".st-key-steps-label")).to_contain_text("Headline 2 of")
    ready(page)
    expect(chosen(page, "glad")).not_to_have_attribute("kind", "primary")
    page.get_by_role("textbox", name="Note", exact=True).fill("=Look again")
    page.keyboard.press("Enter")
    ready(page)
    page.reload()
    ready(page)
    page.get_by_role("tab", name="Labels").click()
    expect(chosen(page, "glad")).to_have_attribute("kind", "primary")
    context = browser.new_context()
    other = context.new_page()
    labelling(other, app_url)
    come_in(other, "Bo")
    expect(chosen(other, "glad")).to_be_enabled()
    other.locator("h1").first.click()
    pressed(other, "p", "Headline 1 of")
    pressed(other, "p", "Headline 2 of")
    # What Ada said of the same headline is not shown to Bo.
    expect(other.get_by_role("textbox", name="Note", exact=True)).to_have_value("")
    other.get_by_text("Agreement of coders", exact=True).click()
    ready(other)
    other.get_by_role("button", name="Publish this table").click()
    panel = other.get_by_role("dialog")
    with other.expect_download() as given:  # the page's own menu of exports has a CSV as well
        panel.get_by_role("button", name="CSV", exact=True).click()
    table = list(csv.DictReader(io.StringIO(Path(given.value.path()).read_text("utf-8"))))
    panel.get_by_role("button", name="Close", exact=True).click()
    expect(panel).to_have_count(0)
    assert [(row["about"], row["items"], row["answers"]) for row in table] == [
        ("headlines", "1", "2"),
        ("events", "1", "2"),
    ]
    rows = list(csv.DictReader(io.StringIO(downloaded(other, "CSV", tmp_path))))
    heads = {tuple(row[f"headline Tone ({who})"] for who in ("Ada", "Bo")) for row in rows}
    assert heads == {("", ""), ("calm", "glad")}
    (noted,) = [row for row in rows if "Look again" in row["headline Note (Ada)"]]
    assert {row["group"] for row in rows if row["event Tone (Ada)"] == "glad"} == {noted["group"]}
    report = downloaded(other, "Report (HTML)", tmp_path)
    assert "Tone (Ada): calm; Tone (Bo): glad" in report
    assert "Tone (Ada): calm; Tone (Bo): glad" in downloaded(other, "Interactive page", tmp_path)
    context.close()
