"""A workshop as `--server.address` opens it: each browser has its own files, also after a reload."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import SERVE, running
from tests.browser.steps import ready

pytestmark = pytest.mark.browser


def _main(page: Page) -> str:
    return page.get_by_test_id("stMain").inner_text()


def test_a_file_is_its_visitor_s_alone_and_survives_a_reload(browser: Browser, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("headline,date\nBank raises rates,2024-01-01\nStorm hits the coast,2024-01-02\n")
    with running([*SERVE, "--server.address=0.0.0.0"], tmp_path) as (url, _):
        ada, bo = (browser.new_context().new_page() for _ in range(2))
        for page in (ada, bo):
            page.set_default_timeout(60_000)
        wrong: list[str] = []
        ada.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        ada.goto(f"{url}/open")
        ada.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(mine)
        ready(ada)
        ada.get_by_role("button", name="Load these headlines").click()
        # The preview on *Open a file* shows the headlines too, and the address names the file meanwhile.
        ada.get_by_role("heading", name="Open a file").wait_for(state="detached")
        expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
        ada.wait_for_url(lambda url: "data=file-" in url and "/open" not in url)
        link = ada.url
        ada.reload()
        expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
        bo.goto(link)
        bo.get_by_text("a file that is not open").wait_for()
        assert "Storm hits the coast" not in _main(bo)
        assert wrong == []
    said = (tmp_path / "server.log").read_text()
    assert url.rpartition(":")[2] in said
    assert "external IP" not in said


def test_menu_py_is_no_workshop(browser: Browser, tmp_path: Path) -> None:
    command = [*SERVE[:-1], "menu.py", "--server.address=0.0.0.0"]
    with running(command, tmp_path) as (url, _):
        page = browser.new_context().new_page()
        page.set_default_timeout(60_000)
        page.goto(url)
        page.get_by_text("not protected when it is started from menu.py").wait_for()
        assert "encountered an error" not in _main(page)
        assert page.get_by_role("slider").count() == 0
