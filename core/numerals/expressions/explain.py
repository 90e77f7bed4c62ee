"""An expression in words, in one line."""

from __future__ import annotations

from typing import Final

from core.numerals.expressions.tree import ARITHMETIC, ARITY, TEXTUAL, Call, Expression, Leaf, Operator

_BETWEEN: Final = {
    Operator.ADD: "plus",
    Operator.SUBTRACT: "minus",
    Operator.MULTIPLY: "times",
    Operator.DIVIDE: "divided by",
}
_AFTER: Final = {
    Operator.COPY: "{} as it stands",
    Operator.TRANS: "{} in digits",
    Operator.SPAN: "“{}” counted",
}
_UNITS: Final = {"K": "thousands", "M": "millions", "B": "billions", "T": "trillions"}


def explain(expression: Expression) -> str:
    """What an expression does, for a reader: "2018 minus 1979", "65,000 in thousands", "305.45 rounded".

    Sums inside sums stand in brackets: "((42 minus 29) divided by 42) times 100, rounded". A leaf is given as
    it is; a call without its arguments, which `execute` refuses too, by the name of its operator.
    """
    if isinstance(expression, Leaf):
        return expression.text
    operator, arguments = expression.operator, expression.arguments
    if len(arguments) != ARITY[operator]:
        return str(operator)
    if operator in TEXTUAL:
        return _AFTER[operator].format(explain(arguments[0]))
    if operator in ARITHMETIC:
        return f"{_operand(arguments[0])} {_BETWEEN[operator]} {_operand(arguments[1])}"
    comma = "," if isinstance(_bare(arguments[0]), Call) else ""
    return f"{explain(_bare(arguments[0]))}{comma} {_change(operator, explain(arguments[1]))}"


def _change(operator: Operator, second: str) -> str:
    if operator is Operator.PARAPHRASE:
        return f"in {_UNITS.get(second.upper(), second)}"
    to = "" if second == "0" else f" to {second} decimal{'' if second == '1' else 's'}"
    return f"rounded{to}" if operator is Operator.ROUND else f"cut{to or ' to a whole number'}"


def _operand(expression: Expression) -> str:
    """An operand of arithmetic: numbers, words and spans bare, all else in brackets."""
    if isinstance(expression, Call) and expression.operator is Operator.SPAN:
        return f"“{explain(_bare(expression))}”"
    bare = _bare(expression)
    return f"({explain(bare)})" if isinstance(bare, Call) else bare.text


def _bare(expression: Expression) -> Expression:
    """The text of a `Copy`, `Trans` or `Span`; anything else as it is."""
    textual = isinstance(expression, Call) and expression.operator in TEXTUAL and expression.arguments
    return expression.arguments[0] if isinstance(expression, Call) and textual else expression
