"""`headline-lab agreement`: how far people agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import progress
from cli.options import command, given_for
from cli.progress import open_timeline, working, write_table
from core.data.timelines.tables import read_bytes
from core.errors import InputError
from core.files import write
from core.results.table_files import as_csv
from core.statistics.krippendorff import Scale

if TYPE_CHECKING:
    from core.arrays import IntArray
    from core.data.timelines.timeline import Timeline
    from core.people.adjudication import Adjudication
    from core.people.agreement import GroupAgreement
    from core.people.gold import GoldGroups
    from core.people.votes import VoteTable
    from core.results.table import Table
    from core.runtime import Runtime


@click.group()
def agreement() -> None:
    """How far people agree."""


@command(agreement)
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
) -> None:
    """Compare annotators who grouped timelines: table 1 of the HLGD paper.

    A FILE is a timeline with columns annot_1_group, annot_2_group and so on, or sample:NAME. With --out the
    headlines come with their merged groups, those that divide the annotators most first.
    """
    from core.data.pair_sets.simulated import with_simulated
    from core.people import agreement_tables as tables
    from core.people.adjudication import Adjudication, adjudicated, released_format
    from core.people.agreement import group_agreement
    from core.people.gold import gold_groups, with_intervals

    if (released is not None or answers) and len(files) > 1:
        raise InputError("--released and --answers are about one timeline.", hint="Give one FILE.")
    timelines = [open_timeline(file) for file in files]
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
    progress.write_figures(table)
    if out is not None:
        both = zip(agreements, decided, strict=True)
        gold = [adjudicated(each.merged, some.settled) for each, some in both]
        write_table(tables.merged_table(timelines, agreements, gold, likely), (out, as_csv))
    if released is not None:
        gold_file = released_format(timelines[0], agreements[0].merged, decided[0])
        write(released, gold_file.to_csv(index=False).encode())
    shown = [("", table), *(_over_time(timelines) if over_time else ())]
    if annotators or model:
        with working() as runtime:
            for timeline, result, people in zip(timelines, agreements, likely, strict=True):
                own = _model_groups(timeline, runtime) if model else None
                shown += _people(timeline, result, own, people, quorum=quorum, seed=seed)
    progress.show_tables(shown)


def _people(
    timeline: Timeline,
    result: GroupAgreement,
    model: tuple[str, IntArray] | None,
    people: GoldGroups,
    **settings: Any,
) -> Iterator[tuple[str, Table]]:
    from core.people.agreement import compared
    from core.people.agreement_tables import people_table, sides_table

    others = [] if model is None else [compared(*model, result.annotators, **settings)]
    yield result.name, people_table(result, others, people)
    if model is not None and len(result.people) == 2:
        yield "", sides_table(timeline, result, model[1])


def _model_groups(timeline: Timeline, runtime: Runtime) -> tuple[str, IntArray]:
    """The program's own groups with its default settings, int64 [n], and what they are called."""
    from core.events.grouping import Settings, prepare, regroup

    prepared = prepare(timeline, Settings(), runtime)
    return f"groups by {prepared.scorer.partition('|')[0]}", prepared.spread(regroup(prepared, None).ids)


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


def _over_time(timelines: Sequence[Timeline]) -> Iterator[tuple[str, Table]]:
    from core.people.agreement_tables import grouped_over_time
    from core.people.grouping import grouping_task

    for task in map(grouping_task, timelines):
        if (table := grouped_over_time(task, task.answers.read())) is not None:
            yield task.title, table


@command(agreement)
def votes(
    files: tuple[str, ...],
    scale: str,
    decide: str | None,
    quorum: float,
    seed: int,
    out: Path | None,
    **columns: Any,
) -> None:
    """Krippendorff's alpha of the votes in FILE, and the answer of each item.

    FILE is a table. Where --person names one column, a row is one vote, with an --answer. Where it names
    several, or *, as in "expert*_fluency", a row is an item and each column is a person. Columns with usual
    names, such as worker_id and label, are found without being named. Files of Label Studio, Prodigy,
    doccano, Potato, Toloka, Mechanical Turk and brat are read as they are; of a study's own Answers, those of
    its pairs that count.
    """
    from core.people import agreement_tables as tables
    from core.people.gold import gold_labels
    from core.people.votes import consensus

    if decide is None and (out is not None or quorum):
        hint = "Say how to decide them, with --decide."
        raise InputError("--out and --quorum are about decided items.", hint=hint)
    targets = [path.resolve() for path in (out, *map(given_for, ("--csv", "--latex"))) if path]
    if len(set(targets)) < len(targets):
        raise InputError("Two results would go into one file.", hint="Name a file for each.")
    read = read_vote_files(files, **columns)
    decided = None if decide is None else consensus(read, decide, quorum=quorum)
    table = tables.votes_table(read, scale=Scale(scale))
    progress.write_figures(table)
    shown = [("", table)]
    if (by_day := tables.voted_over_time(read, Scale(scale))) is not None:
        shown.append(("", by_day))
    if decided is not None:
        likely = gold_labels(read.codes, len(read.answers), seed=seed)
        said = f"{decided.decided:,} of {len(read.items):,} items decided."
        shown.append((said, tables.skills_table(read, decided, likely)))
        write_table(tables.labels_table(read, decided, likely), (out, as_csv))
    progress.show_tables(shown)


def read_vote_files(files: tuple[str, ...], **columns: Any) -> VoteTable:
    from core.people.vote_files import read_votes
    from core.people.votes import joined_votes

    return joined_votes([read_votes(read_bytes(path), Path(path).name, **columns) for path in files])
