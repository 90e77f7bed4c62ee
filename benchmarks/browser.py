"""A server of its own and a real Chromium, for whatever looks at the app in a browser."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there is taken; one without a window of its own takes two thirds of the time."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic"]
SERVE = (sys.executable, "-m", "streamlit", "run", "app.py")  # what `make run` runs
PATIENCE = 180_000  # milliseconds to wait for anything on a busy machine
MENU = {
    "Events": ("Timeline", "Sources"),
    "Headlines": ("Write", "Check numbers", "Compare"),
    "People": ("Annotate and judge", "Room"),
    "Lab": ("Benchmark", "Consistency", "Models"),
}
"""The places under each head of the menu."""

QUIET = 400  # milliseconds without a change after which a page has settled; they are not counted

# The clock starts at the click itself and stops at the last change that the reader can see. What stands in a
# canvas is never drawn: a table puts a copy of its cells there for screen readers, a third of a second later.
_WATCH = """
([quiet, heading, awaited]) => new Promise((resolve) => {
  const pressed = window.__pressed ?? performance.now();
  let last = pressed, changed = !awaited;
  const aside = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(
    '[data-testid="stHeader"], [data-testid="stToolbar"], [data-testid="stStatusWidget"], canvas');
  const watcher = new MutationObserver((changes) => {
    if (!changes.some((change) => !aside(change.target))) return;
    last = performance.now();
    changed = true;
  });
  watcher.observe(document.body, {subtree: true, childList: true, characterData: true});
  const main = '[data-testid="stMain"]';
  const signs = '[data-test-script-state="running"], [data-testid="stSkeleton"], '
    + main + ' [data-stale="true"]';
  const busy = () => document.querySelector(signs)
    || [...document.querySelectorAll(main + ' button')].some((one) => one.innerText.trim().endsWith('Stop'))
    || (heading && document.querySelector(main + ' h1')?.innerText.trim() !== heading);
  const look = setInterval(() => {
    const now = performance.now();
    if (busy()) last = Math.max(last, now - 1);
    if (changed && now - last > quiet) {
      clearInterval(look);
      watcher.disconnect();
      resolve(last - pressed);
    }
  }, 20);
})
"""
_WATCH_FROM_NOW = (
    "(how) => { window.__pressed = performance.now(); window.__settled = (" + _WATCH.strip() + ")(how); }"
)
_PRESS = """
(button) => {
  window.__pressed = performance.now();
  button.click();
}
"""


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    pid: int
    up: float
    started: float

    def megabytes(self) -> float:
        """Its resident memory, with that of its child processes."""
        import psutil

        server = psutil.Process(self.pid)
        family = [server, *server.children(recursive=True)]
        return round(sum(one.memory_info().rss for one in family) / 1e6, 1)


@contextmanager
def serving() -> Iterator[Server]:
    """The app as `make run` starts it, with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with running(SERVE, Path(folder)) as (url, pid):
            yield Server(url, pid, time.perf_counter() - started, started)


@contextmanager
def running(
    command: Sequence[str | Path],
    folder: Path,
    *,
    tree: Path = ROOT,
    port: int | None = None,
    path: str = "",
    **environment: str,
) -> Iterator[tuple[str, int]]:
    """An app while it lives, once it answers: its address, and the process that the command started."""
    port = port or free_port()
    log = folder / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            cwd=tree,
            env=os.environ
            | {
                "STREAMLIT_SERVER_HEADLESS": "true",
                "STREAMLIT_SERVER_PORT": str(port),
                "HEADLINE_LAB_CACHE": str(folder / "cache"),
                "HEADLINE_LAB_USER": str(folder / "user"),
                "HEADLINE_LAB_RUNS": str(folder / "runs"),
            }
            | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            # make does not pass a signal on: the whole group is stopped.
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}{path}"
    try:
        _until_healthy(url, server, log)
        yield url, server.pid
    finally:
        _stop(server)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server did not come up:\n{log.read_text()[-3000:]}")


def _stop(server: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
    server.wait()


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def menu_entry(page: Any, title: str) -> Any:
    """The link to a page, after its part of the menu at the top was opened."""
    head = next(head for head, titles in MENU.items() if title in titles)
    page.get_by_test_id("stTopNavSection").filter(has_text=head).click()
    return page.get_by_test_id("stTopNavPopover").get_by_text(title, exact=True)


def settled(page: Any, *, heading: str = "", awaited: bool = False) -> float:
    """Waits until nothing changes any more under a heading; seconds from the press to the last change."""
    milliseconds: float = page.evaluate(_WATCH, [QUIET, heading, awaited])
    return max(0.0, milliseconds / 1000)


def changed(page: Any, act: Callable[[Any], object]) -> float:
    """Seconds from the beginning of an act to the last change; what changes while it acts is seen, too."""
    page.evaluate(_WATCH_FROM_NOW, [QUIET, "", True])
    act(page)
    milliseconds: float = page.evaluate("() => window.__settled")
    return milliseconds / 1000


def pressed(element: Any, page: Any, *, heading: str = "") -> float:
    """Presses a link or a button; seconds until the last change that the reader sees."""
    element.evaluate(_PRESS)
    return settled(page, heading=heading)


def opened(page: Any, address: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.locator("h1").first.wait_for()
    settled(page)
