"""Charts of values with intervals."""

from __future__ import annotations

import pytest

from components.charts.numerals import score_chart
from core.headlines.metrics.metric import Column
from core.statistics.bootstrap import Figure


@pytest.mark.parametrize(
    ("higher", "order"), [(True, ["b", "a", "c"]), (None, ["b", "a", "c"]), (False, ["c", "a", "b"])]
)
def test_the_best_is_on_top(higher: bool | None, order: list[str]) -> None:
    column = Column(name="x", label="X", help="x", higher_is_better=higher)
    figures = [Figure(0.5), Figure(0.9), Figure(0.1), Figure(None)]
    drawn = score_chart(column, ["a", "b", "c", "none"], figures).to_dict()
    for layer in drawn["layer"]:
        assert layer["encoding"]["y"]["sort"] == order
