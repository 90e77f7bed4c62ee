"""`headline-lab numerals`: where does each number of a headline come from, and is it right?"""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cli import progress
from cli.options import STDIN, asked, command
from cli.progress import name_rows, note, show, working
from core import files as core_files
from core.data.timelines.tables import read_bytes
from core.errors import InputError

if TYPE_CHECKING:
    from core.numerals.checked_headline import CheckedHeadline
    from core.numerals.checks.verdicts import VerdictLine
    from core.runtime import Runtime

NO = 1
WIDEST = 140
STYLES: Final[dict[str, dict[str, Any]]] = {
    "headline": {"bold": True},
    "supported": {"fg": "green"},
    "found": {},
    "check this": {"fg": "yellow"},
    "wrong": {"fg": "red"},
    "source": {"dim": True},
}


@click.group()
def numerals() -> None:
    """Check the numbers of headlines against articles, or fill them in."""


@command(numerals)
def check(
    given: str,
    headlines: tuple[str, ...],
    candidates: str | None,
    out: Path | None,
    column: str,
    threshold: float | None,
    thorough: bool,
    ask_endpoint: bool,
    strict: bool,
    aligner: str | None,
    processes: int,
) -> None:
    """Say where each number of a headline comes from, and whether it is supported.

    ARTICLE is a text or HTML file, or - for stdin, with --headline or --headlines. The exit code is 0 where
    nothing speaks against any headline, 1 where one is wrong, and 3 where a human has to look. TABLE (CSV,
    TSV, XLSX, JSON, JSONL, Parquet, sample:NAME or an article set) has the columns text and summary; --out
    gets one row for each number of each headline.
    """
    from msgspec import to_builtins

    from core.headlines.article_facts import NOTHING, correct, noted, read_decisions
    from core.headlines.found_right import with_found_right
    from core.numerals import checking
    from core.numerals.checks import tables, verdicts
    from core.numerals.checks.opening import beginning_of, open_headlines

    load = partial(checking.load_checker, aligner, thorough=thorough)
    if headlines or candidates:
        name, text = _article(given, out, column)
        export = Path(candidates) if candidates and candidates.endswith(".json") else None
        right, corrections = read_decisions(read_bytes(export), export.name, text) if export else NOTHING
        given_headlines = [*headlines, *(right or _candidates(candidates, given))]
        whole = correct(text, corrections)
        with working() as runtime:
            checked = tables.check_article(whole.text, given_headlines, runtime, load=load)
            checked = _asked(checked, runtime) if ask_endpoint else checked
        noticed = (noted(each, whole, beginning_of(text, each.headline)) for each in checked)
        checked = [with_found_right(each, right.get(each.headline, ())) for each in noticed]
        if (missing := len(corrections) - len(whole.notes)) > 0:
            note(f"The article lacks {missing} of {len(corrections)} facts that were corrected.")
        strict, left_out = True, False
        summary = verdicts.as_object(checked, article=name, threshold=threshold)
        summary["corrections"] = to_builtins([*corrections.values()])
        _show_lines(summary, verdicts.as_lines(checked, threshold=threshold, width=_width()))
    else:
        target, kind = _target(given, out, also=tables.CONLL)
        rows = open_headlines(given, column=column)
        with working() as runtime:
            table = tables.check_table(rows, runtime, load=load, processes=processes)
            if ask_endpoint:
                asked = iter(_asked([each for each in table.answers if each], runtime))
                table = replace(table, answers=tuple(each and next(asked) for each in table.answers))
        core_files.write(target, tables.checked_bytes(table, kind))
        show(tables.checked_object(table), lambda: tables.checked_text(table))
        note(*rows.notes, tables.why_not_text(table.why_not))
        checked = [answer for answer in table.answers if answer is not None]
        left_out = bool(table.why_not)
    if strict:
        sys.exit(verdicts.exit_code(checked, threshold, left_out=left_out))


@command(numerals)
def fill(
    given: str,
    headlines: tuple[str, ...],
    out: Path | None,
    column: str,
    aligner: str | None,
    least: float,
    processes: int,
) -> None:
    """Find the number that is missing in a headline, and how it follows from the article.

    ARTICLE is a text or HTML file, or - for stdin, with --headline. TABLE (CSV, TSV, XLSX, JSON, JSONL,
    Parquet) has the columns text (or news) and a headline with ____; --out gets its rows with all their
    columns, answer and expression.
    """
    from core.numerals.checks import tables, verdicts
    from core.numerals.checks.opening import open_blanks
    from core.numerals.filling import load_filler

    load = partial(load_filler, aligner, least=least)
    if headlines:
        name, text = _article(given, out, column)
        with working() as runtime:
            filled, articles, system = tables.fill_article(text, headlines, runtime, load=load)
        summary = verdicts.filled_object(headlines, filled, articles, name=name, system=system)
        _show_lines(summary, verdicts.filled_lines(headlines, filled, articles, width=_width()))
        if not all(filling.answer for filling in filled):
            sys.exit(NO)
        return
    target, kind = _target(given, out)
    rows = open_blanks(given, column=column)
    with working() as runtime:
        table = tables.fill_table(rows, runtime, load=load, processes=processes)
    core_files.write(target, tables.filled_bytes(table, kind))
    show(tables.filled_object(table), lambda: tables.filled_text(table))
    note(*rows.notes, tables.why_not_text(table.why_not))


@command(numerals)
def annotate(articles: str, sheets: tuple[str, ...], out: Path, judges: int, limit: int, seed: int) -> None:
    """Have people write down how the numbers of headlines follow, as NumHG did, and validate it.

    Without a SHEET, --out gets one to be filled: a number of each headline is blanked, and a judge writes an
    expression such as Subtract( 2018 , 1979 ), or why the article does not answer. With the filled ones,
    --out gets what two judges agree on, in NumHG's columns.
    """
    from core.data.articles.opening import load_articles
    from core.data.timelines.tables import read_bytes, read_table
    from core.data.timelines.writers import write_table
    from research.benchmark.numerals import annotation

    kind = progress.table_format(out, source=articles)
    read = load_articles(articles, part=None)
    about = {"articles": read.name, "fingerprint": read.fingerprint, "seed": str(seed)}
    if not sheets:
        table = annotation.sheet(read, judges=judges, count=limit, seed=seed)
        core_files.write(out, write_table(table, {}, kind, about=about, rows="questions"))
        note(f"{len(table):,} rows to be filled were written to {out}.")
        return
    given = [read_table(read_bytes(name), Path(name).name) for name in sheets]
    gold, counts, refused = annotation.gathered(read, given, seed=seed)
    core_files.write(out, write_table(gold, {}, kind, about=about, rows="annotations"))
    name_rows(refused, "repair them in the sheet.")
    progress.show_table(counts)


@command(numerals)
def score(files: tuple[str, ...], articles: str, out: Path | None, aligner: str | None, seed: int) -> None:
    """Score the numbers in the headlines of systems: shares, kinds, operators, contradictions.

    FILES are those of `headline-lab compare`; the original headlines of the articles are scored next to them.
    """
    from core.headlines import numeral_tables
    from core.headlines.checked_systems import check_systems, open_systems
    from core.headlines.numeral_scores import score_systems
    from core.numerals.checking import load_checker

    given, outputs = open_systems(files, articles=articles)
    if out is not None:
        core_files.make_folder(out)
    with working(seed=seed) as runtime:
        checked = check_systems(given, outputs, load_checker(aligner, runtime), runtime)
    names = "numbers", "operations", "clusters"
    gold: dict[str, Any] = {name: getattr(given, name) for name in names}
    scores = score_systems(checked, **gold, seed=seed)
    if out is not None:
        numeral_tables.write_folder(out, scores)
    click.echo(numeral_tables.as_json(scores) if asked("--json") else numeral_tables.as_text(scores))


def _asked(checked: "list[CheckedHeadline]", runtime: "Runtime") -> "list[CheckedHeadline]":
    from core.numerals.asked_claims import EndpointClaims, ask_claims

    answered = ask_claims(checked, EndpointClaims(), runtime)
    note(answered.sentence)
    return answered.checked


def _article(given: str, out: Path | None, column: str) -> tuple[str, str]:
    from core.numerals.checks.opening import parse_article

    if out is not None or column:
        flag = "--out" if out is not None else "--column"
        raise InputError(f"{flag} is for tables, --headline for one article.", hint="Leave one of them out.")
    data, name = progress.read_given(given)
    return name, parse_article(data, name)


def _candidates(candidates: str | None, given: str) -> tuple[str, ...]:
    from core.numerals.checks.opening import parse_candidates

    if not candidates:
        return ()
    if candidates == given == STDIN:
        said = "The article and the headlines cannot both come from stdin."
        raise InputError(said, hint="Give one of them as a file.")
    return parse_candidates(*progress.read_given(candidates))


def _target(given: str, out: Path | None, *, also: str = "") -> tuple[Path, str]:
    from core.events.export import check_target
    from core.numerals.checks.opening import is_table

    if out is None:
        if given == STDIN or (Path(given).is_file() and not is_table(given)):
            hint = 'Give it with --headline "…", or several with --headlines FILE.'
            raise InputError("There is no headline to check.", hint=hint)
        hint = "Name a file with --out, such as --out numbers.csv."
        raise InputError("There is no place to write the table to.", hint=hint)
    check_target(out, source=given)
    if also and out.suffix == f".{also}":
        return out, also
    return out, progress.table_format(out, source=given)


def _show_lines(told: dict[str, Any], lines: "Sequence[VerdictLine]") -> None:
    if asked("--json"):
        show(told, str)
        return
    plain = False if os.environ.get("NO_COLOR") else None
    for line in lines:
        click.secho(line.text, color=plain, **STYLES.get(line.role, {}))


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, WIDEST)
