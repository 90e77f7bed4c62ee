"""`headline-lab evaluate` and `agreement`: what people said of headlines, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import option

from cli import progress
from cli.progress import JSON, PATH, QUIET, asked, choice, in_files, open_timeline, working, write_table
from core.data.exchange import TOOLS
from core.data.timelines.load import read_bytes
from core.errors import InputError
from core.files import write
from core.people.vote_consensus import METHODS
from core.results.table import as_text
from core.results.table_files import as_csv
from core.statistics.krippendorff import Scale

if TYPE_CHECKING:
    import pandas as pd

    from core.arrays import IntArray
    from core.data.timelines.timeline import Timeline
    from core.people.adjudication import Adjudication
    from core.people.agreement import GroupAgreement
    from core.people.gold import GoldGroups
    from core.people.ratings import Ratings
    from core.people.votes import VoteTable
    from core.runtime import Runtime


@click.group()
def evaluate() -> None:
    """Headlines judged by people."""


@evaluate.command()
@click.argument("name")
def link(name: str) -> None:
    """Give a judge who lost the personal link a new one; the old one opens nothing any more.

    NAME is the judge's name under Evaluate. Run it on the computer of the server.
    """
    from core.journal.journal import the_journal
    from core.people.judges import Judges

    token = Judges(journal=the_journal()).renew(name)
    click.echo(f"/judge?part=evaluate&token={token}")
    click.echo("Put the address of the app before it, and give it to nobody but the judge.", err=True)


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--form", "form_name", help="Form by name, or a TOML file; default: numhg.v1.")
@option("--by", metavar="TABLE", help="Scores by newspaper: a table with article and newspaper.")
@in_files
@JSON
def table(
    files: tuple[str, ...], form_name: str | None, by: str | None, csv_out: Path | None, latex: Path | None
) -> None:
    """Put answers together and print every system's percentages, the published figures next to them.

    A FILE (CSV, TSV, XLSX, JSON, JSONL, Parquet) has the columns judge, article and system, and a column for
    each question, as "Answers (CSV)" under Evaluate.
    """
    from core.people.choices import CHOOSE, choices_of
    from core.people.evaluation import as_json, ratings_table
    from core.people.strengths import strengths_table

    ratings = _ratings(files, form_name)
    if by is None:
        scores = ratings_table(ratings)
    else:
        from core.data.timelines.load import read_table
        from research.benchmark.headlines.newspapers import newspaper_table, newspapers_in

        newspapers = newspapers_in(read_table(read_bytes(by), Path(by).name), by, ratings)
        scores = newspaper_table(ratings, newspapers)
    write_table(scores, (csv_out, as_csv), (latex, progress.as_latex))
    if asked("--json"):
        click.echo(as_json(scores, ratings).rstrip())
        return
    chosen = (choices_of(ratings, each) for each in ratings.form.questions if each.asks in CHOOSE)
    won = [strengths_table(choices) for choices in chosen if len(choices)]
    click.echo("\n\n".join(map(as_text, (scores, *won))))


def _ratings(files: tuple[str, ...], form_name: str | None) -> Ratings:
    from core.people.evaluation_form import DEFAULT_FORM
    from core.people.forms import form_of
    from core.people.rating_files import merge, read_ratings

    form = form_of(form_name or DEFAULT_FORM)
    return merge([read_ratings(read_bytes(path), Path(path).name, form) for path in files])


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--left", default="left", show_default=True, help="Column of the system shown first.")
@option("--right", default="right", show_default=True, help="Column of the other system.")
@option("--answer", default="answer", show_default=True, help="Column of what was chosen.")
@option("--item", "items", multiple=True, metavar="COLUMN", help="Names the item; default: article.")
@option("--judge", default="", metavar="COLUMN", help="Column of who chose; default: judge.")
@option("--form", "form_name", help="Form of answers from Evaluate; default: preference.v1.")
@option("--rated", default="", metavar="COLUMN[,...]", help="Raters whose ratings become choices.")
@option("--system", default="system", show_default=True, help="Column of the system, with --rated.")
@option("--most", type=click.IntRange(2), help="Rank only so many systems, those with most choices.")
@in_files
def preferences(
    files: tuple[str, ...],
    items: tuple[str, ...],
    form_name: str | None,
    rated: str,
    system: str,
    most: int | None,
    csv_out: Path | None,
    latex: Path | None,
    **columns: str,
) -> None:
    """Rank systems by choices between two headlines (Bradley-Terry), and audit the choices.

    A row of FILE is one choice: the system shown first, the other, and left, right, draw or bad (or first,
    second, tie, neither), or the name of the system that won. "Answers (CSV)" of Evaluate is read as it is.
    With --rated a row is a system on an item, with a column for each rater, who prefers the one rated higher.
    """
    from core.people.choices import make_choices, page_choices, rated_choices, read_choices
    from core.people.forms import form_of
    from core.people.strengths import strengths_table

    form = form_of(form_name or "preference.v1")

    def choices_in(path: str) -> pd.DataFrame:
        data, name = read_bytes(path), Path(path).name
        if rated:
            return rated_choices(data, name, rated=rated, system=system, items=items)
        choices = page_choices(data, name, form)
        return choices if choices is not None else read_choices(data, name, items=items, **columns)

    strengths = strengths_table(make_choices(*map(choices_in, files), most=most))
    write_table(strengths, (csv_out, as_csv), (latex, progress.as_latex))
    click.echo(as_text(strengths))


@evaluate.command()
@click.argument("files", metavar="[FILE...]", nargs=-1)
@option("--form", "form_name", help="Form by name, or a TOML file; default: numhg.v1.")
@option("--question", default="", metavar="KEY", help="A question of FILE.")
@option("--system", "systems", multiple=True, metavar="NAME", help="A system of FILE; give two.")
@option(
    "--difference", type=float, default=10, show_default=True, help="Difference to find, % of the maximum."
)
@option(
    "--spread",
    type=float,
    nargs=3,
    metavar="ITEMS JUDGES ANSWERS",
    help="Standard deviations of the difference of two systems, % of the maximum.",
)
@option("--judges", type=click.IntRange(1, 1000), help="Judges an item; default: those of FILE, or 3.")
@option("--items", type=click.IntRange(10, 10_000), help="Items of a study; default: those of FILE, or 100.")
@option("--wanted", type=float, default=80, show_default=True, help="% of studies that find it.")
@option("--seed", type=int, default=0, show_default=True, help="Seed of the simulation.")
@option("--csv", "csv_out", type=PATH, help="Write every figure.")
def power(
    files: tuple[str, ...],
    form_name: str | None,
    question: str,
    systems: tuple[str, ...],
    difference: float,
    spread: tuple[float, float, float] | None,
    judges: int | None,
    items: int | None,
    wanted: float,
    seed: int,
    csv_out: Path | None,
) -> None:
    """Say how many items, how many judges, and what difference a study can see.

    The spread is that of the answers in FILE, a pilot or a finished study (name one --question and two
    systems), or --spread, or else that of SummEval's experts.
    """
    from core.people.power import ITEMS, JUDGES, SUMMEVAL, AnswerSpread, pilot, plan_table

    if spread is not None and files:
        raise InputError("The spread is given twice.", hint="Give either --spread or a pilot's answers.")
    known, given, judged, finished = SUMMEVAL, ITEMS, JUDGES, None
    if files:
        known, given, judged, finished = pilot(_ratings(files, form_name), question, systems)
    elif spread is not None:
        known = AnswerSpread(items=spread[0] / 100, judges=spread[1] / 100, answers=spread[2] / 100)
    size: dict[str, Any] = {"items": items or given, "judges": judges or judged}
    if items is judges is None:
        size["finished"] = finished
    table = plan_table(known, difference / 100, **size, wanted=wanted / 100, seed=seed)
    write_table(table, (csv_out, as_csv))
    click.echo(as_text(table))


@click.group()
def agreement() -> None:
    """How far people agree."""


@agreement.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--annotators", is_flag=True, help="Print each annotator too.")
@option("--model", is_flag=True, help="Compare the program's own groups too.")
@option("--simulate", type=int, metavar="N", help="Put N simulated annotators in place of people; see docs.")
@option("--stored", is_flag=True, help="Add people and decisions of the pages Annotate and Agreement.")
@option("--over-time", is_flag=True, help="Print alpha by day and instructions, of Annotate.")
@option("--answers", multiple=True, metavar="FILE", help="Add groups from another tool; repeatable.")
@option("--quorum", type=float, help="Least share of people that joins headlines; default: more than half.")
@option("--seed", type=int, default=0, show_default=True, help="Seed of merging and simulating.")
@option("--released", type=PATH, help="Write one timeline as HLGD was released.")
@option("--out", type=PATH, help="Write headlines with merged groups as CSV.")
@in_files
@QUIET
def groups(
    files: tuple[str, ...],
    annotators: bool,
    model: bool,
    simulate: int | None,
    stored: bool,
    over_time: bool,
    answers: tuple[str, ...],
    quorum: float | None,
    seed: int,
    released: Path | None,
    out: Path | None,
    csv_out: Path | None,
    latex: Path | None,
) -> None:
    """Compare annotators who grouped timelines: table 1 of the HLGD paper.

    A FILE is a timeline with columns annot_1_group, annot_2_group and so on, or sample:NAME. With --out the
    headlines come with their merged groups, those that divide the annotators most first.
    """
    from core.people import agreement_tables as tables
    from core.people.adjudication import Adjudication, adjudicated, released_format
    from core.people.agreement import group_agreement
    from core.people.gold import gold_groups, with_intervals
    from core.people.simulated_annotators import with_simulated

    if (released is not None or answers) and len(files) > 1:
        raise InputError("--released and --answers are about one timeline.", hint="Give one FILE.")
    timelines = [open_timeline(file, file_format=None, columns=(), timeline=None) for file in files]
    if simulate is not None:
        timelines = [with_simulated(timeline, simulate, seed=seed) for timeline in timelines]
    timelines[0] = _with_answers(timelines[0], answers)
    if stored:
        timelines = [_with_stored(timeline) for timeline in timelines]
    agreements = [group_agreement(timeline, quorum=quorum, seed=seed) for timeline in timelines]
    decided = [Adjudication((), 0) for _ in timelines]
    if stored:
        decided = list(map(_decided, timelines, agreements, repeat(simulate is not None)))
    likely = [gold_groups(each.annotators, seed=seed) for each in agreements]
    table = tables.timelines_table(agreements, [with_intervals(each, seed=seed) for each in agreements])
    write_table(table, (csv_out, as_csv), (latex, progress.as_latex))
    if out is not None:
        both = zip(agreements, decided, strict=True)
        gold = [adjudicated(each.merged, some.settled) for each, some in both]
        write_table(tables.merged_table(timelines, agreements, gold, likely), (out, as_csv))
    if released is not None:
        gold_file = released_format(timelines[0], agreements[0].merged, decided[0])
        write(released, gold_file.to_csv(index=False).encode())
    click.echo(as_text(table))
    if over_time:
        _echo_over_time(timelines)
    if annotators or model:
        with working() as runtime:
            for timeline, result, people in zip(timelines, agreements, likely, strict=True):
                own = _model_groups(timeline, runtime) if model else None
                _echo_people(timeline, result, own, people, quorum=quorum, seed=seed)


def _echo_people(
    timeline: Timeline,
    result: GroupAgreement,
    model: tuple[str, IntArray] | None,
    people: GoldGroups,
    **settings: Any,
) -> None:
    from core.people.agreement import compared
    from core.people.agreement_tables import people_table, sides_table

    others = [] if model is None else [compared(*model, result.annotators, **settings)]
    click.echo(f"\n{result.name}\n{as_text(people_table(result, others, people))}")
    if model is not None and len(result.people) == 2:
        click.echo(f"\n{as_text(sides_table(timeline, result, model[1]))}")


def _model_groups(timeline: Timeline, runtime: Runtime) -> tuple[str, IntArray]:
    """The program's own groups with its default settings, int64 [n], and what they are called."""
    from core.events.grouping import Settings, prepare, regroup

    prepared = prepare(timeline, Settings(), runtime)
    return f"groups by {prepared.scorer.partition('|')[0]}", regroup(prepared, None).ids[prepared.position]


def _with_answers(timeline: Timeline, answers: Sequence[str]) -> Timeline:
    from core.people.group_columns import with_answers

    for path in answers:
        timeline, said = with_answers(timeline, read_bytes(path), Path(path).name)
        click.echo(said, err=True)
    return timeline


def _with_stored(timeline: Timeline) -> Timeline:
    from core.people.group_columns import with_stored

    annotated, found_again = with_stored(timeline)
    if said := found_again.sentence():
        click.echo(f"{timeline.name}: {said}", err=True)
    return annotated


def _decided(timeline: Timeline, result: GroupAgreement, simulated: bool) -> Adjudication:
    from core.people.adjudication import Adjudication, adjudication

    entries = adjudication(timeline.index, simulated=simulated).read()
    decided = Adjudication(entries, len(timeline), result.merged)
    if said := decided.sentence():
        click.echo(f"{timeline.name}: {said}", err=True)
    return decided


def _echo_over_time(timelines: Sequence[Timeline]) -> None:
    from core.people.agreement_over_time import grouped_over_time
    from core.people.grouping import grouping_task

    for task in map(grouping_task, timelines):
        if (table := grouped_over_time(task, task.answers.read())) is not None:
            click.echo(f"\n{task.title}\n{as_text(table)}")


@agreement.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--item", "items", multiple=True, metavar="COLUMN", help="Names the item; may be repeated.")
@option("--person", default="", metavar="COLUMN[,COLUMN...]", help="Who answered; see below.")
@option("--answer", default="", metavar="COLUMN", help="What was answered, where a row is a vote.")
@option("--day", default="", metavar="COLUMN", help="When, where a row is a vote: adds alpha by day.")
@option("--version", default="", metavar="COLUMN", help="With --day: version of the instructions.")
@option(
    "--scale",
    **choice([scale.value for scale in Scale], Scale.NOMINAL.value),
    help="How far apart two answers are.",
)
@option(
    "--decide", type=click.Choice(list(METHODS)), help="Decide each item, and print how often people agree."
)
@option("--quorum", type=float, default=0.0, help="Smallest share of votes that decides, 0 to 1.")
@option("--seed", type=int, default=0, show_default=True, help="Seed of the intervals of --decide.")
@option("--out", type=PATH, help="Write the decided items as CSV.")
@in_files
def votes(
    files: tuple[str, ...],
    scale: str,
    decide: str | None,
    quorum: float,
    seed: int,
    out: Path | None,
    csv_out: Path | None,
    latex: Path | None,
    **columns: Any,
) -> None:
    """Krippendorff's alpha of the votes in FILE, and the answer of each item.

    FILE is a table. Where --person names one column, a row is one vote, with an --answer. Where it names
    several, or *, as in "expert*_fluency", a row is an item and each column is a person. Columns with usual
    names, such as worker_id and label, are found without being named. Files of Label Studio, Prodigy,
    doccano, Potato and brat are read as they are; of a study's own Answers, those of its pairs that count.
    """
    from core.people import agreement_tables as tables
    from core.people.agreement_over_time import voted_over_time
    from core.people.gold import gold_labels
    from core.people.vote_consensus import consensus

    if decide is None and (out is not None or quorum):
        hint = "Say how to decide them, with --decide."
        raise InputError("--out and --quorum are about decided items.", hint=hint)
    targets = [path.resolve() for path in (out, csv_out, latex) if path is not None]
    if len(set(targets)) < len(targets):
        raise InputError("Two results would go into one file.", hint="Name a file for each.")
    read = _votes(files, **columns)
    decided = None if decide is None else consensus(read, decide, quorum=quorum)
    table = tables.votes_table(read, scale=Scale(scale))
    write_table(table, (csv_out, as_csv), (latex, progress.as_latex))
    click.echo(as_text(table))
    if (by_day := voted_over_time(read, Scale(scale))) is not None:
        click.echo(f"\n{as_text(by_day)}")
    if decided is None:
        return
    click.echo(f"\n{decided.decided:,} of {len(read.items):,} items decided.")
    likely = gold_labels(read.codes, len(read.answers), seed=seed)
    click.echo(as_text(tables.skills_table(read, decided, likely)))
    write_table(tables.labels_table(read, decided, likely), (out, as_csv))


def _votes(files: tuple[str, ...], **columns: Any) -> VoteTable:
    from core.people.vote_files import read_votes
    from core.people.votes import joined_votes

    return joined_votes([read_votes(read_bytes(path), Path(path).name, **columns) for path in files])


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@option("--as", "tool", type=click.Choice(list(TOOLS)), required=True, help="The tool that is to read it.")
@option("--out", type=PATH, required=True, help="Where to write it.")
@option("--tasks", is_flag=True, help="What is asked alone, without answers.")
@option("--groups", is_flag=True, help="FILE is a timeline with annotators, or sample:NAME.")
@option("--form", "form_name", help="FILE has answers to a form; its name, or a TOML file.")
@option("--item", "items", multiple=True, metavar="COLUMN", help="Names the item of a vote; repeatable.")
@option("--person", default="", metavar="COLUMN[,COLUMN...]", help="Who voted.")
@option("--answer", default="", metavar="COLUMN", help="What was voted.")
def exchange(
    files: tuple[str, ...],
    tool: str,
    out: Path,
    tasks: bool,
    groups: bool,
    form_name: str | None,
    **columns: Any,
) -> None:
    """Write votes, groups or ratings as Label Studio, Prodigy, doccano or Potato read them.

    Next to the file stands what opens it as a project: a labelling configuration, a config.yaml, a recipe.

    FILE is what `agreement votes` reads, or with --groups or --form what `agreement groups` and `evaluate
    table` read.
    """
    from core.data.exchange import write_answers
    from core.data.tool_projects import beside
    from core.people.group_columns import group_answers
    from core.people.rating_files import rating_answers
    from core.people.vote_files import vote_answers

    if groups:
        timeline = open_timeline(files[0], file_format=None, columns=(), timeline=None)
        table = group_answers(timeline)
    elif form_name:
        table = rating_answers(_ratings(files, form_name))
    else:
        read = _votes(files, groups=True, **columns)
        click.echo("".join(f"{said}\n" for said in read.left_out), err=True, nl=False)
        table = vote_answers(read)
    table = table.tasks() if tasks else table
    write(out, write_answers(table, tool))
    for name, content in beside(table, tool, out.name).items():
        write(out.with_name(name), content)
        click.echo(f"Next to it: {out.with_name(name)}", err=True)
