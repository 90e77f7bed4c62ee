"""What is learned from annotated headlines, and the trees that weigh derivations and answers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.articles.sets import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import Constants
from core.numerals.derivations.features import features
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.expressions.parse import Expression, parsed_or_none, used_leaves
from core.numerals.filling import READ, answers_of, is_there, open_reader
from core.numerals.question import (
    WAYS,
    Aligner,
    NumeralQuestion,
    blank_of,
    fill_in,
    question_at,
    read_article,
)
from core.runtime import Runtime
from core.text.numerals.numeral import Numeral
from core.text.numerals.read import read_numerals
from research.runs.run_folder import RunFolder
from research.runs.trainer import TreeTraining, grow

READING: Final = "Reading annotated headlines"
DERIVING: Final = "Deriving numbers"
FILLING: Final = "Reading filled headlines"
JUDGED: Final = 5
"""One article in so many is kept from the network, so that what weighs its scores learns from scores as
they are on articles that it has not seen."""


@dataclass(frozen=True, slots=True, eq=False)
class BlankLesson:
    """One blank with what fills it."""

    question: NumeralQuestion
    targets: IntArray  # rows of the article's numerals that the annotation names, int64 [t], 1 or more
    way: int
    row: int


def lessons_of(blanks: Blanks, runtime: Runtime) -> list[BlankLesson]:
    """Lessons of the rows whose annotation parses and whose operands stand in the article."""
    found = []
    for row in runtime.track(range(len(blanks)), READING):
        expression = parsed_or_none(blanks.annotations[row])
        if expression is None:
            continue
        question = blank_of(blanks.headlines[row], read_article(blanks.texts[row]))
        numerals = question.article.numerals
        rows = {row for leaf, _ in used_leaves(expression) for row in leaf_rows(leaf, numerals)}
        if rows:
            targets = np.array(sorted(rows), dtype=np.int64)
            found.append(BlankLesson(question, targets, WAYS.index(expression.operator.way), row))
    return found


def is_judged(text: str) -> bool:
    """Whether an article of the training part is kept from the network."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[4:8], "big") % JUDGED == 0


def leaf_rows(leaf: str, numerals: Sequence[Numeral]) -> list[int]:
    """Rows of the numerals that a leaf of an expression names: written alike, else of its value."""
    exact = [row for row, numeral in enumerate(numerals) if numeral.number.casefold() == leaf.casefold()]
    if exact:
        return exact
    values = {
        value for numeral in read_numerals(leaf, language="en") for value in (numeral.value, numeral.amount)
    }
    return [
        row for row, numeral in enumerate(numerals) if numeral.value in values or numeral.amount in values
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Exercise:
    """Candidates for one place with what is known of them."""

    question: NumeralQuestion
    candidates: tuple[DerivationCandidate, ...]
    features: FloatArray  # float64 [m, f]
    right: FloatArray  # how right each candidate is, float64 [m], 0–1
    row: int


def blank_exercises(blanks: Blanks, aligner: Aligner, runtime: Runtime) -> list[Exercise]:
    """Candidates of the blanks; right are those with the gold answer, above all the annotated one."""
    questions = [
        blank_of(headline, read_article(text))
        for headline, text in zip(blanks.headlines, blanks.texts, strict=True)
    ]
    aligned = aligner.align(questions, runtime)
    found = []
    for row in runtime.track(range(len(blanks)), DERIVING):
        candidates = fillings_of(questions[row])
        gold = parsed_or_none(blanks.annotations[row])
        right = np.array(
            [
                (0.5 + 0.5 * _is(candidate, gold)) if candidate.answer == blanks.answers[row] else 0.0
                for candidate in candidates
            ]
        )
        rows = features(questions[row], aligned[row], candidates)
        found.append(Exercise(questions[row], candidates, rows, right, row))
    return found


def number_exercises(blanks: Blanks, aligner: Aligner, runtime: Runtime) -> list[Exercise]:
    asked: list[tuple[int, NumeralQuestion]] = []
    for row in range(len(blanks)):
        article = read_article(blanks.texts[row])
        headline = fill_in(blanks.headlines[row], blanks.answers[row])
        question = question_at(headline, article, blank_of(blanks.headlines[row], article).start)
        if question is not None:
            asked.append((row, question))
    aligned = aligner.align([question for _, question in asked], runtime)
    found = []
    for k in runtime.track(range(len(asked)), DERIVING):
        row, question = asked[k]
        candidates = derivations_of(question)
        gold = parsed_or_none(blanks.annotations[row])
        right = np.array([_is(candidate, gold) for candidate in candidates], dtype=np.float64)
        found.append(Exercise(question, candidates, features(question, aligned[k], candidates), right, row))
    return found


def _is(candidate: DerivationCandidate, gold: Expression | None) -> float:
    if gold is None:
        return 0.0
    if same_expression(candidate.expression, gold):
        return 1.0
    return 0.3 if equivalent(candidate, gold) else 0.0


def grow_ranking(
    learned: Sequence[Exercise],
    watched: Sequence[Exercise],
    how: TreeTraining,
    runtime: Runtime,
    *,
    run: RunFolder | None = None,
) -> BoostedTrees:
    """Trees that rank candidates within a question: the softmax gives right ones the most."""
    return grow("QuerySoftMax", _groups(learned), _groups(watched), how, runtime, run=run)


def _groups(exercises: Sequence[Exercise]) -> Any:
    from catboost import Pool

    used = [exercise for exercise in exercises if exercise.right.any() and len(exercise.candidates) > 1]
    return Pool(
        np.concatenate([exercise.features for exercise in used]),
        label=np.concatenate([exercise.right for exercise in used]),
        group_id=np.repeat(np.arange(len(used)), [len(exercise.candidates) for exercise in used]),
    )


TRIED: Final = tuple(k / 20 for k in range(31))
"""Weights of the language model that are tried."""
SHARPNESSES: Final = tuple(k / 20 for k in range(10, 41))


def constants_of(
    trees: BoostedTrees, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> Constants:
    def fit(sharpness: float) -> float:
        shares = [
            _answers(trees, sharpness, exercise).get(blanks.answers[exercise.row], 0.0)
            for exercise in fillings
            if exercise.candidates
        ]
        return float(np.log(np.maximum(shares, 1e-3)).mean())

    sharpness = max(SHARPNESSES, key=fit)
    read = _language_model(trees, sharpness, fillings, blanks, runtime)
    return Constants(sharpness=sharpness, language_model=read)


def _answers(trees: BoostedTrees, sharpness: float, exercise: Exercise) -> dict[str, float]:
    if not exercise.candidates:
        return {}
    return answers_of(exercise.candidates, sharpness * trees.predict(exercise.features))


def filled_rightly(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks
) -> float:
    """Share of blanks whose likeliest answer is the right one."""
    right = 0
    for exercise in fillings:
        answers = _answers(trees, sharpness, exercise)
        right += max(answers, key=answers.__getitem__, default="") == blanks.answers[exercise.row]
    return right / max(len(fillings), 1)


def _language_model(
    trees: BoostedTrees, sharpness: float, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> float:
    if not is_there():
        return 0.0
    reader = open_reader(runtime)
    quiet = runtime.quietly()
    read: list[tuple[FloatArray, FloatArray, int]] = []
    for exercise in runtime.track(fillings, FILLING):
        answers = _answers(trees, sharpness, exercise)
        if not answers:
            continue
        first = sorted(answers, key=lambda answer: -answers[answer])[:READ]
        texts = [exercise.question.holding(answer) for answer in first]
        likelihoods = reader.read(exercise.question.article.text, texts, quiet)
        gold = blanks.answers[exercise.row]
        place = first.index(gold) if gold in first else -1
        read.append((np.log([max(answers[answer], 1e-12) for answer in first]), likelihoods, place))

    def right(weight: float) -> float:
        # The log-likelihood breaks ties between weights with as many right answers.
        hits, fit = 0, 0.0
        for known, likelihoods, place in read:
            scores = known + weight * likelihoods
            hits += int(scores.argmax()) == place
            if place >= 0:
                fit += float(scores[place] - np.logaddexp.reduce(scores)) / len(read) / 100
        return hits + fit

    return max(TRIED, key=right)
