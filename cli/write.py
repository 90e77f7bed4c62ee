"""`headline-lab write`: headlines that a system writes for articles."""

from pathlib import Path
from typing import Any, Final

from cli.options import command
from cli.progress import is_data_set, note, show, table_format, working, write_rows
from core.errors import InputError

DATA_SET: Final = "Articles, and in `headline` what a system wrote for each."


@command()
def write(
    articles: str,
    out: Path,
    system: str | None,
    style: str,
    length: str,
    case: str,
    seed: int,
    events: bool,
    part: str,
    **how: Any,
) -> None:
    """Write headlines for ARTICLES.

    ARTICLES is one article (.txt), a table (CSV, TSV, XLSX, JSON, JSONL, Parquet) with a column text (or
    news, article, body), a sample such as sample:articles, or a registered article set such as numhg. The
    table that is written holds every row in its order, all its columns, and headline; headline_2 and so on
    with --candidates.
    """
    from core.data.articles.opening import open_articles
    from core.data.timelines.tables import read_bytes
    from core.headlines import writing
    from core.headlines.generator import GenerationOptions, HeadlineCase, HeadlineStyle
    from core.models.language_models.language_model import Length
    from core.numerals.checks.opening import parse_article
    from core.parts import Part

    kind = "parquet" if is_data_set(out) else table_format(out, source=articles)
    options = GenerationOptions(
        style=HeadlineStyle(style), length=Length(length), case=HeadlineCase(case), **how
    )
    chosen, why = (system, "") if system is not None else writing.default_system()
    try:
        opened = open_articles(articles, part=Part(part))
    except InputError:
        text = articles.lower().endswith(".txt") and parse_article(read_bytes(articles), articles)
        if not text or (pasted := writing.article_of_text(text)) is None:
            raise
        opened = pasted
    write = writing.write_for_events if events else writing.write_headlines
    with working(seed=seed) as runtime:
        written = writing.with_lights(write(opened.articles, chosen, options, runtime), runtime)
    table, texts = writing.written_bytes(opened, written, kind), opened.articles.texts
    write_rows(out, table, texts, says=DATA_SET, tasks="summarization")
    show(writing.as_object(written), lambda: writing.as_text(written))
    note(why, *opened.notes, *written.notes)
