"""The report as one HTML file that opens offline: style, pictures and one script, which searches, inside."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from core import limits
from core.events.outlets import also_in
from core.events.report.content import ReportCard, ReportContent
from core.events.report.pictures import LANES, map_svg, map_words, swimlane_svg, swimlane_words
from core.events.report.template import PAGE
from core.palette import LIGHT
from core.results.page import html_page
from core.results.render import as_html
from core.results.text import clean, count_words, date_words, safe_link

OPEN_CARDS: Final = 6
"""Groups whose headlines are shown at once; the others are folded, and a search in the browser opens them."""


OPEN_ROWS: Final = 200
"""Headlines in the table at the end up to which it is not folded."""


@cache
def search_script() -> str:
    """What the report runs: it searches and folds."""
    return Path(__file__).with_name("search.js").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    text: str
    link: str | None
    date: str
    publisher: str
    group: str
    paint: str
    also: str = ""


@dataclass(frozen=True, slots=True)
class _Card:
    headline: str
    summary: str
    paint: str
    rows: tuple[_Row, ...]
    count: str
    more: str
    suggested: str
    reason: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Figure:
    title: str
    lead: str
    words: str
    svg: str
    caption: str


def figures_of(content: ReportContent) -> dict[str, str]:
    """The pictures that the content has, SVG by name: `swimlane`, `map`."""
    drawn = {"swimlane": swimlane_svg(content), "map": map_svg(content)}
    return {name: svg for name, svg in drawn.items() if svg is not None}


def report_html(content: ReportContent, *, figures: dict[str, str] | None = None) -> bytes:
    """The report as one UTF-8 HTML file; the same content gives the same bytes.

    Nothing is loaded from elsewhere, and nothing runs but `search.js`, allowed by its hash: it searches and
    folds, and without it everything can be read. Headlines past the `report_headlines`
    limit are counted, not listed.
    """
    svgs = figures_of(content) if figures is None else figures
    rows = _rows(content)
    limit = limits.REPORT_HEADLINES.value
    left = len(content.headlines) - len(rows)
    return html_page(
        PAGE,
        title=clean(content.title),
        facts=[(clean(label), clean(value)) for label, value in content.facts],
        notes=[clean(note) for note in content.notes],
        # Vega escapes what it draws, and nothing else writes into these strings.
        figures=[_figure(content, name, svg) for name, svg in svgs.items()],
        quality="" if content.quality is None else as_html(content.quality),
        script=search_script(),
        open_cards=OPEN_CARDS,
        open_rows=OPEN_ROWS,
        rows_count=count_words(len(rows), "headline listed", "headlines listed"),
        cards=[_card(content, card, rows) for card in content.cards],
        cards_lead=_cards_lead(content),
        table_lead="In the order of the file; a grey dot marks a single report.",
        rows=rows,
        more=f"{count_words(left, 'more headline is', 'more headlines are')} not listed: a report "
        f"lists {limit:,}. The tables beside it hold them all."
        if left
        else "",
        rejected=f"{count_words(content.rejected, 'row', 'rows')} of the input could not be read."
        if content.rejected
        else "Every row of the input was read.",
        content_signature=clean(content.signature),
        fingerprint=clean(content.fingerprint),
        version=clean(content.version),
    )


def _rows(content: ReportContent) -> tuple[_Row, ...]:
    heads, groups = content.headlines, content.groups.tolist()
    sizes = Counter(groups)
    return tuple(
        _Row(
            number=row + 1,
            text=clean(heads.texts[row]),
            link=safe_link(heads.urls[row]),
            date=date_words(heads.published[row], day_only=heads.day_only[row]),
            publisher=clean(heads.publishers[row] or ""),
            group=f"{groups[row]}" if sizes[groups[row]] > 1 else "single",
            paint=_paint(groups[row]) if sizes[groups[row]] > 1 else "alone",
        )
        for row in range(min(len(heads), limits.REPORT_HEADLINES.value))
    )


def _paint(group: int) -> str:
    return f"g{group % len(LIGHT)}" if group >= 0 else "alone"


def _card(content: ReportContent, card: ReportCard, rows: tuple[_Row, ...]) -> _Card:
    heads = content.headlines
    dated = [
        (moment, heads.day_only[row]) for row in card.rows if (moment := heads.published[row]) is not None
    ]
    outlets = len({heads.publishers[row] for row in card.rows if heads.publishers[row]})
    parts = [f"Group {card.group}", count_words(len(card.rows), "headline", "headlines")]
    if outlets:
        parts.append(count_words(outlets, "publisher", "publishers"))
    if dated:
        first, last = min(dated), max(dated)
        begin = date_words(first[0], day_only=first[1])
        end = date_words(last[0], day_only=last[1])
        parts.append(begin if begin == end else f"{begin} to {end}")
    reports = card.reports or tuple((row,) for row in card.rows)
    listed = tuple(
        replace(rows[report[0]], also=clean(also_in(heads.publishers, report)))
        for report in reports
        if report[0] < len(rows)
    )
    left = len(reports) - len(listed)
    if len(reports) < len(card.rows):
        parts.insert(2, count_words(len(reports), "different report", "different reports"))
    return _Card(
        headline=clean(content.name(card)),
        summary=" · ".join(parts),
        paint=_paint(card.group),
        rows=listed,
        count=count_words(len(listed), "headline listed", "headlines listed"),
        more=f"{left:,} more past the limit of this report." if left else "",
        suggested="" if card.suggested is None else clean(heads.texts[card.suggested]),
        reason=clean(card.reason),
        remarks=tuple(map(clean, card.remarks)),
    )


def _cards_lead(content: ReportContent) -> str:
    grouped = sum(len(card.rows) for card in content.cards)
    alone = len(content.headlines) - grouped
    text = (
        f"{count_words(grouped, 'headline', 'headlines')} in "
        f"{count_words(len(content.cards), 'group', 'groups')}; each card opens with the headline that "
        "stands for its group."
    )
    return text + (
        f" {count_words(alone, 'headline is a single report', 'headlines are single reports')}."
        if alone
        else ""
    )


def _figure(content: ReportContent, name: str, svg: str) -> _Figure:
    if name == "map":
        return _Figure(
            title="What lies close together",
            lead="Headlines of like meaning lie near each other; a colour is a group.",
            words=map_words(content),
            svg=svg,
            caption="Only nearness means something: directions and long distances do not.",
        )
    undated = sum(moment is None for moment in content.headlines.published)
    hidden = max(len(content.cards) - LANES, 0)
    caption = "The larger a mark, the more publishers reported at that time."
    if hidden:
        caption += f" The first {LANES} groups have lanes; {hidden:,} more are in the cards below."
    if undated:
        caption += f" {count_words(undated, 'headline has', 'headlines have')} no date and no mark."
    return _Figure(
        title="When each event was reported",
        lead="A lane is a group, named by one of its headlines.",
        words=swimlane_words(content),
        svg=svg,
        caption=caption,
    )
