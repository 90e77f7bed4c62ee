"""Whether a metric reads these headlines: what it gives to people's own and to those of other articles."""

from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import number
from core.headlines.metrics import HeadlineMetric, MetricInput
from core.runtime import Runtime

SAMPLE: Final = 24  # headlines by people, at most
LEAST_COPY: Final = 0.9  # of the best value; less for a copy is a metric that cannot read it
MOST_OTHER: Final = 0.35  # of the value of a copy; more for other articles' headlines is said
MOST_OTHER_OF_MODELS: Final = 0.8  # whose values lie in a narrow band


def anchors_of(metric: HeadlineMetric, written: MetricInput, runtime: Runtime) -> FloatArray | None:
    """Values of people's headlines and of other articles' (NaN for fewer than two), float64 [2, c].

    None for a metric that is not compared with people's headlines, or where there are none.
    """
    headlines = list(dict.fromkeys(given[0] for given in written.references if given and given[0].strip()))
    headlines = headlines[:: -(-len(headlines) // SAMPLE) or 1]
    if metric.needs != "references" or not headlines:
        return None
    half, values = len(headlines) // 2, np.full((2, len(metric.columns)), np.nan)
    references, nothing = [(headline,) for headline in headlines], [""] * len(headlines)
    for row, given in enumerate((headlines, headlines[half:] + headlines[:half])[: 1 + bool(half)]):
        scored = MetricInput(
            headlines=given, references=references, articles=nothing, language=written.language
        )
        values[row] = metric.values(metric.statistics(scored, runtime.quietly()).sum(axis=0))
    return values


def failing_anchors(comparison: Comparison) -> list[str]:
    """What is wrong, a sentence, of columns that give too little to a copy or much to other headlines."""
    said: dict[str, list[str]] = {}
    for place in comparison.places:
        measured, column = comparison.measured[place.metric], place.column
        if measured.anchors is None or not column.higher_is_better:
            continue
        copy, other = measured.anchors[:, place.at].tolist()
        what, best = "", number(column, column.high)
        if copy < LEAST_COPY * column.high:
            what = f"copies of people's own headlines score {number(column, copy)} instead of {best}: "
            what += "it cannot score these headlines."
        elif other > copy * (MOST_OTHER if measured.metric.quick else MOST_OTHER_OF_MODELS):
            what = f"people's headlines of other articles score {number(column, other)}: "
            what += "compare values with that, not with 0."
        said.setdefault(what, []).append(column.label)
    return [f"{'; '.join(labels)}: {what}" for what, labels in said.items() if what]
