"""`headline-lab agreement`: how far annotators and judges agree, and what follows from their votes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.progress import working
from core.people.votes import METHODS, Scale
from core.results.table import Table

if TYPE_CHECKING:
    from core.data.timelines.timeline import Timeline
    from core.journal.journal import Entry


from dataclasses import asdict
from typing import TYPE_CHECKING

from cli.progress import note, show

if TYPE_CHECKING:
    from research.judging.judge import Submission


@click.group()
def agreement() -> None:
    """How far people agree."""


@agreement.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--annotators", is_flag=True, help="Print each annotator too.")
@click.option("--model", is_flag=True, help="Compare the program's own groups too.")
@click.option(
    "--simulate", type=int, metavar="N", help="Put N simulated annotators in the place of people; see docs."
)
@click.option("--stored", is_flag=True, help="Add people and decisions of the pages Annotate and Agreement.")
@click.option(
    "--quorum", type=float, help="Least share of people that joins two headlines; default: more than half."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of merging and simulating.")
@click.option("--released", type=click.Path(path_type=Path), help="Write one timeline as HLGD was released.")
@click.option("--out", type=click.Path(path_type=Path), help="Write headlines with merged groups as CSV.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table for a paper.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def groups(
    files: tuple[str, ...],
    annotators: bool,
    model: bool,
    simulate: int | None,
    stored: bool,
    quorum: float | None,
    seed: int,
    released: Path | None,
    out: Path | None,
    csv_out: Path | None,
    latex: Path | None,
    quiet: bool,
) -> None:
    """Compare annotators who grouped timelines: table 1 of the HLGD paper.

    A FILE is a timeline with columns annot_1_group, annot_2_group and so on, or sample:NAME. With --out the
    headlines come with their merged groups, those that divide the annotators most first.
    """
    from cli.progress import open_timeline
    from core.errors import InputError
    from core.files import write
    from core.people import agreement as tables
    from core.people.agreement import group_agreement, model_agreement, with_simulated
    from core.people.grouping import adjudicated, released_format
    from core.results.render import as_csv, as_text

    if released is not None and len(files) > 1:
        raise InputError("--released writes one timeline.", hint="Give one FILE.")
    timelines = [open_timeline(file, file_format=None, columns=(), timeline=None) for file in files]
    if simulate is not None:
        timelines = [with_simulated(timeline, simulate, seed=seed) for timeline in timelines]
    decided: list[dict[int, Entry]] = [{} for _ in timelines]
    if stored:
        read = [_with_stored(timeline, simulated=simulate is not None) for timeline in timelines]
        timelines, decided = [timeline for timeline, _ in read], [some for _, some in read]
    found = [group_agreement(timeline, quorum=quorum, seed=seed) for timeline in timelines]
    table = tables.timelines_table(found)
    _write_table(table, csv_out, latex)
    if out is not None:
        gold = [adjudicated(one.merged, some) for one, some in zip(found, decided, strict=True)]
        write(out, as_csv(tables.merged_table(timelines, found, gold)).encode())
    if released is not None:
        gold_file = released_format(timelines[0], found[0].merged, decided[0])
        write(released, gold_file.to_csv(index=False).encode())
    click.echo(as_text(table))
    if annotators or model:
        with working(quiet=quiet) as runtime:
            for timeline, one in zip(timelines, found, strict=True):
                others = [model_agreement(timeline, runtime, quorum=quorum, seed=seed)] if model else []
                click.echo(f"\n{one.name}\n{as_text(tables.people_table(one, others))}")


def _with_stored(timeline: Timeline, *, simulated: bool) -> tuple[Timeline, dict[int, Entry]]:
    from core.people.grouping import adjudication, decisions, said_of, with_stored

    annotated, found_again = with_stored(timeline)
    decided = decisions(adjudication(timeline, simulated=simulated).read(), len(timeline))
    for said in filter(None, (found_again.sentence(), said_of(decided))):
        click.echo(f"{timeline.name}: {said}", err=True)
    return annotated, decided


@agreement.command()
@click.argument("file")
@click.option("--item", "items", multiple=True, metavar="COLUMN", help="Names the item; may be repeated.")
@click.option("--person", default="", metavar="COLUMN[,COLUMN...]", help="Who answered; see below.")
@click.option("--answer", default="", metavar="COLUMN", help="What was answered, where a row is a vote.")
@click.option(
    "--scale",
    type=click.Choice([one.value for one in Scale]),
    default=Scale.NOMINAL.value,
    show_default=True,
    help="How far apart two answers are.",
)
@click.option(
    "--decide", type=click.Choice(list(METHODS)), help="Decide each item, and print how often people agree."
)
@click.option("--quorum", type=float, default=0.0, help="Smallest share of votes that decides, 0 to 1.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the interval.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the decided items as CSV.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table for a paper.")
def votes(
    file: str,
    items: tuple[str, ...],
    person: str,
    answer: str,
    scale: str,
    decide: str | None,
    quorum: float,
    seed: int,
    out: Path | None,
    csv_out: Path | None,
    latex: Path | None,
) -> None:
    """Krippendorff's alpha of the votes in FILE, and the answer of each item.

    FILE is a table. Where --person names one column, a row is one vote, with an --answer. Where it names
    several, or *, as in "expert*_fluency", a row is an item and each column is a person. Columns with usual
    names, such as worker_id and label, are found without being named.
    """
    from core.data.timelines.load import read_bytes
    from core.errors import InputError
    from core.files import write
    from core.people import agreement as tables
    from core.people.votes import consensus, read_votes
    from core.results.render import as_csv, as_text

    if decide is None and (out is not None or quorum):
        raise InputError(
            "--out and --quorum are about decided items.", hint="Say how to decide them, with --decide."
        )
    targets = [path.resolve() for path in (out, csv_out, latex) if path is not None]
    if len(set(targets)) < len(targets):
        raise InputError("Two results would go into one file.", hint="Name a file for each.")
    read = read_votes(read_bytes(file), Path(file).name, items=items, person=person, answer=answer)
    found = None if decide is None else consensus(read, decide, quorum=quorum)
    table = tables.votes_table(read, scale=Scale(scale), seed=seed)
    _write_table(table, csv_out, latex)
    click.echo(as_text(table))
    if found is None:
        return
    click.echo(f"\n{found.decided:,} of {len(read.items):,} items decided.")
    click.echo(as_text(tables.skills_table(read, found)))
    if out is not None:
        write(out, as_csv(tables.labels_table(read, found)).encode())


def _write_table(table: Table, csv_out: Path | None, latex: Path | None) -> None:
    from core.files import write
    from core.results.render import as_csv, as_latex

    for target, render in ((csv_out, as_csv), (latex, as_latex)):
        if target is not None:
            write(target, render(table).encode())


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
