"""What browser tests do: start the app, wait, look, load, download, and find what is wrong with a page."""

import re
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import expect

from benchmarks.browser import ROOT, menu_entry, running
from components.frame.figure_table import ALL_FIGURES
from components.frame.page_state import LAST
from tests.tiny_models import sharing

JUDGE = "Annotate and judge"
PLACE_OF = {"List": "Timeline", "Map": "Timeline", "Open": "Sources", "Annotate": JUDGE, "Agreement": JUDGE}
"""The places of the parts that tests turn to."""
LONG = 300_000
"""Milliseconds for what may compute for a while on a busy machine."""
_TEXT = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")
LOOKS = dict(re.findall(r"^// (\w+)\n(.*?)(?=^// \w+\n|\Z)", _TEXT, re.MULTILINE | re.DOTALL))
"""What is looked at in a page, by its name."""


def counting(browser):
    """From its first line each page counts what it asks the server: it is busy until the answer begins."""
    browser.on("context", lambda context: context.add_init_script(LOOKS["asked"]))


def faint(page):
    """Words of charts below a contrast of 4.5 on their paper, and marks below 3."""
    return page.evaluate(LOOKS["faint"])


TWO_FRAMES = "() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))"


def controls(page):
    """What can be used of the page itself, the menu at the top aside, without scrolling."""
    return page.evaluate(LOOKS["controls"])


AT_FIRST_SIGHT = 9


def first_sight(page):
    """A place of the menu asks one short question, and few controls are seen on a small screen."""
    question = page.locator(".st-key-page-head p").first.inner_text()
    assert question.endswith("?")
    assert len(question.split()) <= 9
    window = page.viewport_size
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(TWO_FRAMES)
    assert len(controls(page)) <= AT_FIRST_SIGHT, controls(page)
    page.set_viewport_size(window)


def ready(page):
    """Waits until nothing is computed any more; a crash or a box that says something is wrong fails."""
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def settled(page):
    """Waits until nothing has been computed for a moment, whatever came of it."""
    page.evaluate("() => { delete window.quietSince; }")
    page.wait_for_function(LOOKS["quiet"], timeout=LONG, polling=100)


def begun(page, url):
    """The browser was here before, and left nothing open."""
    page.goto("about:blank")  # the page that it leaves writes down where it was
    page.context.add_cookies([{"name": LAST, "value": "-", "url": url}])


def opened(page, url, title):
    """Goes to an address and waits until the page of that title stands, for no first visit."""
    begun(page, url)
    page.goto(url)
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(title)
    ready(page)


def turned(page, title):
    """Goes to another place, or a part of one, by the menu; what was chosen stays."""
    place = PLACE_OF.get(title, title)
    menu_entry(page, place).click()
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(place)
    ready(page)
    if place != title:
        show(page, title)


def start_tour(page):
    """Starts the tour from the help in the bar at the top."""
    help_menu(page)
    page.get_by_role("button", name="Five-minute tour").click()


def large_text(page):
    help_menu(page)
    page.get_by_text("Large text", exact=True).click()


def export_menu(page):
    """Opens the export menu of a timeline."""
    page.locator(".st-key-export-menu").get_by_role("button", name="Export").first.click()


def event_row(page, place):
    """A line of the list of events, by its place."""
    return page.get_by_role("listbox", name="Events").get_by_role("option").nth(place)


def help_menu(page):
    """Opens the help in the bar at the top, where it is not open."""
    button = page.locator(".st-key-page-menu").get_by_role("button", name="Help")
    if button.get_attribute("aria-expanded") != "true":
        button.click()


def said(page):
    """All text of the page beside the menu."""
    return page.get_by_test_id("stMain").inner_text()


def metric(page, label):
    """The value under a label, which on the Timeline page stands among the settings."""
    details = page.locator(".st-key-grouping-settings").get_by_role("button")
    if details.count():
        details.click()
        value = _metric(page, label)
        page.keyboard.press("Escape")
        return value
    return _metric(page, label)


def _metric(page, label):
    found = page.get_by_test_id("stMetric").filter(has_text=label).first
    return found.get_by_test_id("stMetricValue").inner_text()


def show(page, name):
    page.get_by_role("radio", name=name).click()
    ready(page)


def saved(page, label, folder):
    """Presses a download button, in the export menu where there is one; the file that came."""
    button, menu = page.get_by_role("button", name=label, exact=True), page.locator(".st-key-export-menu")
    if not button.count() and menu.count():
        export_menu(page)
    with page.expect_download() as download:
        button.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def downloaded(page, label, folder):
    """Presses a download button; the text that came."""
    return saved(page, label, folder).read_text(encoding="utf-8")


def published(page, what, label, folder):
    """Opens the panel of the first chart or table and presses a button of it; the text that came."""
    button = page.get_by_role("button", name=f"Publish this {what}", exact=True)
    if what == "table" and not button.count():
        unfold(page, ALL_FIGURES)
    button.first.click()
    panel = page.get_by_role("dialog")
    expect(panel.locator("img.publish-preview")).to_be_visible()
    text = downloaded(panel.page, label, folder)
    panel.get_by_role("button", name="Close", exact=True).click()
    expect(panel).to_have_count(0)
    return text


def give(page, files, place=0):
    """Puts files, names and contents, into the page's uploader at a place."""
    page.locator('input[type="file"]').nth(place).set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files]
    )
    uploader = page.get_by_test_id("stFileUploader").nth(place)
    for name, _ in files:
        expect(uploader.get_by_text(name, exact=True)).to_be_visible()


def own_timeline(page, url, name, content, query=""):
    """Loads a file of one's own, and opens its timeline by the address."""
    opened(page, f"{url}/sources", "Sources")
    give(page, [(name, content.encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    ready(page)
    data = page.url.partition("data=")[2].partition("&")[0]
    opened(page, f"{url}/?data={data}{query}", "Timeline")


def alive(page):
    """Links, pictures, frames, icons and formulas that a hostile text became, in closed corners as well."""
    return page.evaluate(LOOKS["alive"])


def watched(page, *own):
    """From now on filled with addresses beyond `own` that are asked for, and dialogs that scripts open."""
    harm = []

    def dialog_opened(dialog):
        harm.append(f"a script said {dialog.message!r}")
        dialog.dismiss()

    page.on(
        "request",
        lambda asked: None if asked.url.startswith((*own, "data:", "blob:")) else harm.append(asked.url),
    )
    page.on("dialog", dialog_opened)
    return harm


def choose(page, label, option):
    """Chooses in a list by typing what the option says."""
    listed(page.get_by_role("combobox", name=label, exact=True), option)
    page.get_by_role("option").first.click()
    ready(page)


def listed(box, text):
    """Types into the field of a list, in the middle of the window: an open list closes by a scroll."""
    box.evaluate("box => box.scrollIntoView({ block: 'center' })")
    still(box)
    box.fill(text)


def unfold(page, title):
    """Opens what is folded under a title; what unfolds moves away from under a click for a while."""
    page.get_by_text(title, exact=True).click()
    still(page.get_by_test_id("stMainBlockContainer"))


def still(box):
    """Waits for at most six seconds until it neither moves nor grows; the end of a smooth scroll is slow."""
    stood, stands = None, box.bounding_box()
    for _ in range(20):
        if stood == stands:
            return
        box.page.wait_for_timeout(300)
        stood, stands = stands, box.bounding_box()


MOST_CLICKS = 5


def counted(page):
    """From now on clicks are counted, in the page that stands."""
    page.evaluate(
        "() => { window.clicks = 0; document.addEventListener('click', () => window.clicks++, true); }"
    )


def clicks(page):
    """Clicks since then, one more for the choice of a file included."""
    return int(page.evaluate("window.clicks")) + 1


_SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
_RUN = "axe.run(document, { resultTypes: ['violations'], elementRef: false })"


def violations(page):
    """A line for each element that breaks a rule; recommendations ("best-practice") count, too."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_SCRIPT)
    found = page.evaluate(_RUN)["violations"]
    return [
        f"{one['id']} ({one['help']}): {node['html'][:300]} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


@contextmanager
def made(folder, tree=ROOT, **environment):
    """Address of the app that `make run` starts in a tree, with a cache and user folder of its own."""
    sharing(folder / "cache")
    with running(["make", "run"], folder, tree=tree, **environment) as (url, _):
        yield url
