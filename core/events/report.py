"""The report as one HTML file that opens offline: style, pictures and one script, which searches, inside."""

import hashlib
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from core import limits
from core.errors import InputError
from core.events import facts_html, pictures
from core.events.outlets import also_in
from core.files import read_tables
from core.palette import LIGHT
from core.results.page import html_page
from core.results.render import clean, count_words, date_words, safe_link
from core.results.table import as_html

PAGE: Final = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
OPEN_CARDS: Final = 6  # groups whose headlines are shown at once
OPEN_ROWS: Final = 200  # headlines in the table at the end up to which it is not folded
Shown = dict[str, Any]  # what the page shows of one headline, card or figure, by its name there
_TABLES: Final = read_tables(__file__)
OLDEST = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can hold; every entry carries it
_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@cache
def search_script() -> str:
    return Path(__file__).with_name("search.js").read_text(encoding="utf-8")


def figures_of(content: pictures.ReportContent) -> dict[str, str]:
    """The pictures that the content has, SVG by name: `swimlane`, `map`."""
    drawn = {"swimlane": pictures.swimlane_svg(content), "map": pictures.map_svg(content)}
    return {name: svg for name, svg in drawn.items() if svg is not None}


def report_html(content: pictures.ReportContent, *, figures: dict[str, str] | None = None) -> bytes:
    """The report as one UTF-8 HTML file, the same bytes each time; only `search.js` runs, by its hash."""
    svgs = figures_of(content) if figures is None else figures
    rows = _rows(content)
    limit = limits.REPORT_HEADLINES.value
    left = len(content.headlines) - len(rows)
    grouped = sum(len(card.rows) for card in content.cards)
    alone = len(content.headlines) - grouped
    text = (
        f"{count_words(grouped, 'headline', 'headlines')} in "
        f"{count_words(len(content.cards), 'event', 'events')}; each card opens with the headline that "
        "stands for its event."
    )
    singles = count_words(alone, "headline is a single report", "headlines are single reports")
    return html_page(
        PAGE,
        title=clean(content.title),
        facts=[(clean(label), clean(value)) for label, value in content.facts],
        notes=[clean(note) for note in content.notes],
        # Vega escapes what it draws, and nothing else writes into these strings.
        figures=[_figure(content, name, svg) for name, svg in svgs.items()],
        quality="" if content.quality is None else as_html(content.quality),
        script=search_script(),
        style=facts_html.STYLE,
        open_cards=OPEN_CARDS,
        open_rows=OPEN_ROWS,
        rows_count=count_words(len(rows), "headline listed", "headlines listed"),
        cards=[_card(content, card, rows) for card in content.cards],
        cards_lead=f"{text} {singles}." if alone else text,
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


def _rows(content: pictures.ReportContent) -> list[Shown]:
    heads, groups = content.headlines, content.groups.tolist()
    sizes = Counter(groups)
    return [
        {
            "number": row + 1,
            "text": clean(heads.texts[row]),
            "link": safe_link(heads.urls[row]),
            "date": date_words(heads.published[row], day_only=heads.day_only[row]),
            "publisher": clean(heads.publishers[row] or ""),
            "labels": clean(heads.labels[row]) if heads.labels else "",
            "group": f"{groups[row]}" if sizes[groups[row]] > 1 else "single",
            "paint": _paint(groups[row]) if sizes[groups[row]] > 1 else "alone",
        }
        for row in range(min(len(heads), limits.REPORT_HEADLINES.value))
    ]


def _paint(group: int) -> str:
    return f"g{group % len(LIGHT)}" if group >= 0 else "alone"


def _card(content: pictures.ReportContent, card: pictures.ReportCard, rows: list[Shown]) -> Shown:
    heads = content.headlines
    dated = [
        (moment, heads.day_only[row]) for row in card.rows if (moment := heads.published[row]) is not None
    ]
    outlets = len({heads.publishers[row] for row in card.rows if heads.publishers[row]})
    parts = [f"Event {card.group}", count_words(len(card.rows), "headline", "headlines")]
    if outlets:
        parts.append(count_words(outlets, "outlet", "outlets"))
    if dated:
        first, last = min(dated), max(dated)
        begin = date_words(first[0], day_only=first[1])
        end = date_words(last[0], day_only=last[1])
        parts.append(begin if begin == end else f"{begin} to {end}")
    reports = card.reports or tuple((row,) for row in card.rows)
    shown = (report for report in reports if report[0] < len(rows))
    listed = [{**rows[report[0]], "also": clean(also_in(heads.publishers, report))} for report in shown]
    left = len(reports) - len(listed)
    if len(reports) < len(card.rows):
        parts.insert(2, count_words(len(reports), "different report", "different reports"))
    return {
        "headline": clean(content.name(card)),
        "summary": " · ".join(parts),
        "paint": _paint(card.group),
        "rows": listed,
        "count": count_words(len(listed), "headline listed", "headlines listed"),
        "more": f"{left:,} more past the limit of this report." if left else "",
        "suggested": "" if card.suggested is None else clean(heads.texts[card.suggested]),
        "reason": clean(card.reason),
        "remarks": list(map(clean, card.remarks)),
        "facts": card.facts,
    }


def _figure(content: pictures.ReportContent, name: str, svg: str) -> Shown:
    if name == "map":
        return {
            "title": "What lies close together",
            "lead": "Headlines of like meaning lie near each other; a colour is an event.",
            "words": pictures.map_words(content),
            "svg": svg,
            "caption": "Only nearness means something: directions and long distances do not.",
        }
    undated = sum(moment is None for moment in content.headlines.published)
    hidden = max(len(content.cards) - pictures.LANES, 0)
    caption = "The larger a mark, the more outlets reported at that time."
    if hidden:
        caption += f" The first {pictures.LANES} events have lanes; {hidden:,} more are in the cards below."
    if undated:
        caption += f" {count_words(undated, 'headline has', 'headlines have')} no date and no mark."
    title, lead = "When each event was reported", "A lane is an event, named by one of its headlines."
    words = pictures.swimlane_words(content)
    return {"title": title, "lead": lead, "words": words, "svg": svg, "caption": caption}


def report_bundle(content: pictures.ReportContent, tables: Mapping[str, bytes]) -> bytes:
    """A zip archive with report, pictures, tables, settings and the sums of all of them."""
    for name in tables:
        if not _TABLE_NAME.fullmatch(name):
            message = f"{name!r} cannot be the name of a table in the bundle."
            raise InputError(message, hint="Use letters, digits, dots and hyphens, like `headlines.csv`.")
    figures = figures_of(content)
    files = {
        "README.txt": _TABLES["readme"].format(command=content.command).encode(),
        "report.html": report_html(content, figures=figures),
        "settings.json": _json(
            {
                "title": content.title,
                "signature": content.signature,
                "command": content.command,
                "data": {"fingerprint": content.fingerprint, "headlines": len(content.headlines)},
                "headline_lab": content.version,
                "libraries": {name: _version(name) for name in _TABLES["libraries"]},
            }
        ),
        **{f"figures/{name}.svg": svg.encode() for name, svg in figures.items()},
        **{f"tables/{name}": table for name, table in tables.items()},
    }
    sums = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    files["manifest.json"] = _json({"sha256": sums})
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=OLDEST)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return held.getvalue()


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _json(value: object) -> bytes:
    # Escaped to ASCII, so that lone surrogates in a title cannot break the encoding.
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode()
