"""Pairs of the Telegram contest as judged on Toloka: two titles, texts and addresses, OK or BAD.

OK means the same event. Gold groups are given only where no BAD pair contradicts them.

Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
"""

from __future__ import annotations

from core.data.timelines import column_names
from core.data.timelines.pair_rows import OTHER, SAME, PairColumns, rebuild
from core.data.timelines.raw import Layout, RawTable

_PARTS = {"headline": "title", "url": "url", "body": "text", "date": "date"}
_LABELS = {"ok": SAME, "bad": OTHER}
_LABEL_NAMES = ("quality", "result", "res", "label")


def _keys(table: RawTable) -> dict[str, str]:
    return {column_names.key(name): name for name in table.columns}


def _recognises(table: RawTable) -> bool:
    keys = _keys(table)
    label = next((keys[name] for name in _LABEL_NAMES if name in keys), "")
    if not label or not {"first_title", "second_title"} <= set(keys):
        return False
    return any((value or "").strip().casefold() in _LABELS for value in table.column(label))


def _arrange(table: RawTable) -> RawTable:
    keys = _keys(table)
    both = [name for name, part in _PARTS.items() if {f"first_{part}", f"second_{part}"} <= set(keys)]
    columns = PairColumns(
        sides=(
            {name: keys[f"first_{_PARTS[name]}"] for name in both},
            {name: keys[f"second_{_PARTS[name]}"] for name in both},
        ),
        label=next(keys[name] for name in _LABEL_NAMES if name in keys),
        labels=_LABELS,
    )
    return rebuild(table, columns, gold_from_conflicts=False)


FORMAT = Layout(
    "telegram_pairs",
    "Telegram contest pairs",
    ("first_title", "second_title", "quality"),
    _recognises,
    _arrange,
)
