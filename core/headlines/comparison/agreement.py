"""Scores that came with headlines, beside ours of the same kind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.arrays import FloatArray
from core.errors import Cancelled, CoreError
from core.headlines.comparison.compare import statistics_of, written_of
from core.headlines.comparison.comparison import Comparison
from core.headlines.metrics import headline_metrics
from core.runtime import Runtime

SAME: Final = 1e-6
"""Scores that lie closer together are the same figure, written with other digits."""
OURS: Final = (
    # Cheap, and so computed whatever was asked for. SemEval-2024's predictions carry the F1 of rouge-score
    # without stemming: all values but two are equal.
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
    """A published score of a system beside ours."""

    system: str  # whose headlines
    name: str  # as the file calls the score
    published: float  # its mean
    ours: float | None = None  # mean of our score on the same headlines; None where there is none
    label: str = ""  # what ours is, with its model; "" where there is none
    library: str = ""  # library, version and settings of ours
    why_not: str = ""  # why there is none of ours; "" otherwise
    # on how many headlines both are known; those that are published where there is none of ours
    headlines: int = 0
    correlation: float | None = None  # Pearson's; None where one of the two does not vary
    largest: float | None = None  # largest distance of two scores; None where there is none of ours
    equal: int = 0  # how many scores are the same, to 1e-6


def agreements(comparison: Comparison, runtime: Runtime) -> tuple[Agreement, ...]:
    """Every score that came with headlines, beside ours where there is one of the kind."""
    return tuple(
        _agreement(comparison, row, name, np.asarray(values, dtype=np.float64), runtime)
        for row, output in enumerate(comparison.outputs)
        for name, values in output.published.items()
        if not np.isnan(values).all()
    )


def as_lines(agreed: Sequence[Agreement]) -> list[str]:
    lines = []
    for agreement in agreed:
        head = f"{agreement.system}: {agreement.name} as published {agreement.published:.4f}"
        if agreement.ours is None:
            lines.append(f"{head}. {agreement.why_not or 'No metric here is of its kind.'}")
            continue
        how = "-" if agreement.correlation is None else f"{agreement.correlation:.4f}"
        same = f"equal on {agreement.equal:,} of {agreement.headlines:,}"
        ours = f"{agreement.label} here {agreement.ours:.4f} ({agreement.library})"
        lines.append(f"{head}, {ours}: {same}, correlation {how}.")
    return lines


def _agreement(
    comparison: Comparison, row: int, name: str, published: FloatArray, runtime: Runtime
) -> Agreement:
    known = ~np.isnan(published)
    bare = name.casefold().replace("_", "").replace("-", "").replace(" ", "")
    kind = next((entry for entry in OURS if bare.startswith(entry[0])), None)
    mean, system = float(published[known].mean()), comparison.systems[row]
    alone = Agreement(system=system, name=name, published=mean, headlines=int(known.sum()))
    if kind is None:
        return alone
    _, signature, column = kind
    if "|" not in signature:
        known_here = (measured.signature for measured in comparison.measured)
        asked = next((name for name in known_here if name.startswith(f"{signature}.v")), "")
        if not asked:
            return replace(alone, why_not=f"{signature} was not asked for.")
        signature = asked
    try:
        metric = headline_metrics.parse(signature)
        written = written_of(comparison.articles, comparison.outputs[row], comparison.language)
        values = metric.values(statistics_of(headline_metrics.signature(metric), written, runtime))
    except Cancelled:
        raise
    except CoreError as error:
        return replace(alone, why_not=f"{error.message} {error.hint}")
    places = [at for at, candidate in enumerate(metric.columns) if candidate.name.startswith(column)]
    at = next((at for at in places if "f1" in metric.columns[at].name), places[0])
    ours = values[:, at]
    both = known & ~np.isnan(ours)
    if not both.any():
        return replace(alone, why_not="None of these headlines has one by people to hold it against.")
    left, right = published[both], ours[both]
    varies = len(left) > 1 and left.std() and right.std()
    return replace(
        alone,
        published=float(left.mean()),
        ours=float(right.mean()),
        label=metric.columns[at].label,
        library=metric.signature_text(written),
        headlines=int(both.sum()),
        correlation=float(np.corrcoef(left, right)[0, 1]) if varies else None,
        largest=float(np.abs(left - right).max()),
        equal=int((np.abs(left - right) <= SAME).sum()),
    )
