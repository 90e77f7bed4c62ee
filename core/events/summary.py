"""A grouping in a few figures: the object that commands print, and its form for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.events.grouping import Grouping, Prepared
from core.results.text import count_words


def as_object(prepared: Prepared, grouping: Grouping) -> dict[str, Any]:
    """Plain data: counts, method, granularity, quality (None without gold) and signature."""
    _, sizes = np.unique(grouping.ids[prepared.position], return_counts=True)
    quality = grouping.quality
    return {
        "headlines": len(prepared.source),
        "rejected": len(prepared.source.report.rejected),
        "encoding": prepared.source.report.encoding,
        "notes": list(prepared.source.report.notes),
        "ledger": dict(prepared.source.report.ledger),
        "groups": len(sizes),
        "singletons": int((sizes == 1).sum()),
        "undated": prepared.source.undated,
        "language": prepared.language,
        "method": prepared.method,
        "device": prepared.device,
        "granularity": round(grouping.granularity, 4),
        "automatic": grouping.automatic,
        "corrections": 0 if grouping.corrections is None else grouping.corrections.applied,
        "quality": None if quality is None else {name: one.value for name, one in quality.scores.items()},
        "signature": grouping.signature,
    }


def as_text(summary: Mapping[str, Any]) -> str:
    """The same for people, a line a thing."""
    how = "chosen from the timeline" if summary["automatic"] else "as given"
    if "(refitted)" in summary["signature"]:
        how = "refitted from corrections"
    lines = [
        f"{summary['headlines']:,} headlines in {summary['groups']:,} groups "
        f"({count_words(summary['singletons'], 'single report', 'single reports')})",
        f"granularity {summary['granularity']:.3f}, {how}",
    ]
    if summary["automatic"] and 1 < summary["headlines"] == summary["groups"]:
        lines.append("No two headlines look like one event: each is a group of its own.")
    if summary["corrections"]:
        lines.append(f"{count_words(summary['corrections'], 'correction', 'corrections')} by people in force")
    if summary["quality"] is not None:
        scores = summary["quality"]
        lines.append(
            "against gold: "
            + ", ".join(
                f"{label} {scores[name]:.3f}"
                for name, (label, _) in LABELS.items()
                if scores.get(name) is not None
            )
        )
    lines.append(summary["signature"])
    return "\n".join(lines)


LABELS = {
    "ami": ("AMI", "Adjusted mutual information: agreement of the groups beyond chance. 1 is perfect."),
    "pair_f1": ("pair F1", "How well 'same event' agrees with people over all pairs. 1 is perfect."),
    "pair_precision": ("pair precision", "Of the pairs put together, the share that is right."),
    "pair_recall": ("pair recall", "Of the pairs that people put together, the share found."),
    "ari": ("ARI", "Adjusted Rand index: agreement over pairs beyond chance. 1 is perfect."),
    "v_measure": ("V-measure", "Are the groups both pure and complete? 1 is perfect."),
    "bcubed_f1": ("B-cubed F1", "How pure and complete the group of each headline is. 1 is perfect."),
}
"""Label and meaning of the measures that people see, in their order."""
