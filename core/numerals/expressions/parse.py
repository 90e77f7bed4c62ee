"""From text to tree: the expressions of NumHG and of SemEval-2024 task 7, in either spacing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.numerals.expressions.errors import MOST_CALLS_DEEP, MOST_CHARACTERS, ExpressionError, shown
from core.numerals.expressions.tree import Call, Expression, Leaf
from core.numerals.operators import OPERATORS, Operator, Takes, operator_named

_LEAF: Final = re.compile(r"(?:(?<![\d.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[^(),])*")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_BRACKET: Final = re.compile(r"[()]")
_SPACE: Final = re.compile(r"\s*")


@dataclass(slots=True)
class _Open:
    operator: Operator
    arguments: list[Expression] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return len(self.arguments) == self.operator.arity


def parse_expression(text: str) -> Call:
    """Reads an expression in one pass.

    A comma before exactly three digits, with a digit and no space around it, belongs to a number ("65,000"),
    unless an operator of arithmetic would be left with one argument: `Add(200,600)` is 200 and 600. Brackets
    that are missing are closed where the next argument would be one too many, and at the end:
    `Subtract( Subtract( 2009 , Span( last year ) , 1997 )` takes 1997 from the difference. What `Copy`,
    `Trans` and `Span` hold is a text that may have commas, and in `Span` brackets.
    """
    if not text.strip():
        raise ExpressionError("The expression is empty.")
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"The expression is longer than {MOST_CHARACTERS:,} characters.")
    return _Parser(text).parse()


def parsed_or_none(text: str) -> Call | None:
    """The expression of a text; None where it is none."""
    try:
        return parse_expression(text)
    except ExpressionError:
        return None


@lru_cache(maxsize=4)
def _opening(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*\(")


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._opening = _opening(tuple(OPERATORS))
        self._place = 0
        self._open: list[_Open] = []

    def parse(self) -> Call:
        if not self._opening.match(self._text):
            raise ExpressionError(f"{shown(self._text)} does not begin with an operator and a bracket.")
        while True:
            argument = self._next_argument()
            if argument is None:
                continue
            whole = self._attach(argument)
            if whole is not None:
                return self._nothing_follows(whole)

    def _next_argument(self) -> Expression | None:
        opening = self._opening.match(self._text, self._place)
        if opening is None:
            return self._leaf()
        operator = operator_named(opening[1])
        self._place = opening.end()
        if len(self._open) + 1 > MOST_CALLS_DEEP:
            raise ExpressionError(f"The expression has more than {MOST_CALLS_DEEP} calls inside each other.")
        if operator.textual:
            return Call(operator, (self._words(operator),))
        self._open.append(_Open(operator))
        return None

    def _leaf(self) -> Leaf:
        found = _LEAF.match(self._text, self._place)
        words = found[0].strip() if found else ""
        self._place = found.end() if found else self._place
        operator = self._open[-1].operator
        if self._text.startswith("(", self._place):
            raise ExpressionError(f"{shown(words)} in {operator} is not an operator.")
        if not words:
            raise ExpressionError(f"An argument of {operator} is empty.")
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
            raise ExpressionError(f"{operator} is empty.")
        if Takes.THINGS not in operator.takes and _BRACKET.search(words):
            raise ExpressionError(f"{operator} holds {shown(words)}, which has brackets.")
        return Leaf(words)

    def _attach(self, argument: Expression) -> Call | None:
        while self._open:
            self._open[-1].arguments.append(argument)
            sign = self._sign()
            if sign == "," and not self._open[-1].full:
                return None
            argument = self._close()
            if sign == ",":
                self._give_back_comma(argument.operator)
        return argument if isinstance(argument, Call) else None

    def _sign(self) -> str:
        self._skip()
        if self._place == len(self._text):
            return ""
        sign = self._text[self._place]
        if sign not in ",)":
            raise ExpressionError(
                f"{shown(self._text[self._place :])} stands where a comma or a bracket was expected."
            )
        self._place += 1
        return sign

    def _give_back_comma(self, operator: Operator) -> None:
        if not self._open:
            raise ExpressionError(f"{operator} has more than {operator.arity} arguments.")
        self._place -= 1

    def _close(self) -> Call:
        call = self._open.pop()
        arguments = call.arguments
        if call.operator.combines and call.operator.arity == 2 and len(arguments) == 1:
            arguments = _separated(arguments[0])
        if len(arguments) != call.operator.arity:
            given = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            needs = "two" if call.operator.arity == 2 else call.operator.arity
            raise ExpressionError(f"{call.operator} has {given} and needs {needs}.")
        return Call(call.operator, tuple(arguments))

    def _nothing_follows(self, whole: Call) -> Call:
        self._skip()
        if self._place < len(self._text):
            raise ExpressionError(f"{shown(self._text[self._place :])} follows after the expression.")
        return whole

    def _skip(self) -> None:
        space = _SPACE.match(self._text, self._place)
        self._place = space.end() if space else self._place


def _separated(argument: Expression) -> list[Expression]:
    if not isinstance(argument, Leaf) or not _GROUPED.fullmatch(argument.text):
        return [argument]
    groups = argument.text.split(",")
    middle = (len(groups) + 1) // 2
    return [Leaf(",".join(groups[:middle])), Leaf(",".join(groups[middle:]))]
