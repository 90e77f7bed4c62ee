"""A real server opens files that would freeze it, and answers its health check throughout."""

import json
import threading
import time
import urllib.request
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.steps import made, opened, settled
from tests.hostile.corpus.binary_files import SHEET, changed

pytestmark = pytest.mark.browser

TAIL = b"caf\xe9 is open in the town\n"
ARTICLE = b"The mayor said on Monday that the budget of the city was good for once. " * 55
FILES = {
    "2 rows": b"headline\n" + b"a" * 200_000 + b"\n" + TAIL,
    "200 rows": b"headline,text\n" + b"".join(b"Caf\xe9 %d opens,%s\n" % (n, ARTICLE) for n in range(200)),
    "3 rows": b"headline\nStorm\nBank\n" + ("a" + "\u0316\u0301" * 60_000).encode(),
}
"""By the rows that are read: a long line and articles that are not UTF-8, and a run of accents. Each held the
interpreter for ten seconds to two minutes."""


def many_cells(parts):
    row = b"<row>" + b"<c><v>7</v></c>" * 150 + b"</row>"
    parts[SHEET] = parts[SHEET].replace(b"</sheetData>", row * 8_000 + b"</sheetData>")


WIDE = changed(many_cells)
"""An honest workbook that takes many seconds."""


class Health:
    """How long the health check took at most, asked again and again."""

    def __init__(self, url):
        self.url = f"{url}/_stcore/health"
        self.worst = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def ask(self):
        started = time.monotonic()
        with urllib.request.urlopen(self.url, timeout=120) as answer:
            assert answer.status == 200
        return time.monotonic() - started

    def _watch(self):
        while not self._over.wait(0.05):
            self.worst = max(self.worst, self.ask())

    @contextmanager
    def watched(self):
        self._thread.start()
        yield
        self._over.set()
        self._thread.join()


def give(page, content, name="a.csv"):
    """Puts a file in the place of those given before."""
    while page.get_by_role("button", name="Remove a.").count():
        page.get_by_role("button", name="Remove a.").first.click()
        settled(page)
    page.locator('input[type="file"]').first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def test_no_file_keeps_the_server_from_answering(page, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_READING_SECONDS", "2")
    with made(tmp_path) as url:
        opened(page, f"{url}/sources", "Sources")
        health = Health(url)
        idle = max(health.ask() for _ in range(50))
        with health.watched():
            for rows, content in FILES.items():
                give(page, content)
                expect(page.get_by_text(rows, exact=True)).to_be_visible()
            give(page, WIDE, "a.xlsx")
            page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True).click()
            expect(page.get_by_role("button", name="Start again")).to_be_visible()
            page.get_by_role("button", name="Start again").click()
            expect(page.get_by_text("more than 2 seconds of computing")).to_be_visible()
            give(page, json.dumps([{"headline": "Storm closes airport"}]).encode(), "a.json")
            expect(page.get_by_text("1 row", exact=True)).to_be_visible()
        # A reading that holds the interpreter does so for ten seconds and more; a busy machine is no fault.
        assert health.worst < 5.0 + idle
