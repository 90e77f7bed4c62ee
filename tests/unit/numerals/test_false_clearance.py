"""How often a green tick is wrong is read from a stored result, and from nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from research.benchmark.numerals.clearance import GREEN, false_clearance


def stored(folder: Path, day: str, digits: str) -> None:
    rows = [
        {"claims": "right", "n": 500, GREEN: "70.0 [66.0, 74.0]"},
        {"claims": "hedged", "n": 50, GREEN: "52.0 [40.0, 64.0]"},
        {"claims": "digit", "n": 300, GREEN: digits},
        {"claims": "claim_word", "n": 100, GREEN: "40.0 [30.0, 50.0]"},
    ]
    path = folder / f"claim_verdicts-{day}.json"
    path.write_text(json.dumps({"rows": rows, "date": day}), encoding="utf-8")


def test_the_newest_result_is_read_and_the_worst_way_comes_first(tmp_path: Path) -> None:
    stored(tmp_path, "2026-11-01", "9.0 [8.0, 10.0]")
    stored(tmp_path, "2026-11-02", "1.0 [0.0, 2.0]")
    found = false_clearance(tmp_path)
    assert found is not None
    assert [kind for kind, _ in found.kinds] == ["claim word", "digit"]
    assert (found.count, found.date) == (400, "2026-11-02")
    assert found.share == pytest.approx((3 + 40) / 400)
    assert (found.kinds[1][1].low, found.kinds[1][1].high) == (0.0, 0.02)


def test_what_was_not_measured_is_not_made_up(tmp_path: Path) -> None:
    assert false_clearance(tmp_path) is None
