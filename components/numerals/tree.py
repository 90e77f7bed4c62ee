"""An expression as a small tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components.charts.numerals import status_colour
from components.mounted import mounted
from core.numerals.expressions.printing import Piece, pieces_of
from core.numerals.expressions.tree import Expression, print_expression
from core.numerals.provenance import Status

_draw = mounted(__file__, "headline_lab_expression_tree", '<div class="tree"></div>')


def tree(expression: Expression, status: Status, language: str) -> None:
    """Draws an expression over an article of a language: each operator with its value over what it takes."""
    _draw(
        key="numerals-tree",
        data={
            "root": _node(pieces_of(expression, language=language), 0),
            "colour": status_colour(status),
            "alt": f"The expression {print_expression(expression)} as a tree",
        },
    )


def _node(pieces: Sequence[Piece], place: int) -> dict[str, Any]:
    one = pieces[place]
    return {
        "label": one.label,
        "note": f"= {one.value}" if one.value else "",
        "children": [_node(pieces, child) for child in one.children],
    }
