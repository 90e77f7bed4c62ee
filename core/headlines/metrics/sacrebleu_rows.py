"""What sacreBLEU counts in each headline, so that the score of any sample is a function of sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from core.headlines.metrics.averages import given_references
from core.headlines.metrics.metric import FloatArray, Written
from core.runtime import Runtime

_AT_ONCE: Final = 200  # headlines between two looks at the stop signal


def counted_rows(metric: Any, written: Written, runtime: Runtime, *, size: int, step: str) -> FloatArray:
    """A metric's own counts of each headline.

    Args:
        metric: `sacrebleu.metrics.BLEU` or `CHRF`.
        written: What is scored.
        runtime: Progress and stop.
        size: How many counts the metric keeps.
        step: Name of the step.

    Returns:
        float64 [n, 1 + size]: 1 and the counts; zeros where there is no reference.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    references = given_references(written)
    rows = np.zeros((len(references), 1 + size))
    scored = [row for row, given in enumerate(references) if given]
    for start in runtime.track(range(0, len(scored), _AT_ONCE), step):
        some = scored[start : start + _AT_ONCE]
        counts = metric._extract_corpus_statistics(
            [written.headlines[row] for row in some], _streams([references[row] for row in some])
        )
        rows[some] = np.insert(np.asarray(counts, dtype=np.float64), 0, 1.0, axis=1)
    return rows


def signature_of(metric: Any, written: Written | None) -> str:
    """sacreBLEU's signature; the number of references is "var" where it is not known or differs."""
    sizes = {len(given) for given in given_references(written) if given} if written else set()
    metric.num_refs = sizes.pop() if len(sizes) == 1 else -1
    return f"sacreBLEU {metric.get_signature()}"


def _streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """First references, second references, and so on, as sacreBLEU takes them; None where there is none."""
    return [
        [given[number] if number < len(given) else None for given in references]
        for number in range(max(map(len, references)))
    ]
