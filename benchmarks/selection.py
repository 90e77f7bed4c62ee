"""How often a selector chooses the headline that people chose (Dialogue 2021): weighted accuracy, in percent.

Headlines are rebuilt from addresses (pseudo-headlines), so the paper's figures, on real headlines, are no
like for like. [What else there is to say](selection.md).
"""

from __future__ import annotations

from typing import Any

from core.data.selection_sets import load_dialogue2021
from core.headlines.selection_study import PAPER, figures, measure
from core.runtime import Runtime


def run() -> dict[str, Any]:
    """Ranks the headlines of every event with every selector; the paper's rows stand below."""
    found = measure(load_dialogue2021(), Runtime())
    paper = [
        {"selector": name, "validation": validation, "public": public, "private": private}
        for name, validation, public, private in PAPER
    ]
    return {
        "benchmark": "headline selection",
        "rows": [*map(figures, found.rows), *paper],
        "pairs": dict(found.pairs),
        "headlines": found.headlines,
        "pairs_without_text": found.without_text,
    }
