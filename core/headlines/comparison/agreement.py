"""Scores that came with headlines, as published, beside ours on the same headlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import Cancelled, CoreError
from core.headlines.comparison.compare import written_of
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.kept import statistics_of
from core.headlines.metrics.metric import HeadlineMetric, MetricInput, headline_metrics
from core.runtime import Runtime

SAME: Final = 1e-6
"""Scores that lie closer together are the same figure, written with other digits."""

OURS: Final = (
    # Cheap, and so computed whatever was asked for. SemEval-2024's predictions carry the F1 of rouge-score
    # without stemming: all 2,365 values are equal.
    ("rougel", "rouge.v1|stems:false", "rougeL"),
    ("rouge1", "rouge.v1|stems:false", "rouge1"),
    ("rouge2", "rouge.v1|stems:false", "rouge2"),
    # Of a model, and so computed only where it was asked for, with the settings that were asked for.
    ("bert", "bert_score", "bert"),
)
"""How a published name begins, the metric of ours to lay beside it, and how the column's name begins; of
several columns the F1 is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A published score of a system beside ours.

    Attributes:
        system: Whose headlines.
        name: As the file calls the score.
        published: Its mean.
        ours: Mean of our score on the same headlines; None where there is none.
        label: What ours is, with its model; "" where there is none.
        library: Library, version and settings of ours.
        why_not: Why there is none of ours; "" otherwise.
        headlines: On how many headlines both are known; those that are published where there is none of ours.
        correlation: Pearson's; None where one of the two does not vary.
        largest: Largest distance of two scores; None where there is none of ours.
        equal: How many scores are the same, to 1e-6.
        escaped: How many more are the same once "&" is written "&amp;", as their file may have it: reading
            a file resolves it, while the published score may have counted "amp" as a word.
    """

    system: str
    name: str
    published: float
    ours: float | None = None
    label: str = ""
    library: str = ""
    why_not: str = ""
    headlines: int = 0
    correlation: float | None = None
    largest: float | None = None
    equal: int = 0
    escaped: int = 0


def agreements(comparison: Comparison, runtime: Runtime) -> tuple[Agreement, ...]:
    """Every score that came with headlines, beside ours where there is one of the kind."""
    return tuple(
        _agreement(comparison, row, name, np.asarray(values, dtype=np.float64), runtime)
        for row, one in enumerate(comparison.outputs)
        for name, values in one.published.items()
        if not np.isnan(values).all()
    )


def as_lines(agreed: Sequence[Agreement]) -> list[str]:
    """One sentence a published score, for a terminal."""
    lines = []
    for one in agreed:
        head = f"{one.system}: {one.name} as published {one.published:.4f}"
        if one.ours is None:
            lines.append(f"{head}. {one.why_not or 'No metric here is of its kind.'}")
            continue
        how = "-" if one.correlation is None else f"{one.correlation:.4f}"
        same = f"equal on {one.equal + one.escaped:,} of {one.headlines:,}"
        lines.append(f"{head}, {one.label} here {one.ours:.4f} ({one.library}): {same}, correlation {how}.")
    return lines


def _agreement(
    comparison: Comparison, row: int, name: str, published: FloatArray, runtime: Runtime
) -> Agreement:
    known = ~np.isnan(published)
    bare = name.casefold().replace("_", "").replace("-", "").replace(" ", "")
    kind = next((one for one in OURS if bare.startswith(one[0])), None)
    alone = Agreement(
        system=comparison.systems[row],
        name=name,
        published=float(published[known].mean()),
        headlines=int(known.sum()),
    )
    if kind is None:
        return alone
    _, signature, column = kind
    if "|" not in signature:
        asked = [one for one in comparison.measured if one.signature.startswith(f"{signature}.v")]
        if not asked:
            return replace(alone, why_not=f"{signature} was not asked for.")
        signature = asked[0].signature
    try:
        metric = headline_metrics.parse(signature)
        written = written_of(comparison.articles, comparison.outputs[row], comparison.language)
        values = metric.values(statistics_of(headline_metrics.signature(metric), written, runtime))
    except Cancelled:
        raise
    except CoreError as error:
        return replace(alone, why_not=f"{error.message} {error.hint}")
    places = [at for at, one in enumerate(metric.columns) if one.name.startswith(column)]
    at = next((at for at in places if "f1" in metric.columns[at].name), places[0])
    ours = values[:, at]
    both = known & ~np.isnan(ours)
    if not both.any():
        return replace(alone, why_not="None of these headlines has one by people to hold it against.")
    left, right = published[both], ours[both]
    others = np.flatnonzero(both)[np.abs(left - right) > SAME].tolist()
    return replace(
        alone,
        published=float(left.mean()),
        ours=float(right.mean()),
        label=metric.columns[at].label,
        library=metric.signature_text(written),
        headlines=int(both.sum()),
        correlation=_correlation(left, right),
        largest=float(np.abs(left - right).max()),
        equal=len(left) - len(others),
        escaped=sum(
            bool((np.abs(_escaped(metric, written, place, runtime)[:, at] - published[place]) <= SAME).any())
            for place in others
        ),
    )


def _escaped(metric: HeadlineMetric, written: MetricInput, place: int, runtime: Runtime) -> FloatArray:
    headline, references = written.headlines[place], tuple(written.references[place])
    if "&" not in "".join((headline, *references)):
        return np.empty((0, len(metric.columns)))
    marked = escape(headline, quote=False), tuple(escape(one, quote=False) for one in references)
    again = MetricInput(
        headlines=(marked[0], headline, marked[0]),
        references=(references, marked[1], marked[1]),
        articles=("",) * 3,
        language=written.language,
    )
    return metric.values(metric.statistics(again, runtime))


def _correlation(left: FloatArray, right: FloatArray) -> float | None:
    if len(left) < 2 or not left.std() or not right.std():
        return None
    return float(np.corrcoef(left, right)[0, 1])
