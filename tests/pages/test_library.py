"""The Library page: its cards, and how much memory the server uses."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from components.library import FIRST, MODEL, library_cards
from components.markdown import plain
from core import limits
from core.models.weights.cards import SHIPPED
from tests.pages.opening import opened


def test_every_model_that_ships_has_a_card() -> None:
    found = [card for card in library_cards() if card.kind == MODEL]
    said = [" ".join((card.title, *card.facts)) for card in found]
    for name in {card.parent.name for card in SHIPPED.glob("*/README.md")}:
        assert sum(f"models/{name}," in one for one in said) == 1, name
    assert min(len(card.about) for card in found) > 20
    assert all(card.facts[0] for card in found)


def test_cards_are_searched_and_the_rest_is_shown_on_request() -> None:
    page = opened("library")
    assert _cards(page) == FIRST
    page.toggle(key="library-all").set_value(True).run()
    assert _cards(page) == len(library_cards())
    page.text_input(key="library-words").set_value("levenshtein").run()
    expected = [card for card in library_cards() if card.says(["levenshtein"])]
    assert 0 < _cards(page) == len(expected) < FIRST
    page.text_input(key="library-words").set_value("no such method").run()
    assert _cards(page) == 0
    assert "Nothing matches" in page.info[0].value


def _cards(page: AppTest) -> int:
    titles = {f"**{plain(card.title)}**" for card in library_cards()}
    return sum(any(title in one.value for title in titles) for one in page.markdown)


def test_memory_and_its_bound_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "1234")
    said = " ".join(caption.value for caption in opened("library").caption)
    used = re.search(r"This server uses ([\d,]+) MB", said)
    assert used is not None
    assert int(used[1].replace(",", "")) > 50
    assert "1,234 MB" in said
