"""A timeline as one HTML file to give away: list, cards, lanes, map and slider work without a network.

Everything is computed before: the page's script cuts, filters and draws, and sets text as text.
"""

import json
import math
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import limits
from core.arrays import Float32Array, IntArray
from core.data.timelines.duplicates import has_label
from core.errors import InputError
from core.events.cards import group_summaries, grouped
from core.events.edited_headlines import headline_edits
from core.events.export import NO_LABELS, Drawing, LabelColumns, report_content
from core.events.grouping import Grouping, Prepared, regroup
from core.events.published_source import published_source
from core.events.report_times import Clock
from core.groups.card import report_differences
from core.groups.summary import GroupSummary
from core.results.page import html_page
from core.results.render import clean, count_words, date_words, safe_link
from core.text.marks import MarkKind

STEPS: Final = 100  # between the narrowest and the broadest position of the slider
MINUTES: Final = 24 * 60  # of a day
SIDE: Final = 1000  # of the map, whose places are whole numbers
MARKED: Final = 60  # different reports of an event up to which words are marked at any position
DIFFERING: Final = (
    MarkKind.ADDED_WORD, MarkKind.ADDED_NAME, MarkKind.ADDED_NUMBER, MarkKind.CONFLICTING_NUMBER,
    MarkKind.OPPOSED,
)  # fmt: skip
_PARTS: Final = {
    kind: Path(__file__).with_suffix(f".{kind}").read_text(encoding="utf-8") for kind in ("html", "css")
}
_ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@cache
def page_script() -> str:
    return Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def interactive_page(
    prepared: Prepared, grouping: Grouping, drawing: Drawing, codes: LabelColumns = NO_LABELS
) -> bytes:
    """The view as one UTF-8 HTML file, the same bytes each time; only its own script runs, by its hash."""
    timeline, most = prepared.timeline, limits.REPORT_HEADLINES.value
    if len(timeline) > most:
        said = f"The timeline has {len(timeline):,} headlines; an interactive page holds {most:,}."
        raise InputError(said, hint="Take a part of it, or export the report.")
    content = report_content(prepared, grouping, drawing, codes)
    heads, rows = content.headlines, np.lexsort((np.arange(len(timeline)), timeline.days)).tolist()
    place = np.argsort(rows)
    outlets = list(dict.fromkeys(name for name in heads.publishers if name))
    number = {name: at for at, name in enumerate(outlets)}
    minutes = timeline.days[rows] * MINUTES
    cards = [
        [card.group, [*map(clean, card.remarks)], int(place[card.suggested]), clean(card.reason)]
        for card in content.cards
        if card.suggested is not None
    ]
    data = {
        "texts": [clean(heads.texts[row]) for row in rows],
        "minutes": [None if math.isnan(moment) else round(moment) for moment in minutes.tolist()],
        "dates": [date_words(heads.published[row], day_only=heads.day_only[row]) for row in rows],
        "outlets": list(map(clean, outlets)),
        "outlet": [number.get(heads.publishers[row] or "", -1) for row in rows],
        "links": [safe_link(heads.urls[row]) or "" for row in rows],
        "labels": [clean(heads.labels[row]) for row in rows],
        "copies": prepared.copies[rows].tolist(),
        "edits": [
            [int(place[edit.before]), int(place[edit.after]), "" if edit.also else clock.at(edit.after)]
            for edit in headline_edits(timeline, rows)
            for clock in [Clock(timeline, [edit.before, edit.after])]
        ],
        "labelled": [at for at, row in enumerate(rows) if has_label(heads.texts[row])],
        "places": _places(drawing.positions[rows]),
        "cards": cards,
        **_positions(prepared, grouping, place),
    }
    dated = [row for row in rows if heads.published[row] is not None]
    ends = (date_words(heads.published[row], day_only=True) for row in (dated[:1] + dated[-1:]))
    facts = [count_words(len(rows), "headline", "headlines")]
    facts += [count_words(len(outlets), "outlet", "outlets")] if outlets else []
    facts += [" to ".join(dict.fromkeys(ends))] if dated else []
    return html_page(
        _PARTS["html"],
        title=clean(content.title),
        style=_PARTS["css"],
        script=page_script(),
        facts=" · ".join(facts),
        notes=[clean(note) for note in content.notes],
        # Nothing is left in it that could end its element.
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES),
        source=published_source(timeline, rows),
        signature=clean(f"{content.version} · {content.signature} · data {content.fingerprint}"),
    )


def _places(positions: Float32Array) -> list[int]:
    low, high = positions.min(axis=0), positions.max(axis=0)
    shares = (positions - low) / np.where(high > low, high - low, 1.0)
    shares[:, 1] = 1.0 - shares[:, 1]  # a page grows downward
    whole: list[int] = (shares * SIDE).round().astype(np.int64).ravel().tolist()
    return whole


def _positions(prepared: Prepared, grouping: Grouping, place: IntArray) -> dict[str, Any]:
    """The groups at each position of the slider, as what changes from the one before.

    A group is known by its earliest headline. `joins` lists old and new group of those that are part of
    another one now; `moves` headline and group where a headline left its own (methods without a tree, and
    corrections); `events` group, number, headline that stands for it and title by people where they changed.
    """
    levels = [at / STEPS for at in range(STEPS + 1)]
    start = round(grouping.granularity * STEPS)
    levels[start] = grouping.granularity
    again = partial(regroup, prepared, corrections=grouping.corrections, titles=grouping.titles)
    groups, events = np.arange(len(place)), dict[int, list[Any]]()
    steps, shown = [], []
    for level in levels:
        same = level == grouping.granularity
        at = grouping if same else again(level)
        lines = group_summaries(prepared, at)
        before, groups, changed = groups, np.empty_like(groups), []
        for line in lines:
            rows = place[list(line.rows)]
            group = groups[rows] = int(rows.min())
            title = at.marks.titles.get(line.group)
            event = [line.group, int(place[line.representative]), *([clean(title)] if title else [])]
            if events.get(group) != event:
                events[group] = event
                changed.append([group, *event])
        joins = [[old, int(groups[old])] for old in np.unique(before).tolist() if groups[old] != old]
        moved = np.flatnonzero(groups[before] != groups)
        moves = np.stack([moved, groups[moved]], axis=1).tolist()
        steps.append({"joins": joins, "moves": moves, "events": changed})
        shown.append((at, lines))
    nearest = sorted(range(len(levels)), key=lambda at: abs(at - start))
    marks = _marks(prepared, [shown[at] for at in nearest], place)
    return {"levels": levels, "start": start, "steps": steps, "marks": marks}


def _marks(
    prepared: Prepared, shown: Sequence[tuple[Grouping, Sequence[GroupSummary]]], place: IntArray
) -> list[list[int]]:
    """Where headlines differ from one that stands for them: both, then start, end and kind of each mark.

    Of a pair that two positions have, the first of `shown` counts; of this one all events are marked.
    """
    found: dict[tuple[int, int], list[int]] = {}
    seen = set[tuple[int, ...]]()
    texts = prepared.timeline.texts
    for grouping, lines in shown:
        columns = grouped(prepared, grouping)
        for line in lines:
            many = len(line.reports) > MARKED and grouping is not shown[0][0]
            if many or line.rows in seen:
                continue
            seen.add(line.rows)
            for row, differences in report_differences(columns, line):
                if clean(texts[row]) != texts[row]:
                    continue  # the places of its marks are not those of what is shown
                spans = [
                    number
                    for mark in differences.right_marks
                    if mark.kind in DIFFERING
                    for number in (mark.start, mark.end, DIFFERING.index(mark.kind))
                ]
                found.setdefault((int(place[line.representative]), int(place[row])), spans)
    return [[*pair, *spans] for pair, spans in found.items() if spans]
