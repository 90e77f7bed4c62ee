"""`headline-lab pairs`: what are pair models trained and measured on?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.progress import show
from core import files

if TYPE_CHECKING:
    from core.data.pair_sets.drawing import PairStatistics


@click.group()
def pairs() -> None:
    """List, add, build and describe sets of labelled pairs of headlines."""


@pairs.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def list_sets(as_json: bool) -> None:
    """List every pair set: how many pairs, its licence, where it is, or why it is missing."""
    from core.data.pair_sets.load import shelf

    found = shelf()
    lines, rows = [], []
    for entry in found:
        path, missing = str(entry.path) if entry.path else None, entry.missing or None
        row = asdict(entry) | {"path": path, "missing": missing}
        rows.append({name: value for name, value in row.items() if name not in {"ships", "own"}})
        size = missing or f"{entry.pairs:,} pairs of {entry.headlines:,} headlines, {path}"
        lines.append(f"{entry.name:24}{entry.summary}\n{'':24}{size}\n{'':24}Licence: {entry.licence}")
    show(rows, lambda: "\n".join(lines), as_json=as_json)


@pairs.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", default="", help="What it is called from then on; default: as the file.")
def add(file: Path, name: str) -> None:
    """Keep a FILE of labelled pairs under a name, for the pages and all commands.

    Where no row says its part, whole events are drawn: 60 % to train on, 20 % for validation, 20 % for test.
    """
    from core.data.pair_sets.drawing import pair_statistics
    from core.data.pair_sets.load import keep_pairs, load_pair_set
    from core.data.pair_sets.pair_file import parse_pairs
    from core.data.timelines.load import read_bytes

    data = read_bytes(file)
    kept = keep_pairs(data, file.name, name=name)
    added = load_pair_set(kept)
    apart = len(parse_pairs(data, file.name).pairs) - len(added)
    click.echo(f"Added as {kept}.\n{_as_text(pair_statistics(added))}")
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
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Write the pairs: .json (HLGD's) or .csv"
)
@click.option(
    "--window", type=click.FloatRange(min=0), default=4.0, show_default=True, help="Days, for negatives."
)
@click.option(
    "--ratio", type=click.FloatRange(min=0), default=5.0, show_default=True, help="Negatives a positive."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draw.")
def build(timelines: tuple[str, ...], out: Path, window: float, ratio: float, seed: int) -> None:
    """Draw pairs from annotated timelines as HLGD did.

    TIMELINE is a file with gold groups or annotators' groups, a folder of such files, or sample:NAME.
    """
    from core.data.pair_sets.assembly import build_pair_set
    from core.data.pair_sets.drawing import Sampling, pair_statistics
    from core.data.pair_sets.pair_set import format_of, write_pairs
    from core.data.pair_sets.sources.grouped import read_timelines
    from core.data.timelines.timeline import Field
    from core.errors import InputError
    from core.events.export import check_target

    check_target(out)
    kind = format_of(out)
    read = [timeline for path in timelines for timeline in read_timelines(path)]
    built = build_pair_set(read, sampling=Sampling(window_days=window, ratio=ratio, seed=seed))
    if not len(built):
        raise InputError(
            "The timelines give no pair: no group has two headlines.",
            hint="Give a timeline with at least one group of two.",
        )
    urls = [url if isinstance(url, str) else "" for timeline in read for url in timeline.table[Field.URL]]
    files.write(out, write_pairs(built, kind, urls=urls))
    click.echo(_as_text(pair_statistics(built, window_days=window)))


@pairs.command()
@click.argument("wanted", metavar="NAME|FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def stats(wanted: str, as_json: bool) -> None:
    """Describe a pair set: parts, balance, days between, wording in common."""
    from core.data.pair_sets.drawing import as_object, pair_statistics
    from core.data.pair_sets.load import load_pair_set

    found = load_pair_set(wanted)
    figures = pair_statistics(found)
    told = {"name": found.name, "fingerprint": found.fingerprint, **as_object(figures)}
    show(told, lambda: _as_text(figures), as_json=as_json)


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
        lines.append(
            f"{100 * figures.inside:.1f} % of the positives are at most {figures.window_days:g} days apart"
        )
    if figures.undated:
        lines.append(f"{_count(figures.undated, 'pair')} with an unknown date")
    if figures.mean_ratio is not None:
        lines.append(f"Levenshtein ratio of the positives: {figures.mean_ratio:.3f} on average")
    return "\n".join(lines)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
