"""The automatic granularity on timelines that are drawn from the sets: what generalises, and what does not.

*sub*: some groups, capped at a few headlines or not; *lone*: 80 to 270 headlines, about half of them
alone, over months or years, as in HLGD; *scattered*: whole groups over a year; *thinned*: every
third headline or so. Invented dates begin on a random day for each group and go on with geometric
delays; AllSides days are moved by -1 to +1 otherwise, because all headlines of a story carry one
stamp. Nothing is tuned here; ISS is not among the sets. Intervals: 95 % bootstrap over timelines.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

SEED = 909
CUTS = np.round(np.arange(0.30, 0.905, 0.02), 2)
FAMILIES = ("UCI", "AllSides", "ECB+ headlines", "Emergent")


def run() -> dict[str, Any]:
    """Loss against the best cut of each drawn timeline, by kind and family."""
    from benchmarks.groups import sets
    from core.runtime import Runtime

    losses: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache))
        for family, table in sets().items():
            if family not in FAMILIES:
                continue
            for kind, drawn in _drawn(table, family, np.random.default_rng(SEED)):
                losses[kind, family].append(_measure(drawn, runtime))
    rows = [_row(kind, family, np.array(found)) for (kind, family), found in sorted(losses.items())]
    return {"benchmark": "slices", "seed": SEED, "rows": rows}


def _row(kind: str, family: str, found: np.ndarray) -> dict[str, Any]:
    loss = found[:, 1] - found[:, 0]
    again = np.random.default_rng(0).choice(loss, (2_000, len(loss))).mean(axis=1)
    return {
        "kind": kind,
        "family": family,
        "timelines": len(found),
        "pair_f1": round(float(found[:, 0].mean()), 3),
        "best_pair_f1": round(float(found[:, 1].mean()), 3),
        "points_below_best": round(100 * float(loss.mean()), 1),
        "interval": (100 * np.percentile(again, [2.5, 97.5])).round(1).tolist(),
        "within_2_points": f"{(loss <= 0.02).mean():.0%}",
    }


def _measure(table: pd.DataFrame, runtime: Any) -> tuple[float, float]:
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field
    from core.events.grouping import Settings, prepare
    from core.groups.quality.metrics import quality

    timeline = load(table.to_csv(index=False).encode(), "slice.csv")
    prepared = prepare(timeline, Settings(), runtime)
    gold = timeline.table[Field.GOLD].tolist()
    found = [quality(prepared.hierarchy.cut(float(cut)), gold)["pair_f1"].value or 0.0 for cut in CUTS]
    chosen = quality(prepared.reference, gold)["pair_f1"].value or 0.0
    return chosen, max(chosen, *found)


def _drawn(table: pd.DataFrame, family: str, rng: np.random.Generator) -> Iterator[tuple[str, pd.DataFrame]]:
    for share, cap in itertools.product((0.25, 0.6), (2, 4, 10, 40)):
        groups = _groups(table, rng)
        rows = np.concatenate([one[:cap] for one in groups[: max(8, int(share * len(groups)))]])
        yield "sub", _shifted(table.iloc[np.sort(rows)], family, rng)
    for _ in range(4):
        wanted, kept = int(rng.integers(80, 271)), []
        for one in _groups(table, rng):
            kept.append(one[: 1 if rng.random() < 0.5 else 1 + int(rng.geometric(0.5))])
            if sum(map(len, kept)) >= wanted:
                break
        yield (
            "lone",
            _invented(table.iloc[np.sort(np.concatenate(kept))], int(rng.choice([120, 400, 1200])), rng),
        )
    for share in (0.3, 0.6):
        groups = _groups(table, rng)
        rows = np.concatenate([one[:60] for one in groups[: int(share * len(groups))]])
        yield "scattered", _invented(table.iloc[np.sort(rows)], 365, rng)
    for share in (0.2, 0.35, 0.5):
        rows = np.sort(rng.permutation(len(table))[: int(share * len(table))])
        yield "thinned", _shifted(table.iloc[rows], family, rng)


def _groups(table: pd.DataFrame, rng: np.random.Generator) -> list[np.ndarray]:
    found = [rng.permutation(rows) for rows in table.groupby("group", sort=True).indices.values()]
    return [found[place] for place in rng.permutation(len(found))]


def _shifted(table: pd.DataFrame, family: str, rng: np.random.Generator) -> pd.DataFrame:
    if family != "AllSides":
        return table
    days = pd.to_datetime(table["date"]) + pd.to_timedelta(rng.integers(-1, 2, len(table)), unit="D")
    return table.assign(date=days.dt.strftime("%Y-%m-%d"))


def _invented(table: pd.DataFrame, span: int, rng: np.random.Generator) -> pd.DataFrame:
    codes, groups = pd.factorize(table["group"])
    offsets = rng.integers(0, span, len(groups))[codes] + rng.geometric(0.4, len(table)) - 1
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(offsets, unit="D")
    return table.assign(date=pd.Series(days, index=table.index).dt.strftime("%Y-%m-%d"))
