"""Claims of the training rows that the attachers learned from, judged by trees over words that did not.

What an attacher says of an article that it has learned from is better than it will be. Trees over words are
grown in seconds: each fold of the articles is judged by trees grown from the others. The network is left out,
as it is where the words are sure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np

from core.data.articles.sets import Blanks
from core.numerals.attachments.blend import by_words, log_shares
from core.numerals.checking import Checker
from core.numerals.claims.weights import CHEAP
from core.numerals.question import Attachment, NumeralQuestion
from core.numerals.wording.model import LexicalModel
from core.runtime import Runtime
from research.training.numerals.lessons import lessons_of
from research.training.numerals.training import train_lexical
from research.training.numerals.verdict_training import MADE_BY, ClaimRows, claim_rows

FOLDS: Final = 4
_KINDS: Final = frozenset(kind for part in CHEAP for kind in MADE_BY[part])


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    model: LexicalModel

    def attach(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Attachment]:
        found = self.model.attach(questions, runtime)
        return [
            by_words(question, Attachment(log_shares(one.numerals), one.ways))
            for question, one in zip(questions, found, strict=True)
        ]


def crossed_claims(
    learned: Blanks, watched: Blanks, checker: Checker, runtime: Runtime, *, seed: int
) -> ClaimRows:
    """Right headlines and their claims with wrong values and places."""
    lessons, stopping = lessons_of(learned, runtime), lessons_of(watched, runtime)
    folds = np.array([_fold(text) for text in learned.texts])
    found = []
    for fold in range(FOLDS):
        model = train_lexical([one for one in lessons if folds[one.row] != fold], stopping, runtime)
        judge = replace(checker, attacher=_Words(model), reader=None)
        rows = learned.at(np.flatnonzero(folds == fold).tolist())
        found.append(claim_rows(rows, judge, runtime, seed=seed, kinds=_KINDS))
    return reduce(ClaimRows.and_also, found)


def _fold(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[8:12], "big") % FOLDS
