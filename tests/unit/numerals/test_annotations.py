"""The census of annotations: the issue's bounds on the real rows, and each fault told apart."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from core.data.articles.blanks import Blanks, load_blanks, numhg_blanks
from core.errors import Cancelled, DataSourceError
from core.numerals.checks.annotations import (
    UNREAD,
    AnnotationCensus,
    Fault,
    OperatorCounts,
    examine_annotations,
)
from core.numerals.expressions.execute import execute
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.validate import Presence
from core.numerals.operators import OPERATORS, ROUND, round_half
from core.parts import Part
from core.runtime import Runtime

DOCUMENT = Path("docs/numeral_expressions.md")
LISTED = re.compile(r"^\| (\d+) \| `([^`]+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


@pytest.fixture(scope="module", params=["numhg", "numeval"])
def census(request: pytest.FixtureRequest) -> AnnotationCensus:
    try:
        return examine_annotations(load_blanks(request.param), Runtime())
    except DataSourceError as error:
        pytest.skip(error.message)


def _blanks(*rows: tuple[str, str]) -> Blanks:
    n = len(rows)
    return Blanks(
        name="made",
        ids=tuple(map(str, range(n))),
        texts=("(Nov 4, 2008) The Dow rose 305.45 or 814.5 points; two of 513,000 people paid 21,807.",) * n,
        headlines=("____",) * n,
        answers=tuple(gold for _, gold in rows),
        annotations=tuple(annotation for annotation, _ in rows),
        parts=(Part.TEST,) * n,
        operations=("reasoning",) * n,
    )


def test_the_sample_is_valid() -> None:
    census = examine_annotations(numhg_blanks(Path("samples/numhg/numhg_slice.csv")), Runtime())
    assert census.total == OperatorCounts(rows=200, parsed=200, executed=200, reproduced=200, accepted=199)
    assert [(failure.annotation, failure.inside) for failure in census.failures] == [
        ("Subtract( 538 , 38 )", ("38",))
    ]
    assert census.operators["Trans"].rows > 10
    assert census.operators["Paraphrase"].rows > 10
    assert set(census.operands["Copy"]) == {Presence.WRITTEN}


def test_nearly_all_rows_parse_and_give_their_number(census: AnnotationCensus) -> None:
    total = census.total
    assert total.parsed >= 0.99 * total.rows
    assert total.reproduced >= 0.97 * total.rows
    assert total.accepted >= 0.97 * total.rows
    assert len(census.failures) == total.rows - total.accepted
    assert sum(census.faults.values()) == total.rows - total.reproduced
    assert sum(counts.rows for counts in census.operators.values()) == total.rows
    assert set(OPERATORS) - {"Span"} <= set(census.operators)
    assert set(census.operands) == set(OPERATORS)


def test_the_document_lists_what_is_found(census: AnnotationCensus) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    page = text.partition(f"## Rows of {census.name}\n")[2].partition("\n## ")[0]
    assert LISTED.findall(page) == [
        (failure.row, failure.annotation.strip(), failure.gold, failure.result or "—")
        for failure in census.failures
    ]
    for operator, counts in [*census.operators.items(), ("all", census.total)]:
        numbers = (counts.rows, counts.parsed, counts.executed, counts.reproduced, counts.accepted)
        assert f"| {operator} | {' | '.join(map('{:,}'.format, numbers))} |" in page


def test_all_ties_of_numhg_go_as_the_executor_has_them() -> None:
    try:
        blanks = load_blanks("numhg")
    except DataSourceError as error:
        pytest.skip(error.message)
    ties: Counter[bool] = Counter()
    for annotation, gold in zip(blanks.annotations, blanks.answers, strict=True):
        call = parse_expression(annotation)
        if call.operator is not ROUND:
            continue
        before, decimals = execute(call.arguments[0]), len(gold.partition(".")[2])
        if (before * 10**decimals).denominator == 2:
            half_up = before + Fraction(1, 2 * 10**decimals)
            assert round_half(before, decimals) == Fraction(gold)
            ties[half_up == Fraction(gold)] += 1
    assert ties == {True: 6, False: 15}


@pytest.mark.parametrize(
    ("annotation", "gold", "fault"),
    [
        ("Subtract(2012-1981)", "31", Fault.UNREADABLE),
        ("Subtract(Sep 5,July 8)", "59", Fault.NO_VALUE),
        ("Round( 814.5 , 0 )", "815", Fault.HALF_UP),
        ("Round( Paraphrase( 21,807 , K ) , 0 )", "21", Fault.DROPPED),
        ("Round( 305.45 , 0 )", "19", Fault.OTHER),
        ("Paraphrase( 513,000 , K )", "500", Fault.UNROUNDED),
        ("Copy( 305.45 )", "305", Fault.UNROUNDED),
        ("Copy( 513,000 )", "513", Fault.MAGNITUDE),
        ("Trans( two )", "47", Fault.OTHER),
        ("Trans( two )", "two", Fault.OTHER),
        ("Trans( two )", "0", Fault.OTHER),
    ],
)
def test_each_fault_is_told_apart(annotation: str, gold: str, fault: Fault) -> None:
    census = examine_annotations(_blanks((annotation, gold), ("Trans( two )", "2")), Runtime())
    assert census.faults == {fault: 1}
    assert [(failure.row, failure.fault) for failure in census.failures] == [("0", fault)]
    assert (census.total.rows, census.total.reproduced) == (2, 1)
    assert (UNREAD in census.operators) == (fault is Fault.UNREADABLE)


def test_what_the_article_lacks_is_named() -> None:
    census = examine_annotations(_blanks(("Add( Add( 2008 , 5 ) , 6 )", "2019")), Runtime())
    assert census.faults == {}
    assert (census.failures[0].missing, census.failures[0].inside) == (("6",), ("5",))
    assert census.operands == {"Add": {Presence.WRITTEN: 1, Presence.INSIDE: 1, Presence.ABSENT: 1}}


def test_no_rows_are_no_counts() -> None:
    census = examine_annotations(_blanks(), Runtime())
    assert census.total == OperatorCounts(0, 0, 0, 0, 0)
    assert (census.operators, census.failures) == ({}, ())


def test_it_can_be_stopped() -> None:
    runtime = Runtime()
    runtime.stop.set()
    with pytest.raises(Cancelled):
        examine_annotations(_blanks(("Copy( 2 )", "2")), runtime)
