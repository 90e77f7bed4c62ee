"""`headline-lab evaluate`: what people said of headlines, as the paper's table."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def evaluate() -> None:
    """Headlines judged by people."""


@evaluate.command()
@click.argument("name")
def link(name: str) -> None:
    """Give a judge who lost the personal link a new one; the old one opens nothing any more.

    NAME is the judge's name on the Evaluate page. Run it on the computer of the server.
    """
    from core.people.judges import Judges
    from core.people.store import default_folder

    token = Judges(root=default_folder()).renew(name)
    click.echo(f"/evaluate?token={token}")
    click.echo("Put the address of the app before it, and give it to nobody but the judge.", err=True)


@evaluate.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--form", "form_name", help="Form of questions; default: NumHG's.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the intervals.")
@click.option("--csv", "csv_out", type=click.Path(path_type=Path), help="Write every figure.")
@click.option("--latex", type=click.Path(path_type=Path), help="Write the table for a paper.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def table(
    files: tuple[str, ...],
    form_name: str | None,
    seed: int,
    csv_out: Path | None,
    latex: Path | None,
    as_json: bool,
) -> None:
    """Put answers together and print every system's percentages, the published figures next to them.

    A FILE (CSV, TSV, XLSX, JSON, JSONL, Parquet) has the columns judge, article and system, and a column for
    each question, as "Answers (CSV)" on the Evaluate page.
    """
    from core.data.timelines.load import read_bytes
    from core.files import write
    from core.people.evaluation import exports
    from core.people.evaluation.table import ratings_table
    from core.people.form import DEFAULT_FORM, evaluation_forms
    from core.people.rating_files import read_ratings
    from core.people.ratings import merge

    form = evaluation_forms.parse(form_name or DEFAULT_FORM)
    ratings = merge([read_ratings(read_bytes(path), Path(path).name, form) for path in files])
    found = ratings_table(ratings, seed=seed)
    for target, text in ((csv_out, exports.as_csv), (latex, exports.as_latex)):
        if target is not None:
            write(target, text(found).encode())
    click.echo(exports.as_json(found).rstrip() if as_json else exports.as_text(found))
