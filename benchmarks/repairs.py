"""What repairs of inconsistent decisions cost or gain in pair F1, at each scorer's own threshold.

The validation parts of UCI, AllSides and ECB+, and the ISS timeline, on which nothing was chosen. "broken"
are triplets with two links and a denied third pair; the default repair, `fewest_changes`, leaves none. The
interval is of the difference F1 after − F1 before, 95 %, over 1,000 resamples of the gold groups; "at least"
is the lower bound on the decisions that any transitive repair must change, "=" where it is reached.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

SETS = (("uci", "validation"), ("allsides", "validation"), ("ecbplus", "validation"), ("sample:iss", None))
SCORERS = ("event_blend", "event_similarity", "cosine_time", "tfidf", "levenshtein")
OTHERS = (
    *("group_read_back.v1", "correlation_clustering.v1"),
    *("triangle_smoothing.v1", "transitive_closure.v1"),
)


def run() -> dict[str, Any]:
    """One row a set and scorer; sets that are not on this machine are left out."""
    from core.consistency.studies.subject import open_headlines
    from core.errors import DataSourceError
    from core.runtime import Runtime

    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, part in SETS:
            try:
                subject = open_headlines(name, part=part)
            except DataSourceError:
                continue
            runtime = Runtime(cache=Path(cache))
            rows += [
                {"set": name, "scorer": scorer, **_measure(subject, scorer, runtime)} for scorer in SCORERS
            ]
    return {"benchmark": "repairs", "rows": rows}


def _measure(subject: Any, scorer: str, runtime: Any) -> dict[str, Any]:
    from core.consistency.studies.scoring import Scoring, score_both_orders
    from core.consistency.studies.study import DEFAULT_REPAIR, repair_all

    scored = score_both_orders(subject, Scoring(scorer=scorer), runtime)
    report = repair_all(scored, (DEFAULT_REPAIR, *OTHERS), runtime)
    default = report.outcomes[0]
    certificate = default.certificate
    assert certificate is not None
    assert not default.census.two
    share = report.census.consistent_share
    return {
        "broken": report.census.two,
        "consistent": None if share is None else f"{share:.1%}",
        "f1_before": _rounded(report.gold.f1 if report.gold else None),
        "f1_after": _rounded(default.gold.f1 if default.gold else None),
        "interval_of_difference": [_rounded(end) for end in default.gain or ()],
        "changed": certificate.changed,
        "at_least": f"{'= ' if certificate.exact else ''}{certificate.at_least:,}",
        **{
            f"f1_{name.partition('.')[0]}": _rounded(outcome.gold.f1 if outcome.gold else None)
            for name, outcome in zip(OTHERS, report.outcomes[1:], strict=True)
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
