"""A visitor of a workshop: every place, every part of it and every stop of the tour, and nothing fails."""

import re
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from components.people.judge.judge_name import COOKIE as JUDGE
from components.people.room.remote import COOKIE as TEACHER
from components.tour.tour import STEPS
from core.runtime import MODE, Mode
from tests.browser.pages import PAGES
from tests.browser.steps import LONG, begun, made, opened, ready, settled, start_tour

pytestmark = pytest.mark.browser

UNSHOWN = {"error", "train", "archive"}
"""Places without their picture: nobody, or no visitor, is shown it."""
SAID = re.compile("not (?:set|trained) in a workshop|nothing.v1")
"""Why, in a box; any other fails."""
OPENERS = re.compile("^(Export|Publish this .*)$")
PARTS = '[data-testid="stMain"] :is([role="radio"], [role="tab"])'


@pytest.fixture(scope="module")
def workshop_url(tmp_path_factory):
    # Of this server alone: another test's server may start while this one runs.
    with made(tmp_path_factory.mktemp("workshop"), **{MODE: Mode.WORKSHOP}) as url:
        yield url


@contextmanager
def visitor(browser, url):
    """Somebody who came once before; fails where the server refused anything that a page asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page, failed = context.new_page(), []
    page.set_default_timeout(LONG)
    page.on("response", lambda one: one.status >= 400 and failed.append(f"{one.status} {one.url}"))
    page.on("requestfailed", lambda one: "ERR_ABORTED" in one.failure or failed.append(one.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    begun(page, url)
    yield page
    assert failed == []
    context.close()


def map_drawn(page):
    found = page.locator(".point-map").first
    expect(found).to_have_attribute("data-drawn", re.compile(r"[1-9]\d*"), timeout=LONG)
    expect(found.locator(".names span").first).to_be_attached(timeout=LONG)
    return found


@pytest.mark.journey
def test_the_map_is_drawn_for_a_visitor_and_its_files_are_nobody_else_s(browser, workshop_url):
    asked = []
    with visitor(browser, workshop_url) as page:
        page.on("request", lambda one: "/media/" in one.url and asked.append(one.url))
        opened(page, f"{workshop_url}/?show=map", "Timeline")
        canvas = map_drawn(page).get_by_role("application")
        canvas.focus()
        canvas.press("ArrowRight")
        expect(page.locator(".point-map .tip")).to_contain_text("event")
        # Those of the first, quick map are gone when the detailed one stands.
        files = [one for one in set(asked) if ".gz" in one and page.request.get(one).ok]
        assert len(files) >= 3, asked
        # Another visitor is refused, even one who makes a page say the addresses.
        with visitor(browser, workshop_url) as other:
            opened(other, f"{workshop_url}/sources", "Sources")
            said = "\n".join(f"Storm closes {urlsplit(one).path} in the north" for one in files)
            other.get_by_label("… or pasted headlines").fill(said)
            other.keyboard.press("Control+Enter")
            other.get_by_role("button", name="Load these headlines").click()
            expect(other.locator(".st-key-facts")).to_be_visible(timeout=LONG)
            settled(other)
            assert [other.request.get(one).status for one in files] == [404] * len(files)


def well(page):
    """Waits until nothing is computed; no box says that something is wrong but those for visitors."""
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    boxes = page.get_by_test_id("stAlertContentError").all_inner_texts()
    assert [text for text in boxes if not SAID.search(text)] == []


def parts(page):
    """Opens each part and tab, one after the other; the parts of a part as well."""
    done = set()
    while left := [one for one in page.locator(PARTS).all() if one.is_visible() and named(one) not in done]:
        done.add(named(left[0]))
        left[0].click()
        yield


def downloads(page):
    panel = page.get_by_role("dialog")
    place = panel if panel.count() else page  # what lies under a panel cannot be pressed
    for button in place.get_by_test_id("stDownloadButton").locator("button:visible").all():
        if button.is_enabled():
            with page.expect_download(timeout=LONG) as download:
                button.click()
            assert download.value.failure() is None


def named(control):
    group = "e => (e.closest('[class*=st-key-]')?.className ?? '') + e.role + e.innerText"
    return control.evaluate(group)


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("head", PAGES)
def test_a_visitor_opens_every_place_and_part(browser, workshop_url, head):
    with visitor(browser, workshop_url) as page:
        for name, (address, title, picture, _) in PAGES[head].items():
            begun(page, workshop_url)
            page.goto(workshop_url + address)
            expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(title)
            well(page)
            if picture and name not in UNSHOWN:
                expect(page.locator(f":is({picture}):visible").first).to_be_visible(timeout=LONG)
            for _ in parts(page):
                well(page)
                if page.locator(".point-map").count():
                    map_drawn(page)
            downloads(page)
            for opener in page.get_by_role("button", name=OPENERS).all()[:1]:
                opener.click()
                well(page)
                downloads(page)
                page.keyboard.press("Escape")


@pytest.mark.timeout(1_200)
def test_a_visitor_walks_through_the_tour(browser, workshop_url):
    with visitor(browser, workshop_url) as page:
        opened(page, workshop_url, "Timeline")
        start_tour(page)
        for number, stop in enumerate(STEPS, 1):
            expect(page.locator(".st-key-tour")).to_contain_text(f"{number} of {len(STEPS)} · {stop.title}")
            ready(page)
            if stop.look:
                expect(page.locator(f'[class*="st-key-{stop.look}"]').first).to_be_visible(timeout=LONG)
            if page.locator(".point-map").count():
                map_drawn(page)
            page.keyboard.press("n")


def kept(page, name):
    """The cookie of that name as soon as the browser has it, for this site alone, and no script."""
    for _ in range(100):
        found = [one for one in page.context.cookies() if one["name"] == name]
        if found:
            assert found[0]["httpOnly"]
            assert found[0]["sameSite"] == "Strict"
            assert found[0]["value"] not in page.evaluate("document.cookie")
            return found[0]["value"]
        page.wait_for_timeout(200)
    pytest.fail(f"the browser keeps no {name}")


def test_tokens_of_judges_and_teachers_are_out_of_scripts_reach(browser, app_url):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    opened(page, f"{app_url}/judge?part=evaluate", "Annotate and judge")
    page.get_by_label("Your name or initials").fill("Hana V")
    page.keyboard.press("Enter")
    judging = page.get_by_text("Judging as")
    expect(judging).to_be_visible()
    token = kept(page, JUDGE)
    page.reload()
    expect(judging).to_be_visible()
    ready(page)
    assert kept(page, JUDGE) == token
    page.get_by_role("button", name="Switch judge").click()
    expect(page.get_by_label("Your name or initials")).to_be_visible()
    for _ in range(100):
        if not [one for one in page.context.cookies() if one["name"] == JUDGE]:
            break
        page.wait_for_timeout(200)
    page.reload()
    expect(page.get_by_label("Your name or initials")).to_be_visible()
    expect(judging).to_have_count(0)

    opened(page, f"{app_url}/room", "Room")
    opener = page.get_by_role("button", name="Open the room", exact=True)
    expect(opener).to_be_visible(timeout=LONG)  # a task is drawn first, of headlines that are grouped for it
    opener.click()
    code = page.locator(".room-code").inner_text()
    assert kept(page, TEACHER).startswith(f"{code.replace(' ', '')}.")
    page.reload()
    expect(page.locator(".room-code")).to_have_text(code)
    page.context.close()
