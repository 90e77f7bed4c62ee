"""From `streamlit run` to the first grouped picture in a real browser, with nothing cached."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic"]


def run(*, turns: int = 3) -> dict[str, Any]:
    """The slowest and the middle of a few starts."""
    starts = sorted((_once() for _ in range(turns)), key=lambda row: row["first_picture_seconds"])
    return {"benchmark": "cold start", "turns": turns, "rows": [starts[len(starts) // 2], starts[-1]]}


def _once() -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as cache, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page()
        started = time.perf_counter()
        server = subprocess.Popen(
            [
                sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true",
                f"--server.port={port}", "--server.address=127.0.0.1",
            ],
            cwd=ROOT,
            env=os.environ | {"HEADLINE_LAB_CACHE": cache},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            _until_healthy(url)
            healthy = time.perf_counter() - started
            page.goto(url)
            page.locator(".js-plotly-plot path.point").first.wait_for(timeout=120_000)
            drawn = time.perf_counter() - started
        finally:
            browser.close()
            server.terminate()
            server.wait(timeout=20)
    return {
        "server_up_seconds": round(healthy, 2),
        "first_picture_seconds": round(drawn, 2),
        "first_picture_after_server_seconds": round(drawn - healthy, 2),
    }


def _until_healthy(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError("the server did not come up within a minute")
