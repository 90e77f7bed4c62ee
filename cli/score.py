"""`headline-lab score`: do two headlines report the same event?"""

import sys
from pathlib import Path
from typing import Any

from cli import main, options, progress
from core import files


@options.command()
def score(file: str, out: Path, scorer: str | None, vectors: str | None, **how: Any) -> None:
    """Score the pairs of headlines in PAIRS.

    PAIRS is HLGD's JSON, a table (CSV, TSV, XLSX, JSON, JSONL, Parquet) with headline_a and
    headline_b, and date_a and date_b where they are known, or the name of an added file. The table that
    is written holds every row in its order, all its columns, `score` from 0 to 1 and `same_event`, 1 or
    0. A row that cannot be scored keeps its place, and a column `reason` says why.
    """
    from core.data.pair_sets.kept import own_sets
    from core.data.pair_sets.pair_file import read_pair_file
    from core.pairs import file_scoring
    from core.pairs.given_vectors import encoder_of_file
    from core.pairs.scorer import pair_scorers
    from core.pairs.timeline_context import BY_FORMULA

    kind = progress.table_format(out, source=file)
    chosen = pair_scorers.parse(scorer or (BY_FORMULA if vectors else file_scoring.default_scorer()))
    own = own_sets().get(file)
    read = read_pair_file(file if own is None else own.path, labels=False)
    how["encoder"], notes = encoder_of_file(vectors, how["encoder"], read.pairs.texts)
    with progress.working() as runtime:
        scored = file_scoring.score_file(read, chosen, runtime, **how)
    files.write(out, file_scoring.table_bytes(scored, kind))
    progress.show(file_scoring.as_object(scored), lambda: file_scoring.as_text(scored))
    progress.note(*scored.notes, *notes)
    unscored = [f"Not scored: row {row + 1:,}: {reason}" for row, reason in scored.why_not.items()]
    progress.name_rows(unscored, "the column `reason` has them all.")
    if len(scored.why_not) == len(scored.scores):
        progress.note("No pair could be scored.\nSee the reasons, or choose another scorer.")
        sys.exit(main.BAD_INPUT)
