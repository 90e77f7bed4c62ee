"""What a grouping came to, in numbers and in words."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from core.data.timelines import readers
from core.data.timelines.formats import count_formats
from core.data.timelines.reading_check import check_reading
from core.data.timelines.timeline import Field
from core.events.grouping import Grouping, Prepared, Settings
from core.events.stories import stories_of
from core.files import read_tables
from core.models.encoders.encoder import default_encoder
from core.pairs.scorer import pair_scorers
from core.pairs.timeline_context import BY_FORMULA, SEVERAL_LANGUAGES, default_grouping_scorer
from core.results.render import count_words

LABELS: Final[dict[str, list[str]]] = read_tables(__file__)["measures"]  # in the order for people
NO_E5 = (
    "multilingual-e5-small is not installed here (its package is for Linux on x86-64), so headlines in other "
    "languages than English are compared with an older encoder: look at the groups twice."
)


NOT_FITTED = (
    "Where the slider starts was fitted to the usual encoder, similarity and method, not to these: look at "
    "groups along the slider."
)


def method_notes(prepared: Prepared, grouping: Grouping) -> list[str]:
    """Sentences where an older encoder stands in for the usual one, and where the level suits others."""
    older = "use_multilingual.v1"
    usual = default_encoder(prepared.timeline.reading.language)
    notes = [NO_E5] if prepared.encoder.startswith(older) and usual == older else []
    usual_scorers = map(pair_scorers.parse, (default_grouping_scorer(), SEVERAL_LANGUAGES, BY_FORMULA))
    fitted = {pair_scorers.signature(scorer): scorer.encoder or usual for scorer in usual_scorers}
    encoder = fitted.get(prepared.scorer)
    others = encoder != prepared.encoder or prepared.method != Settings().method
    return notes + [NOT_FITTED] * (grouping.automatic and others)


def groups_as_object(prepared: Prepared, grouping: Grouping) -> dict[str, Any]:
    """Plain data: counts, method, granularity, quality (None without gold) and signature."""
    position = prepared.position[prepared.position >= 0]
    _, sizes = np.unique(grouping.ids[position], return_counts=True)
    quality = grouping.quality
    return {
        "headlines": len(prepared.source),
        "rejected": len(prepared.source.report.rejected),
        "read_as": readers.title(prepared.source.report.format),
        "encoding": prepared.source.report.encoding,
        "notes": [
            *prepared.source.report.notes,
            *method_notes(prepared, grouping),
            *prepared.source.unread_notes(),
        ],
        "unread": prepared.source.unread(),
        "ledger": dict(prepared.source.report.ledger),
        "copies": int((prepared.copies[position] != position).sum()) + prepared.folded,
        "questions": [f"{each.asks} {each.because}" for each in check_reading(prepared.source)],
        "set_aside": count_formats(prepared.set_aside),
        "grouped": len(position),
        "groups": len(sizes),
        "singletons": int((sizes == 1).sum()),
        "stories": len(stories_of(prepared, grouping)),
        "undated": prepared.source.undated,
        "language": prepared.timeline.reading.language,
        "method": prepared.method,
        "device": prepared.device,
        "granularity": round(grouping.granularity, 4),
        "automatic": grouping.automatic,
        "corrections": 0 if grouping.corrections is None else grouping.corrections.applied,
        "gold_column": next(iter(prepared.source.report.columns.get(Field.GOLD, ())), None),
        "quality": None if quality is None else {name: score.value for name, score in quality.scores.items()},
        "signature": grouping.signature,
    }


def groups_as_text(summary: Mapping[str, Any]) -> str:
    how = "chosen from the timeline" if summary["automatic"] else "as given"
    if "(refitted)" in summary["signature"]:
        how = "refitted from corrections"
    rest = f"{summary['grouped']:,} of " if summary["set_aside"] else ""
    lines = [
        f"{rest}{count_words(summary['headlines'], 'headline', 'headlines')} in "
        f"{count_words(summary['groups'], 'group', 'groups')} "
        f"({count_words(summary['singletons'], 'single report', 'single reports')})"
        + f", {count_words(summary['stories'], 'story', 'stories')} of several groups"
        * bool(summary["stories"]),
        f"granularity {summary['granularity']:.3f}, {how}",
    ]
    if summary["copies"]:
        repeat = count_words(summary["copies"], "headline repeats", "headlines repeat")
        lines.append(f"{repeat} another report ({summary['grouped'] - summary['copies']:,} different ones)")
    if summary["set_aside"]:
        lines.append(f"set aside as formats that repeat: {summary['set_aside']} (--keep-formats groups them)")
    if summary["automatic"] and 1 < summary["headlines"] == summary["groups"]:
        lines.append("No two headlines look like one event: each is a group of its own.")
    if summary["corrections"]:
        lines.append(f"{count_words(summary['corrections'], 'correction', 'corrections')} in force")
    if summary["quality"] is not None:
        scores = summary["quality"]
        known = [(label, scores[name]) for name, (label, _) in LABELS.items() if scores.get(name) is not None]
        gold = f"gold, the column {summary['gold_column']}" if summary["gold_column"] else "gold"
        lines.append(f"against {gold}: " + ", ".join(f"{label} {score:.3f}" for label, score in known))
    lines += [f"check: {question} (--tidy does it)" for question in summary["questions"]]
    lines.append(summary["signature"])
    return "\n".join(lines)
