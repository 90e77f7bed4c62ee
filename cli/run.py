"""`headline-lab run`: a task file run into a folder, and two runs compared."""

import sys
from pathlib import Path

import click

from cli import main, options, progress
from core.errors import InputError


@options.command()
def run(places: tuple[str, ...], out: Path | None, compare: bool) -> None:
    """Run the task in a file, or compare two runs.

    TASK is a file of TOML that names data, systems, metrics, slices and seeds (docs/tasks.md). The folder
    gets table.csv, table.tex and table.json, items.csv (the answer to each item), report.html,
    environment.txt, the task and the answers. What was measured before is taken from the cache, so a run
    that was stopped resumes.

    With --compare, two folders of runs on the same data: what changed, and which differences hold.
    """
    if len(places) != 1 + compare:
        raise InputError("A run has one task file, --compare two folders.", hint="See --help.")
    if compare:
        return _compare(*map(Path, places))
    from core import files
    from core.data.timelines.tables import read_bytes
    from research.tasks.folder import open_in, write_run
    from research.tasks.run import FILE, run_task
    from research.tasks.task import read_task

    path = Path(places[0])
    task = read_task(path)
    folder = out or path.with_name(f"{path.stem}_run")
    items = open_in(task, folder)
    with progress.working() as runtime:
        finished = run_task(task, items, runtime)
    files.write(folder / "task.toml", read_bytes(path))
    write_run(folder, finished, columns=options.given_for("--columns"))
    click.echo(FILE.to_json(finished.table) if options.asked("--json") else finished.table.as_text())
    progress.note(f"Written to {folder}.")
    if len(finished.answers) < len(task.systems):
        sys.exit(main.IN_PART if finished.answers else main.BAD_INPUT)


def _compare(left: Path, right: Path) -> None:
    from research.tasks.folder import compare_runs

    changed, table = compare_runs(left, right)
    if not options.asked("--json"):
        click.echo("\n".join([*changed, ""]))
    progress.show_table(table)
