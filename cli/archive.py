"""`headline-lab archive`: months of headlines, grouped and mapped in a folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.options import command
from cli.progress import column_mapping, show, working
from core.errors import InputError


@command()
def archive(
    file: Path, out: str | None, columns: tuple[str, ...], cluster: str | None, **settings: Any
) -> None:
    """Group and map the headlines of a large FILE in a folder.

    FILE is CSV, TSV (either may be .gz) or Parquet with a row of column names. A run that was stopped goes
    on where it was.
    """
    from core.archive.build import ArchiveSettings, build
    from core.archive.cluster import computing
    from core.archive.kept import archives_folder, name_for

    how = ArchiveSettings(**settings)
    if out == "":
        raise InputError("--out names no folder.", hint="Name one, or leave --out away.")
    folder = archives_folder() / name_for(file) if out is None else Path(out)
    with working(patient=True) as runtime, computing(cluster) as backend:
        summary = build(file, folder, how, column_mapping(columns), runtime, backend=backend)
    show(summary, lambda: "\n".join(_lines(summary)))


def _lines(summary: dict[str, Any]) -> Iterator[str]:
    for name, value in summary.items():
        if name == "left_out_why":
            for reason in value:
                more = f" and {reason['rows'] - 1:,} more" if reason["rows"] > 1 else ""
                yield f"  line {reason['line']:,}{more}: {reason['reason']}"
        elif name == "notes":
            yield from value
        elif name == "ledger":
            yield f"{name}: {', '.join(f'{count:,} {what}' for what, count in value.items() if count)}"
        else:
            yield f"{name}: {value}"
