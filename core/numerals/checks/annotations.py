"""Which annotations of headlines with a blank parse, execute and are valid, and why the others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.data.articles.blanks import Blanks
from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.execute import execute
from core.numerals.expressions.leaves import amount_of
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import print_value
from core.numerals.expressions.tree import Call, operator_of
from core.numerals.expressions.validate import Cause, Operand, Presence, validate
from core.numerals.operators import OPERATORS, ROUND, cut
from core.runtime import Runtime

_POWERS: Final = (-3, -2, -1, 1, 2, 3)

STEP: Final = "Checking the annotations"
UNREAD: Final = "(none)"
"""Operator of an annotation that does not parse."""


class Fault(StrEnum):
    """Why an annotation does not give its gold number."""

    UNREADABLE = "does not parse"
    NO_VALUE = "has no value"
    HALF_UP = "a tie that was rounded up"
    DROPPED = "digits dropped, but written as Round"
    UNROUNDED = "rounded, but written without Round"
    MAGNITUDE = "a magnitude too many or too few"
    OTHER = "another number"


def fault_of(expression: Call, value: Fraction | None, gold: str) -> Fault:
    """The fault of an expression whose value is not the gold number.

    Args:
        expression: It has the value.
        value: What it amounts to; None where it has no value.
        gold: The number of the headline.
    """
    amount = amount_of(gold)
    if value is None:
        return Fault.NO_VALUE
    if amount is None:
        return Fault.OTHER
    wanted = amount.value
    if expression.operator is ROUND:
        fault = _of_rounding(execute(expression.arguments[0]), wanted, len(gold.partition(".")[2]))
        if fault is not None:
            return fault
    if wanted == 0:
        return Fault.OTHER  # every number is 0 to the last digit of "0" that is none
    if any(value == wanted * Fraction(1_000) ** power for power in _POWERS):
        return Fault.MAGNITUDE
    return Fault.UNROUNDED if wanted in _rounded(value, gold) else Fault.OTHER


def _of_rounding(before: Fraction, wanted: Fraction, decimals: int) -> Fault | None:
    scaled = before * 10**decimals
    if scaled.denominator > 1 and cut(before, decimals) == wanted:
        return Fault.DROPPED
    tie = scaled.denominator == 2  # halves alone have this denominator
    return Fault.HALF_UP if tie and wanted * 10**decimals == scaled + Fraction(1, 2) else None


def _rounded(value: Fraction, gold: str) -> set[Fraction]:
    """A value rounded and cut to the last digit of the gold number that is no zero at its end."""
    whole, _, decimals = gold.replace(",", "").partition(".")
    places = len(decimals) or len(whole.rstrip("0")) - len(whole)
    return {round(value, places), cut(value, places)}


@dataclass(frozen=True, slots=True)
class FailedAnnotation:
    """A row whose annotation is not accepted.

    Attributes:
        row: The row's id in `Blanks`.
        annotation: As in the file.
        gold: The number of the headline.
        result: What the annotation gives; "" where it has no value.
        fault: Why it does not give the gold number; "" where it does.
        missing: What it uses that the article lacks, without constants.
        inside: What it uses that the article has only inside a longer number or word.
    """

    row: str
    annotation: str
    gold: str
    result: str
    fault: str
    missing: tuple[str, ...]
    inside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OperatorCounts:
    """The rows of one outermost operator.

    Attributes:
        rows: How many there are.
        parsed: How many parse.
        executed: How many of these have a value.
        reproduced: How many give the gold number.
        accepted: How many give it from what the article has.
    """

    rows: int
    parsed: int
    executed: int
    reproduced: int
    accepted: int


@dataclass(frozen=True, slots=True)
class AnnotationCensus:
    """How far all rows came.

    Attributes:
        name: Of the blanks.
        total: All rows.
        operators: By outermost operator, in the order of `OPERATORS`; `UNREAD` for rows that do not parse.
        faults: How many rows there are of each fault, the most frequent first.
        operands: How many operands stand where, by the operator they stand under.
        failures: The rows that are not accepted, in order.
    """

    name: str
    total: OperatorCounts
    operators: Mapping[str, OperatorCounts]
    faults: Mapping[str, int]
    operands: Mapping[str, Mapping[Presence, int]]
    failures: tuple[FailedAnnotation, ...]


def examine_annotations(blanks: Blanks, runtime: Runtime) -> AnnotationCensus:
    """Parses, executes and validates every annotation; 12,000 rows take seconds.

    Args:
        blanks: May be empty: all counts are 0 then.
        runtime: For progress and stopping.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    filed: dict[str, list[_ExaminedRow]] = {}
    failures: list[FailedAnnotation] = []
    operands: list[Operand] = []
    for place in runtime.track(range(len(blanks)), STEP):
        row = _examined(blanks, place)
        filed.setdefault(row.operator, []).append(row)
        operands += row.operands
        if not row.accepted:
            failures.append(row.failure)
    order = [operator for operator in (*OPERATORS, UNREAD) if operator in filed]
    return AnnotationCensus(
        name=blanks.name,
        total=_counts([row for operator in order for row in filed[operator]]),
        operators={str(operator): _counts(filed[operator]) for operator in order},
        faults=dict(Counter(failure.fault for failure in failures if failure.fault).most_common()),
        operands=_by_operator(operands),
        failures=tuple(failures),
    )


@dataclass(frozen=True, slots=True)
class _ExaminedRow:
    """One row: how far it came, what it uses, and how it is listed if it is not accepted."""

    operator: str
    executed: bool
    accepted: bool
    operands: tuple[Operand, ...]
    failure: FailedAnnotation


def _examined(blanks: Blanks, row: int) -> _ExaminedRow:
    annotation, gold = blanks.annotations[row], blanks.answers[row]
    try:
        expression = parse_expression(annotation)
    except ExpressionError:
        listed = FailedAnnotation(blanks.ids[row], annotation, gold, "", Fault.UNREADABLE, (), ())
        return _ExaminedRow(UNREAD, executed=False, accepted=False, operands=(), failure=listed)
    found = validate(expression, blanks.texts[row], gold)
    listed = FailedAnnotation(
        row=blanks.ids[row],
        annotation=annotation,
        gold=gold,
        result="" if found.value is None else print_value(found.value),
        fault="" if found.reproduces else fault_of(expression, found.value, gold),
        missing=_at(Presence.ABSENT, found.operands),
        inside=_at(Presence.INSIDE, found.operands),
    )
    executed = all(problem.cause is not Cause.NO_VALUE for problem in found.problems)
    return _ExaminedRow(str(operator_of(expression)), executed, not found.problems, found.operands, listed)


def _at(presence: Presence, operands: Sequence[Operand]) -> tuple[str, ...]:
    return tuple(operand.text for operand in operands if operand.presence is presence)


def _counts(rows: Sequence[_ExaminedRow]) -> OperatorCounts:
    return OperatorCounts(
        rows=len(rows),
        parsed=sum(row.operator != UNREAD for row in rows),
        executed=sum(row.executed for row in rows),
        reproduced=sum(not row.failure.fault for row in rows),
        accepted=sum(row.accepted for row in rows),
    )


def _by_operator(operands: Sequence[Operand]) -> dict[str, dict[Presence, int]]:
    counted = Counter((operand.operator.name, operand.presence) for operand in operands)
    return {
        name: {presence: counted[name, presence] for presence in Presence if counted[name, presence]}
        for name in OPERATORS
        if any((name, presence) in counted for presence in Presence)
    }
