"""The places that are asked about, and the headlines whose number was made wrong there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.numerals.question import NumeralQuestion, ReadArticle, question_at, read_article
from core.runtime import Runtime
from research.benchmark.numerals.sets import NumeralRows
from research.training.numerals.corruptions import Corruption, corrupt, stands_in

UNREAD: Final = "unread"
"""The kind of a headline's number that was not read where it stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Wrong:
    """Headlines whose number was made wrong in one way.

    Attributes:
        how: See `Corruption`.
        seed: Of the draw.
        rows: The row of each among those of the set, int64 [m], ascending.
        headlines: The headlines; the number begins where it did.
        questions: The places as they are read now; None where no numeral is read there any more.
        landed: Whether the wrong number stands in the article, bool [m].
        impossible: Rows whose number could not be made wrong so.
        unread: Rows of which nothing was read at the place.
    """

    how: Corruption
    seed: int
    rows: npt.NDArray[np.int64]
    headlines: tuple[str, ...]
    questions: tuple[NumeralQuestion | None, ...]
    landed: npt.NDArray[np.bool_]
    impossible: int
    unread: int


def read_articles(rows: NumeralRows, runtime: Runtime) -> list[ReadArticle]:
    """The article of each row, read once where it repeats."""
    known: dict[str, ReadArticle] = {}
    for text in runtime.track(list(dict.fromkeys(rows.texts)), "Reading articles"):
        known[text] = read_article(text)
    return [known[text] for text in rows.texts]


def kinds_of(questions: Sequence[NumeralQuestion | None]) -> tuple[str, ...]:
    """What the number of each row tells, `UNREAD` where it was not read."""
    return tuple(
        str(one.numeral.kind) if one is not None and one.numeral is not None else UNREAD for one in questions
    )


def make_wrong(questions: Sequence[NumeralQuestion | None], how: Corruption, seed: int) -> Wrong:
    """Makes the number of every row wrong in one way, where that can be done."""
    rows, headlines, asked = [], [], []
    for row, question in enumerate(questions):
        headline = None if question is None else corrupt(question, how, seed)
        if question is None or headline is None:
            continue
        rows.append(row)
        headlines.append(headline)
        asked.append(question_at(headline, question.article, question.start))
    unread = sum(question is None for question in questions)
    return Wrong(
        how=how,
        seed=seed,
        rows=np.array(rows, dtype=np.int64),
        headlines=tuple(headlines),
        questions=tuple(asked),
        landed=stand(asked),
        impossible=len(questions) - unread - len(rows),
        unread=unread,
    )


def stand(questions: Sequence[NumeralQuestion | None]) -> npt.NDArray[np.bool_]:
    """Whether each number stands in its article, bool [n]."""
    return np.array(
        [
            one is not None and one.numeral is not None and stands_in(one.numeral.value, one.article)
            for one in questions
        ],
        dtype=np.bool_,
    )
