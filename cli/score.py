"""`headline-lab score`: do two headlines tell the same event?"""

import sys
from pathlib import Path

import click

from cli.main import BAD_INPUT
from cli.progress import name_rows, note, show, working
from cli.share import ShareType
from core import files


@click.command()
@click.argument("file", metavar="PAIRS")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Write the rows with their scores: .csv .tsv .json .jsonl .parquet .xlsx",
)
@click.option("--scorer", help="Pair scorer or its signature; default: the one that ships.")
@click.option("--threshold", type=ShareType(), help="Score of the same event; default: the scorer's own.")
@click.option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@click.option("--swapped", is_flag=True, help="Give the scorer headline_b first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def score(
    file: str,
    out: Path,
    scorer: str | None,
    threshold: float | None,
    encoder: str,
    swapped: bool,
    as_json: bool,
    quiet: bool,
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
    from core.pairs.scorer import pair_scorers
    from core.pairs.scoring import (
        DEFAULT_SCORER,
        as_object,
        as_text,
        check_table_format,
        score_file,
        table_bytes,
    )

    check_target(out)
    kind = check_table_format(out)
    chosen = pair_scorers.parse(DEFAULT_SCORER if scorer is None else scorer)
    own = own_sets().get(file)
    read = read_pair_file(file if own is None else own.path, labels=False)
    with working(quiet=quiet) as runtime:
        scored = score_file(read, chosen, runtime, threshold=threshold, encoder=encoder, swapped=swapped)
    files.write(out, table_bytes(scored, kind))
    show(as_object(scored), lambda: as_text(scored), as_json=as_json)
    unscored = [f"Not scored: row {row + 1:,}: {reason}" for row, reason in scored.why_not.items()]
    name_rows(unscored, "the column `reason` has them all.")
    if len(scored.why_not) == len(scored.scores):
        note("No pair could be scored.\nSee the reasons, or choose another scorer.")
        sys.exit(BAD_INPUT)
