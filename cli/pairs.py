"""`headline-lab pairs`: what are pair models trained and measured on?"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click import option

from cli import progress
from cli.main import BAD_INPUT, IN_PART
from cli.progress import ALL, PATH, TABLE_FORMATS
from core import files, limits
from core.data.timelines.load import read_bytes
from core.data.timelines.timeline import Field
from core.errors import InputError

if TYPE_CHECKING:
    from core.data.pair_sets.pair_set import PairStatistics


@click.group()
def pairs() -> None:
    """List, add, build and describe sets of labelled pairs of headlines."""


@pairs.command("list")
@progress.JSON_LIST
def list_sets() -> None:
    """List every pair set: how many pairs, its licence, where it is, or why it is missing."""
    from core.data.pair_sets.load import shelf

    lines, stored = [], shelf()
    for row in stored:
        size = row["missing"] or f"{row['pairs']:,} pairs of {row['headlines']:,} headlines, {row['path']}"
        lines.append(f"{row['name']:24}{row['summary']}\n{'':24}{size}\n{'':24}Licence: {row['licence']}")
    progress.show(stored, lambda: "\n".join(lines))


@pairs.command()
@click.argument("file", metavar="FILE", type=progress.PATH)
@option("--name", default="", help="What it is called from then on; default: as the file.")
def add(file: Path, name: str) -> None:
    """Keep a FILE of labelled pairs under a name, for the pages and all commands.

    Where no row says its part, whole events are drawn: 60 % to train on, 20 % for validation, 20 % for test.
    """
    from core.data.pair_sets.load import keep_pairs, load_pair_set
    from core.data.pair_sets.pair_file import parse_pairs
    from core.data.pair_sets.pair_set import pair_statistics

    data = read_bytes(file)
    stored = keep_pairs(data, file.name, name=name)
    added = load_pair_set(stored)
    apart = len(parse_pairs(data, file.name).pairs) - len(added)
    click.echo(f"Added as {stored}.\n{_as_text(pair_statistics(added))}")
    if apart:
        click.echo(f"{_count(apart, 'pair')} excluded: one headline of each was drawn into another part.")


@pairs.command()
@click.argument("name", metavar="NAME")
def remove(name: str) -> None:
    """Take away the added pair set NAME."""
    from core.data.pair_sets.load import take_away

    take_away(name)
    click.echo(f"Removed: {name}.")


@pairs.command()
@click.argument("timelines", nargs=-1, required=True, metavar="TIMELINE...")
@option("--out", type=progress.PATH, required=True, help="Write the pairs: .json (HLGD's) or .csv")
@option("--window", type=click.FloatRange(min=0), default=4.0, show_default=True, help="Days, for negatives.")
@option("--ratio", type=click.FloatRange(min=0), default=5.0, show_default=True, help="Negatives a positive.")
@option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draw.")
def build(timelines: tuple[str, ...], out: Path, window: float, ratio: float, seed: int) -> None:
    """Draw pairs from annotated timelines as HLGD did.

    TIMELINE is a file with gold groups or annotators' groups, a folder of such files, or sample:NAME.
    """
    from core.data.pair_sets.assembly import Sampling, build_pair_set
    from core.data.pair_sets.grouped import read_timelines
    from core.data.pair_sets.pair_set import format_of, pair_statistics, write_pairs
    from core.events.export import check_target

    check_target(out)
    kind = format_of(out)
    read = [timeline for path in timelines for timeline in read_timelines(path)]
    built = build_pair_set(read, sampling=Sampling(window_days=window, ratio=ratio, seed=seed))
    if not len(built):
        said = "The timelines give no pair: no group has two headlines."
        raise InputError(said, hint="Give a timeline with at least one group of two.")
    urls = [url if isinstance(url, str) else "" for timeline in read for url in timeline.table[Field.URL]]
    files.write(out, write_pairs(built, kind, urls=urls))
    click.echo(_as_text(pair_statistics(built, window_days=window)))


@pairs.command()
@click.argument("file", metavar="TIMELINE")
@option("--out", type=PATH, required=True, help=f"Write the pairs: {TABLE_FORMATS}")
@option("--method", "methods", multiple=True, metavar="NAME", help="Grouping method; repeatable.")
@option("--groups", "grouped", multiple=True, metavar="CSV", help="What `group` wrote of it; repeatable.")
@option(
    "--pairs", "count", type=click.IntRange(min=1), default=200, show_default=True, help="Joined by some."
)
@option("--others", type=click.IntRange(min=0), default=20, show_default=True, help="Joined by none.")
@option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draw.")
@progress.printed
def sample(
    file: str,
    out: Path,
    methods: tuple[str, ...],
    grouped: tuple[str, ...],
    count: int,
    others: int,
    seed: int,
) -> None:
    """Draw pairs to judge from what grouping systems join, as Dialogue 2021 did.

    The sum of `weight` over the pairs that people call the same is an unbiased estimate of how many of all
    pairs are; over those that a system joins, of how many it joins rightly. Exit code 3: there are fewer
    pairs than were asked for.
    """
    from core.data.timelines.load import load_path
    from core.data.timelines.writers import write_table
    from core.events.export import check_target
    from core.events.grouping import Settings, prepare, regroup
    from core.pairs.scoring import check_table_format
    from research.benchmark.pairs.sampling import sample_pairs

    check_target(out, source=file)
    kind = check_table_format(out)
    timeline = progress.open_timeline(file, file_format=None, columns=(), timeline=None)
    groupings = {}
    with progress.working(seed=seed) as runtime:
        for method in methods or (() if grouped else ("average_linkage", "connected_components", "hdbscan")):
            groupings[method] = regroup(prepare(timeline, Settings(method=method), runtime)).ids
    for path in grouped:
        other = load_path(path)
        if other.texts != timeline.texts or "group" not in other.original.columns:
            said = f"{path} does not hold the groups of this timeline, row by row."
            raise InputError(said, hint="Give a file that `headline-lab group TIMELINE --out` wrote.")
        groupings[Path(path).stem] = other.original["group"].factorize()[0]
    table = sample_pairs(timeline, groupings, count=count, others=others, seed=seed)
    about = {"fingerprint": timeline.fingerprint, "systems": ", ".join(groupings)}
    files.write(out, write_table(table, {}, kind, about=about, rows="pairs"))
    joined = int((table["joined_by"] != "").sum())
    _end_draw(out, {"joined": (joined, count), "joined by none": (len(table) - joined, others)})


def _end_draw(out: Path, kinds: Mapping[str, tuple[int, int]]) -> None:
    """Says how many pairs of each kind were drawn and asked for; exit code 3 where there are no more."""
    total, short = sum(drawn for drawn, _ in kinds.values()), any(drawn < n for drawn, n in kinds.values())
    lines = [f"{_count(total, 'pair')} written to {out}."]
    lines += [f"{kind.capitalize()}: {drawn:,} of {asked:,}" for kind, (drawn, asked) in kinds.items()]
    lines += ["The timeline has no more."] if short else []
    told = {kind.replace(" ", "_"): {"drawn": drawn, "asked": n} for kind, (drawn, n) in kinds.items()}
    progress.show({"out": str(out), "pairs": total, **told, "complete": not short}, lambda: "\n".join(lines))
    if short:
        sys.exit(IN_PART)


@pairs.command()
@click.argument("file", metavar="TIMELINE|PAIRS")
@option("--draw", type=click.IntRange(min=1), metavar="N", help="Draw N pairs of each label from a TIMELINE.")
@option("--out", type=progress.PATH, help="Write the drawn pairs, or the proposals.")
@option("--seed", default=0, show_default=True, help="Seed of the draw.")
@progress.JSON
def phenomena(file: str, draw: int | None, out: Path | None, seed: int) -> None:
    """Draw pairs to tag, count the tags of tagged PAIRS, propose tags for the rest, as HLGD's table 2.

    Drawn are pairs of large groups, and of different groups on one day; exit code 3: there are fewer than N.
    Tags stand in the column `tags`. With --out, pairs without a tag get a proposal, learned from the others.
    """
    from core.data.pair_sets.load import load_pair_set
    from core.data.timelines.writers import write_table
    from core.events.export import check_target
    from core.pairs.scoring import check_table_format
    from research.benchmark.pairs import tagging

    check_target(out, source=file)
    kind = check_table_format(out) if out else ""
    if draw is not None:
        if out is None:
            raise InputError("There is no file for the pairs.", hint="Give --out.")
        timeline = progress.open_timeline(file, file_format=None, columns=(), timeline=None)
        drawn, about = tagging.draw(timeline, count=draw, seed=seed), {"fingerprint": timeline.fingerprint}
        files.write(out, write_table(drawn, {}, kind, about=about, rows="pairs"))
        same = int(drawn["label"].sum())
        _end_draw(out, {"same event": (same, draw), "different events": (len(drawn) - same, draw)})
        return
    pairs = load_pair_set(file)
    if not any(pairs.tags):
        raise InputError(f"No pair of {pairs.name} has a tag.", hint="Write them into a column `tags`.")
    if out is not None:
        proposals, quality = tagging.propose(pairs)
        about = {"fingerprint": pairs.fingerprint}
        files.write(out, write_table(proposals, {}, kind, about=about, rows="pairs"))
        for label, (right, commonest) in quality.items():
            said = f"{right:.0%} of tagged pairs come out right, {commonest:.0%} have the commonest tag."
            progress.note(f"{label.capitalize()}: {said}")
    table = tagging.shares(pairs)
    progress.show_table(table)


@pairs.command()
@click.argument("wanted", metavar="NAME|FILE")
@progress.JSON
def stats(wanted: str) -> None:
    """Describe a pair set: parts, balance, days between, wording in common."""
    from core.data.pair_sets.load import load_pair_set
    from core.data.pair_sets.pair_set import as_object, pair_statistics

    pair_set = load_pair_set(wanted)
    figures = pair_statistics(pair_set)
    summary = {"name": pair_set.name, "fingerprint": pair_set.fingerprint, **as_object(figures)}
    progress.show(summary, lambda: _as_text(figures))


def _as_text(figures: PairStatistics) -> str:
    lines = []
    for counts in figures.parts:
        balance = f", 1 : {counts.balance:.1f}" if counts.balance is not None else ""
        unknown = f", {counts.unknown:,} without a label" if counts.unknown else ""
        lines.append(
            f"{counts.part.value:12}{_count(counts.headlines, 'headline')}, {_count(counts.pairs, 'pair')}: "
            f"{counts.same:,} same, {counts.different:,} different{balance}{unknown}"
        )
    if figures.inside is not None:
        inside = f"{100 * figures.inside:.1f} % of the positives"
        lines.append(f"{inside} are at most {figures.window_days:g} days apart")
    if figures.undated:
        lines.append(f"{_count(figures.undated, 'pair')} with an unknown date")
    if figures.mean_ratio is not None:
        lines.append(f"Levenshtein ratio of the positives: {figures.mean_ratio:.3f} on average")
    return "\n".join(lines)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


@click.command()
@click.argument("file", metavar="PAIRS")
@option("--out", type=PATH, required=True, help=f"Write the rows with their scores: {TABLE_FORMATS}")
@option("--scorer", help="Pair scorer or its signature; default: event_pair.")
@option("--threshold", type=progress.SHARE, help="Score of the same event; default: the scorer's own.")
@option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@option("--swapped", is_flag=True, help="Give the scorer headline_b first.")
@progress.precision
@progress.printed
def score(
    file: str, out: Path, scorer: str | None, threshold: float | None, encoder: str, swapped: bool
) -> None:
    """Score the pairs of headlines in PAIRS.

    PAIRS is HLGD's JSON, a table (CSV, TSV, XLSX, JSON, JSONL, Parquet) with headline_a and
    headline_b, and date_a and date_b where they are known, or the name of an added file. The table that
    is written holds every row in its order, all its columns, `score` from 0 to 1 and `same_event`, 1 or
    0. A row that cannot be scored keeps its place, and a column `reason` says why.
    """
    from core.data.pair_sets.load import own_sets
    from core.data.pair_sets.pair_file import read_pair_file
    from core.events.export import check_target
    from core.pairs import scoring
    from core.pairs.scorer import pair_scorers

    check_target(out, source=file)
    kind = scoring.check_table_format(out)
    chosen = pair_scorers.parse(scorer or scoring.default_scorer())
    own = own_sets().get(file)
    read = read_pair_file(file if own is None else own.path, labels=False)
    with progress.working() as runtime:
        scored = scoring.score_file(
            read, chosen, runtime, threshold=threshold, encoder=encoder, swapped=swapped
        )
    files.write(out, scoring.table_bytes(scored, kind))
    progress.show(scoring.as_object(scored), lambda: scoring.as_text(scored))
    progress.note(*scored.notes)
    unscored = [f"Not scored: row {row + 1:,}: {reason}" for row, reason in scored.why_not.items()]
    progress.name_rows(unscored, "the column `reason` has them all.")
    if len(scored.why_not) == len(scored.scores):
        progress.note("No pair could be scored.\nSee the reasons, or choose another scorer.")
        sys.exit(BAD_INPUT)


@click.command()
@click.argument("file", metavar="FILE")
@option("--scorer", help="Pair scorer or its signature; default: finetuned_time.")
@option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@option(
    "--threshold",
    type=progress.NumberType(0, 1, min_open=True),
    help="Score of the same event; default: the scorer's own.",
)
@option("--windowed", is_flag=True, help="Compare only inside the scorer's window of days.")
@option("--part", help="Part of a pair set: train, validation or test.")
@option("--limit", type=click.IntRange(min=3), help="Only so many headlines, those published first.")
@option("--repair", "names", multiple=True, help="A repair, or all; may be repeated.")
@option("--suite", type=progress.PATH, help="Put the cases of this file to the scorer.")
@option("--make-suite", type=progress.PATH, help="Make cases, write them, and put them.")
@option("--checkpoints", multiple=True, help="Study a trained model's folder, or a scorer; repeatable.")
@option("--out", type=progress.PATH, help="Write all flips, triangles, changes as .csv, the worst first.")
@progress.printed
def consistency(
    file: str,
    scorer: str | None,
    encoder: str,
    threshold: float | None,
    windowed: bool,
    part: str | None,
    limit: int | None,
    names: tuple[str, ...],
    suite: Path | None,
    make_suite: Path | None,
    checkpoints: tuple[str, ...],
    out: Path | None,
) -> None:
    """Test how consistent a scorer is on the headlines of FILE.

    FILE is a timeline, sample:NAME, a pair file, or the name of a pair set. Every pair is scored in
    both orders, and all triplets are counted.
    """
    from core.consistency.checks.suite_file import read_suite, write_suite
    from core.consistency.repairs import repairs
    from core.consistency.studies import scoring
    from core.consistency.studies.findings import SHOWN, examine
    from core.consistency.studies.study import repair_all, scorer_of
    from core.consistency.studies.study import study as run_study
    from core.consistency.studies.subject import open_headlines
    from core.consistency.studies.suite import put_suite, synthetic_suite
    from core.consistency.studies.summary import findings_as_object, findings_as_text, findings_csv
    from core.events.export import check_target

    most = limits.CONSISTENCY_ROWS.value
    for path in (out, make_suite):
        check_target(path, source=file)
    # Refused before anything is computed where there is no such repair.
    recipes = repairs.names() if ALL in names else [repairs.signature(repairs.parse(name)) for name in names]
    studied = [scorer_of(checkpoint) for checkpoint in checkpoints]
    cases = read_suite(read_bytes(suite), suite.name) if suite is not None else []
    chosen = studied[0] if studied else scorer or scoring.SCORER
    how = scoring.Scoring(scorer=chosen, encoder=encoder, threshold=threshold, windowed=windowed)
    subject = open_headlines(file, part=part, most=limit)
    with progress.working(patient=False) as runtime:
        scored = scoring.score_both_orders(subject, how, runtime)
        findings = examine(scored, most=SHOWN if out is None else most)
        repaired = repair_all(scored, recipes, runtime) if recipes else None
        studies = run_study(subject, studied, how, runtime) if studied else None
        made = synthetic_suite(scored) if make_suite is not None else []
        put = put_suite([*cases, *made], how, runtime) if cases or made else None
    if make_suite is not None:
        files.write(make_suite, write_suite(made, make_suite.name))
    if out is not None:
        files.write(out, findings_csv(scored, findings))
        more = [f"{count:,} {kind}" for kind, count in findings.left_out(most).items() if count]
        said = f"{out} has the worst {most:,} of each kind; left out: {', '.join(more)}."
        progress.note(said if more else "")
    summary = findings_as_object(scored, findings, repaired=repaired, study=studies, suite=put)
    progress.show(
        summary, lambda: findings_as_text(scored, findings, repaired=repaired, study=studies, suite=put)
    )
