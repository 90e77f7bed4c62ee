"""An example of every chart of `components.charts`, by the name of its function.

A chart that is not here fails tests/contract/test_charts.py.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd

from components.charts.maps import by_category, by_number, disagreement_chart, links_chart, map_chart
from components.charts.measures import (
    day_chart,
    divided_chart,
    driver_chart,
    interval_chart,
    light_chart,
    numeral_chart,
    operator_chart,
    part_chart,
    ratio_chart,
    reliability_chart,
    score_chart,
    slice_chart,
    span,
    supported_chart,
)
from components.charts.swimlane import swimlane_chart, training_chart, triangle_chart
from core.data.pair_sets.drawing import PartCounts
from core.events.lanes import Lane, Mark
from core.headlines.comparison.comparison import Slice
from core.headlines.metrics.metric import Column
from core.headlines.numbers.scored import OperatorShare, SystemScores
from core.maps.labels import MapLabel
from core.numerals.operators import OPERATORS
from core.numerals.verdict import Light
from core.parts import Part
from core.statistics.bootstrap import Figure

HOSTILE = "<script>alert(1)</script> & ]]> \u202eabc \u0001 שלום"
HEADLINES = ("Crew leaves the US segment", HOSTILE, "False alarm on the station")
_COLUMN = Column(name="x", label="Mean ROUGE", help="x", higher_is_better=True)
_PLACES = np.array([[0, 0], [1, 0.4], [0.4, 1]], dtype=np.float32)
_NONE = np.zeros((3, 3), dtype=np.bool_)


def _links(*pairs):
    found = _NONE.copy()
    for one, other in pairs:
        found[one, other] = found[other, one] = True
    return found


def _swimlane():
    start = datetime(2015, 1, 14, 9, tzinfo=UTC)
    lanes = [
        Lane(
            at,
            text,
            3,
            tuple(Mark(start + timedelta(days=d + at), "a day", 2, d + 1, text) for d in range(3)),
        )
        for at, text in enumerate(HEADLINES)
    ]
    lanes.append(Lane(3, "When was it?", 1, (Mark(None, "no usable date", 1, 1, "When was it?"),)))
    return swimlane_chart(lanes, selected=[1])


def _training():
    lines: list[dict[str, Any]] = [{"step": at, "steps": 50, "loss": 1 / (at + 1)} for at in range(1, 50)]
    lines += [{"step": at, "steps": 50, "validation": {"f1": at / 60, "loss": 0.4}} for at in (20, 40)]
    return training_chart(sorted(lines, key=lambda line: int(line["step"])))


def _map(colouring):
    label = MapLabel(group=1, row=1, x=1.0, y=0.4, size=2, text=HOSTILE)
    return map_chart(_PLACES, HEADLINES, colouring, labels=[label], selected=[0])


def _scores(shares):
    return [
        SystemScores(
            system=name,
            headlines=9,
            with_numerals=8,
            numerals=7,
            lights=dict.fromkeys(Light, 1),
            figures={"x": Figure(share, low=share / 2, high=share)},
            ledger={},
        )
        for name, share in shares.items()
    ]


EXAMPLES = {
    "divided_chart": lambda: divided_chart(
        pd.DataFrame({"D": [80, 20], "S": [10, 60], "Headline": HEADLINES[:2]}), differ="D", side="S"
    ),
    "interval_chart": lambda: interval_chart(
        [{"System": HOSTILE, **span(0.5, 0.4, 0.7)}, {"System": "b", **span(0.2, None, None)}], title="F1"
    ),
    "score_chart": lambda: score_chart(
        _COLUMN, ["a", HOSTILE, "c"], [Figure(0.2), Figure(0.5, low=0.4, high=0.6), Figure(0.3)]
    ),
    "slice_chart": lambda: slice_chart(
        _COLUMN,
        {"a": 0, HOSTILE: 1, "without a value": 2},
        [Slice(kind="Length", label="short", articles=9, figures=(Figure(0.2), Figure(0.3), Figure(None)))],
    ),
    "map_chart": lambda: _map(by_category(["Reuters", HOSTILE, None])),
    "map_chart by number": lambda: _map(by_number([0.0, 1.0, float("nan")], ("early", HOSTILE))),
    "disagreement_chart": lambda: disagreement_chart(_PLACES, HEADLINES, np.array([0.0, 0.5, np.nan])),
    "links_chart": lambda: links_chart(_PLACES, HEADLINES, _links((0, 1), (1, 2)), _links((0, 1), (0, 2))),
    "numeral_chart": lambda: numeral_chart({"worse": {Light.WRONG: 2}, HOSTILE: {Light.FOUND: 3}}),
    "light_chart": lambda: light_chart(
        {
            "worse": {Light.WRONG: 2, Light.SUPPORTED: 1, Light.CHECK: 0, None: 0},
            HOSTILE: {Light.WRONG: 0, Light.SUPPORTED: 1, Light.CHECK: 0, None: 1},
        }
    ),
    "operator_chart": lambda: operator_chart(
        [
            OperatorShare(system=name, operator=how, numerals=3, share=Figure(0.5))
            for name, how in (("a", list(OPERATORS)[1]), (HOSTILE, next(iter(OPERATORS))))
        ]
    ),
    "supported_chart": lambda: supported_chart(_scores({"a": 0.2, HOSTILE: 0.9}), "x", "Supported"),
    "day_chart": lambda: day_chart(np.array([4, 2, 1]), np.array([0, 3, 5])),
    "part_chart": lambda: part_chart([PartCounts(Part.TRAIN, 9, 4, 5, 0), PartCounts(Part.TEST, 3, 1, 2, 0)]),
    "ratio_chart": lambda: ratio_chart({HOSTILE: np.array([0.2, 0.5]), "MRPC": np.array([0.8])}),
    "reliability_chart": lambda: reliability_chart([(0, 0.5, 4, 0.3, 0.2), (0.5, 1, 9, 0.8, 0.9)]),
    "driver_chart": lambda: driver_chart([("a word", 0.1), (HOSTILE, -0.7)]),
    "swimlane_chart": _swimlane,
    "training_chart": _training,
    "triangle_chart": lambda: triangle_chart(
        HEADLINES, ["14 Jan", "", HOSTILE], [0.9, 0.8, 0.1], [True, True, False]
    ),
}
