"""`headline-lab write`: headlines for articles."""

from pathlib import Path

import click

from cli.progress import note, show, working
from core import files


@click.command()
@click.argument("articles", metavar="ARTICLES")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Write the rows with their headlines: .csv .tsv .json .jsonl .parquet .xlsx",
)
@click.option("--system", help="Headline generator or its signature; default: the one that ships.")
@click.option("--candidates", type=int, default=1, show_default=True, help="Headlines an article, 1 to 20.")
@click.option(
    "--style",
    type=click.Choice(["neutral", "question", "number"]),
    default="neutral",
    show_default=True,
    help="How headlines are put.",
)
@click.option(
    "--length",
    type=click.Choice(["short", "usual", "long"]),
    default="usual",
    show_default=True,
    help="Up to 6 words, the system's own length, or 10 words and more.",
)
@click.option("--max-words", type=int, default=0, help="Words at most; default: the system's own limit.")
@click.option("--sample", is_flag=True, help="Sample instead of searching for the likeliest words.")
@click.option(
    "--temperature", type=float, default=0.8, show_default=True, help="Of --sample: higher is bolder."
)
@click.option(
    "--top-p", type=float, default=0.9, show_default=True, help="Of --sample: share of the likeliest words."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of everything random.")
@click.option("--events", is_flag=True, help="One headline an event, of one of its articles, drawn.")
@click.option(
    "--part",
    type=click.Choice(["train", "validation", "test"]),
    default="test",
    show_default=True,
    help="Part of a registered article set.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def write(
    articles: str,
    out: Path,
    system: str | None,
    candidates: int,
    style: str,
    length: str,
    max_words: int,
    sample: bool,
    temperature: float,
    top_p: float,
    seed: int,
    events: bool,
    part: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write headlines for ARTICLES.

    ARTICLES is a table (CSV, TSV, XLSX, JSON, JSONL, Parquet) with a column text (or news, article, body), a
    sample such as sample:articles, or a registered article set such as numhg. The table that is written
    holds every row in its order, all its columns, and headline; headline_2 and so on with --candidates.
    """
    from core.data.articles.load import open_articles
    from core.events.export import check_target
    from core.headlines.generator import HeadlineStyle, Wishes
    from core.headlines.writing import (
        as_object,
        as_text,
        default_system,
        write_for_events,
        write_headlines,
        written_bytes,
    )
    from core.models.language_models.language_model import Length
    from core.pairs.scoring import check_table_format
    from core.parts import Part

    check_target(out)
    kind = check_table_format(out)
    wishes = Wishes(
        candidates=candidates,
        style=HeadlineStyle(style),
        length=Length(length),
        most_words=max_words,
        sample=sample,
        temperature=temperature,
        top_p=top_p,
    )
    chosen, why = (system, "") if system is not None else default_system()
    opened = open_articles(articles, part=Part(part))
    writing = write_for_events if events else write_headlines
    with working(quiet=quiet, seed=seed) as runtime:
        written = writing(opened.articles, chosen, wishes, runtime)
    files.write(out, written_bytes(opened, written, kind))
    show(as_object(written), lambda: as_text(written), as_json=as_json)
    note(why, *opened.notes, *written.notes)
