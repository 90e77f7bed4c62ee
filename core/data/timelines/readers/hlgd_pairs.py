"""HLGD's classification pairs, in the hub's spelling and in that of the paper's appendix C.

Label 1 means that both headlines tell the SAME event (appendix C: "1 if paraphrase"); the hub loader's
class names say the opposite. Timelines are rebuilt from the pairs.

Source: Laban et al. 2021, section 3.5 and appendix C.
"""

from __future__ import annotations

from core.data.timelines.pair_rows import OTHER, SAME, PairColumns, rebuild
from core.data.timelines.raw import Layout, RawTable

_SPELLINGS = {
    "headline": ("headline_{}",),
    "date": ("date_{}", "day_{}"),
    "url": ("url_{}",),
    "source": ("source_{}",),
    "authors": ("authors_{}",),
}
_LABELS = {"1": SAME, "0": OTHER, "1.0": SAME, "0.0": OTHER, "true": SAME, "false": OTHER}


def _side(table: RawTable, letter: str) -> dict[str, str]:
    side: dict[str, str] = {}
    for name, patterns in _SPELLINGS.items():
        for pattern in patterns:
            if pattern.format(letter) in table.columns:
                side.setdefault(name, pattern.format(letter))
    return side


def _recognises(table: RawTable) -> bool:
    return set(FORMAT.columns) <= set(table.columns)


def _arrange(table: RawTable) -> RawTable:
    a, b = _side(table, "a"), _side(table, "b")
    both = [name for name in a if name in b]
    timeline = next((name for name in ("timeline_id", "timeline") if name in table.columns), "")
    columns = PairColumns(
        sides=({name: a[name] for name in both}, {name: b[name] for name in both}),
        label="label",
        labels=_LABELS,
        timeline=timeline,
    )
    # The release was merged from five annotators, so a few contradictions are part of the data.
    return rebuild(table, columns, gold_from_conflicts=True)


FORMAT = Layout("hlgd_pairs", "HLGD pairs", ("headline_a", "headline_b", "label"), _recognises, _arrange)
