"""From text to tree: the expressions of NumHG and of SemEval-2024 task 7, in either spacing."""

import re
from functools import lru_cache
from typing import Final

from core.numerals.expressions import leaves
from core.numerals.expressions.expression import Call, Expression, Leaf
from core.numerals.expressions.leaves import ExpressionError, shown
from core.numerals.operators import OPERATORS, Operator, Takes, operator_named

_LEAF: Final = re.compile(r"(?:(?<![\d.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[^(),])*")
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_BRACKET: Final = re.compile(r"[()]")


def parse_expression(text: str) -> Call:
    """Reads an expression in one pass; missing brackets are closed where an argument would be too many.

    A comma before exactly three digits belongs to a number ("65,000"), unless an operator of arithmetic would
    be left with one argument: `Add(200,600)` is 200 and 600. `Copy`, `Trans` and `Span` hold texts.
    """
    if not text.strip():
        raise ExpressionError("The expression is empty.")
    if len(text) > leaves.MOST_CHARACTERS:
        raise ExpressionError(f"The expression is longer than {leaves.MOST_CHARACTERS:,} characters.")
    return _Parser(text).parse()


def parsed_or_none(text: str) -> Call | None:
    try:
        return parse_expression(text)
    except ExpressionError:
        return None


@lru_cache(maxsize=4)
def _opening(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\s*({'|'.join(map(re.escape, names))})\s*\(")


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._place = text, 0
        self._opening = _opening(tuple(OPERATORS))

    def parse(self) -> Call:
        whole = self._argument(None, 0)
        if not isinstance(whole, Call):
            raise ExpressionError(f"{shown(self._text)} does not begin with an operator and a bracket.")
        if rest := self._skip_space():
            raise ExpressionError(f"{shown(rest)} follows after the expression.")
        return whole

    def _argument(self, above: Operator | None, depth: int) -> Expression:
        if match := self._opening.match(self._text, self._place):
            self._place = match.end()
            if depth == leaves.MOST_CALLS_DEEP:
                raise ExpressionError(leaves.TOO_DEEP)
            operator = operator_named(match[1])
            return (
                Call(operator, (self._words(operator),)) if operator.textual else self._call(operator, depth)
            )
        return Leaf("") if above is None else self._leaf(above)

    def _call(self, operator: Operator, depth: int) -> Call:
        """A call with its arguments, closed by its bracket, the end, or a comma that would be too many."""
        arguments: list[Expression] = []
        while True:
            arguments.append(self._argument(operator, depth + 1))
            rest = self._skip_space()
            if rest and rest[0] not in ",)":
                raise ExpressionError(f"{shown(rest)} stands where a comma or a bracket was expected.")
            if not rest.startswith(",") or len(arguments) >= operator.arity:
                break
            self._place += 1
        call = _closed(operator, arguments)
        if rest.startswith(",") and not depth:
            raise ExpressionError(f"{operator} has more than {operator.arity} arguments.")
        self._place += rest.startswith(")")
        return call

    def _leaf(self, operator: Operator) -> Leaf:
        match = _LEAF.match(self._text, self._place)
        words = match[0].strip() if match else ""
        self._place = match.end() if match else self._place
        if self._text.startswith("(", self._place):
            raise ExpressionError(f"{shown(words)} in {operator} is not an operator.")
        if not words:
            raise ExpressionError(f"An argument of {operator} is empty.")
        return Leaf(words)

    def _words(self, operator: Operator) -> Leaf:
        """The text that an operator of texts holds, up to the bracket that closes it or to the end."""
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

    def _skip_space(self) -> str:
        """What follows, which is where the place then is."""
        rest = self._text[self._place :].lstrip()
        self._place = len(self._text) - len(rest)
        return rest


def _closed(operator: Operator, arguments: list[Expression]) -> Call:
    text = arguments[0].text if isinstance(arguments[0], Leaf) else ""
    single = operator.combines and operator.arity == 2 and len(arguments) == 1
    if single and _GROUPED.fullmatch(text):  # "200,600" is 200 and 600
        groups = text.split(",")
        middle = (len(groups) + 1) // 2
        arguments = [Leaf(",".join(groups[:middle])), Leaf(",".join(groups[middle:]))]
    if len(arguments) != operator.arity:
        given = "one argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
        needs = "two" if operator.arity == 2 else operator.arity
        raise ExpressionError(f"{operator} has {given} and needs {needs}.")
    return Call(operator, tuple(arguments))
