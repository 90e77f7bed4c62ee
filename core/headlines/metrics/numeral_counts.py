"""What is counted of the numerals of a checked headline, and the shares that follow from the counts."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.headlines.metrics.metric import Column, FloatArray
from core.numerals.provenance import CheckedHeadline, Status

SUPPORTED: Final = (Status.COPIED, Status.DERIVED)

COLUMNS: Final = (
    Column(
        name="numeral_supported",
        label="Numerals supported",
        help="share of the numerals that the article has or that follow from its numerals",
        higher_is_better=True,
    ),
    Column(
        name="numeral_contradicted",
        label="Numerals contradicted",
        help="share of the numerals for which the article gives another value",
        higher_is_better=False,
    ),
    Column(
        name="numeral_unsupported",
        label="Numerals unsupported",
        help="share of the numerals that nothing in the article speaks for",
        higher_is_better=False,
    ),
    Column(
        name="numeral_support",
        label="Numeral support",
        help="mean probability that the article supports a numeral",
        higher_is_better=True,
    ),
    Column(
        name="headlines_supported",
        label="Headlines all supported",
        help="share of the headlines with numerals whose numerals are all supported",
        higher_is_better=True,
    ),
    Column(
        name="headlines_with_numerals",
        label="Headlines with numerals",
        help="share of the headlines that hold a numeral",
        higher_is_better=None,
    ),
)

COUNTS: Final = 7
"""How many statistics a headline has; see `counts_of`."""


def counts_of(checked: CheckedHeadline) -> FloatArray:
    """What is counted of one headline, float64 [7].

    Returns:
        1; whether it holds a numeral; whether it holds one and all are supported; numerals supported,
        contradicted and unsupported; the sum of their support.
    """
    statuses = [one.status for one in checked.numerals]
    supported = sum(one in SUPPORTED for one in statuses)
    return np.array(
        [
            1,
            bool(statuses),
            bool(statuses) and supported == len(statuses),
            supported,
            statuses.count(Status.CONTRADICTED),
            statuses.count(Status.UNSUPPORTED),
            sum(one.support for one in checked.numerals),
        ],
        dtype=np.float64,
    )


def shares(sums: FloatArray) -> FloatArray:
    """The columns from sums of counts.

    Args:
        sums: float64 [..., 7], sums of `counts_of`.

    Returns:
        float64 [..., 6], in the order of `COLUMNS`; NaN where there is no numeral; the last
        is NaN where there is no headline.
    """
    headlines, holding, whole, supported, contradicted, unsupported, support = np.moveaxis(
        np.asarray(sums, dtype=np.float64), -1, 0
    )
    numerals = supported + contradicted + unsupported
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [
            *(one / numerals for one in (supported, contradicted, unsupported, support)),
            whole / holding,
            holding / headlines,
        ]
    return np.stack(found, axis=-1)
