"""`headline-lab papers`: what each paper has, and whether it is here."""

import json
from pathlib import Path

from cli import progress
from cli.options import command


@command()
def papers(
    name: str | None,
    folder: Path | None,
    out: Path | None,
    systems: tuple[str, ...],
    checkpoints: tuple[str, ...],
    seed: int,
) -> None:
    """Print what each paper has and whether it is here; of one paper its figures too, as published and ours.

    NAME is hlgd, dialogue2021, italian, numhg or dialogue2019. With --run the tables and figures of hlgd are
    made again from the release in FOLDER: train, dev and test pairs, and timelines/ with annotators' groups.
    """
    from core.errors import InputError, UnknownNameError
    from core.results.table import as_text
    from core.results.table_files import as_frame
    from research.papers import PAPERS

    if name not in (None, *PAPERS):
        raise UnknownNameError(f"No paper is called {name!r}.", hint=f"Choose from {', '.join(PAPERS)}.")
    if folder is not None:
        from research.hlgd_release import reproduce

        if name != "hlgd" or out is None:
            raise InputError("Only hlgd is made again, into a folder.", hint="Give hlgd, --run and --out.")
        with progress.working() as runtime:
            made = reproduce(folder, out, runtime, systems=systems, checkpoints=checkpoints, seed=seed)
            items, figures = [], [*made]
    else:
        items = [paper.table() for paper in PAPERS.values() if name in (None, paper.key)]
        figures = [*PAPERS[name].figures()] if name else []
    lists = ("\n".join([table.title, *(" · ".join(map(str, row)) for row in table.rows)]) for table in items)
    tables = (f"{table.title}\n{as_text(table)}" for table in figures)
    frames = {table.title: as_frame(table) for table in (*items, *figures)}
    progress.show(
        {title: json.loads(frame.to_json(orient="records")) for title, frame in frames.items()},
        lambda: "\n\n".join([*lists, *tables]),
    )
