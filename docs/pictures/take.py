"""Takes the pictures of the documents (`make screens`); with a folder, every place (`make screens OUT=…`).

The first visit and each of the ten places are seen at three widths, light and dark, as the window opens, and
with a folder what a place opens on a press. The documents show two sheets with all places, and some in full.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from benchmarks.browser import ROOT, chromium, opened, serving, settled

HERE = Path(__file__).parent
PLACES = {
    "First visit": "/",
    "Timeline": "/?group=3",
    "Sources": "/sources",
    "Write": "/write",
    "Check numbers": "/check_numbers?show=one&article=1",
    "Compare": "/compare",
    "Annotate and judge": "/judge",
    "Room": "/room",
    "Benchmark": "/benchmark",
    "Consistency": "/consistency",
    "Models": "/models",
}
STATES = {
    "Facts in full width": ("/?group=3", ("tab Facts", "button Full width")),
    "Outlets": ("/?show=outlets", ()),
    "Filters": ("/?show=lanes", ("button Filters",)),
    "Labels": ("/?group=3", ("tab Labels",)),
    "Publish": ("/?show=map", ("button Publish this chart",)),
}
"""Views that open on a press, by address: the roles and names of what is pressed."""
SIZES = ((1280, 800), (820, 1180), (390, 844))
SCHEMES = ("light", "dark")
SHOWN = {
    "timeline": ("/?group=3", 800),
    "map": ("/?show=map", 800),
    "annotate": ("/judge", 900),
    "study": ("/judge?part=studies", 620),
}
"""Views that documents show in full, at 1280 pixels in light: address and height."""
NETWORK = "lab.example"  # the name by which phones of a room reach this computer
HIGH = 240  # pixels of a view on a sheet


def main() -> None:
    os.environ["STREAMLIT_BROWSER_SERVER_ADDRESS"] = NETWORK
    with serving() as server, chromium() as browser, tempfile.TemporaryDirectory() as elsewhere:
        folder = Path(sys.argv[1] if sys.argv[1:] else elsewhere)
        folder.mkdir(parents=True, exist_ok=True)
        for scheme in SCHEMES:
            for width, height in SIZES:
                context = _window(browser, width, height, scheme)
                for place, address in PLACES.items():
                    _take(context, server.url + address, folder / _file(place, scheme, width))
                for place, (address, presses) in STATES.items() if sys.argv[1:] else ():
                    _take(context, server.url + address, folder / _file(place, scheme, width), presses)
                if sys.argv[1:]:
                    _interactive(context, folder, folder / _file("Interactive page", scheme, width))
                context.close()
        if sys.argv[1:]:
            return
        for scheme in SCHEMES:
            _sheet(browser, folder, scheme)
        for name, (address, height) in SHOWN.items():
            context = _window(browser, 1280, height, "light")
            _take(context, server.url + address, HERE / f"{name}-light-1280.png")
            context.close()
        _room(browser, server.url)
        _queue(browser, server.url)
    facts = [HERE / "facts.csv", "--out", HERE / "facts.png", "--quiet"]
    for command in (["cli", "facts", *facts], ["docs.pictures.people"]):
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)


def _window(browser: Browser, width: int, height: int, scheme: str = "light") -> BrowserContext:
    return browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)


def _file(place: str, scheme: str, width: int) -> str:
    return f"{place.lower().replace(' ', '-')}-{scheme}-{width}.png"


def _interactive(context: BrowserContext, folder: Path, file: Path) -> None:
    given = folder / "interactive_page.html"
    if not given.exists():
        command = ["group", "sample:iss", "--page", str(given), "--quiet"]
        subprocess.run([sys.executable, "-m", "cli", *command], cwd=ROOT, check=True)
    page = context.new_page()
    page.goto(given.as_uri())
    page.screenshot(path=file)
    page.close()


def _take(context: BrowserContext, address: str, file: Path, presses: Sequence[str] = ()) -> None:
    page = context.new_page()
    opened(page, address)
    for role, _, name in (each.partition(" ") for each in presses):
        control = page.get_by_role(role, name=name).filter(visible=True)  # type: ignore[arg-type]
        if control.count():  # a phone has no full width: one fact stands there at a time
            control.first.click()
            settled(page)
    page.get_by_text("A first picture").wait_for(state="detached")
    page.wait_for_timeout(2_500)
    page.screenshot(path=file)
    page.close()


def _sheet(browser: Browser, folder: Path, scheme: str) -> None:
    """All places at all widths on one picture."""
    cells = []
    for place in PLACES:
        views = "".join(f'<img src="{_file(place, scheme, width)}" height="{HIGH}"> ' for width, _ in SIZES)
        cells.append(f"<div>{place}<br>{views}</div>")
    looks = "div { display: inline-block; margin: 6px; font: 14px sans-serif } img { border: 1px solid #999 }"
    file = folder / f"places-{scheme}.html"
    file.write_text(f"<meta name=color-scheme content={scheme}><style>{looks}</style>{''.join(cells)}")
    page = browser.new_page(viewport={"width": 1420, "height": 800}, color_scheme=scheme)
    page.goto(file.as_uri())
    page.screenshot(path=HERE / f"places-{scheme}.jpg", quality=70, full_page=True)
    page.close()


def _room(browser: Browser, url: str) -> None:
    """A room while a class answers: its screen, and one of the phones."""
    teacher = browser.new_page(viewport={"width": 1280, "height": 800})
    teacher.goto(f"{url}/room")
    teacher.get_by_role("button", name="Open the room", exact=True).click()
    code = teacher.locator(".room-code").inner_text().replace(" ", "")
    names = ("Otter", "Heron", "Maple")
    phones = [browser.new_page(viewport={"width": 390, "height": 844}) for _ in names]
    for phone, name in zip(phones, names, strict=True):
        phone.goto(f"{url}/join?room={code}")
        phone.get_by_label("Your nickname").fill(name)
        phone.get_by_role("button", name="Join", exact=True).click()
        phone.get_by_text(f"{name} · room {code}").wait_for()
    teacher.get_by_role("button", name="Screen and remote").click()
    address = teacher.get_by_role("link", name="Open the screen").get_attribute("href")
    teacher.keyboard.press("Escape")
    teacher.get_by_role("button", name="Start", exact=True).click()
    screen = browser.new_page(viewport={"width": 1280, "height": 720})
    screen.goto(str(address).replace(NETWORK, "127.0.0.1"))
    phones[1].get_by_role("button", name="Same event").wait_for()
    phones[1].get_by_test_id("stMain").get_by_role("button").first.click()
    for page, name, height in ((screen, "room-screen", 720), (phones[0], "room-phone", 844)):
        page.wait_for_timeout(4_000)
        width = 1280 if page is screen else 390
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        page.screenshot(path=HERE / f"{name}.png", clip=clip)
        page.context.close()


def _queue(browser: Browser, url: str) -> None:
    """The first headline that divides people, as an adjudicator sees it."""
    page = browser.new_page(viewport={"width": 1280, "height": 1600})
    opened(page, f"{url}/judge?part=agreement&simulate=yes")
    page.get_by_label("Your name or initials").fill("Ada")
    page.keyboard.press("Enter")
    page.get_by_text("Judging as").wait_for()
    page.wait_for_timeout(4_000)
    top = page.get_by_role("heading", name="Headlines that divide people").bounding_box()
    clip = {"x": 0, "y": top["y"] - 12 if top else 0, "width": 1280, "height": 912}
    page.screenshot(path=HERE / "adjudicate-light-1280.png", clip=clip)
    page.close()


if __name__ == "__main__":
    main()
