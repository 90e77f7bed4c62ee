"""The worst flips, triangles and changes as one table."""

from __future__ import annotations

from core.consistency.studies.findings import Findings
from core.consistency.studies.scoring import Scored
from core.consistency.studies.subject import date_of
from core.results.delimited import delimited

COLUMNS = (
    "kind",
    "rank",
    "headline_a",
    "date_a",
    "headline_b",
    "date_b",
    "headline_c",
    "date_c",
    "score_ab",
    "score_ba",
    "score_bc",
    "score_ac",
    "severity",
    "mends",
)
"""A flip has a and b, a triangle b linked to a and c, a change a and b; other cells are empty."""


def findings_csv(scored: Scored, findings: Findings) -> bytes:
    """What the lab found as CSV in UTF-8, the worst of each kind first; see `COLUMNS`."""
    flips, triangles, changes = findings.commutative.worst, findings.triangles, findings.changes
    rows: list[dict[str, str]] = []
    for k in range(len(flips)):
        rows.append(
            {
                **_named(scored, a=flips.left[k], b=flips.right[k]),
                "kind": "flip",
                "rank": str(k + 1),
                "score_ab": _number(flips.forward[k]),
                "score_ba": _number(flips.backward[k]),
            }
        )
    for k in range(len(triangles)):
        rows.append(
            {
                **_named(scored, a=triangles.left[k], b=triangles.centre[k], c=triangles.right[k]),
                "kind": "triangle",
                "rank": str(k + 1),
                "score_ab": _number(triangles.link_left[k]),
                "score_bc": _number(triangles.link_right[k]),
                "score_ac": _number(triangles.denied[k]),
                "severity": _number(triangles.severity[k]),
            }
        )
    for k in range(len(changes)):
        rows.append(
            {
                **_named(scored, a=changes.left[k], b=changes.right[k]),
                "kind": "change",
                "rank": str(k + 1),
                "score_ab": _number(changes.score[k]),
                "mends": str(changes.net[k]),
            }
        )
    return delimited([COLUMNS, *([row.get(name, "") for name in COLUMNS] for row in rows)]).encode()


def _named(scored: Scored, **rows: int) -> dict[str, str]:
    headlines = scored.subject.headlines
    cells = {}
    for name, row in rows.items():
        cells[f"headline_{name}"] = headlines.texts[row]
        date = date_of(float(headlines.days[row]))
        cells[f"date_{name}"] = "" if date is None else date.isoformat()
    return cells


def _number(value: float) -> str:
    return f"{float(value):.4f}"
