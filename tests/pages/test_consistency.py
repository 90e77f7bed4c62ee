"""The Consistency page beside the command of the same name."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from cli.consistency import consistency
from tests.pages.opening import metrics, opened, put, settled


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


@pytest.mark.slow
def test_the_cheapest_change_shows_what_was_said_before_and_what_people_say() -> None:
    page = opened("consistency", lab="levenshtein.v1")
    assert [answers for *_, answers in _pairs(page)] == [["same event"], ["same event"], ["different"]]
    page.toggle(key="lab-repaired").set_value(True)
    settled(page)
    wrong = 0
    for place in range(8):
        put(page, "ConsistencyView", triangle=place)
        settled(page)
        changed = [line for line in _pairs(page) if len(line[2]) == 2]
        assert changed, "a contradiction stays"
        for line, people, (before, after) in changed:
            assert before != after
            assert ("right now" in line) == (people == after)
            assert ("right before" in line) == (people == before)
            wrong += people == before
    assert wrong, "the sample has changes that cut what people put together"


def _pairs(page: AppTest) -> list[tuple[str, str, list[str]]]:
    """Each line about a pair, what people say, and what the model says: first, and after the change."""
    (words,) = [one.value for one in page.markdown if "A and B:" in one.value]
    found = []
    for line in words.split("  \n")[:3]:
        model, _, people = line.partition("people say ")
        said = re.findall("same event|different", model)
        found.append((line, re.findall("same event|different", people)[0], said))
    return found
