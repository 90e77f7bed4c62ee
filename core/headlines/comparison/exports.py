"""A comparison for other programs: JSON with every figure, and a line for each headline."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from core import __version__
from core.headlines.comparison.agreement import Agreement
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.duels import Duel, duels_of_column
from core.headlines.comparison.orders import article_words, disagreement, headline_words
from core.headlines.comparison.papers import papers_beside
from core.headlines.comparison.table import Table
from core.results.delimited import delimited

LAYOUT: Final = 1
"""Version of the JSON."""


def as_json(comparison: Comparison, found: Table, agreed: tuple[Agreement, ...] = ()) -> str:
    """Every figure with its interval, all duels, and what each column is, in one object."""
    told: dict[str, Any] = {
        "layout": LAYOUT,
        "program": f"headline-lab {__version__}",
        "articles": len(comparison.articles),
        "articles_name": comparison.articles.name,
        "articles_fingerprint": comparison.articles.fingerprint,
        "language": comparison.language,
        "seed": comparison.seed,
        "resamples": comparison.resamples,
        "resampled": comparison.resampled_units,
        "fingerprint": comparison.fingerprint,
        "signature": comparison.signature,
        "against": found.against or None,
        "systems": [
            {"system": one.system, "source": one.source, "empty": empty}
            for one, empty in zip(comparison.outputs, found.empty, strict=True)
        ],
        "metrics": [
            {"signature": one.signature, "library": one.library, "why_not": one.why_not or None}
            for one in comparison.measured
        ],
        "columns": [
            {
                "key": place.key,
                "label": place.column.label,
                "help": place.column.help,
                "higher_is_better": place.column.higher_is_better,
                "metric": comparison.measured[place.metric].signature,
                "values": {
                    system: asdict(row[at]) for system, row in zip(found.systems, found.entries, strict=True)
                },
                "duels": [_duel(one) for one in duels_of_column(comparison, place.key)],
            }
            for at, place in enumerate(found.places)
        ],
        "published": [asdict(one) for one in agreed],
        "papers": [asdict(one) for one in papers_beside(comparison.articles)],
    }
    return json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _duel(one: Duel) -> dict[str, Any]:
    told = asdict(one)
    del told["key"]
    return told


def scores_csv(comparison: Comparison) -> str:
    """One line for each article and system: the headline, its scores, and what articles are sorted by."""
    lines: list[list[object]] = []
    published = list(dict.fromkeys(name for one in comparison.outputs for name in one.published))
    lines.append(
        [
            *("row", "id", "system", "headline", "reference", "article_words", "headline_words"),
            "disagreement",
            *(place.key for place in comparison.places),
            *(f"{name} (as published)" for name in published),
        ]
    )
    lengths, own, apart = article_words(comparison), headline_words(comparison), disagreement(comparison)
    scores = [comparison.scores(place.key) for place in comparison.places]
    for row, name in enumerate(comparison.articles.ids):
        given = comparison.articles.references[row]
        for at, one in enumerate(comparison.outputs):
            lines.append(
                [
                    row + 1,
                    *(name, one.system, one.headlines[row], given[0] if given else ""),
                    lengths[row],
                    own[at, row],
                    f"{apart[row]:.4f}",
                    *(_plain(column[at, row]) for column in scores),
                    *(_plain(one.published[key][row]) if key in one.published else "" for key in published),
                ]
            )
    return delimited(lines)


def _plain(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.6g}"
