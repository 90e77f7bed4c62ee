"""`headline-lab papers`: what each paper has, and whether it is here."""

import json

from cli import progress
from cli.options import command


@command()
def papers(name: str | None) -> None:
    """Print what each paper has and whether it is here; of one paper its figures too, as published and ours.

    NAME is hlgd, dialogue2021, italian, numhg or dialogue2019.
    """
    from core.errors import UnknownNameError
    from core.results.table import as_text
    from core.results.table_files import as_frame
    from research.papers import PAPERS

    if name not in (None, *PAPERS):
        raise UnknownNameError(f"No paper is called {name!r}.", hint=f"Choose from {', '.join(PAPERS)}.")
    items = [paper.table() for paper in PAPERS.values() if name in (None, paper.key)]
    figures = [*PAPERS[name].figures()] if name else []
    lists = ("\n".join([table.title, *(" · ".join(map(str, row)) for row in table.rows)]) for table in items)
    tables = (f"{table.title}\n{as_text(table)}" for table in figures)
    frames = {table.title: as_frame(table) for table in (*items, *figures)}
    progress.show(
        {title: json.loads(frame.to_json(orient="records")) for title, frame in frames.items()},
        lambda: "\n\n".join([*lists, *tables]),
    )
