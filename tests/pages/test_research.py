import json
import re

import pytest
from click.testing import CliRunner

from cli.pairs import consistency
from components.library import MODEL, library_cards
from core.models.cards import SHIPPED
from tests.pages.opening import metrics, opened, settled


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


def test_a_contradiction_is_shown_and_the_model_is_asked_when_headlines_change():
    page = opened("consistency")
    verdict, said = (header.value for header in sorted(page.header[:2], key=lambda one: "?" in one.value))
    assert verdict == "The model contradicts itself: A = B, A = C, but not B = C"
    first, second = re.findall(r"\d\.\d\d", said)
    assert first != second
    texts = [field.value for field in _fields(page)]
    settled(page.button(key="swap").click())
    assert [field.value for field in _fields(page)] == [texts[1], texts[0], texts[2]]
    assert any(re.findall(r"\d\.\d\d", header.value) == [second, first] for header in page.header)
    _fields(page)[0].set_value("Senate passes a bill")
    settled(_fields(page)[2].set_value(texts[0]))
    # B and C are one text now, A is about something else.
    assert any(header.value == "No contradiction: only B = C" for header in page.header)
    settled(page.button(key="unchange").click())
    assert [field.value for field in _fields(page)] == [texts[1], texts[0], texts[2]]


def _fields(page):
    return [field for field in page.text_input if re.fullmatch("Headline [ABC]", field.label)]


def test_a_model_without_order_is_shown_by_its_triangles():
    page = opened("consistency", lab="levenshtein.v1")
    assert any("A = B, A = C, but not B = C" in header.value for header in page.header)
    assert any("either way" in one.value for one in page.markdown)


def test_every_model_that_ships_has_a_card():
    found = [card for card in library_cards() if card.kind == MODEL]
    said = [" ".join((card.title, *card.facts)) for card in found]
    for name in {card.parent.name for card in SHIPPED.glob("*/README.md")}:
        assert sum(f"models/{name}," in one for one in said) == 1, name
    assert min(len(card.about) for card in found) > 20
    assert all(card.facts[0] for card in found)
