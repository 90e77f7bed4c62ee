"""Pictures: their colours are those of the pages, and the best is on top."""

import tomllib

import pytest

from components.charts.numerals import score_chart
from core.files import ROOT
from core.headlines.metrics.metric import Column
from core.palette import ADDED, AGAINST, AGREES, APART, DARK, LIGHT, PEOPLE, UNSURE
from core.statistics.bootstrap import Figure

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
def test_named_colours_are_those_of_the_pictures(theme, colours):
    assert {name: CONFIG[theme][name] for name in NAMED} == {n: colours[at] for n, at in NAMED.items()}


@pytest.mark.parametrize(
    ("higher", "order"), [(True, ["b", "a", "c"]), (None, ["b", "a", "c"]), (False, ["c", "a", "b"])]
)
def test_the_best_is_on_top(higher, order):
    column = Column(name="x", label="X", help="x", higher_is_better=higher)
    figures = [Figure(0.5), Figure(0.9), Figure(0.1), Figure(None)]
    drawn = score_chart(column, ["a", "b", "c", "none"], figures).to_dict()
    for layer in drawn["layer"]:
        assert layer["encoding"]["y"]["sort"] == order
