"""`headline-lab pairs`: what are pair models trained and measured on?"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import progress
from cli.main import IN_PART
from cli.options import command
from core import files
from core.data.timelines.tables import read_bytes
from core.data.timelines.timeline import Field
from core.errors import InputError

if TYPE_CHECKING:
    from core.data.pair_sets.pair_statistics import PairStatistics


@click.group()
def pairs() -> None:
    """List, add, build and describe sets of labelled pairs of headlines."""


@command(pairs, "list")
def list_sets() -> None:
    """List every pair set: how many pairs, its licence, where it is, or why it is missing."""
    from core.data.pair_sets.load import shelf

    lines, stored = [], shelf()
    for row in stored:
        size = row["missing"] or f"{row['pairs']:,} pairs of {row['headlines']:,} headlines, {row['path']}"
        lines.append(f"{row['name']:24}{row['summary']}\n{'':24}{size}\n{'':24}Licence: {row['licence']}")
    progress.show(stored, lambda: "\n".join(lines))


@command(pairs)
def add(file: Path, name: str) -> None:
    """Keep a FILE of labelled pairs under a name, for the pages and all commands.

    Where no row says its part, whole events are drawn: 60 % to train on, 20 % for validation, 20 % for test.
    """
    from core.data.pair_sets.kept import keep_pairs
    from core.data.pair_sets.load import load_pair_set
    from core.data.pair_sets.pair_file import parse_pairs
    from core.data.pair_sets.pair_statistics import as_object, pair_statistics

    data = read_bytes(file)
    stored = keep_pairs(data, file.name, name=name)
    added = load_pair_set(stored)
    apart = len(parse_pairs(data, file.name).pairs) - len(added)
    figures = pair_statistics(added)
    lines = [f"Added as {stored}.", _as_text(figures)]
    if apart:
        lines += [f"{_count(apart, 'pair')} excluded: one headline of each was drawn into another part."]
    progress.show({"name": stored, "excluded": apart, **as_object(figures)}, lambda: "\n".join(lines))


@command(pairs)
def remove(name: str) -> None:
    """Take away the added pair set NAME."""
    from core.data.pair_sets.kept import take_away

    take_away(name)
    progress.show({"removed": name}, lambda: f"Removed: {name}.")


@command(pairs)
def build(timelines: tuple[str, ...], out: Path, **sampling: Any) -> None:
    """Draw pairs from annotated timelines as HLGD did, or write a pair set as it is.

    TIMELINE is a file with gold groups or annotators' groups, a folder of such files, or sample:NAME. Where
    it is one pair set, by name or file, nothing is drawn. An --out without an ending is a folder for other
    libraries.
    """
    from core.data.pair_sets import annotated, load, pair_writer, timeline_files
    from core.data.pair_sets.dataset_files import dataset_files
    from core.data.pair_sets.pair_statistics import as_object, pair_statistics
    from core.data.pair_sets.sampling import Sampling
    from core.events.export import check_target
    from core.text.language import common_language

    kind = "" if progress.is_data_set(out) else pair_writer.format_of(out)
    if kind:
        check_target(out)
    source = load.source_of(timelines[0])
    given = len(timelines) == 1 and not isinstance(source, timeline_files.TimelineFiles)
    read = [] if given else [one for path in timelines for one in timeline_files.read_timelines(path)]
    built = source.load() if given else annotated.build_pair_set(read, sampling=Sampling(**sampling))
    if not len(built):
        said = "The timelines give no pair: no group has two headlines."
        raise InputError(said, hint="Give a timeline with at least one group of two.")
    if kind:
        urls = [url if isinstance(url, str) else "" for timeline in read for url in timeline.table[Field.URL]]
        files.write(out, pair_writer.write_pairs(built, kind, urls=urls))
    else:
        about = {"language": common_language(built.texts), "licence": source.licence}
        progress.write_folder(out, dataset_files(replace(built, name=out.name), **about))
    figures = pair_statistics(built, window_days=sampling["window_days"])
    progress.show({"out": str(out), **as_object(figures)}, lambda: _as_text(figures))


@command(pairs)
def sample(file: str, out: Path, methods: tuple[str, ...], grouped: tuple[str, ...], **draw: int) -> None:
    """Draw pairs to judge from what grouping systems join, as Dialogue 2021 did.

    The sum of `weight` over the pairs that people call the same is an unbiased estimate of how many of all
    pairs are; over those that a system joins, of how many it joins rightly. Exit code 3: there are fewer
    pairs than were asked for.
    """
    from core.data.timelines.load import load_path
    from core.data.timelines.writers import write_table
    from core.events.grouping import Settings, prepare, regroup
    from research.benchmark.pairs.sampling import sample_pairs

    kind = progress.table_format(out, source=file)
    timeline = progress.open_timeline(file)
    groupings = {}
    with progress.working(seed=draw["seed"]) as runtime:
        for method in methods or (() if grouped else ("average_linkage", "connected_components", "hdbscan")):
            groupings[method] = regroup(prepare(timeline, Settings(method=method), runtime)).ids
    for path in grouped:
        other = load_path(path)
        if other.texts != timeline.texts or "group" not in other.original.columns:
            said = f"{path} does not hold the groups of this timeline, row by row."
            raise InputError(said, hint="Give a file that `headline-lab group TIMELINE --out` wrote.")
        groupings[Path(path).stem] = other.original["group"].factorize()[0]
    table = sample_pairs(timeline, groupings, **draw)
    about = {"fingerprint": timeline.fingerprint, "systems": ", ".join(groupings)}
    files.write(out, write_table(table, {}, kind, about=about, rows="pairs"))
    joined = int((table["joined_by"] != "").sum())
    _end_draw(
        out, {"joined": (joined, draw["count"]), "joined by none": (len(table) - joined, draw["others"])}
    )


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


@command(pairs)
def phenomena(file: str, draw: int | None, out: Path | None, seed: int) -> None:
    """Draw pairs to tag, count the tags of tagged PAIRS, propose tags for the rest, as HLGD's table 2.

    Drawn are pairs of large groups, and of different groups on one day; exit code 3: there are fewer than N.
    Tags stand in the column `tags`. With --out, pairs without a tag get a proposal, learned from the others.
    """
    from core.data.pair_sets.load import load_pair_set
    from core.data.timelines.writers import write_table
    from research.benchmark.pairs import tagging

    kind = progress.table_format(out, source=file) if out else ""
    if draw is not None:
        if out is None:
            raise InputError("There is no file for the pairs.", hint="Give --out.")
        timeline = progress.open_timeline(file)
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
    progress.show_table(tagging.shares(pairs))


@command(pairs)
def stats(wanted: str) -> None:
    """Describe a pair set: parts, balance, days between, wording in common."""
    from core.data.pair_sets.load import load_pair_set
    from core.data.pair_sets.pair_statistics import as_object, pair_statistics

    pair_set = load_pair_set(wanted)
    figures = pair_statistics(pair_set)
    summary = {"name": pair_set.name, "fingerprint": pair_set.fingerprint, **as_object(figures)}
    progress.show(summary, lambda: _as_text(figures))


def _as_text(figures: "PairStatistics") -> str:
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
