"""The Consistency page beside the command of the same name."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cli.consistency import consistency
from tests.pages.opening import metrics, opened


@pytest.mark.slow
def test_the_page_and_the_command_show_one_census_of_the_sample() -> None:
    """They started from different pair models, and so counted different triangles of one sample."""
    done = CliRunner().invoke(consistency, ["sample:iss", "--json", "--quiet"], catch_exceptions=False)
    told = json.loads(done.output)
    page = opened("consistency")
    assert not page.exception
    shown = [one.value for one in page.caption if "data:" in one.value]
    assert any(told["signature"] in one for one in shown), shown
    broken = metrics(page)["Broken triangles"]
    assert broken == f"{told['census']['110']:,}"
