"""`headline-lab judge`: a system is run offline on articles, and what it writes is scored."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.options import command
from cli.progress import note, show, working
from core.errors import InputError

if TYPE_CHECKING:
    from research.judging.leaderboard import Submission


@command(context_settings={"ignore_unknown_options": True})
def judge(
    articles: str,
    seconds: float,
    megabytes: int,
    board: Path | None,
    language: str,
    private: float,
    ended: bool,
    **how: Any,
) -> None:
    """Run a system offline on articles without their headlines, and score what it writes.

    The system is the command after `--`. It reads articles on stdin, one JSON object with `id` and `text`
    a line, and writes one headline a line in their order, or JSON objects with `id` and `headline`. What kept
    it from the headlines that it is scored against is verified in the run and reported.
    """
    from core.data.articles.opening import load_articles
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
    order = JudgingOrder(limits=SandboxLimits(seconds=seconds, megabytes=megabytes), **how)
    read = load_articles(articles)
    hidden = [Path(articles)] if Path(articles).is_file() else []
    with working(device="cpu") as runtime:
        about: dict[str, Any] = {"hidden": hidden, "language": language, "private": private}
        submission = judge_system(order, read, runtime, board=place, **about)
    show(asdict(submission), lambda: _as_text(submission, place))
    if submission.isolation is not None and submission.isolation.label != "isolated":
        note(submission.isolation.sentence)


def _as_text(found: "Submission", board: Path) -> str:
    from core.results.number_forms import decimals, spanned

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
