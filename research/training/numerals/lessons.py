"""What is learned from annotated headlines: questions with the article's numerals that answer them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import IntArray
from core.data.articles.sets import Blanks
from core.numerals.expressions.parse import parsed_or_none, used_leaves
from core.numerals.question import WAYS, NumeralQuestion, blank_of, read_article
from core.runtime import Runtime
from core.text.numerals.numeral import Numeral
from core.text.numerals.read import read_numerals

STEP: Final = "Reading annotated headlines"
JUDGED: Final = 5
"""One article in so many is kept from the network, so that what weighs its scores learns from scores as
they are on articles that it has not seen."""


@dataclass(frozen=True, slots=True, eq=False)
class BlankLesson:
    """One blank with what fills it.

    Attributes:
        targets: Rows of the article's numerals that the annotation names, int64 [t], 1 or more.
    """

    question: NumeralQuestion
    targets: IntArray
    way: int
    row: int


def lessons_of(blanks: Blanks, runtime: Runtime) -> list[BlankLesson]:
    """Lessons of the rows whose annotation parses and whose operands stand in the article."""
    found = []
    for row in runtime.track(range(len(blanks)), STEP):
        expression = parsed_or_none(blanks.annotations[row])
        if expression is None:
            continue
        question = blank_of(blanks.headlines[row], read_article(blanks.texts[row]))
        numerals = question.article.numerals
        rows = {one for leaf, _ in used_leaves(expression) for one in leaf_rows(leaf, numerals)}
        if rows:
            targets = np.array(sorted(rows), dtype=np.int64)
            found.append(BlankLesson(question, targets, WAYS.index(expression.operator.way), row))
    return found


def is_judged(text: str) -> bool:
    """Whether an article of the training part is kept from the network."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[4:8], "big") % JUDGED == 0


def leaf_rows(leaf: str, numerals: Sequence[Numeral]) -> list[int]:
    """Rows of the numerals that a leaf of an expression names: written alike, else of its value."""
    exact = [row for row, one in enumerate(numerals) if one.number.casefold() == leaf.casefold()]
    if exact:
        return exact
    values = {value for one in read_numerals(leaf, language="en") for value in (one.value, one.amount)}
    return [row for row, one in enumerate(numerals) if one.value in values or one.amount in values]
