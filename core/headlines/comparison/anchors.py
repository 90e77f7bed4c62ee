"""Whether a metric reads these headlines: what it gives to people's own and to those of other articles."""

from typing import Final

import numpy as np

from core.data.articles.articles import Articles
from core.headlines.comparison.comparison import Anchors, Comparison
from core.headlines.comparison.table import number
from core.headlines.metrics import HeadlineMetric, MetricInput
from core.runtime import Runtime

SAMPLE: Final = 24  # headlines by people, at most
LEAST_COPY: Final = 0.9  # of the best value; less for a copy is a metric that cannot read it
MOST_OTHER: Final = 0.35  # of the value of a copy; more for other articles' headlines is said
MOST_OTHER_OF_MODELS: Final = 0.8  # whose values lie in a narrow band


def anchors_of(metric: HeadlineMetric, articles: Articles, language: str, runtime: Runtime) -> Anchors | None:
    """None for a metric that is not compared with people's headlines, or where there are none."""
    given = (references[0] for references in articles.references if references)
    headlines = list(dict.fromkeys(filter(str.strip, given)))
    headlines = headlines[:: -(-len(headlines) // SAMPLE) or 1]
    if metric.needs != "references" or not headlines:
        return None
    half = len(headlines) // 2
    values = []
    for written in (headlines, headlines[half:] + headlines[:half]):
        scored = MetricInput(
            headlines=written,
            references=[(headline,) for headline in headlines],
            articles=[""] * len(headlines),
            language=language,
        )
        values.append(metric.values(metric.statistics(scored, runtime.quietly()).sum(axis=0)))
    return Anchors(values[0], values[1] if half else np.full_like(values[0], np.nan))


def failing_anchors(comparison: Comparison) -> list[str]:
    """What is wrong, a sentence, of columns that give too little to a copy or much to other headlines."""
    said: dict[str, list[str]] = {}
    for place in comparison.places:
        measured, column = comparison.measured[place.metric], place.column
        if measured.anchors is None or not column.higher_is_better:
            continue
        copy, other = (float(values[place.at]) for values in measured.anchors)
        most = MOST_OTHER if measured.metric.quick else MOST_OTHER_OF_MODELS
        if copy < LEAST_COPY * column.high:
            best = number(column, column.high)
            what = f"copies of people's own headlines score {number(column, copy)} instead of {best}"
            said.setdefault(f"{what}: it cannot score these headlines.", []).append(column.label)
        elif other > most * copy:
            what = f"people's headlines of other articles score {number(column, other)}"
            said.setdefault(f"{what}: compare values with that, not with 0.", []).append(column.label)
    return [f"{'; '.join(labels)}: {what}" for what, labels in said.items()]
