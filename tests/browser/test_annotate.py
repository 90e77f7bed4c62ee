"""Two people group a small timeline in two windows; it stands after a reload, and table 1 follows."""

import csv
import io

import pytest
from playwright.sync_api import expect

from tests.browser.steps import downloaded, first_sight, give, opened, published, ready, turned

pytestmark = pytest.mark.browser

HEADLINES = b"""headline,date
Central bank raises rates,2024-05-01
Rates raised by central bank,2024-05-01
The week in pictures,2024-05-02
Storm closes two airports,2024-05-03
Airports shut as storm hits,2024-05-03
"""


def come_in(page, name):
    page.get_by_label("Your name or initials").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)


def begin(page, name):
    come_in(page, name)
    page.get_by_role("button", name="Skip the training").click()
    ready(page)


def placed(page, count, groups):
    """Waits until so many headlines have a group."""
    expect(page.get_by_text(f"{count} of 5 headlines in {groups}")).to_be_visible()
    ready(page)


def press(page, *steps):
    """Presses keys, each when the headline that it is about is shown."""
    for headline, key in steps:
        expect(page.locator(".st-key-annotate-headline").get_by_text(headline)).to_be_visible()
        ready(page)
        page.keyboard.press(key)


def with_own_headlines(page, app_url):
    """Annotate with a file of one's own."""
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("small.csv", HEADLINES)])
    page.get_by_role("button", name="Load these headlines").click()
    page.get_by_role("heading", name="Sources").wait_for(state="detached")
    ready(page)
    turned(page, "Annotate")


@pytest.mark.journey
def test_two_people_group_a_timeline_and_table_1_follows(page, browser, app_url, tmp_path):
    with_own_headlines(page, app_url)
    begin(page, "Ada G")
    press(
        page,
        ("Central bank raises rates", "n"),
        ("Rates raised by central bank", "n"),
        ("The week in pictures", "z"),
        ("Rates raised by central bank", "1"),
        ("The week in pictures", "v"),
    )
    placed(page, 3, "2 groups")
    address = page.url

    context = browser.new_context(viewport={"width": 390, "height": 844})
    other = context.new_page()
    opened(other, address, "Annotate and judge")
    other.get_by_label("Your name or initials").fill("Bob G")
    other.get_by_role("button", name="Start", exact=True).click()
    other.get_by_role("button", name="Skip the training").click()
    placed(other, 0, "0 groups")
    other.locator(".st-key-rules-folded summary").click()
    expect(other.get_by_text("no earlier headline").filter(visible=True).first).to_be_visible()
    press(
        other,
        ("Central bank raises rates", "n"),
        ("Rates raised by central bank", "1"),
        ("The week in pictures", "n"),
        ("Storm closes two airports", "n"),
        ("Airports shut as storm hits", "n"),
    )
    placed(other, 5, "4 groups")
    context.close()

    page.reload()
    ready(page)
    placed(page, 3, "2 groups")
    press(page, ("Storm closes two airports", "n"))
    headline = page.locator(".st-key-annotate-headline")
    expect(headline.get_by_text("Airports shut as storm hits")).to_be_visible()
    ready(page)
    headline.drag_to(page.get_by_role("button", name="Storm closes two airports"))
    placed(page, 5, "3 groups")
    expect(page.get_by_text("All done, thank you.")).to_be_visible()

    turned(page, "Agreement")
    expect(page.get_by_text("Headlines that divide people")).to_be_visible()
    rows = list(csv.DictReader(io.StringIO(published(page, "table", "CSV", tmp_path))))
    assert [(row["headlines"], row["annotators"], row["positive_pairs"]) for row in rows] == [("5", "2", "1")]
    released = list(csv.DictReader(io.StringIO(downloaded(page, "Annotated timeline (CSV)", tmp_path))))
    assert [row["annot_1_group"] for row in released] == ["1", "1", "2", "3", "3"]
    assert [row["annot_2_group"] for row in released] == ["1", "1", "2", "3", "4"]
    assert [row["global_group"] for row in released] == ["1", "1", "2", "3", "4"]


def test_the_number_on_the_screen_is_the_key_and_no_key_is_lost(page, app_url):
    """Eleven events, then the first, the eleventh and the second once more; nothing waits for the page."""
    lines = [f"Event {letter} begins,2024-05-{day:02}" for day, letter in enumerate("ABCDEFGHIJK", 1)]
    lines += [f"Event {letter} ends,2024-06-{day:02}" for day, letter in enumerate("AKB", 1)]
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("eleven.csv", "\n".join(["headline,date", *lines]).encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.get_by_role("heading", name="Sources").wait_for(state="detached")
    ready(page)
    turned(page, "Annotate")
    first_sight(page)
    begin(page, "Dora G")
    headline, numbers = page.locator(".st-key-annotate-headline"), "[class*=st-key-annotate-group-] button"
    page.keyboard.type("nnv")
    expect(headline.get_by_text("Event D begins")).to_be_visible()
    page.keyboard.type("z")
    expect(headline.get_by_text("Event C begins")).to_be_visible()
    page.keyboard.type("nnnnnnnnn")
    expect(headline.get_by_text("Event A ends")).to_be_visible()
    ready(page)
    listed = page.locator(numbers).all_inner_texts()
    assert [text.split()[:3] for text in listed] == [
        [str(number), "Event", "ABCDEFGHIJK"[number - 1]] for number in range(3, 12)
    ]
    page.keyboard.press("1")
    expect(page.get_by_text("the next digit, or")).to_be_visible()
    page.keyboard.press("Enter")
    expect(headline.get_by_text("Event K ends")).to_be_visible()
    ready(page)
    assert page.locator(numbers).first.inner_text().split()[:3] == ["1", "Event", "A"]
    page.keyboard.type("112")
    expect(page.get_by_text("All done, thank you.")).to_be_visible()
    expect(page.get_by_text("14 of 14 headlines in 11 groups")).to_be_visible()


def test_a_queue_of_what_divides_people_is_worked_by_keys(page, app_url, tmp_path):
    opened(page, f"{app_url}/judge?part=agreement&simulate=yes", "Annotate and judge")
    come_in(page, "Eve A")
    card = page.locator(".st-key-agreement-card")

    def step(key, done, place):
        page.keyboard.press(key)
        expect(page.get_by_text(f"{done} of 44 decided")).to_be_visible()
        expect(card.get_by_text(f"{place} of 44", exact=True)).to_be_visible()
        ready(page)

    first = card.locator("strong").first.inner_text()
    step("w", 0, 1)
    step("k", 0, 1)
    kind = card.get_by_role("combobox")
    expect(kind).to_have_value("Part of a larger event")
    step("1", 1, 2)
    expect(kind).to_have_value("No kind of error")
    step("n", 2, 3)
    step("z", 1, 2)
    step("ArrowRight", 1, 3)
    step("ArrowLeft", 1, 2)
    step("ArrowLeft", 1, 1)
    expect(card.get_by_text("Decided by Eve A, blind")).to_be_visible()
    rows = csv.DictReader(io.StringIO(downloaded(page, "Annotated timeline (CSV)", tmp_path)))
    said = {row["headline"]: (row["adjudicated"], row["confidence"], row["error"]) for row in rows}
    assert said.pop(first) == ("blind", "rather", "Part of a larger event")
    assert set(said.values()) == {("", "", "")}


def test_groups_are_split_and_merged_with_a_thumb_and_undone_to_the_very_beginning(page, browser, app_url):
    """A phone groups, merges and splits, a second window adds; a reload later undo goes back to nothing."""
    with_own_headlines(page, app_url)
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    address, page, other = page.url, phone.new_page(), phone.new_page()
    opened(page, address, "Annotate and judge")
    begin(page, "Eve G")

    def tap(name, window=page):
        window.bring_to_front()
        window.get_by_role("button", name=name).tap()
        ready(window)

    def numbered(*numbers, window=page):
        chips = window.locator(".headline-lab-placing li b")
        expect(chips).to_have_text(list(numbers), use_inner_text=False)

    new, merge = page.get_by_role("button", name="New group"), page.get_by_role("button", name="Merge")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for button in (new, merge):
        box = button.bounding_box()
        assert box["height"] >= 48
        assert 422 < box["y"] < 844 - box["height"]
    for name in ("New group", "New group", "New group", "Too vague"):
        tap(name)
    numbered("1", "2", "3", "–", "")
    opened(other, address, "Annotate and judge")
    numbered("1", "2", "3", "–", "", window=other)

    tap("Merge")
    tap("Rates raised by central bank")
    tap("Central bank raises rates")
    numbered("1", "1", "3", "–", "")
    # The other window still offers what was merged; the headline goes where that group went.
    tap("Rates raised by central bank", other)
    numbered("1", "1", "3", "–", "1", window=other)
    page.locator(".headline-lab-placing summary").tap()
    page.get_by_role("option", name="Airports shut as storm hits").tap()
    ready(page)
    numbered("1", "1", "3", "–", "1")
    tap("Split")
    boxes = page.locator(".st-key-annotate-groups").get_by_test_id("stCheckbox")
    expect(boxes).to_have_count(3)
    boxes.filter(has_text="Rates raised by central bank").locator("label").tap()
    ready(page)
    tap("Make them a group")
    numbered("1", "4", "3", "–", "4")

    page.reload()
    ready(page)
    numbered("1", "4", "3", "–", "4")
    for left in (
        ("1", "1", "3", "–", "1"),
        ("1", "1", "3", "–", ""),
        ("1", "2", "3", "–", ""),
        ("1", "2", "3", "", ""),
        ("1", "2", "", "", ""),
        ("1", "", "", "", ""),
        ("", "", "", "", ""),
    ):
        tap("Undo")
        numbered(*left)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    phone.close()
