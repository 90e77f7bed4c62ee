"""Metrics that are a mean over headlines: from one value a headline to statistics, and back."""

from __future__ import annotations

import numpy as np

from core.headlines.metrics.metric import FloatArray, Written


def mean_statistics(values: FloatArray) -> FloatArray:
    """Statistics of c values a headline.

    Args:
        values: float64 [n, c]; NaN where a headline has no such value.

    Returns:
        float64 [n, 2c]: for each value whether it is defined (1 or 0), then the values, 0 where not.
    """
    defined = ~np.isnan(values)
    return np.concatenate([defined.astype(np.float64), np.where(defined, values, 0.0)], axis=1)


def means(sums: FloatArray) -> FloatArray:
    """Means over the headlines that have a value.

    Args:
        sums: float64 [..., 2c], sums of `mean_statistics`.

    Returns:
        float64 [..., c]; NaN where no headline has one.
    """
    counts, totals = np.split(np.asarray(sums, dtype=np.float64), 2, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(counts > 0, totals / counts, np.nan)


class MeanMetric:
    """A metric whose columns are the means of what `mean_statistics` took of each headline."""

    __slots__ = ()

    def values(self, sums: FloatArray) -> FloatArray:
        """Means over the headlines; see `HeadlineMetric.values`."""
        return means(sums)


def given_references(written: Written) -> list[tuple[str, ...]]:
    """For each headline its references that hold more than white space."""
    return [tuple(one for one in given if one.strip()) for given in written.references]
