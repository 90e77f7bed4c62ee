"""`headline-lab facts`: what do the outlets of an event state?"""

from pathlib import Path
from typing import Any

from cli.options import command
from cli.progress import note, open_timeline, show, working
from core import files
from core.errors import InputError

FORMATS = ("svg", "png", "html", "csv")


@command()
def facts(
    file: str,
    group: int | None,
    headline: str | None,
    out: Path | None,
    width: str,
    granularity: float | None,
    columns: tuple[str, ...],
) -> None:
    """Compare what the outlets of one event of FILE (or of sample:NAME) state, and when.

    A row an outlet in the order of reporting, a column a fact; one letter is one value.
    """
    from core.events import cards, export, facts_text
    from core.events.facts import facts_grid
    from core.events.facts_html import grid_page
    from core.events.facts_picture import WIDTHS, facts_picture, facts_words
    from core.events.grouping import Settings, prepare, regroup
    from core.events.published_source import published_source
    from core.results.render import clean
    from core.results.table_files import as_csv

    if group is not None and headline is not None:
        raise InputError("--group and --headline both name the event.", hint="Leave one of them out.")
    kind = out.suffix.lower().removeprefix(".") if out is not None else ""
    if out is not None and kind not in FORMATS:
        raise InputError(f"{out.name!r} does not end in a known format.", hint=f"Use .{', .'.join(FORMATS)}.")
    export.check_target(out, source=file)
    timeline = open_timeline(file, columns=columns)
    with working(patient=False) as runtime:
        prepared = prepare(timeline, Settings(events_alone=True), runtime)
        grouping = regroup(prepared, granularity)
    line = cards.find_event(prepared, grouping, group, headline or "")
    grid, texts = facts_grid(prepared.timeline, line), prepared.timeline.texts
    title = clean(texts[line.representative])
    words: dict[str, Any] = {"title": title, "signature": grouping.signature}
    words |= {"source": f"{published_source(prepared.timeline, line.rows)} · Headline Lab"}
    if out is not None and kind in ("svg", "png"):
        from core.results.fonts import font

        words |= {"width": WIDTHS[width], "font": font(), "png": kind == "png"}
        files.write(out, facts_picture(grid, texts, **words))
    elif out is not None:
        csv = as_csv(facts_text.grid_table(grid, prepared.timeline)).encode()
        files.write(out, csv if kind == "csv" else grid_page(grid, texts, **words))
    summary = {
        "group": line.group,
        "headline": title,
        **facts_text.grid_object(grid, texts),
        "alt": facts_words(grid),
        "ledger": dict(timeline.report.ledger),
        "unread": timeline.unread(),
        "signature": grouping.signature,
    }
    show(summary, lambda: f"{title} (group {line.group})\n{facts_text.grid_text(grid, texts)}")
    note(*timeline.report.notes, *timeline.unread_notes())
