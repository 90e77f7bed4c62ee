"""Fits what decides a verdict: trees that weigh a claim, limits of the lights, what reasons are worth.

`python -m benchmarks.makers.verdicts FOLDER`; the language model reads for ten minutes of
it. No test article is read.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.data.articles.blanks import Blanks, load_blanks
from core.data.articles.written_claims import WrittenClaim
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import DEFAULT, Checker, recipe_of
from core.numerals.claims import claim_weights, judge, rules, verdicts
from core.numerals.claims.claim import ENGLISH, question_of, read_claim
from core.numerals.claims.claim_weights import ClaimConstants, ClaimWeights, Ways
from core.numerals.claims.evidence import evidence_of
from core.numerals.reader import ClaimQuestion, ClaimReader
from core.numerals.verifier import ClaimVerifier
from core.numerals.weighing import read_weights
from core.parts import Part
from core.runtime import Runtime
from research.runs.trees import TreeTraining, grow
from research.training.numerals.corruptions import Corruption
from research.training.numerals.lessons import is_judged
from research.training.numerals.written_claims import claims_written, numhg_claims

AT_ONCE: Final = 64
SEED: Final = 201
MOST: Final = 600  # headlines of NumHG that are read of a part
MADE: Final = (Corruption.DIGIT, Corruption.SCALE, Corruption.UNIT, Corruption.MAGNITUDE)
TREES: Final = TreeTraining(trees=400, depth=5, learning_rate=0.06, l2=20.0)
COLUMNS: Final = 0.3  # share of the columns that each question of a tree may choose from
GREEN: Final = 0.96  # share of true ones among green written headlines that is aimed at
UNLIKE: Final = {Ways.RULES: 0.94, Ways.READ: 0.94, Ways.THOROUGH: 0.9}
"""Share of false ones among those of the validation part that the whole speaks against."""
FEWEST: Final = 12  # headlines from which such a share says something


class ClaimRows(NamedTuple):
    """n claims."""

    rows: FloatArray  # what the trees look at, float64 [n, len(NAMES)]
    true: BoolArray  # whether each is true, bool [n]
    written: BoolArray  # whether a writer wrote it, bool [n]
    sure: BoolArray  # whether the article has the number, or it follows by sure arithmetic, bool [n]
    equal: BoolArray  # whether the article has the number, bool [n]
    reasons: tuple[frozenset[str], ...]  # names of the rules that each meets
    english: BoolArray  # bool [n]
    questions: tuple[ClaimQuestion | None, ...]  # what networks are asked about each


class Readings(NamedTuple):
    """Log-odds of the networks for n claims, float64 [n]; NaN for what was not read."""

    reader: FloatArray
    verifier: FloatArray


def read_rows(
    claims: Sequence[WrittenClaim], checker: Checker, runtime: Runtime, *, wrote: bool
) -> list[tuple[Any, ...]]:
    """What is looked at of each headline's number: the columns of `ClaimRows`."""
    rows: list[tuple[Any, ...]] = []
    for start in runtime.track(range(0, len(claims), AT_ONCE), "Reading claims"):
        some = claims[start : start + AT_ONCE]
        texts = [claim.headline for claim in some], [claim.article for claim in some]
        places = checker.places(*texts, runtime)
        for given, each in zip(some, places, strict=True):
            at = next((p for p in each if p.question.start <= given.start < p.question.end), None)
            at = at or next((p for p in each if p.numeral.start <= given.start < p.numeral.end), None)
            if given.start < 0 and len(each) == 1:
                at = each[0]
            if at is None:
                continue
            claim = read_claim(at, [other for other in each if other is not at])
            evidence = evidence_of(claim)
            sure = evidence is not None and evidence.sure
            rival = verdicts.rival_of(claim)
            absent = verdicts.is_absent(claim, evidence) or verdicts.is_other(claim, evidence, rival)
            reasons = rules.reasons_of(claim)
            chance = verdicts.by_chance(claim, evidence)
            met = frozenset({*reasons, *[verdicts.ABSENT] * absent, *[verdicts.CHANCE] * chance})
            row = judge.claim_rows([claim], [reasons])[0]
            about = given.true, wrote, sure, bool(claim.equal), met, claim.language == ENGLISH
            rows.append((row, *about, question_of(claim)))
    return rows


def fit(learned: ClaimRows, watched: ClaimRows, readings: Readings, runtime: Runtime) -> ClaimWeights:
    """Trees from one set of claims, limits and what reasons are worth from another with its readings."""
    trees = {
        claim_weights.WRITTEN: _grown(learned, learned.written, runtime),
        claim_weights.NUMBERS: _grown(learned, np.ones_like(learned.written), runtime),
    }
    both = ((claims.reasons, claims.true, claims.written) for claims in (learned, watched))
    written = [(reasons, true) for rows in both for reasons, true, own in zip(*rows, strict=True) if own]
    counts = Counter(rule for reasons, _ in written for rule in reasons)
    false = Counter(rule for reasons, true in written if not true for rule in reasons)
    met = {rule: (false[rule], counts[rule]) for rule in (*rules.RULES, verdicts.ABSENT, verdicts.CHANCE)}
    weights = ClaimWeights(trees, {}, met)
    for way in Ways:
        constants, doubted = constants_of(way, weights, watched, readings)
        weights = replace(weights, constants={**weights.constants, way: constants})
        if way is Ways.READ and doubted is not None:
            weights = replace(weights, met={**weights.met, verdicts.UNLIKE: doubted})
    return weights


def constants_of(
    way: Ways, weights: ClaimWeights, watched: ClaimRows, readings: Readings
) -> tuple[ClaimConstants, tuple[int, int] | None]:
    """How what is known of written claims makes one sum, its limits, and how many below it are false."""
    from sklearn.linear_model import LogisticRegression

    own = watched.written & (watched.english if way is Ways.THOROUGH else True)
    sums = weights.trees[claim_weights.WRITTEN].predict(watched.rows)
    known = (sums, *readings)[: 1 + [*Ways].index(way)]
    columns = np.stack([np.nan_to_num(column) for column in known], axis=1)
    fitted = LogisticRegression(C=1e6).fit(columns[own], watched.true[own])
    trees, reader, verifier = [*fitted.coef_[0].tolist(), 0.0, 0.0][:3]
    intercept = float(fitted.intercept_[0])
    constants = ClaimConstants(intercept, trees, reader, verifier, unlike=-np.inf, supported=np.inf)
    odds = fitted.decision_function(columns)
    met = [
        verdicts.ABSENT in reasons or any(verdicts.speaks(rule, own_odds, weights) for rule in reasons)
        for reasons, own_odds in zip(watched.reasons, odds.tolist(), strict=True)
    ]
    free = own & ~np.array(met)
    doubts = free & watched.equal
    doubted = _doubt(odds[doubts], watched.true[doubts], UNLIKE[way])
    if doubted is not None:
        constants = replace(constants, unlike=doubted[0])
    green = free & watched.sure
    support = weights.support(watched.rows[green], odds[green])
    order = np.argsort(-support)
    last = _last(watched.true[green][order], GREEN)
    if last is not None:
        constants = replace(constants, supported=float(support[order[last]]))
    return constants, None if doubted is None else doubted[1]


def _grown(learned: ClaimRows, rows: BoolArray, runtime: Runtime) -> BoostedTrees:
    from catboost import Pool

    # True and false count the same, among written headlines and among NumHG's own.
    weights = np.zeros(len(learned.true))
    for own in (learned.written, ~learned.written):
        for true in (learned.true, ~learned.true):
            weights[own & true] = own.sum() / max(2 * (own & true).sum(), 1)
    pool: Any = Pool(learned.rows[rows], label=learned.true[rows], weight=weights[rows])
    return grow("Logloss", (pool, None), TREES, runtime, rsm=COLUMNS)


def _doubt(sums: FloatArray, true: BoolArray, share: float) -> tuple[float, tuple[int, int]] | None:
    order = np.argsort(sums)
    last = _last(~true[order], share)
    if last is None:
        return None
    limit = float(sums[order[last + 1]]) if last + 1 < len(order) else float(sums.max()) + 1.0
    return limit, (int((~true[order[: last + 1]]).sum()), last + 1)


def _last(right: BoolArray, share: float) -> int | None:
    counts = np.arange(1, len(right) + 1)
    good = np.flatnonzero((np.cumsum(right) >= share * counts) & (counts >= FEWEST))
    return int(good[-1]) if len(good) else None


def rows_of(part: Part, checker: Checker, blanks: Blanks, runtime: Runtime) -> ClaimRows:
    """The claims of a part, written ones first."""
    own = blanks.part(part)
    if part is Part.TRAIN:
        own = own.at([row for row, text in enumerate(own.texts) if is_judged(text)])
    claims = claims_written(part, blanks.part(part))
    numhg = list(numhg_claims(own, MADE, most=MOST, seed=SEED))
    read = read_rows(claims, checker, runtime, wrote=True) + read_rows(numhg, checker, runtime, wrote=False)
    *columns, reasons, english, questions = zip(*read, strict=True)
    arrays: Any = (*map(np.array, columns), reasons, np.array(english), questions)
    return ClaimRows(*arrays)


def readings_of(claims: ClaimRows, runtime: Runtime) -> Readings:
    asked = [q if own else None for q, own in zip(claims.questions, claims.written, strict=True)]
    english = [q if own else None for q, own in zip(asked, claims.english, strict=True)]
    read = judge.read_by(ClaimReader().build(runtime), asked, runtime)
    return Readings(read, judge.read_by(ClaimVerifier().build(runtime), english, runtime))


def main(folder: Path) -> None:
    runtime = Runtime(patient=True)
    recipe, blanks = recipe_of(None), load_blanks("numhg")
    # It finds what claims are judged by, and has no weights to judge them.
    untrained = ClaimWeights({}, {}, {})
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), untrained, DEFAULT)
    learned, watched = (rows_of(part, checker, blanks, runtime) for part in (Part.TRAIN, Part.VALIDATION))
    claim_weights.write_claim_weights(folder, fit(learned, watched, readings_of(watched, runtime), runtime))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
