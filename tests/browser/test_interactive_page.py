"""The page to give away, opened as a file without a network: list, card, slider, search, lanes, map."""

import json
from functools import partial

import numpy as np
import pytest
from playwright.sync_api import expect

from core.data.timelines.load import load
from core.data.timelines.samples import load_sample
from core.events.cards import group_summaries
from core.events.export import Drawing, draw_map
from core.events.grouping import Settings, prepare, regroup
from core.events.interactive_page import interactive_page
from core.results.render import clean
from core.runtime import Runtime
from tests.browser.steps import alive, violations, watched
from tests.unit.events.test_interactive_page import STRANGE, hostile

pytestmark = pytest.mark.browser

MEGABYTES = 5
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TOLD = "all => all.map((one) => [...one.querySelectorAll('.headline, .quiet')].map((said) => said.innerText))"


@pytest.fixture(scope="module")
def iss():
    prepared = prepare(load_sample("iss"), Settings(events_alone=True), Runtime())
    grouping = regroup(prepared)
    return prepared, interactive_page(prepared, grouping, draw_map(prepared, "pca", Runtime()))


@pytest.fixture
def visit(browser, tmp_path):
    """Opens a page from a folder where there is no network; at the end nothing was wrong or asked for."""
    contexts, wrong = [], []

    def visited(content, **look):
        path = tmp_path / "page.html"
        path.write_bytes(content)
        context = browser.new_context(**{"viewport": WIDE, "offline": True, **look})
        contexts.append(context)
        page = context.new_page()
        harm = watched(page, path.as_uri())
        page.on("console", lambda said: wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        wrong.append(harm)
        return page

    yield visited
    assert [said for said in wrong if said] == []
    for context in contexts:
        context.close()


def slide(page, position):
    page.locator("#level").evaluate(
        "(level, at) => { level.value = at; level.dispatchEvent(new Event('input')); }", position
    )


def titles(page):
    return page.locator("#list .event .headline").all_inner_texts()


@pytest.mark.parametrize("method", ["average_linkage", "leiden"])
def test_the_slider_has_the_events_of_the_app(visit, iss, method):
    prepared, content = iss
    if method == "leiden":  # its groups are no tree: headlines move from one to another
        prepared = prepare(prepared.source, Settings(method=method, scorer="cosine_time"), Runtime())
        places = np.zeros((len(prepared.timeline), 2), dtype=np.float32)
        content = interactive_page(prepared, regroup(prepared), Drawing("pca", places))
    page = visit(content)
    texts, outlets = prepared.timeline.texts, prepared.timeline.publishers
    start = round(regroup(prepared).granularity * 100)
    for position in {*range(101)} - {start}:
        slide(page, position)
        lines = group_summaries(prepared, regroup(prepared, position / 100))
        said = [f"{line.size} headlines" if line.size > 1 else outlets[line.representative] for line in lines]
        told = page.locator("#list .event").evaluate_all(TOLD)
        shown = [(title, about.partition(" · ")[0]) for title, about in told]
        wanted = zip((texts[line.representative] for line in lines), said, strict=True)
        assert sorted(shown) == sorted(wanted)
        several = sum(line.size > 1 for line in lines)
        expect(page.locator("#count")).to_contain_text(f"{several} event{'s' * (several != 1)}")
    page.get_by_role("button", name="Back to").click()
    assert len(titles(page)) == len(group_summaries(prepared, regroup(prepared)))
    slider = page.get_by_role("slider")
    before = slider.input_value()
    slider.press("ArrowLeft")
    assert int(slider.input_value()) == int(before) - 1


def test_an_event_is_read_with_what_differs_and_found_by_words(visit, iss):
    _, content = iss
    page = visit(content)
    card = page.locator("#card")
    event = page.locator("#list .event").nth(1)
    title = event.locator(".headline").inner_text()
    event.click()
    expect(card.get_by_role("heading")).to_have_text(title)
    expect(event).to_have_attribute("aria-current", "true")
    expect(card.locator("li mark").first).to_be_visible()
    expect(card).to_contain_text("outlets")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(card.get_by_role("heading")).to_have_text(titles(page)[2])
    page.go_back()
    expect(card.get_by_role("heading")).to_have_text(title)
    page.keyboard.press("/")
    page.keyboard.type("VEGÉTABLES")
    expect(page.locator("#count")).to_contain_text("of 47 headlines in 1 event")
    expect(card.get_by_role("heading")).to_contain_text("Vegetables")
    expect(card.locator("li.matches").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(page.locator("#count")).not_to_contain_text("of 47")


def drawn_around(page, left, top, right, bottom):
    box = page.locator("#points").bounding_box()
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def test_a_lasso_on_the_map_shows_its_headlines_and_narrows_list_and_lanes(visit, iss):
    prepared, content = iss
    page = visit(content)
    data = json.loads(page.locator("#data").text_content())
    page.get_by_role("tab", name="Map").click()
    assert page.locator("#points circle").count() == 47
    expect(page.locator("#points text").first).to_be_visible()
    drawn_around(page, 0.01, 0.01, 0.5, 0.99)
    inside = [text for text, x in zip(data["texts"], data["places"][::2], strict=True) if 4 + 0.092 * x < 50]
    assert 0 < len(inside) < 47
    card = page.locator("#card")
    expect(card.get_by_role("heading")).to_have_text(f"{len(inside)} headlines in the lasso")
    assert card.locator("li .headline").all_inner_texts() == inside
    page.get_by_role("tab", name="List").click()
    ids = regroup(prepared).ids
    groups = {int(ids[row]) for row, text in enumerate(prepared.timeline.texts) if text in inside}
    expect(page.locator("#list .event")).to_have_count(len(groups))
    page.get_by_role("tab", name="Lanes").click()
    assert 0 < page.locator("#lanes .lane").count() <= len(groups)
    card.get_by_role("button", name="Its event").first.click()
    expect(card.get_by_role("heading")).not_to_contain_text("lasso")
    page.get_by_role("button", name="Clear the lasso").click()
    expect(page.locator("#count")).not_to_contain_text("of 47")
    # By keys: from point to point, and Enter opens the event.
    page.get_by_role("tab", name="Lanes").press("ArrowRight")
    page.locator("#points").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    tip = page.locator("#tip").inner_text().partition("\n")[0]
    page.keyboard.press("Enter")
    expect(card.get_by_role("listitem").filter(has_text=tip)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_it_fits_the_screen_and_breaks_no_rule(visit, iss, size, scheme):
    _, content = iss
    page = visit(content, viewport=size, color_scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) < 380) == (scheme == "dark")
    for view in ("Lanes", "Map", "List"):
        page.get_by_role("tab", name=view).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
    page.locator("#list .event").nth(3).click()
    expect(page.locator("#card")).to_be_in_viewport()
    expect(page.get_by_role("searchbox")).to_be_visible(visible=size is WIDE)
    assert violations(page) == []
    if size is PHONE:
        page.get_by_role("button", name="Back").click()
        expect(page.get_by_role("searchbox")).to_be_visible()
        expect(page.locator("#card")).to_be_hidden()


def test_a_finger_draws_once_it_is_told_to(visit, iss):
    _, content = iss
    page = visit(content, viewport=PHONE, has_touch=True)
    page.get_by_role("tab", name="Map").click()
    page.get_by_role("button", name="Lasso", exact=True).click()
    session = page.context.new_cdp_session(page)
    box = page.locator("#points").bounding_box()
    ends = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98)]
    touch = partial(session.send, "Input.dispatchTouchEvent")
    for place, (x, y) in enumerate(ends):
        at = {"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]}
        touch({"type": "touchMove" if place else "touchStart", "touchPoints": [at]})
    touch({"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#card")).to_contain_text("47 headlines in the lasso")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#map")).to_be_visible()


def test_no_text_of_a_file_runs_or_is_read_as_code(visit):
    page = visit(hostile()[1])
    for view in ("Lanes", "Map", "List"):
        page.get_by_role("tab", name=view).click()
        for position in (0, 50, 100):
            slide(page, position)
    page.get_by_role("searchbox").fill("<script> (.*[")
    expect(page.locator("#card")).to_contain_text("No headline fits")
    page.get_by_role("searchbox").fill("</script>")
    expect(page.locator("#card")).to_contain_text(clean(STRANGE[0]))
    assert alive(page) == []
    assert page.locator("script").count() == 2
    assert page.locator("#page a, #page img").count() == 0


SUNK = """published,publisher,url,headline
2026-11-28T09:10Z,Gazette,https://gazette.example/ferry,"14 dead after ferry sinks off Lindhafen, guard says"
2026-11-28T09:30Z,Wire,https://wire.example/1,"Ferry sinks off Lindhafen, 14 dead"
2026-11-28T11:05Z,Gazette,https://gazette.example/ferry,"9 dead after ferry sinks off Lindhafen, guard says"
"""


def test_an_edited_headline_has_its_time_and_its_older_wording_is_marked(visit):
    prepared = prepare(load(SUNK.encode(), "sunk.csv"), Settings(scorer="cosine_time"), Runtime())
    places = np.zeros((3, 2), dtype=np.float32)
    page = visit(interactive_page(prepared, regroup(prepared, 1.0), Drawing("pca", places)))
    said = dict(page.locator("#card li").evaluate_all(TOLD))
    before, other, after = (said[text] for text in prepared.timeline.texts)
    assert ("edited 11:05" in after, "earlier wording" in after) == (True, False)
    assert ("edited" in before, "earlier wording" in before) == (False, True)
    assert not any(word in other for word in ("edited", "earlier"))
    inks = [
        page.locator("#card li", has_text=text[:9])
        .first.locator(".headline")
        .evaluate("one => getComputedStyle(one).color")
        for text in ("14 dead after", "9 dead after")
    ]
    assert inks[0] != inks[1]
    footer = page.locator("footer").inner_text()
    assert "2 outlets’ headlines, 28 Nov 2026 · Headline Lab" in footer
    signature = regroup(prepared, 1.0).signature
    assert signature not in page.locator("main").inner_text()
    assert signature in page.locator("meta[name=generator]").get_attribute("content")


def test_wordings_whose_order_no_date_tells_are_neither_edited_nor_earlier(visit):
    prepared = prepare(
        load(SUNK.replace("2026-11-28T11:05Z", "").encode(), "sunk.csv"), Settings(), Runtime()
    )
    places = np.zeros((3, 2), dtype=np.float32)
    page = visit(interactive_page(prepared, regroup(prepared, 1.0), Drawing("pca", places)))
    said = list(dict(page.locator("#card li").evaluate_all(TOLD)).values())
    assert sum("also worded otherwise" in one for one in said) == 2
    assert not any(word in one for one in said for word in ("edited", "earlier"))


def test_two_thousand_headlines_fit_into_a_mail(visit):
    timeline = load_sample("uci").select(np.arange(2_000))
    prepared = prepare(timeline, Settings(scorer="cosine_time"), Runtime())
    places = np.random.default_rng(0).random((2_000, 2)).astype(np.float32)
    content = interactive_page(prepared, regroup(prepared), Drawing("pca", places))
    assert len(content) <= MEGABYTES * 1e6
    page = visit(content)
    for position in (0, 30, 99):
        slide(page, position)
        events = group_summaries(prepared, regroup(prepared, position / 100))
        alone = sum(line.size == 1 for line in events)
        expect(page.locator("#count")).to_contain_text(f"{len(events) - alone:,} event")
    slide(page, 0)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("#list .event")).to_have_count(240)
    page.locator("#list .event").nth(200).click()
    expect(page.locator("#list .event")).to_have_count(240)
    page.get_by_role("tab", name="Map").click()
    assert page.locator("#points circle").count() == 2_000


def test_labels_and_notes_are_read_on_the_page_as_text(visit):
    prepared = prepare(load_sample("iss"), Settings(events_alone=True), Runtime())
    grouping = regroup(prepared)
    line = max(group_summaries(prepared, grouping), key=lambda each: each.size)
    told = dict.fromkeys(range(len(prepared.source)), "")
    about = "Tone (Ada)", "Note (<b>Bo</b>)"
    codes = {
        "headline": {
            about[0]: [*(told | {int(prepared.position.tolist().index(line.rows[1])): "calm"}).values()]
        },
        "event": {
            about[1]: ["<img src=x>" if row in line.rows else "" for row in prepared.position.tolist()]
        },
    }
    page = visit(interactive_page(prepared, grouping, draw_map(prepared, "pca", Runtime()), codes))
    page.locator("#list .event").filter(has_text=prepared.timeline.texts[line.representative]).first.click()
    card = page.locator("#card")
    expect(card).to_contain_text(f"{about[1]}: <img src=x>")
    labelled = card.locator("li").filter(has_text=prepared.timeline.texts[line.rows[1]])
    expect(labelled).to_contain_text(f"{about[0]}: calm")
    expect(card.locator("li", has_text=about[0])).to_have_count(1)
    expect(card.locator("img")).to_have_count(0)
