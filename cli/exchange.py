"""`headline-lab exchange`: answers as other tools read them."""

from pathlib import Path
from typing import Any

import click

from cli import agreement, evaluate, options, progress
from core.files import write


@options.command()
def exchange(
    files: tuple[str, ...],
    tool: str,
    out: Path,
    tasks: bool,
    groups: bool,
    form_name: str | None,
    **columns: Any,
) -> None:
    """Write votes, groups or ratings as Label Studio, Prodigy, doccano or Potato read them.

    Next to the file stands what opens it as a project: a labelling configuration, a config.yaml, a recipe.

    FILE is what `agreement votes` reads, or with --groups or --form what `agreement groups` and `evaluate
    table` read.
    """
    from core.data.exchange.projects import beside
    from core.data.exchange.writer import write_answers
    from core.people import group_columns, rating_files, vote_files

    if groups:
        table = group_columns.group_answers(progress.open_timeline(files[0]))
    elif form_name:
        table = rating_files.rating_answers(evaluate.read_rating_files(files, form_name))
    else:
        read = agreement.read_vote_files(files, groups=True, **columns)
        click.echo("".join(f"{said}\n" for said in read.left_out), err=True, nl=False)
        table = vote_files.vote_answers(read)
    table = table.tasks() if tasks else table
    write(out, write_answers(table, tool))
    next_to_it = {out.with_name(name): content for name, content in beside(table, tool, out.name).items()}
    for path, content in next_to_it.items():
        write(path, content)
        click.echo(f"Next to it: {path}", err=True)
    progress.show({"file": str(out), "next_to_it": list(map(str, next_to_it))}, lambda: f"Written to {out}")
