"""Takes the pictures of every page in light and dark, wide and narrow (`make screens`).

Those that the README and the guides show are written beside this file; all of them go to `.screens/`, which
is not committed, to be looked at. `python -m docs.pictures.take --shown` takes only those that are shown.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import ROOT, chromium, serving

ALL = ROOT / ".screens"
VIEWS = {
    "timeline": "/?group=3",
    "timeline-uci": "/?data=uci",
    "map": "/?show=map",
    "map-uci": "/?show=map&data=uci",
    "open": "/sources",
    "pairs": "/benchmark",
    "consistency": "/consistency",
    "pair-sets": "/benchmark?part=pair_sets",
    "train": "/models?part=train",
    "library": "/models",
    "compare": "/compare",
    "numerals": "/check_numbers?show=one&article=1",
    "numerals-all": "/check_numbers?show=all",
    "write": "/write",
    "leaderboard": "/benchmark?part=leaderboard",
    "evaluate": "/judge?part=evaluate",
    "evaluate-results": "/judge?part=evaluate&show=results",
    "annotate": "/judge",
    "agreement": "/judge?part=agreement",
}
README = {
    ("timeline", "light", 1280): 800,
    ("map", "light", 1280): 800,
    ("timeline", "dark", 390): 844,
    ("pairs", "light", 1280): 1000,
    ("consistency", "light", 1280): 1000,
    ("compare", "light", 1280): 1000,
    ("numerals", "light", 1280): 1000,
    ("write", "light", 1280): 1000,
    ("evaluate", "light", 1280): 1000,
    ("annotate", "light", 1280): 900,
}
"""Pictures that are shown, with their height in pixels."""


def main() -> None:
    """Starts the app, visits every page, and stops it."""
    ALL.mkdir(exist_ok=True)
    shown = "--shown" in sys.argv[1:]
    with serving() as server, chromium() as browser:
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                context = browser.new_context(
                    viewport={"width": width, "height": 900 if width > 500 else 844}, color_scheme=scheme
                )
                page = context.new_page()
                for name, path in VIEWS.items():
                    if shown and (name, scheme, width) not in README:
                        continue
                    page.goto(server.url + path)
                    _take(page, name, scheme, width)
                context.close()
        _room(browser, server.url)


def _room(browser: Browser, url: str) -> None:
    """A room while a class answers: the teacher's page, and one of the phones."""
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
    phones[1].get_by_test_id("stMain").get_by_role("button").first.click()
    # Without the warning below the address that phones cannot reach this server of its own.
    for page, name, height in ((teacher, "room-teacher", 555), (phones[0], "room-phone", 844)):
        page.wait_for_timeout(4_000)
        width = 1280 if page is teacher else 390
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        page.screenshot(path=Path(__file__).with_name(f"{name}.png"), clip=clip)
        page.context.close()


def _take(page: Page, name: str, scheme: str, width: int) -> None:
    page.get_by_test_id("stMain").get_by_role("heading", level=1).wait_for()
    # Streamlit's own Stop in the header, and ours beneath a progress bar.
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0, timeout=480_000)
    if name.startswith("map"):
        page.locator(".st-key-headline-map .js-plotly-plot").wait_for(timeout=480_000)
    if name.startswith(("map", "consistency")):
        page.locator(".js-plotly-plot").first.wait_for(timeout=120_000)
        page.get_by_text("A first picture").wait_for(state="detached", timeout=120_000)
    page.wait_for_timeout(2_500)
    full = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    for target, height in (
        (ALL, min(full, 6_000)),
        (Path(__file__).parent, README.get((name, scheme, width))),
    ):
        if height is None:
            continue
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(1_200)
        page.screenshot(path=target / f"{name}-{scheme}-{width}.png")
    page.set_viewport_size({"width": width, "height": 900 if width > 500 else 844})


if __name__ == "__main__":
    main()
