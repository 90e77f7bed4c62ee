"""From text to tree: the expressions of NumHG and of SemEval-2024 task 7, in either spacing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.expressions import leaves
from core.numerals.operators import OPERATORS, SETTINGS, TEXTS, UNITS, Operator, Takes, operator_named

_LEAF: Final = re.compile(r"(?:(?<![\d.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[^(),])*")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_BRACKET: Final = re.compile(r"[()]")
_SPACE: Final = re.compile(r"\s*")
_TOO_DEEP: Final = f"The expression has more than {leaves.MOST_CALLS_DEEP} calls inside each other."
_LARGEST: Final = 10**leaves.MOST_DIGITS
_DECIMALS: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Leaf:
    """What stands in brackets: a number as written, a word, a span of the article, a unit such as K."""

    text: str  # as written, no space at its ends


@dataclass(frozen=True, slots=True)
class Call:
    operator: Operator  # see `core.numerals.operators`
    arguments: tuple[Expression, ...]  # as many as the operator takes, leaves or calls


Expression = Call | Leaf


def calls_of(expression: Expression) -> Iterator[Call]:
    if isinstance(expression, Call):
        yield expression
        for argument in expression.arguments:
            yield from calls_of(argument)


def depth_of(expression: Expression) -> int:
    """Calls inside each other: 0 for a leaf, 1 for `Copy( 2 )`."""
    if isinstance(expression, Leaf):
        return 0
    return 1 + max(map(depth_of, expression.arguments), default=0)


def operator_of(expression: Expression) -> Operator | None:
    """The operator that an expression is filed under in the tables: the outermost one; None for a leaf."""
    return expression.operator if isinstance(expression, Call) else None


def used_leaves(
    expression: Expression, under: Operator | None = None
) -> Iterator[tuple[str, Operator | None]]:
    """Texts of the leaves that come from the article, left to right, each with the operator above it."""
    if isinstance(expression, Leaf):
        yield expression.text, under
        return
    for argument, takes in zip(expression.arguments, expression.operator.takes, strict=False):
        if takes not in SETTINGS:
            yield from used_leaves(argument, expression.operator)


def print_expression(expression: Expression) -> str:
    """An expression as NumHG writes it: "Round( Paraphrase( 968 , K ) , 0 )"; a leaf as it is."""
    if isinstance(expression, Leaf):
        return expression.text
    return f"{expression.operator}( {' , '.join(map(print_expression, expression.arguments))} )"


def parse_expression(text: str) -> Call:
    """Reads an expression in one pass; missing brackets are closed where an argument would be too many.

    A comma before exactly three digits belongs to a number ("65,000"), unless an operator of arithmetic would
    be left with one argument: `Add(200,600)` is 200 and 600. `Copy`, `Trans` and `Span` hold texts.
    """
    if not text.strip():
        raise leaves.ExpressionError("The expression is empty.")
    if len(text) > leaves.MOST_CHARACTERS:
        raise leaves.ExpressionError(f"The expression is longer than {leaves.MOST_CHARACTERS:,} characters.")
    return _Parser(text).parse()


def parsed_or_none(text: str) -> Call | None:
    try:
        return parse_expression(text)
    except leaves.ExpressionError:
        return None


@lru_cache(maxsize=4)
def _opening(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*\(")


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._open: list[tuple[Operator, list[Expression]]] = []

    def parse(self) -> Call:
        opening = _opening(tuple(OPERATORS))
        if not opening.match(self._text):
            raise leaves.ExpressionError(
                f"{leaves.shown(self._text)} does not begin with an operator and a bracket."
            )
        whole: Call | None = None
        while whole is None:
            if (match := opening.match(self._text, self._place)) is None:
                argument: Expression = self._leaf()
            else:
                operator = operator_named(match[1])
                self._place = match.end()
                if len(self._open) == leaves.MOST_CALLS_DEEP:
                    raise leaves.ExpressionError(_TOO_DEEP)
                if not operator.textual:
                    self._open.append((operator, []))
                    continue
                argument = Call(operator, (self._words(operator),))
            whole = self._attach(argument)
        if rest := self._rest():
            raise leaves.ExpressionError(f"{leaves.shown(rest)} follows after the expression.")
        return whole

    def _leaf(self) -> Leaf:
        match = _LEAF.match(self._text, self._place)
        words = match[0].strip() if match else ""
        self._place = match.end() if match else self._place
        operator, _ = self._open[-1]
        if self._text.startswith("(", self._place):
            raise leaves.ExpressionError(f"{leaves.shown(words)} in {operator} is not an operator.")
        if not words:
            raise leaves.ExpressionError(f"An argument of {operator} is empty.")
        return Leaf(words)

    def _words(self, operator: Operator) -> Leaf:
        start, depth = self._place, 0
        end = after = len(self._text)
        for bracket in _BRACKET.finditer(self._text, start):
            depth += 1 if bracket[0] == "(" else -1
            if depth < 0:
                end, after = bracket.span()
                break
        self._place = after
        words = self._text[start:end].strip() + ")" * max(depth, 0)
        if not words:
            raise leaves.ExpressionError(f"{operator} is empty.")
        if Takes.THINGS not in operator.takes and _BRACKET.search(words):
            raise leaves.ExpressionError(f"{operator} holds {leaves.shown(words)}, which has brackets.")
        return Leaf(words)

    def _attach(self, argument: Expression) -> Call | None:
        while self._open:
            operator, arguments = self._open[-1]
            arguments.append(argument)
            rest = self._rest()
            if rest and rest[0] not in ",)":
                raise leaves.ExpressionError(
                    f"{leaves.shown(rest)} stands where a comma or a bracket was expected."
                )
            self._place += bool(rest)
            if rest.startswith(",") and len(arguments) < operator.arity:
                return None
            self._open.pop()
            argument = _closed(operator, arguments)
            if rest.startswith(","):
                if not self._open:
                    raise leaves.ExpressionError(f"{operator} has more than {operator.arity} arguments.")
                self._place -= 1
        return argument if isinstance(argument, Call) else None

    def _rest(self) -> str:
        space = _SPACE.match(self._text, self._place)
        self._place = space.end() if space else self._place
        return self._text[self._place :]


def _closed(operator: Operator, arguments: list[Expression]) -> Call:
    if operator.combines and operator.arity == 2 and len(arguments) == 1:
        arguments = _separated(arguments[0])
    if len(arguments) != operator.arity:
        given = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
        needs = "two" if operator.arity == 2 else operator.arity
        raise leaves.ExpressionError(f"{operator} has {given} and needs {needs}.")
    return Call(operator, tuple(arguments))


def _separated(argument: Expression) -> list[Expression]:
    if not isinstance(argument, Leaf) or not _GROUPED.fullmatch(argument.text):
        return [argument]
    groups = argument.text.split(",")
    middle = (len(groups) + 1) // 2
    return [Leaf(",".join(groups[:middle])), Leaf(",".join(groups[middle:]))]


def execute(expression: Expression, *, language: str = "en") -> Fraction:
    """The value of an expression, exact; of a percentage its number, and its hundredth beside × and ÷."""
    return _value(expression, 0, language)


def _value(expression: Expression, depth: int, language: str) -> Fraction:
    if isinstance(expression, Leaf):
        return number_of(expression.text, language=language)
    if depth == leaves.MOST_CALLS_DEEP:
        raise leaves.ExpressionError(_TOO_DEEP)
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != operator.arity:
        raise leaves.ExpressionError(f"{operator} has {len(arguments)} arguments and needs {operator.arity}.")
    values = [
        _argument(operator, takes, argument, depth, language)
        for takes, argument in zip(operator.takes, arguments, strict=True)
    ]
    try:
        value: Fraction = operator.execute(*values)
    except ZeroDivisionError:
        raise leaves.ExpressionError("The expression divides by zero.") from None
    if abs(value.numerator) >= _LARGEST or value.denominator >= _LARGEST:
        raise leaves.ExpressionError(f"A result has more than {leaves.MOST_DIGITS:,} digits.")
    return value


def _argument(
    operator: Operator, takes: Takes, argument: Expression, depth: int, language: str
) -> Fraction | int:
    if takes in SETTINGS:
        text = argument.text if isinstance(argument, Leaf) else argument.operator.name
        if takes is Takes.UNIT and text.upper() in UNITS:
            return UNITS[text.upper()][0]
        if takes is Takes.UNIT:
            units = ", ".join(UNITS)
            raise leaves.ExpressionError(
                f"{operator} has the unit {leaves.shown(text)}, which is none of {units}."
            )
        if _DECIMALS.fullmatch(text) and int(text) <= leaves.MOST_DECIMALS:
            return int(text)
        raise leaves.ExpressionError(
            f"{operator} keeps {leaves.shown(text)} digits after the point, which is not a number from 0 to"
            f" {leaves.MOST_DECIMALS}."
        )
    if not isinstance(argument, Leaf):
        if takes in TEXTS:
            raise leaves.ExpressionError(
                f"{operator} holds {argument.operator} where a text of the article belongs."
            )
        return _value(argument, depth + 1, language)
    return number_of(argument.text, takes, language=language)


def number_of(text: str, takes: Takes = Takes.NUMBER, *, language: str = "en") -> Fraction:
    if takes is Takes.WORDS:
        return leaves.value_of_words(text, language=language)
    if takes is Takes.THINGS:
        return leaves.count_things(text)
    amount = leaves.amount_of(text, language=language)
    if amount is None:
        raise leaves.ExpressionError(f"{leaves.shown(text)} is not a number.")
    return amount.share if takes is Takes.SHARE else amount.value
