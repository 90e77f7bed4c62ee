"""`headline-lab archive`: months of news, up to millions of headlines, grouped and mapped in a folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cli.progress import show, working
from cli.share import ShareType


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(),
    help="Folder of the archive, new or begun before; default: where the app shows it, by FILE.",
)
@click.option(
    "--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; may be repeated."
)
@click.option(
    "--window",
    type=click.IntRange(0, 366),
    default=3,
    show_default=True,
    help="Days: headlines further apart are never compared.",
)
@click.option("--granularity", type=ShareType(), help="0 to 1; default: a run of the headlines suggests it.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Encode and compare on a Ray cluster: ray://HOST:PORT, or HOST:PORT on one of its machines.",
)
@click.option("--shared", is_flag=True, help="Visitors of a workshop see the archive under Archive.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def archive(
    file: Path,
    out: str | None,
    columns: tuple[str, ...],
    window: int,
    granularity: float | None,
    cluster: str | None,
    shared: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Group and map the headlines of a large FILE in a folder.

    FILE is CSV, TSV (either may be .gz) or Parquet with a row of column names. A run that was stopped goes
    on where it was.
    """
    from cli.source import column_mapping
    from core.archive.build import ArchiveSettings, build
    from core.archive.cluster import computing
    from core.archive.opened import archives_folder, name_for
    from core.errors import InputError

    settings = ArchiveSettings(window=window, granularity=granularity, shared=shared)
    if out == "":
        raise InputError("--out names no folder.", hint="Name one, or leave --out away.")
    folder = archives_folder() / name_for(file) if out is None else Path(out)
    with working(quiet=quiet, patient=True) as runtime, computing(cluster) as backend:
        summary = build(file, folder, settings, column_mapping(columns), runtime, backend=backend)
    show(summary, lambda: "\n".join(_lines(summary)), as_json=as_json)


def _lines(summary: dict[str, Any]) -> Iterator[str]:
    for name, value in summary.items():
        if name == "left_out_why":
            for one in value:
                more = f" and {one['rows'] - 1:,} more" if one["rows"] > 1 else ""
                yield f"  line {one['line']:,}{more}: {one['reason']}"
        elif name == "notes":
            yield from value
        elif name == "ledger":
            yield f"{name}: {', '.join(f'{count:,} {what}' for what, count in value.items() if count)}"
        else:
            yield f"{name}: {value}"
