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
        depth: Nodes above it, 0 for the root.
        column: Its place from left to right in leaves: a leaf its number from 0, a node the middle of what
            hangs below it.
    """

    label: str
    value: str
    children: tuple[int, ...]
    depth: int
    column: float


def pieces_of(expression: Expression) -> tuple[Piece, ...]:
    """The nodes of an expression, each before what hangs below it; the root is the first.

    Lines run from each piece to its `children`; `column` and `depth` are where it may be drawn.
    """
    drawn: list[Piece] = []
    _draw(expression, 0, 0, drawn)
    return tuple(drawn)


def _draw(expression: Expression, depth: int, leaves: int, drawn: list[Piece]) -> int:
    """Appends a node and all below it; how many leaves there are then."""
    place = len(drawn)
    if isinstance(expression, Leaf):
        drawn.append(Piece(expression.text, "", (), depth, float(leaves)))
        return leaves + 1
    drawn.append(Piece("", "", (), depth, 0.0))  # its place; the columns below it are not known yet
    children = []
    for argument in expression.arguments:
        children.append(len(drawn))
        leaves = _draw(argument, depth + 1, leaves, drawn)
    column = (drawn[children[0]].column + drawn[children[-1]].column) / 2 if children else float(leaves)
    label = _SIGNS.get(expression.operator, str(expression.operator))
    drawn[place] = Piece(label, _value(expression), tuple(children), depth, column)
    return leaves


def _value(call: Call) -> str:
    try:
        return print_value(execute(call))
    except ExpressionError:
        return ""
