"""The spec of docs/look.md, read from pages: contrasts, targets, letters, and where the content begins."""

import re
import tomllib

import pytest
from playwright.sync_api import expect

from components.frame.charts import theme
from core.files import ROOT
from tests.browser.steps import LONG, LOOKS, begun, settled

pytestmark = pytest.mark.browser

WIDE, NARROW = (1280, 800), (390, 844)
PLACES = {
    "/": ".st-key-group-list",
    "/sources": '[data-testid="stFileUploaderDropzone"]',
    "/check_numbers": '[data-testid="stTextArea"]',
    "/check_numbers?show=one": ".linked .headline p",
    "/write": '[data-testid="stSelectbox"]',
    "/judge?part=evaluate&seed=23": ".st-key-judge-begin",
    "/consistency": ".st-key-triangle",
    "/models": ".st-key-library-cards",
    "/benchmark?part=papers": ".papers",
    "/?show=outlets": ".st-key-outlets",
    "/sources?part=live": ".st-key-live-replay",
    "/compare": ".st-key-compare-page",
    "/join": '[data-testid="stTextInput"]',
    "/?show=map": ".st-key-list-controls",
    "/sources?part=archive": ".point-map",
    "/judge?part=studies": ".st-key-study-parts",
    "/room": ".st-key-room-choice",
    "/benchmark": '[data-testid="stSelectbox"]',
    "/benchmark?part=leaderboard": '[data-testid="stSelectbox"]',
    "/models?part=train": ".st-key-panel-train-0",
}
"""Addresses of pages, and what people come for there."""
ON_A_PHONE = {
    "/write": '[class*="st-key-headline-"] h2',
    "/compare": '[class*="st-key-card-"] strong',
    "/benchmark?part=leaderboard": "h2",
    "/consistency": '[class*="st-key-headline-of-"]',
}
"""What stands at the top there, where a wide window has what is chosen in sight."""
BEGINS = {WIDE: 240, NARROW: 300}
TARGETS = {WIDE: 24, NARROW: 44}


def test_pages_keep_to_the_spec(page, app_url):
    found = []
    for address, content in PLACES.items():
        begun(page, app_url)
        page.goto(app_url + address)
        for size, begins in BEGINS.items():
            page.set_viewport_size({"width": size[0], "height": size[1]})
            first = page.locator(ON_A_PHONE.get(address, content) if size == NARROW else content).first
            expect(first).to_be_visible(timeout=LONG)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                settled(page)
                where = f"{address} {size[0]} {scheme}"
                found += [f"{where}: {line}" for line in page.evaluate(LOOKS["spec"], TARGETS[size])]
            top = first.bounding_box()["y"]
            found += [f"{where}: content begins at {top:.0f}"] * (top > begins and address != "/join")
    assert found == []


def test_join_begins_high_in_the_window_and_its_button_waits_for_letters(page, app_url):
    page.goto(f"{app_url}/join")
    for width, height in BEGINS:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        top = page.get_by_role("heading", level=1).bounding_box()["y"]
        assert top == pytest.approx(84 if (width, height) == NARROW else height / 4, abs=16)
    button, ground = page.get_by_role("button", name="Next"), "each => getComputedStyle(each).backgroundColor"
    quiet = button.evaluate(ground)
    page.get_by_role("textbox").fill("A")
    assert button.evaluate(ground) != quiet == "rgba(0, 0, 0, 0)"


def test_the_first_of_what_could_be_the_headline_is_the_loudest(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/write")
    lines = page.locator('[class*="st-key-headline-"] h2')
    expect(lines.nth(1)).to_be_visible(timeout=LONG)
    settled(page)
    look = "all => all.map((each) => [getComputedStyle(each).fontSize, getComputedStyle(each).fontWeight])"
    first, *rest = lines.evaluate_all(look)
    assert first == ["24px", "600"]
    assert {tuple(each) for each in rest} == {("18px", "400")}
    # Why it is, a quiet word says; a sign is in the middle of its disc.
    expect(page.locator('[class*="st-key-headline-"]').get_by_text("Suggested")).to_have_count(1)
    expect(page.locator(".st-key-headline-0")).to_contain_text("Suggested")
    sign = page.locator(".stMarkdownBadge").first
    disc, mark = (one.bounding_box() for one in (sign, sign.locator("strong")))
    middles = [one["y"] + one["height"] / 2 for one in (disc, mark)]
    assert middles[0] == pytest.approx(middles[1], abs=0.5)


def test_the_bar_has_the_name_and_says_where_one_is(page, app_url):
    for address, head in (("/sources", "Events"), ("/models", "Lab")):
        begun(page, app_url)
        page.goto(app_url + address)
        expect(page.locator('[data-testid="stTopNavSection"][aria-current]')).to_have_text(head)
        expect(page.get_by_test_id("stHeaderLogo")).to_be_visible()
    shared = page.locator('meta[property="og:image"]').get_attribute("content")
    assert page.request.get(shared).headers["content-type"] == "image/png"
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    page.get_by_role("button", name="Menu", exact=True).click()
    link = page.get_by_test_id("stSidebarNavLink").first
    expect(link).to_be_visible()
    assert link.bounding_box()["height"] >= 44
    expect(page.locator(".st-key-page-menu")).to_be_hidden()


def test_what_is_chosen_moves_nothing_beside_it(page, app_url):
    begun(page, app_url)
    for address, parts, other in (
        ("/benchmark", '.st-key-page-parts [role="radio"]', "Papers"),
        ("/?group=3", '.st-key-event-card [role="tab"]', "Near misses"),
    ):
        page.goto(app_url + address)
        part = page.locator(parts).filter(has_text=other)
        expect(part).to_be_visible(timeout=LONG)
        settled(page)
        places = "all => all.map(each => [each.getBoundingClientRect().x, each.offsetWidth])"
        before = page.locator(parts).evaluate_all(places)
        part.click()
        chosen = page.locator(f'{parts}:is([aria-checked="true"], [aria-selected="true"])')
        expect(chosen).to_contain_text(other)
        settled(page)
        assert page.locator(parts).evaluate_all(places) == before


def test_a_phone_has_the_words_of_the_steps_of_evaluate(page, app_url):
    begun(page, app_url)
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    page.goto(f"{app_url}/judge?part=evaluate&seed=23")
    field = page.get_by_label("Your name or initials")
    expect(field).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="Next")).to_have_count(0)  # before somebody begins
    field.fill("Nia S")
    page.get_by_role("button", name="Start", exact=True).click()
    for name in ("Previous", "Next"):
        word = page.get_by_role("button", name=name).locator("p")
        expect(word).to_be_visible(timeout=LONG)
        settled(page)
        box = word.bounding_box()
        assert box["width"] > 20
        assert 0 <= box["x"] <= box["x"] + box["width"] <= NARROW[0]


def test_steps_are_one_control_in_the_first_window(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/consistency")
    parts = page.locator(".st-key-steps-example > *")
    for width, height in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": height})
        expect(parts).to_have_count(3, timeout=LONG)
        settled(page)
        back, count, on = (part.bounding_box() for part in parts.all())
        assert back["x"] + back["width"] == pytest.approx(count["x"], abs=1)
        assert count["x"] + count["width"] == pytest.approx(on["x"], abs=1)
        assert on["y"] + on["height"] <= height


def test_lines_of_correct_are_close_and_on_a_phone_as_high_as_a_thumb(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/?group=3")
    page.get_by_role("tab", name="Correct").click(timeout=LONG)
    ticks = page.locator('[class*="st-key-correct-0-"] label')
    for (width, height), (least, most) in ((WIDE, (32, 32)), (NARROW, (44, 80))):
        page.set_viewport_size({"width": width, "height": height})
        expect(ticks.first).to_be_visible(timeout=LONG)
        settled(page)
        first, second = (ticks.nth(at).bounding_box() for at in range(2))
        assert least <= second["y"] - first["y"] <= most
    assert first["height"] >= 44


def test_what_waits_is_read_in_one_look(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/?group=3")
    page.get_by_role("tab", name="Correct").click(timeout=LONG)
    waiting = page.locator("main button:disabled")
    expect(page.get_by_role("button", name="Split off")).to_be_disabled(timeout=LONG)
    settled(page)
    inks = waiting.locator("p").evaluate_all("all => all.map(one => getComputedStyle(one).color)")
    assert set(inks) == {"rgb(92, 90, 82)"}


def test_what_is_said_of_agreement_stands_below_its_title(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/judge?part=agreement&simulate=yes")
    parts = page.locator(".st-key-agreement-finding > *")
    for width, height in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": height})
        expect(parts.first).to_be_visible(timeout=LONG)
        settled(page)
        words = """part => {
            const words = document.createRange();
            words.selectNodeContents(part.querySelector('h2, p'));
            return words.getBoundingClientRect().toJSON();
        }"""
        title, said = (parts.nth(at).evaluate(words) for at in range(2))
        assert title["bottom"] <= said["top"] + 1


def test_what_publishes_figures_ends_the_line_of_their_head(page, app_url):
    begun(page, app_url)
    page.goto(f"{app_url}/benchmark?part=leaderboard")
    publish, figures = page.get_by_role("button", name="Publish this chart"), page.locator(".figures").first
    expect(publish).to_be_visible(timeout=LONG)
    settled(page)
    button, table = publish.bounding_box(), figures.bounding_box()
    assert button["y"] + button["height"] <= table["y"]
    assert button["x"] + button["width"] == pytest.approx(table["x"] + table["width"], abs=1)
    head = page.locator("h2").first.bounding_box()
    assert head["y"] < button["y"]


def test_what_comes_first_on_live_stands_in_the_columns_of_its_sources_over_bars_of_its_size(page, app_url):
    page.goto(f"{app_url}/sources?part=live")
    events, feed = page.locator(".first > li"), page.get_by_role("heading", name="Follow your own feed")
    expect(events.first).to_be_visible(timeout=LONG)
    settled(page)
    places = {round(each.bounding_box()["x"]) for each in events.all()}
    heads = (page.get_by_role("heading", name="Replay a day"), feed)
    assert places == {round(head.bounding_box()["x"]) for head in heads}
    bars = events.evaluate_all("all => all.map((each) => parseFloat(getComputedStyle(each).backgroundSize))")
    counts = [int(each.inner_text().split("\n")[-1].split()[0]) for each in events.all()]
    assert bars == [pytest.approx(100 * count / max(counts), abs=0.5) for count in counts]
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    label = page.locator(".st-key-live-follow label, [data-testid=stForm] label").first
    assert label.bounding_box()["height"] < 30, "the label is in one line"


def test_a_colour_is_the_same_in_theme_style_sheet_and_charts():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    sheet = (ROOT / "components" / "frame" / "page.css").read_text("utf-8")
    roles = dict(re.findall(r"--lab-(\S+): light-dark\((.+)\);", sheet))
    names = {"paper": "backgroundColor", "rule": "borderColor"}
    names |= {"accent": "primaryColor", "quiet-ink": "grayTextColor"}
    for role, name in names.items():
        assert roles[role] == f"{config['light'][name]}, {config['dark'][name]}"
    assert roles["paper"] == f"{theme.LIGHT.paper}, {theme.DARK.paper}"
    assert roles["quiet-ink"] == f"{theme.LIGHT.muted}, {theme.DARK.muted}"
    assert roles["accent"] == f"{theme.LIGHT.accent}, {theme.DARK.accent}"
