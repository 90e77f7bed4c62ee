"""Rows as tables of plain text and of Markdown."""

import re
from collections.abc import Sequence
from typing import Final

# What begins HTML in Markdown, and what parts cells; "a < b" and "A & B" are text as they stand.
_MARKUP = re.compile(r"(\\*)([|]|<(?=[a-zA-Z/!?])|&(?=#|\w+;))")

SIGNATURES: Final = "The signature of every figure stands in the CSV, JSON and LaTeX files."
"""What a terminal says, where a line a figure would drown the table."""


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines whose columns stand below each other: the first to the left, others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    (first, *others), lines = widths, []
    for name, *cells in rows:
        right = (text.rjust(width) for text, width in zip(cells, others, strict=True))
        lines.append("  ".join([name.ljust(first), *right]).rstrip())
    return lines


def ruled(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = aligned(rows)
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table of Markdown, the headings first; what would be HTML in it shows as typed."""
    shown = [[_MARKUP.sub(r"\1\1\\\2", text) for text in line] for line in rows]
    lines = [shown[0], ["---"] * len(shown[0]), *shown[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
