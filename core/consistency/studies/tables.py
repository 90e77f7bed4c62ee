"""The worst flips, triangles and changes as one table."""

from __future__ import annotations

from core.consistency.studies.findings import Findings
from core.consistency.studies.scoring import ScoredSubject
from core.consistency.studies.subject import date_of
from core.results.render import as_csv
from core.results.table import Table, TableColumn

_HEADLINES = ("headline_a", "date_a", "headline_b", "date_b", "headline_c", "date_c")
_SCORES = ("score_ab", "score_ba", "score_bc", "score_ac", "severity")
COLUMNS = ("kind", "rank", *_HEADLINES, *_SCORES, "mends")
"""A flip has a and b, a triangle b linked to a and c, a change a and b; other cells are empty."""


def findings_csv(scored: ScoredSubject, findings: Findings) -> bytes:
    """What was found as CSV in UTF-8, the worst of each kind first; see `COLUMNS`."""
    flips, triangles, changes = findings.commutative.worst, findings.triangles, findings.changes

    def row(
        kind: str, at: int, *rows: int, mends: int | None = None, **scores: float
    ) -> tuple[str | int | None, ...]:
        cells = [cell for one in rows for cell in _named(scored, one)]
        numbers = (f"{float(scores[name]):.4f}" if name in scores else None for name in _SCORES)
        return (kind, at + 1, *cells, *[None] * (len(_HEADLINES) - len(cells)), *numbers, mends)

    lines = [
        row("flip", k, flips.left[k], flips.right[k], score_ab=flips.forward[k], score_ba=flips.backward[k])
        for k in range(len(flips))
    ]
    lines += [
        row(
            *("triangle", k, triangles.left[k], triangles.centre[k], triangles.right[k]),
            score_ab=triangles.link_left[k],
            score_bc=triangles.link_right[k],
            score_ac=triangles.denied[k],
            severity=triangles.severity[k],
        )
        for k in range(len(triangles))
    ]
    lines += [
        row(
            "change",
            k,
            changes.left[k],
            changes.right[k],
            score_ab=changes.score[k],
            mends=int(changes.net[k]),
        )
        for k in range(len(changes))
    ]
    return as_csv(Table(columns=tuple(map(TableColumn, COLUMNS)), rows=tuple(lines))).encode()


def _named(scored: ScoredSubject, row: int) -> tuple[str, str]:
    headlines = scored.subject.headlines
    date = date_of(float(headlines.days[row]))
    return headlines.texts[row], "" if date is None else date.isoformat()
