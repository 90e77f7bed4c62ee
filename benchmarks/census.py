"""The exact census of all triplets, against igraph's motif count and the trace of a cube in NumPy.

Links are those of cosine with time decay on the first headlines of the UCI sample, and random ones of
three densities. igraph counts triangles and open triplets (`motifs_randesu`), NumPy triangles alone
(`trace(A³) / 6` in float64); ours counts all four kinds. igraph walks through every triplet with two
links, so it is left out where these are more than 10 million. Seconds are medians of three, igraph's of
one run.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import median, seconds

SIZES = (300, 2000)
DENSITIES = (0.01, 0.1, 0.5)
MOST_WALKED = 10_000_000


def run() -> dict[str, Any]:
    """One row a size and kind of links."""
    rows = []
    for size in SIZES:
        rows.append({"links": "UCI, cosine with time", **_measure(_real(size))})
        for density in DENSITIES:
            rows.append({"links": f"random, {density:.0%}", **_measure(_random(size, density))})
    return {"benchmark": "triangle census", "rows": rows}


def _measure(links: np.ndarray) -> dict[str, Any]:
    import igraph

    from core.consistency.certificate import census

    found = census(links)
    floats = links.astype(np.float64)
    assert round(float(np.trace(floats @ floats @ floats))) == 6 * found.three
    motifs = None
    if found.linked_twice <= MOST_WALKED:
        graph = igraph.Graph(n=len(links), edges=np.argwhere(np.triu(links)).tolist())
        counts: list[float] = []
        motifs = round(seconds(lambda: counts.extend(graph.motifs_randesu(size=3)[2:])), 4)
        assert [int(count) for count in counts] == [found.two, found.three]
    ours = median(lambda: census(links))
    cube = median(lambda: float(np.trace(floats @ floats @ floats)))
    return {
        "headlines": len(links),
        "triplets": found.triplets,
        "with_two_links": found.linked_twice,
        "broken": found.two,
        "ours_seconds": round(ours, 4),
        "igraph_seconds": motifs,
        "numpy_seconds": round(cube, 4),
    }


def _real(size: int) -> np.ndarray:
    from core.consistency.studies.scoring import Scoring, score_both_orders
    from core.consistency.studies.subject import open_headlines
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as cache:
        subject = open_headlines("sample:uci", most=size)
        scored = score_both_orders(subject, Scoring(scorer="cosine_time"), Runtime(cache=Path(cache)))
    return scored.scores.links


def _random(size: int, density: float) -> np.ndarray:
    upper = np.triu(np.random.default_rng(0).random((size, size)) < density, k=1)
    return upper | upper.T
