"""`headline-lab write`, `compare` and `judge`: headlines that systems write, and how good they are."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

from cli import progress
from cli.main import BAD_INPUT
from cli.progress import PATH, TABLE_FORMATS, asked, choice, note, printed, show, working
from core.errors import InputError
from core.files import make_folder
from core.files import write as write_file

if TYPE_CHECKING:
    from core.data.articles.articles import Articles
    from research.judging.leaderboard import Submission


@click.command()
@click.argument("articles", metavar="ARTICLES")
@option("--out", type=PATH, required=True, help=f"Write the rows with their headlines: {TABLE_FORMATS}")
@option("--system", help="Headline generator or its signature; default: the one that ships.")
@option("--candidates", type=int, default=1, show_default=True, help="Headlines an article, 1 to 20.")
@option("--style", **choice(["neutral", "question", "number"], "neutral"), help="How headlines are put.")
@option(
    "--length",
    **choice(["short", "usual", "long"], "usual"),
    help="Up to 6 words, the system's own length, or 10 words and more.",
)
@option("--max-words", "most_words", type=int, default=0, help="Words at most; default: the system's limit.")
@option("--sample", is_flag=True, help="Sample instead of searching for the likeliest words.")
@option("--temperature", type=float, default=0.8, show_default=True, help="Of --sample: higher is bolder.")
@option("--top-p", type=float, default=0.9, show_default=True, help="Of --sample: share of likeliest words.")
@option("--seed", type=int, default=0, show_default=True, help="Of everything random.")
@option("--events", is_flag=True, help="One headline an event, of one of its articles, drawn.")
@option("--part", **choice(["train", "validation", "test"], "test"), help="Part of a registered article set.")
@printed
def write(
    articles: str,
    out: Path,
    system: str | None,
    style: str,
    length: str,
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
    from core.data.articles.articles import open_articles
    from core.data.timelines.load import read_bytes
    from core.events.export import check_target
    from core.headlines import writing
    from core.headlines.generator import GenerationOptions, HeadlineStyle
    from core.models.language_models.language_model import Length
    from core.numerals.checks.opening import parse_article
    from core.pairs.scoring import check_table_format
    from core.parts import Part

    check_target(out, source=articles)
    kind = check_table_format(out)
    options = GenerationOptions(style=HeadlineStyle(style), length=Length(length), **how)
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
        written = write(opened.articles, chosen, options, runtime)
    write_file(out, writing.written_bytes(opened, written, kind))
    show(writing.as_object(written), lambda: writing.as_text(written))
    note(why, *opened.notes, *written.notes)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--out", type=PATH, required=True, help="Folder for tables and report.")
@option("--articles", default="", metavar="NAME|FILE", help="Article set, sample or file.")
@option("--numbers", default="", metavar="FILE", help="Gold numbers, one a line, instead of articles.")
@option("--types", default="", metavar="FILE", help="With --numbers: 0 (copy) or 1 (reasoning) a line.")
@option("--references", default="", metavar="FILE", help="With --numbers: people's headlines.")
@option(
    "--metrics",
    multiple=True,
    metavar="NAME",
    help="Metric or its signature; may be repeated; default all but numeral_support.",
)
@option("--language", default="", help="ISO 639-1 code; default: it is found out.")
@option("--against", default="", metavar="SYSTEM", help="Test every other system against this one.")
@option("--seed", default=0, show_default=True, help="Seed of the resamples.")
@progress.columns
@progress.precision
@printed
def compare(
    files: tuple[str, ...],
    out: Path,
    articles: str,
    numbers: str,
    types: str,
    references: str,
    metrics: tuple[str, ...],
    language: str,
    against: str,
    seed: int,
) -> None:
    """Compare the headlines in FILES by every metric.

    A FILE holds the headlines of one system or several: one line a headline, or a table (CSV, TSV, JSON,
    JSONL, XLSX, Parquet). A table of one system has a column headline. One of several has a column system,
    too, with their rows below each other, or a column pred_NAME for each. What they were written for is
    named by --articles, or stands in the table as text, with reference. NumHG's own evaluation files are
    given as --numbers, --types and --references. The folder gets table.csv, table.tex, table.json,
    scores.csv (every headline) and report.html.
    """
    from core.headlines.comparison import report
    from core.headlines.comparison.compare import agreements, as_lines, read_files
    from core.headlines.comparison.compare import compare as compare_systems
    from core.headlines.comparison.table import as_lines as paper_lines
    from core.headlines.comparison.table import comparison_as_text, comparison_table, papers_beside
    from core.headlines.metrics import headline_metrics
    from core.headlines.metrics.content import official_lines

    for name in metrics:
        headline_metrics.parse(name)
    given = _of_numbers(numbers, types, references, articles) or articles
    official = official_lines(files, numbers, types) if numbers and types else []
    read, outputs = read_files(files, articles=given)
    make_folder(out)
    with working(seed=seed) as runtime:
        comparison = compare_systems(read, outputs, metrics, runtime, language=language)
        scores = comparison_table(comparison, against=against)
        agreed = agreements(comparison, runtime)
    report.write_folder(out, comparison, scores, agreed, columns=progress.given("--columns"))
    if asked("--json"):
        click.echo(report.as_json(comparison, scores, agreed))
    else:
        lines = [comparison_as_text(comparison, scores), *as_lines(agreed), *official]
        lines += [*paper_lines(papers_beside(read)), "", comparison.signature]
        click.echo("\n".join(lines))
    if all(entry.value is None for row in scores.entries for entry in row):
        click.echo("No metric could be computed.\nThe notes above say why.", err=True)
        sys.exit(BAD_INPUT)


def _of_numbers(numbers: str, types: str, references: str, articles: str) -> Articles | None:
    from core.data.articles.sets import articles_of_numbers

    if not numbers:
        if types or references:
            said = "--types and --references belong to --numbers."
            raise InputError(said, hint="Give the gold numbers, too.")
        return None
    if articles:
        said = "--articles and --numbers both say what the headlines are compared with."
        raise InputError(said, hint="Give one of them.")
    return articles_of_numbers(numbers, types=types or None, references=references or None)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
@option("--name", default="", help="What the system is called on the leaderboard.")
@option("--articles", default="", metavar="NAME|FILE", help="Article set, sample or file, with headlines.")
@option("--time", "seconds", type=float, default=600, show_default=True, help="Seconds it may run.")
@option("--memory", type=int, default=2_000, show_default=True, help="Megabytes it may use.")
@option(
    "--with",
    "named",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="File or folder that it may read in addition to those that the command names; may be repeated.",
)
@option("--container", default="", metavar="IMAGE", help="Run it in a container of docker or podman.")
@option("--gpu", is_flag=True, help="Lend the container this machine's graphics card.")
@option("--board", type=PATH, help="Folder of the leaderboard; default: your own.")
@option("--language", default="", help="ISO 639-1 code; default: it is found out.")
@option(
    "--private", type=click.FloatRange(0, 0.9), default=0, help="Share of the articles whose scores wait."
)
@option("--end", "ended", is_flag=True, help="Show the scores that wait, and judge nothing.")
@printed
def judge(
    command: tuple[str, ...],
    name: str,
    articles: str,
    seconds: float,
    memory: int,
    named: tuple[Path, ...],
    container: str,
    gpu: bool,
    board: Path | None,
    language: str,
    private: float,
    ended: bool,
) -> None:
    """Run a system offline on articles without their headlines, and score what it writes.

    The system is the command after `--`. It reads articles on stdin, one JSON object with `id` and `text`
    a line, and writes one headline a line in their order, or JSON objects with `id` and `headline`. What kept
    it from the headlines that it is scored against is verified in the run and reported.
    """
    from core.data.articles.articles import load_articles
    from research.judging.judge import JudgingOrder
    from research.judging.judge import judge as judge_system
    from research.judging.leaderboard import default_board, end
    from research.judging.sandbox import SandboxLimits

    place = board or default_board()
    if ended:
        click.echo(f"Submissions whose private scores are shown now: {end(place):,}")
        return
    if not articles:
        raise InputError("There are no articles to write for.", hint="Give --articles.")
    limits = SandboxLimits(seconds=seconds, megabytes=memory)
    order = JudgingOrder(name=name, command=command, image=container, gpu=gpu, named=named, limits=limits)
    read = load_articles(articles)
    hidden = [Path(articles)] if Path(articles).is_file() else []
    with working(device="cpu") as runtime:
        how: dict[str, Any] = {"hidden": hidden, "language": language, "private": private}
        submission = judge_system(order, read, runtime, board=place, **how)
    show(asdict(submission), lambda: _told(submission, place))
    if submission.isolation is not None and submission.isolation.label != "isolated":
        note(submission.isolation.sentence)


def _told(found: Submission, board: Path) -> str:
    from core.results.table import decimals, spanned

    lines = [f"{found.name}: {found.count:,} headlines in {found.seconds:.1f} seconds"]
    if found.peak_megabytes is not None:
        lines[0] += f", at most {found.peak_megabytes:,.0f} MB"
    lines += [f"  {score.label}: {spanned(score, decimals(3))}" for score in found.scores]
    if found.isolation is not None:
        lines.append(found.isolation.sentence)
    if found.empty:
        lines.append(f"{found.empty:,} headlines are empty.")
    lines.append(f"Kept in {board}")
    return "\n".join(lines)
