"""A running app and a real Chromium."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the app, started as a user would start it."""
    yield from _serve(tmp_path_factory.mktemp("server"))


@pytest.fixture
def cold_url(tmp_path: Path) -> Iterator[str]:
    """Address of an app that nobody has visited yet."""
    yield from _serve(tmp_path)


def _serve(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [
                sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true",
                f"--server.port={port}", "--server.address=127.0.0.1",
            ],
            cwd=ROOT,
            env=os.environ
            | {"HEADLINE_LAB_CACHE": str(folder / "cache"), "HEADLINE_LAB_USER": str(folder / "user")},
            stdout=output,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the server did not come up:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or Playwright's own."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
        except Error as error:
            message = (
                "no Chromium was found: install one with `apt-get install chromium` or `playwright install "
                f"chromium` ({str(error).splitlines()[0]})"
            )
            if os.environ.get("HEADLINE_LAB_REQUIRE_BROWSER"):
                pytest.fail(message)
            pytest.skip(message)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, app_url: str) -> Iterator[Page]:
    """A fresh visitor at 1280 × 900 in the light theme."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", accept_downloads=True
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()
