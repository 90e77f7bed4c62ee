import json
import re

import pytest
from click.testing import CliRunner

from cli.consistency import consistency
from components.library import MODEL, library_cards
from core.models.weights.cards import SHIPPED
from tests.pages.opening import metrics, opened, put, settled


def test_systems_are_sorted_by_f1_and_unmeasured_ones_come_on_request():
    app = opened("pairs")
    assert not app.exception
    listed = app.dataframe[0].value["F1"].tolist()
    values = [float(one.split()[0]) for one in listed]
    assert values == sorted(values, reverse=True)
    settled(app.toggle(key="pairs-unmeasured").set_value(True))
    everything = app.dataframe[0].value["F1"].tolist()
    assert everything[: len(listed)] == listed
    assert set(everything[len(listed) :]) == {"not here"}


@pytest.mark.slow
def test_the_page_and_the_command_show_one_census_of_the_sample():
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
def test_the_cheapest_change_shows_what_was_said_before_and_what_people_say():
    page = opened("consistency", lab="levenshtein.v1")
    assert [answers for *_, answers in _pairs(page)] == [["same event"], ["same event"], ["different"]]
    settled(page.toggle(key="lab-repaired").set_value(True))
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


def _pairs(page):
    (words,) = [one.value for one in page.markdown if "A and B:" in one.value]
    found = []
    for line in words.split("  \n")[:3]:
        model, _, people = line.partition("people say ")
        said = re.findall("same event|different", model)
        found.append((line, re.findall("same event|different", people)[0], said))
    return found


def test_every_model_that_ships_has_a_card():
    found = [card for card in library_cards() if card.kind == MODEL]
    said = [" ".join((card.title, *card.facts)) for card in found]
    for name in {card.parent.name for card in SHIPPED.glob("*/README.md")}:
        assert sum(f"models/{name}," in one for one in said) == 1, name
    assert min(len(card.about) for card in found) > 20
    assert all(card.facts[0] for card in found)
