"""`headline-lab forget`: removes a URL, a publisher or a participant, from backups too."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click


@click.command()
@click.argument("kind", type=click.Choice(["url", "publisher", "person"]))
@click.argument("value")
@click.option(
    "--backup",
    "backups",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A backup elsewhere that is cleaned too; may be repeated.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the receipt.")
def forget(kind: str, value: str, backups: tuple[Path, ...], out: Path | None) -> None:
    """Remove a url, a publisher or a person from all that is stored, and print a receipt.

    The backups and pair sets in the user's folder are cleaned too. An older backup that is restored later is
    cleaned then. Exit code 1: something could not be cleaned; the receipt says what.
    """
    from core.data.pair_sets.opting_out import clean_sets
    from core.data.pair_sets.own import sets_with
    from core.files import write
    from core.journal.backup import ENDING, backup_folder
    from core.journal.forget import Opting, clean_backups, secret_of
    from core.journal.forget import forget as forgotten
    from core.journal.journal import the_journal

    secret = secret_of(Opting(kind), value)
    cleaned = clean_backups([*sorted(backup_folder().glob(f"*{ENDING}")), *backups], secret)
    sets = clean_sets(secret)
    # Texts that only mention it stay: whether they are to go is nothing that a program can say.
    by_hand = sets_with(value) if kind != "person" else []
    about = {"backups": cleaned, "pair_sets": sets, "by_hand": by_hand}
    receipt = json.dumps(forgotten(the_journal(), secret, about), indent=1)
    if out is not None:
        write(out, f"{receipt}\n".encode())
    click.echo(receipt)
    for name in by_hand:
        click.echo(f"A text of the pair set {name} mentions it: add the file again without it.", err=True)
    failed = [one for one in (*cleaned, *sets) if "problem" in one]
    for one in failed:
        click.echo(f"{one.get('file') or one['pair_set']} was not cleaned: {one['problem']}", err=True)
    if failed or by_hand:
        sys.exit(1)
