"""`headline-lab study`: what a study is, what came of it, and what is stored of a person."""

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import progress
from cli.options import command
from core.errors import InputError
from core.files import write

if TYPE_CHECKING:
    from core.people.study import Study


@click.group()
def study() -> None:
    """Studies, which are set up under Annotate and judge."""


def _study(given: str) -> "Study":
    from core.data.timelines.tables import read_bytes
    from core.journal.journal import the_journal
    from core.people.studies import read_known, study_of

    if given.casefold().endswith(".toml"):
        return read_known(read_bytes(given), Path(given).name)
    return study_of(the_journal(), given)


@command(study)
def show(given: str) -> None:
    """Print a study and its hash. STUDY is a file (.toml), or the code in the link of one here."""
    from core.people.study import study_file

    known = _study(given)
    text = study_file(known).decode().rstrip()
    progress.show({**tomllib.loads(text), "sha256": known.sha256}, lambda: text)
    click.echo(f"SHA-256 {known.sha256}", err=True)


@command(study)
def prelabel(given: str, scorer: str, out: Path) -> None:
    """Write STUDY, a file or code, with what a pair scorer suggests for its pairs: a study to begin with."""
    from core.pairs.scorer import pair_scorers
    from core.people.study import study_file
    from core.study_access.study_models import pre_labelled

    with progress.working() as runtime:
        labelled, said = pre_labelled(_study(given), pair_scorers.parse(scorer), runtime)
    write(out, study_file(labelled))
    about = {"said": said, "suggested_by": labelled.suggested_by}
    progress.show(about, lambda: f"{said} {labelled.suggested_by}")


@command(study)
def results(code: str, out: Path | None, labels: Path | None, *, names: bool) -> None:
    """Print the tables of the study with that CODE, with its hash and when it was registered."""
    from core.journal.journal import the_journal
    from core.people.studies import registration, state_of
    from core.people.study_results import (
        PairAnswers,
        answers_csv,
        answers_of,
        labels_csv,
        left_out,
        result_tables,
    )

    journal, known = the_journal(), _study(code)
    state = state_of(journal, known)
    counts = f"{state.joined:,} joined, {state.answers:,} answers given"
    answers = answers_of(journal, known)
    lines = [f"{known.title}: {counts}. {registration(known, state)}"]
    followed = answers.followed if isinstance(answers, PairAnswers) else ""
    lines += filter(None, (left_out(answers, state), followed))
    about = {"sha256": known.sha256, "joined": state.joined, "answers": state.answers, "notes": lines}
    tables = (("", table) for table in result_tables(journal, known))
    progress.show_tables(tables, "\n".join(lines), **about)
    if out is not None:
        write(out, answers_csv(journal, known, names=names).encode())
    if labels is not None:
        write(labels, labels_csv(answers).encode())


@command(study)
def person(name: str, out: Path | None) -> None:
    """Print all that is stored of a person: what `forget person NAME` would remove."""
    from core.journal.journal import the_journal
    from core.people.study_results import of_person

    stored = of_person(the_journal(), name)
    if out is not None:
        write(out, f"{stored}\n".encode())
    else:
        progress.show(json.loads(stored), lambda: stored)


@command(study)
def receipts(own: Path, published: Path) -> None:
    """Say whether the receipts of one's OWN answers are in the PUBLISHED list, which nobody changed."""
    from core.data.timelines.tables import read_bytes
    from core.journal.entry_receipts import missing_receipts

    mine, listed = (read_bytes(path).decode(errors="replace") for path in (own, published))
    lacking = missing_receipts(mine.split(), listed, published.name)
    said = f"{len(mine.split()) - len(lacking):,} of {len(mine.split()):,} receipts are in the list."
    lines = [said, *(f"missing: {receipt}" for receipt in lacking)]
    progress.show({"receipts": len(mine.split()), "missing": lacking}, lambda: "\n".join(lines))
    raise SystemExit(bool(lacking))


@command(study)
def token(code: str, role: str | None, name: str, revoke: str) -> None:
    """Print the tokens by which programs reach studies; with --role make one, with --revoke end one."""
    from core.journal.journal import the_journal
    from core.study_access import tokens

    if role is not None and revoke:
        raise InputError("--role makes a token, --revoke ends one.", hint="Do one, then the other.")
    if role is not None:
        told = [tokens.make_token(the_journal(), tokens.AccessRole(role), name, code)]
    else:
        if revoke:
            tokens.revoke(the_journal(), revoke)
        told = [each.line for each in tokens.tokens(the_journal()).values() if each.study.startswith(code)]
    progress.show(told, lambda: "\n".join(told))


@command(study)
def webhook(code: str, address: str, answers: int, remove: str) -> None:
    """List a study's webhooks; with --address add one."""
    from core.journal.journal import the_journal
    from core.models.endpoints.addresses import sentence_of
    from core.people.studies import study_of
    from core.study_access.study_webhooks import origin_of, remove_webhook, set_webhook, webhooks

    found = study_of(the_journal(), code)
    if address:
        set_webhook(the_journal(), found, address, answers)
        click.echo(sentence_of(origin_of(address), "Numbers of answers"), err=True)
    if remove:
        remove_webhook(the_journal(), remove)
    told = [each.line for each in webhooks(the_journal()).values() if each.study == found.code]
    progress.show(told, lambda: "\n".join(told))
