"""What the trees over derivations and answers learn from: annotated headlines, right and made wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.articles.blanks import Blanks
from core.numerals.attachment import Attacher, Attachment
from core.numerals.derivations.candidate import DerivationCandidate
from core.numerals.derivations.features import features
from core.numerals.derivations.fillings import fillings_of
from core.numerals.derivations.sameness import equivalent, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.expressions.parse import parsed_or_none
from core.numerals.expressions.tree import Expression
from core.numerals.question import NumeralQuestion, blank_of, fill_in, question_at, read_article
from core.runtime import Runtime
from research.training.numerals.corruptions import Corruption, corrupt

FloatArray = npt.NDArray[np.float64]

STEP: Final = "Deriving numbers"


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """Candidates for one place with what is known of them.

    Attributes:
        question: The place.
        attachment: What belongs there.
        candidates: m candidates.
        features: float64 [m, f].
        right: Which candidates are right, float64 [m], 0–1; all 0 for a wrong number.
        corruption: How the number was made wrong; None for the number of the reference headline.
        row: Row of the set.
    """

    question: NumeralQuestion
    attachment: Attachment
    candidates: tuple[DerivationCandidate, ...]
    features: FloatArray
    right: FloatArray
    corruption: Corruption | None
    row: int


def blank_exercises(blanks: Blanks, attacher: Attacher, runtime: Runtime) -> list[Exercise]:
    """Candidates of the blanks; right are those with the gold answer, above all the annotated one."""
    questions = [
        blank_of(headline, read_article(text))
        for headline, text in zip(blanks.headlines, blanks.texts, strict=True)
    ]
    attached = attacher.attach(questions, runtime)
    found = []
    for row in runtime.track(range(len(blanks)), STEP):
        candidates = fillings_of(questions[row])
        gold = parsed_or_none(blanks.annotations[row])
        right = np.array(
            [(0.5 + 0.5 * _is(one, gold)) if one.answer == blanks.answers[row] else 0.0 for one in candidates]
        )
        rows = features(questions[row], attached[row], candidates)
        found.append(Exercise(questions[row], attached[row], candidates, rows, right, None, row))
    return found


def number_exercises(
    blanks: Blanks, attacher: Attacher, runtime: Runtime, *, seeds: Sequence[int]
) -> list[Exercise]:
    """Derivations of the reference headlines' numbers, and of wrong ones drawn with each seed."""
    asked: list[tuple[int, NumeralQuestion, Corruption | None]] = []
    for row in range(len(blanks)):
        article = read_article(blanks.texts[row])
        headline = fill_in(blanks.headlines[row], blanks.answers[row])
        start = blank_of(blanks.headlines[row], article).start
        original = question_at(headline, article, start)
        if original is None:
            continue
        asked.append((row, original, None))
        wrong = {(kind, corrupt(original, kind, seed)) for kind in Corruption for seed in seeds}
        for kind, text in sorted(wrong, key=repr):
            changed = question_at(text, article, start) if text else None
            if changed is not None:
                asked.append((row, changed, kind))
    # The number is masked: unless its magnitude was changed too, a wrong one is attached as the right one.
    masks = {(row, question.masked): question for row, question, _ in asked}
    attached = dict(zip(masks, attacher.attach(list(masks.values()), runtime), strict=True))
    found = []
    for k in runtime.track(range(len(asked)), STEP):
        row, question, how = asked[k]
        attachment = attached[row, question.masked]
        candidates = derivations_of(question)
        gold = parsed_or_none(blanks.annotations[row]) if how is None else None
        right = np.array([_is(one, gold) for one in candidates], dtype=np.float64)
        rows = features(question, attachment, candidates)
        found.append(Exercise(question, attachment, candidates, rows, right, how, row))
    return found


def _is(candidate: DerivationCandidate, gold: Expression | None) -> float:
    if gold is None:
        return 0.0
    if same_expression(candidate.expression, gold):
        return 1.0
    return 0.3 if equivalent(candidate, gold) else 0.0
