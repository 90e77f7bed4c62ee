"""The theme of the pages: its named colours mean what they mean in pictures."""

from __future__ import annotations

import tomllib

import pytest

from components.charts.theme import DARK as DARK_INK
from components.charts.theme import LIGHT as LIGHT_INK
from components.charts.theme import Ink
from core.files import ROOT
from core.palette import ADDED, AGAINST, AGREES, APART, DARK, LIGHT, PEOPLE, UNSURE

CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["theme"]
NAMED = {
    "blueColor": AGREES,
    "orangeColor": APART,
    "greenColor": ADDED,
    "violetColor": PEOPLE,
    "yellowColor": UNSURE,
    "redColor": AGAINST,
}


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_named_colours_are_those_of_the_pictures(theme: str, colours: tuple[str, ...]) -> None:
    assert {name: CONFIG[theme][name] for name in NAMED} == {n: colours[at] for n, at in NAMED.items()}


@pytest.mark.parametrize(("theme", "ink"), [("light", LIGHT_INK), ("dark", DARK_INK)])
def test_words_are_of_the_ink_of_the_pictures(theme: str, ink: Ink) -> None:
    assert CONFIG[theme]["textColor"] == ink.text
    assert CONFIG[theme]["backgroundColor"] == ink.paper
    assert CONFIG[theme]["grayTextColor"] == ink.muted
