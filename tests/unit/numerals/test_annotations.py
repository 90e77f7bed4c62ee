"""The annotations of NumHG and SemEval: how far they come, and that the document tells it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from core.data.articles.blanks import Blanks, load_blanks, numhg_blanks
from core.errors import DataSourceError
from core.numerals.expressions.expression import Call, execute
from core.numerals.expressions.leaves import ExpressionError, amount_of
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.validation import Presence, Validation, validate
from core.numerals.operators import ROUND, cut

DOCUMENT = Path("docs/numeral_expressions.md")
UNREAD = "(none)"
ROWS: dict[str, dict[str, tuple[int, ...]]] = {
    "numhg": {
        "Copy": (6452, 6452, 6452, 6452, 6448),
        "Trans": (1457, 1457, 1457, 1457, 1453),
        "Paraphrase": (791, 791, 791, 791, 791),
        "Round": (272, 272, 272, 272, 270),
        "SRound": (26, 26, 26, 26, 26),
        "Subtract": (172, 172, 172, 172, 165),
        "Add": (89, 89, 89, 89, 75),
        "Divide": (13, 13, 13, 13, 12),
        "Multiply": (23, 23, 23, 23, 20),
        "all": (9295, 9295, 9295, 9295, 9260),
    },
    "numeval": {
        "Copy": (1754, 1754, 1754, 1754, 1753),
        "Trans": (438, 438, 438, 421, 420),
        "Paraphrase": (187, 187, 187, 182, 181),
        "Round": (74, 74, 74, 66, 64),
        "SRound": (2, 2, 2, 2, 2),
        "Subtract": (54, 54, 53, 50, 45),
        "Add": (37, 37, 37, 35, 35),
        "Span": (7, 7, 7, 7, 7),
        "Divide": (4, 4, 4, 4, 4),
        "Multiply": (9, 9, 9, 6, 6),
        "(none)": (6, 0, 0, 0, 0),
        "all": (2572, 2566, 2565, 2527, 2517),
    },
}
"""Rows, and those that are parsed, executed, reproduced and accepted, by outermost operator."""


class Row(NamedTuple):
    operator: str
    executed: bool
    found: Validation | None
    fault: str
    annotation: str
    gold: str


def examined(blanks: Blanks) -> list[Row]:
    """Every annotation parsed, executed and validated."""
    rows = []
    for annotation, gold, text in zip(blanks.annotations, blanks.answers, blanks.texts, strict=True):
        try:
            tree = parse_expression(annotation)
        except ExpressionError:
            rows.append(Row(UNREAD, False, None, "does not parse", annotation, gold))
            continue
        found = validate(tree, text, gold)
        fault = "" if found.reproduces else fault_of(tree, found.value, gold)
        executed = found.reproduces or found.value is not None
        rows.append(Row(tree.operator.name, executed, found, fault, annotation, gold))
    return rows


def fault_of(tree: Call, value: Fraction | None, gold: str) -> str:
    """Why an expression does not give the number of the headline."""
    amount = amount_of(gold)
    if value is None or amount is None:
        return "has no value" if value is None else "another number"
    wanted, decimals = amount.value, gold.partition(".")[2]
    if tree.operator is ROUND:
        before, places = execute(tree.arguments[0]), len(decimals)
        if before != cut(before, places) == wanted:
            return "digits dropped, but written as Round"
        if (before * 10**places).denominator == 2 and wanted == before + Fraction(1, 2 * 10**places):
            return "a tie that was rounded up"
    if wanted and any(value == wanted * Fraction(1_000) ** power for power in (-3, -2, -1, 1, 2, 3)):
        return "a magnitude too many or too few"
    whole = gold.partition(".")[0].replace(",", "")
    places = len(decimals) or len(whole.rstrip("0")) - len(whole)
    rounded = wanted and wanted in {round(value, places), cut(value, places)}
    return "rounded, but written without Round" if rounded else "another number"


def table_row(name: object, numbers: list[int]) -> str:
    return f"| {name} | {' | '.join(map('{:,}'.format, numbers))} |"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numhg", "numeval"])
def test_the_document_tells_what_is_found(name: str) -> None:
    try:
        rows = examined(load_blanks(name))
    except DataSourceError as error:
        pytest.skip(error.message)
    page = DOCUMENT.read_text(encoding="utf-8").partition(f"## Rows of {name}\n")[2].partition("\n## ")[0]
    for operator in {row.operator for row in rows} | {"all"}:
        own = [row for row in rows if operator in ("all", row.operator)]
        parsed = [row for row in own if row.found]
        numbers = [len(own), len(parsed), sum(row.executed for row in own), sum(not row.fault for row in own)]
        numbers.append(sum(row.found is not None and not row.found.problems for row in own))
        assert tuple(numbers) == ROWS[name][operator]
        assert operator != "all" or table_row(operator, numbers) in page
    places = Counter(one.presence for row in rows if row.found for one in row.found.operands)
    assert table_row("all", [places[presence] for presence in Presence]) in page
    for fault, count in Counter(row.fault for row in rows if row.fault).items():
        assert f"| {fault} | {count} |" in page


def test_the_sample_is_valid() -> None:
    rows = examined(numhg_blanks(Path("samples/numhg/numhg_slice.csv")))
    assert (len(rows), [row.fault for row in rows if row.fault]) == (200, [])
    assert [row.annotation for row in rows if row.found and row.found.problems] == ["Subtract( 538 , 38 )"]
