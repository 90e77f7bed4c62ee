"""A system is judged by the command, and the page shows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from components.leaderboard.ranking import SYSTEM
from core.files import ROOT

pytestmark = pytest.mark.browser


def test_the_system_of_the_empty_page_gets_its_place(page: Page, cold_url: str, tmp_path: Path) -> None:
    page.goto(f"{cold_url}/leaderboard")
    expect(page.get_by_text("No system has been judged yet.")).to_be_visible()
    expect(page.get_by_test_id("stCode").first).to_contain_text("headline-lab judge --name")
    (tmp_path / "my_system.py").write_text(SYSTEM)
    options = ["--name", "Mine <b>bold</b>", "--articles", "sample:articles", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "cli", "judge", *options, "--", "python3", str(tmp_path / "my_system.py")],
        cwd=ROOT,
        env=os.environ | {"HEADLINE_LAB_USER": str(tmp_path / "user")},
        check=True,
        capture_output=True,
        timeout=250,
    )
    page.reload()
    table = page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_be_visible()
    # The best is shown first; whose it is, the system's or the baseline's, is not the point here.
    heading = page.get_by_role("heading", level=2)
    expect(heading).to_have_text(re.compile("Mine <b>bold</b>|First sentence"))
    first = heading.inner_text().strip()
    other = "First sentence" if first.startswith("Mine") else "Mine <b>bold</b>"
    table.click(position={"x": 15, "y": 35 + 35 + 17})
    expect(heading).to_have_text(other)
