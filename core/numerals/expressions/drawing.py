"""An expression as pieces to draw: what each node says, what hangs below it, what it amounts to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.numerals.expressions.errors import ExpressionError
from core.numerals.expressions.execute import execute
from core.numerals.expressions.printing import print_value
from core.numerals.expressions.tree import Call, Expression, Leaf, Operator

_SIGNS: Final = {Operator.ADD: "+", Operator.SUBTRACT: "−", Operator.MULTIPLY: "×", Operator.DIVIDE: "÷"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A node of an expression's tree.

    Attributes:
        label: A sign of arithmetic ("−"), the operator's name, or a leaf's text.
        value: What the node amounts to, as `print_value` writes it ("65,000"); "" where it has no value, and
            for a leaf, whose text says it.
        children: Places of the nodes below it, left to right; () for a leaf.
    """

    label: str
    value: str
    children: tuple[int, ...]


def pieces_of(expression: Expression, *, language: str = "en") -> tuple[Piece, ...]:
    """The nodes of an expression, each before what hangs below it; the root is the first.

    Args:
        expression: Any; one that has no value is drawn without it.
        language: As in `execute`.
    """
    drawn: list[Piece] = []
    _draw(expression, language, drawn)
    return tuple(drawn)


def _draw(expression: Expression, language: str, drawn: list[Piece]) -> None:
    """Appends a node and all below it."""
    place = len(drawn)
    if isinstance(expression, Leaf):
        drawn.append(Piece(expression.text, "", ()))
        return
    label = _SIGNS.get(expression.operator, str(expression.operator))
    drawn.append(Piece(label, "", ()))
    children = []
    for argument in expression.arguments:
        children.append(len(drawn))
        _draw(argument, language, drawn)
    drawn[place] = Piece(label, _value(expression, language), tuple(children))


def _value(call: Call, language: str) -> str:
    try:
        return print_value(execute(call, language=language))
    except ExpressionError:
        return ""
