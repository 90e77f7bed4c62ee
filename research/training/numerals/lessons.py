"""What is learned from annotated headlines, and the trees that weigh derivations and answers."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.articles.blanks import Blanks
from core.models.boosted_trees import BoostedTrees
from core.numerals.derivations.features import features
from core.numerals.derivations.operands import DerivationCandidate, equivalent, same_expression
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.expressions.expression import Expression, used_leaves
from core.numerals.expressions.parse import parsed_or_none
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
from core.numerals.weighing import Constants
from core.runtime import Runtime
from core.text.numerals.numeral import Numeral
from core.text.numerals.read import read_numerals

JUDGED: Final = 5  # one article in so many is kept from the network, for what weighs its scores
TRIED: Final = tuple(k / 20 for k in range(31))  # weights of the language model that are tried
SHARPNESSES: Final = tuple(k / 20 for k in range(10, 41))


class BlankLesson(NamedTuple):
    question: NumeralQuestion
    targets: IntArray  # rows of the article's numerals that the annotation names, int64 [t], 1 or more
    way: int
    row: int


def lessons_of(blanks: Blanks, runtime: Runtime) -> list[BlankLesson]:
    """Lessons of the rows whose annotation parses and whose operands stand in the article."""
    lessons = []
    for row in runtime.track(range(len(blanks)), "Reading annotated headlines"):
        expression = parsed_or_none(blanks.annotations[row])
        if expression is None:
            continue
        question = blank_of(blanks.headlines[row], read_article(blanks.texts[row]))
        numerals = question.article.numerals
        rows = {row for leaf, _ in used_leaves(expression) for row in leaf_rows(leaf, numerals)}
        if rows:
            targets = np.array(sorted(rows), dtype=np.int64)
            lessons.append(BlankLesson(question, targets, WAYS.index(expression.operator.way), row))
    return lessons


def is_judged(text: str) -> bool:
    """Whether an article of the training part is kept from the network."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[4:8], "big") % JUDGED == 0


def leaf_rows(leaf: str, numerals: Sequence[Numeral]) -> list[int]:
    """Rows of the numerals that a leaf of an expression names: written alike, else of its value."""
    exact = [row for row, numeral in enumerate(numerals) if numeral.number.casefold() == leaf.casefold()]
    if exact:
        return exact
    read = read_numerals(leaf, language="en")
    values = {numeral.value for numeral in read} | {numeral.amount for numeral in read}
    return [row for row, numeral in enumerate(numerals) if values & {numeral.value, numeral.amount}]


class Exercise(NamedTuple):
    question: NumeralQuestion
    candidates: tuple[DerivationCandidate, ...]
    features: FloatArray  # float64 [m, f]
    right: FloatArray  # how right each candidate is, float64 [m], 0–1
    row: int


def filled_question(blanks: Blanks, row: int) -> NumeralQuestion | None:
    """The question about the number that fills a blank; None where none is read there."""
    article, headline = read_article(blanks.texts[row]), blanks.headlines[row]
    return question_at(fill_in(headline, blanks.answers[row]), article, blank_of(headline, article).start)


def exercises_of(blanks: Blanks, aligner: Aligner, runtime: Runtime, *, filled: bool) -> list[Exercise]:
    """Candidates of the numbers in filled headlines; or of blanks, where only the gold answer is right."""
    asked: list[tuple[int, NumeralQuestion]] = []
    for row in range(len(blanks)):
        blank = None if filled else blank_of(blanks.headlines[row], read_article(blanks.texts[row]))
        question = blank or filled_question(blanks, row)
        asked += [] if question is None else [(row, question)]
    aligned = aligner.align([question for _, question in asked], runtime)
    exercises = []
    for k in runtime.track(range(len(asked)), "Deriving numbers"):
        row, question = asked[k]
        candidates = derivations_of(question) if filled else fillings_of(question)
        gold, answer = parsed_or_none(blanks.annotations[row]), blanks.answers[row]
        if filled:
            right = [_is(way, gold) for way in candidates]
        else:
            right = [0.5 + 0.5 * _is(way, gold) if way.answer == answer else 0.0 for way in candidates]
        rows = features(question, aligned[k], candidates)
        exercises.append(Exercise(question, candidates, rows, np.array(right, dtype=np.float64), row))
    return exercises


def _is(candidate: DerivationCandidate, gold: Expression | None) -> float:
    if gold is None:
        return 0.0
    return 1.0 if same_expression(candidate.expression, gold) else 0.3 * equivalent(candidate, gold)


def ranking_pool(groups: Iterable[tuple[FloatArray, FloatArray]]) -> Any:
    """Features and how right they are, float64 [m, f] and [m], of candidates that are ranked together."""
    from catboost import Pool

    features, right = zip(*groups, strict=True)
    ids = np.repeat(np.arange(len(right)), list(map(len, right)))
    return Pool(np.concatenate(features), label=np.concatenate(right), group_id=ids)


def candidate_pool(exercises: Sequence[Exercise]) -> Any:
    used = [exercise for exercise in exercises if exercise.right.any() and len(exercise.candidates) > 1]
    return ranking_pool((exercise.features, exercise.right) for exercise in used)


def constants_of(
    trees: BoostedTrees, fillings: Sequence[Exercise], blanks: Blanks, runtime: Runtime
) -> tuple[Constants, float]:
    """The constants with which held-out blanks are filled best, and the share that are filled rightly."""
    used = [exercise for exercise in fillings if exercise.candidates]
    odds = [trees.predict(exercise.features) for exercise in used]
    gold = [blanks.answers[exercise.row] for exercise in used]

    def answers(sharpness: float) -> list[dict[str, float]]:
        given = zip(used, odds, strict=True)
        return [answers_of(exercise.candidates, sharpness * values) for exercise, values in given]

    def fit(sharpness: float) -> float:
        shares = [own.get(right, 0.0) for own, right in zip(answers(sharpness), gold, strict=True)]
        return float(np.log(np.maximum(shares, 1e-3)).mean())

    sharpness = max(SHARPNESSES, key=fit)
    likeliest = answers(sharpness)
    right = [max(own, key=own.__getitem__) == text for own, text in zip(likeliest, gold, strict=True)]
    weight = _language_model(list(zip(used, likeliest, gold, strict=True)), runtime)
    return Constants(sharpness=sharpness, language_model=weight), sum(right) / max(len(fillings), 1)


def _language_model(filled: Sequence[tuple[Exercise, dict[str, float], str]], runtime: Runtime) -> float:
    if not is_there():
        return 0.0
    reader, quiet = open_reader(runtime), runtime.quietly()
    read: list[tuple[FloatArray, FloatArray, int]] = []
    for exercise, answers, gold in runtime.track(filled, "Reading filled headlines"):
        first = sorted(answers, key=lambda answer: -answers[answer])[:READ]
        texts = [exercise.question.holding(answer) for answer in first]
        likelihoods = reader.read(exercise.question.article.text, texts, quiet)
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
