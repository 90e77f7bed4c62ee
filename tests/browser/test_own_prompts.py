"""Prompts of language models: a text that is refused stays in sight, to be mended."""

import pytest
from playwright.sync_api import expect

from tests.browser.steps import opened, settled, unfold

pytestmark = pytest.mark.browser


def test_a_refused_prompt_stays_in_sight(page, app_url):
    opened(page, f"{app_url}/models?part=own", "Models")
    unfold(page, "Prompts")
    asked = page.get_by_label("What it is asked")
    asked.fill("One event?")
    asked.press("Control+Enter")
    settled(page)
    page.get_by_role("button", name="Store as a version of your own").click()
    settled(page)
    expect(page.get_by_test_id("stAlertContentError")).to_be_visible()
    expect(asked).to_be_visible()
    expect(asked).to_have_value("One event?")
