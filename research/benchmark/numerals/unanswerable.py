"""Blanks whose article lacks the answer: how well a filler leaves them blank.

NumHG's files hold none of the questions that its annotators marked so. They are made here of its answerable
rows: each sentence with the answer, or a number of the annotated expression, is taken out of the article.

Source: Huang et al. 2023, "NumHG", section 3.2; Rajpurkar et al. 2018, "Know What You Don't Know".
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.articles.blanks import load_blanks
from core.numerals.filling import Filler
from core.numerals.question import read_article
from core.parts import Part
from core.results.number_forms import decimals, percent
from core.results.table import WARNED, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.text.numerals.read import read_numerals
from research.benchmark.numerals.figures import same_number

SEED: Final = 0


def without_answer(article: str, answer: str, annotation: str) -> str:
    """An article without the sentences that hold the answer or a number of the expression that gives it."""
    read = read_article(article)
    named = (read_numerals(text, language="en") for text in (answer, annotation))
    wanted = {numeral.value for numerals in named for numeral in numerals}
    holding = {
        place
        for numeral, place in zip(read.numerals, read.places, strict=True)
        if numeral.value in wanted or numeral.number == answer
    }
    return " ".join(article[start:end] for at, (start, end) in enumerate(read.sentences) if at not in holding)


class FilledBlanks(NamedTuple):
    """n blanks, each with its article (first column) and with what is left without the answer (second)."""

    sure: FloatArray  # probability of the likeliest answer, 0 where there is none, [n, 2]
    right: IntArray  # whether the answer from the whole article is the gold one, [n]


def filled(filler: Filler, part: Part, runtime: Runtime, *, limit: int) -> FilledBlanks:
    blanks = load_blanks("numhg").part(part)
    drawn = np.random.default_rng(SEED).permutation(len(blanks))[: limit or None]
    given = blanks.at(sorted(drawn.tolist()))
    rows = zip(given.texts, given.answers, given.annotations, strict=True)
    poorer = [without_answer(*row) for row in rows]
    answers = filler.fill(given.headlines * 2, [*given.texts, *poorer], runtime)
    sure = np.array([answer.probability for answer in answers]).reshape(2, -1).T
    right = [same_number(own.answer, gold) for own, gold in zip(answers, given.answers, strict=False)]
    return FilledBlanks(sure, np.array(right, dtype=np.int64))


class Abstention(NamedTuple):
    """What a threshold on the probability does; the first row answers always."""

    system: str
    least: float
    blank: Figure  # of unanswerable ones left blank
    answered: Figure  # of answerable ones answered
    right: Figure  # of the answers given, over both kinds, the right ones


def measure(system: str, least: float, blanks: FilledBlanks) -> Abstention:
    given = blanks.sure >= max(least, np.finfo(np.float64).tiny)
    each = np.ones(len(given))
    parts = (~given[:, 1], each), (given[:, 0], each), (given[:, 0] & (blanks.right > 0), given.sum(axis=1))
    shares = (
        Figure.ratio(np.column_stack(sums).astype(np.float64), unit="articles", reason="nothing was answered")
        for sums in parts
    )
    return Abstention(system, least, *shares)


def chosen(blanks: FilledBlanks) -> float:
    """The threshold with the most answerable ones answered and unanswerable ones left blank."""
    from sklearn.metrics import roc_curve

    labels = np.tile([1, 0], (len(blanks.sure), 1))
    alarms, hits, edges = roc_curve(labels.ravel(), blanks.sure.ravel())
    return float(min(edges[np.argmax(hits - alarms)], 1.0))


def measure_abstention(filler: Filler, runtime: Runtime, *, limit: int = 0) -> tuple[float, list[Abstention]]:
    """Area under the curve on test rows, and what a threshold chosen on validation rows does there."""
    from sklearn.metrics import roc_auc_score

    least = chosen(filled(filler, Part.VALIDATION, runtime, limit=limit))
    test = filled(filler, Part.TEST, runtime, limit=limit)
    area = roc_auc_score(np.tile([1, 0], (len(test.sure), 1)).ravel(), test.sure.ravel())
    return float(area), [measure("answers always", 0.0, test), measure("leaves blank", least, test)]


def abstention_table(area: float, rows: Sequence[Abstention]) -> Table:
    titles = {
        "blank": "unanswerable left blank",
        "answered": "answerable answered",
        "right": "right of answers",
    }
    shares = (TableColumn(title, key=key, form=percent(), parts=WARNED) for key, title in titles.items())
    return Table(
        columns=(TableColumn("system"), TableColumn("threshold", form=decimals(2)), *shares),
        rows=tuple((row.system, row.least, row.blank, row.answered, row.right) for row in rows),
        notes=(f"Area under the curve of the probability: {area:.3f}.",),
    )
