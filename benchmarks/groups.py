"""How good the groups are where the slider starts, and how far that is from each set's best cut.

Nothing here is tuned: the automatic granularity sees no gold, and nothing was chosen on ISS or OG2021.
Intervals are 95 % percentile intervals over 200 resamples of the gold groups.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.files import ROOT

DATA = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared")) / "data"
CUTS = np.round(np.arange(0.30, 0.905, 0.01), 2)


def sets() -> dict[str, pd.DataFrame]:
    """Headline, date and gold group of every set that is here; AllSides dates are days."""
    found = {
        "ISS": pd.read_csv(ROOT / "samples/iss/iss_excerpt.csv", dtype=str),
        "UCI": _renamed(
            pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str),
            {"TITLE": "headline", "TIMESTAMP": "date", "STORY": "group"},
        ),
    }
    if not DATA.is_dir():
        return found
    sides = pd.read_csv(DATA / "allsides_stories/allsides_stories.csv.gz", dtype=str)
    sides["date"] = sides["story_date"].str[:10]
    found["AllSides"] = _renamed(sides, {"title": "headline", "date": "date", "story_id": "group"})
    columns = {"first_sentence_or_headline": "headline", "url_date": "date", "subtopic": "group"}
    for name, file in (("headlines", "headlines_only"), ("first sentences", "first_sentences")):
        found[f"ECB+ {name}"] = _renamed(
            pd.read_csv(DATA / f"ecbplus/ecbplus_{file}.csv", dtype=str), columns
        )
    neus = pd.read_csv(DATA / "neus/neus_stories.csv.gz", dtype=str)
    found["NeuS, test"] = _renamed(neus[neus["split"] == "test"], {"headline": "headline", "story": "group"})
    claims = pd.read_csv(DATA / "emergent/data__url-versions-2015-06-14-clean.csv", dtype=str)
    found["Emergent"] = _renamed(claims, {"articleHeadline": "headline", "claimId": "group"})
    dense = pd.read_csv(DATA / "og2021/og2021_por_fra_deu_slv_ara.csv.gz", dtype=str)
    found["OG2021, five languages"] = _renamed(
        dense, {"headline": "headline", "date": "date", "cluster": "group"}
    )
    return found


def run() -> dict[str, Any]:
    """Measures every set with the settings that the app starts with."""
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, table in sets().items():
            rows.append({"name": name, **_measure(table, Path(cache))})
    return {"benchmark": "groups", "rows": rows}


def _measure(table: pd.DataFrame, cache: Path) -> dict[str, Any]:
    from core.data.timelines.load import load
    from core.data.timelines.timeline import Field
    from core.events.grouping import Settings, prepare, regroup
    from core.groups.quality.metrics import RESAMPLES, quality
    from core.runtime import Runtime

    timeline = load(table.to_csv(index=False).encode(), "set.csv")
    prepared = prepare(timeline, Settings(), Runtime(cache=cache))
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    best, best_cut = max(
        (quality(prepared.hierarchy.cut(float(cut)), gold)["pair_f1"].value or 0.0, float(cut))
        for cut in CUTS
    )
    measured = quality(grouping.ids, gold, resamples=RESAMPLES)
    values = {name: measured[name].value or 0.0 for name in ("ami", "ari", "pair_f1", "bcubed_f1")}
    return {
        "headlines": len(timeline),
        "undated": timeline.undated,
        "granularity": grouping.granularity,
        **{name: round(value, 3) for name, value in values.items()},
        "pair_f1_interval": [round(end or 0.0, 3) for end in measured["pair_f1"].interval],
        "ami_interval": [round(end or 0.0, 3) for end in measured["ami"].interval],
        "best_pair_f1": round(best, 3),
        "best_granularity": best_cut,
        "points_below_best": round(100 * (best - values["pair_f1"]), 1),
    }


def _renamed(table: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    return table[list(columns)].rename(columns=columns)
