"""`headline-lab judge`: run a system on hidden headlines, score it, and put it on the leaderboard."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.progress import note, show, working

if TYPE_CHECKING:
    from research.judging.judge import Submission


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option("--name", required=True, help="What the system is called on the leaderboard.")
@click.option(
    "--articles", required=True, metavar="NAME|FILE", help="Article set, sample or file, with headlines."
)
@click.option("--time", "seconds", type=float, default=600, show_default=True, help="Seconds it may run.")
@click.option("--memory", type=int, default=2_000, show_default=True, help="Megabytes it may use.")
@click.option(
    "--with",
    "named",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="File or folder that it may read in addition to those that the command names; may be repeated.",
)
@click.option("--container", default="", metavar="IMAGE", help="Run it in a container of docker or podman.")
@click.option(
    "--board", type=click.Path(path_type=Path), help="Folder of the leaderboard; default: your own."
)
@click.option("--language", default="", help="ISO 639-1 code; default: it is found out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def judge(
    command: tuple[str, ...],
    name: str,
    articles: str,
    seconds: float,
    memory: int,
    named: tuple[Path, ...],
    container: str,
    board: Path | None,
    language: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run a system offline on articles without their headlines, and score what it writes.

    The system is the command after `--`. It reads articles on stdin, one JSON object with `id` and `text`
    a line, and writes one headline a line in their order, or JSON objects with `id` and `headline`. What kept
    it from the headlines that it is scored against is verified in the run and reported.
    """
    from core.data.articles.load import load_articles
    from research.judging.judge import Order, default_board
    from research.judging.judge import judge as judge_system
    from research.judging.sandbox import SandboxLimits

    order = Order(
        name=name,
        command=command,
        image=container,
        named=named,
        limits=SandboxLimits(seconds=seconds, megabytes=memory),
    )
    read = load_articles(articles)
    hidden = [Path(articles)] if Path(articles).is_file() else []
    place = board or default_board()
    with working(quiet=quiet, device="cpu") as runtime:
        found = judge_system(order, read, runtime, board=place, hidden=hidden, language=language)
    show(asdict(found), lambda: _told(found, place), as_json=as_json)
    if found.isolation is not None and found.isolation.label != "isolated":
        note(found.isolation.sentence)


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
