"""Fits what decides a verdict: trees that weigh a claim, limits of the lights, what reasons are worth.

`python -m research.training.numerals.verdict_training FOLDER`; with `--reading` the limit of the second
reading is found as well, which takes half an hour. No test article is read.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.data.articles.sets import PLACE, Blanks, WrittenClaim, load_blanks, load_written_claims
from core.models.boosted_trees import BoostedTrees
from core.numerals.checking import DEFAULT, Checker, read_weights, recipe_of
from core.numerals.claims import judge
from core.numerals.claims.claim import ClaimPlace, read_claim
from core.numerals.claims.evidence import evidence_of
from core.numerals.claims.judge import ClaimWeights
from core.numerals.verdict import PASSING
from core.numerals.verifier import ClaimVerifier
from core.parts import Part
from core.runtime import Runtime
from core.statistics.calibration import fit_logistic
from research.runs.trainer import TreeTraining, grow
from research.training.numerals.corruptions import Corruption, corrupt
from research.training.numerals.lessons import filled_question, is_judged

AT_ONCE: Final = 64
SEED: Final = 201
MOST: Final = 600
"""Headlines of NumHG that are read of a part."""
MADE: Final = (Corruption.DIGIT, Corruption.SCALE, Corruption.UNIT, Corruption.MAGNITUDE)
TREES: Final = TreeTraining(trees=400, depth=5, learning_rate=0.06, l2=20.0)
COLUMNS: Final = 0.3
"""Share of the columns that each question of a tree may choose from."""
GREEN: Final = 0.96
"""Share of true ones among the green written headlines of the validation part that is aimed at."""
UNLIKE: Final = 0.93
"""Share of false ones among those of the validation part that the whole speaks against."""
READ: Final = 0.9
"""The same of those that are read thoroughly: at more, hardly any is doubted."""
FEWEST: Final = 12
"""Headlines from which such a share says something."""


UNREAD: Final = {"doubt": -np.inf, "base": 0.0, "whole": 1.0, "reading": 1.0}
"""What the second reading adds before it was measured."""


class ClaimRows(NamedTuple):
    """n claims."""

    rows: FloatArray  # what the trees look at, float64 [n, len(NAMES)]
    true: BoolArray  # whether each is true, bool [n]
    written: BoolArray  # whether a writer wrote it, bool [n]
    sure: BoolArray  # whether the article has the number, or it follows by sure arithmetic, bool [n]
    equal: BoolArray  # whether the article has the number, bool [n]
    reasons: tuple[frozenset[str], ...]  # names of the rules that each meets


def invented(path: Path) -> list[WrittenClaim]:
    """The headlines of a file with one invented article a line, and its true and false headlines."""
    claims = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        claims += [WrittenClaim(text, -1, -1, row["article"], True, "") for text in row["true"]]
        kinds = row.get("kinds") or [path.stem] * len(row["false"])
        claims += [
            WrittenClaim(text, -1, -1, row["article"], False, kind)
            for text, kind in zip(row["false"], kinds, strict=True)
        ]
    return claims


def invented_files(part: str) -> list[Path]:
    """Files of headlines that were written for invented articles, in several languages."""
    return sorted((PLACE.require() / "invented" / part).glob("*.jsonl"))


def of_numhg(blanks: Blanks, made: Sequence[Corruption], *, most: int, seed: int) -> Iterator[WrittenClaim]:
    """NumHG's own headlines, and the same with the number made wrong."""
    for row in range(min(most, len(blanks))):
        question = filled_question(blanks, row)
        if question is None:
            continue
        place = question.start, question.end, blanks.texts[row]
        yield WrittenClaim(question.headline, *place, True, "")
        for how in made:
            wrong = corrupt(question, how, seed)
            if wrong is not None:
                yield WrittenClaim(wrong, *place, False, how.value)


def read_rows(
    claims: Sequence[WrittenClaim], checker: Checker, runtime: Runtime, *, wrote: bool
) -> list[tuple[Any, ...]]:
    """What is looked at of each headline's number: the columns of `ClaimRows`."""
    rows: list[tuple[Any, ...]] = []
    for some, places in _placed(claims, checker, runtime, "Reading claims"):
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
            rival = judge.rival_of(claim)
            absent = judge.is_absent(claim, evidence) or judge.is_other(claim, evidence, rival)
            reasons = judge.reasons_of(claim)
            nonsense = evidence is not None and evidence.nonsense and judge.by_chance(claim, evidence)
            met = frozenset({*reasons, *[judge.ABSENT] * absent, *[judge.CHANCE] * nonsense})
            rows.append(
                (judge.claim_rows([claim], [reasons])[0], given.true, wrote, sure, bool(claim.equal), met)
            )
    return rows


def _placed(
    claims: Sequence[WrittenClaim], checker: Checker, runtime: Runtime, step: str
) -> Iterator[tuple[Sequence[WrittenClaim], Sequence[list[ClaimPlace]]]]:
    for start in runtime.track(range(0, len(claims), AT_ONCE), step):
        some = claims[start : start + AT_ONCE]
        texts = [claim.headline for claim in some], [claim.article for claim in some]
        yield some, checker.places(*texts, runtime)


def fit(learned: ClaimRows, watched: ClaimRows, runtime: Runtime) -> ClaimWeights:
    """Trees from one set of claims, limits and what reasons are worth from another."""
    trees = {
        judge.WRITTEN: _grown(learned, learned.written, runtime),
        judge.NUMBERS: _grown(learned, np.ones_like(learned.written), runtime),
    }
    own = watched.written
    sums = trees[judge.WRITTEN].predict(watched.rows)
    slope, intercept = fit_logistic(sums[own], watched.true[own], softened=False)
    both = ((claims.reasons, claims.true, claims.written) for claims in (learned, watched))
    written = [(reasons, true) for rows in both for reasons, true, own in zip(*rows, strict=True) if own]
    counts = Counter(rule for reasons, _ in written for rule in reasons)
    false = Counter(rule for reasons, true in written if not true for rule in reasons)
    met = {rule: (false[rule], counts[rule]) for rule in (*judge.RULES, judge.ABSENT, judge.CHANCE)}
    precise = {
        *judge.OTHERWISE,
        judge.ABSENT,
        *(rule for rule, (false, n) in met.items() if false >= judge.PRECISE * n),
    }
    constants = judge.ClaimConstants(
        slope=slope, intercept=intercept, unlike=-np.inf, supported=np.inf, **UNREAD
    )
    weights = ClaimWeights(trees, constants, met)
    free = own & np.array([not precise & reasons for reasons in watched.reasons])
    equal = free & watched.equal
    if doubted := _doubt(weights.log_odds(watched.rows[equal]), watched.true[equal], UNLIKE):
        constants = replace(constants, unlike=doubted[0])
        met[judge.UNLIKE] = doubted[1]
    green = free & watched.sure
    support = weights.support(watched.rows[green])
    order = np.argsort(-support)
    last = _last(watched.true[green][order], GREEN)
    if last is not None:
        constants = replace(constants, supported=float(support[order[last]]))
    return replace(weights, constants=constants)


def _grown(learned: ClaimRows, rows: BoolArray, runtime: Runtime) -> BoostedTrees:
    from catboost import Pool

    # True and false count the same, among written headlines and among NumHG's own.
    weights = np.zeros(len(learned.true))
    for own in (learned.written, ~learned.written):
        for true in (learned.true, ~learned.true):
            weights[own & true] = own.sum() / max(2 * (own & true).sum(), 1)
    pool: Any = Pool(learned.rows[rows], label=learned.true[rows], weight=weights[rows])
    return grow("Logloss", (pool, None), TREES, runtime, rsm=COLUMNS)


def _doubt(
    sums: FloatArray, true: BoolArray, share: float = judge.PRECISE
) -> tuple[float, tuple[int, int]] | None:
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
    claims = load_written_claims(part, blanks.part(part))
    for path in invented_files(part.value):
        claims += invented(path)
    numhg = list(of_numhg(own, MADE, most=MOST, seed=SEED))
    read = read_rows(claims, checker, runtime, wrote=True) + read_rows(numhg, checker, runtime, wrote=False)
    *columns, reasons = zip(*read, strict=True)
    arrays: Any = (*map(np.array, columns), reasons)
    return ClaimRows(*arrays)


def with_reading(weights: ClaimWeights, checker: Checker, blanks: Blanks, runtime: Runtime) -> ClaimWeights:
    """The same with how the second reading is added, and its limit, on the validation headlines."""
    given = load_written_claims(Part.VALIDATION, blanks.part(Part.VALIDATION))
    for path in invented_files(Part.VALIDATION.value):
        given += invented(path)
    verifier = ClaimVerifier().build(runtime)
    read, true = [], []
    for batch, places in _placed(given, checker, runtime, "Reading claims once more"):
        for claim, claims in zip(batch, judge.judge_claims(places, weights, runtime, verifier), strict=True):
            for judged in claims:
                numeral = judged.claim.place.numeral
                meant = claim.start < 0 or numeral.start <= claim.start < numeral.end
                if meant and judged.reading is not None:
                    read.append(judged)
                    true.append(claim.true)
    return added_reading(weights, read, np.array(true))


def added_reading(weights: ClaimWeights, read: Sequence[judge.JudgedClaim], true: BoolArray) -> ClaimWeights:
    from sklearn.linear_model import LogisticRegression

    rows = np.array([(judged.log_odds, judged.reading) for judged in read])
    fitted = LogisticRegression(C=1e6).fit(rows, true)
    (whole, reading), base = fitted.coef_[0].tolist(), float(fitted.intercept_[0])
    added = replace(weights.constants, base=base, whole=whole, reading=reading, doubt=-np.inf)
    weights = replace(weights, constants=added)
    free = np.array([judge.verdict_of(judged, weights)[0].light in PASSING for judged in read])
    doubt = _doubt(fitted.decision_function(rows)[free], true[free], READ)
    if doubt is None:
        return weights
    met = {**weights.met, judge.READ: doubt[1]}
    return replace(weights, constants=replace(added, doubt=doubt[0]), met=met)


def main(folder: Path, *, reading: bool) -> None:
    runtime = Runtime(patient=True)
    recipe, blanks = recipe_of(None), load_blanks("numhg")
    # It finds what claims are judged by, and has no weights to judge them.
    constants = judge.ClaimConstants(slope=1.0, intercept=0.0, unlike=0.0, supported=0.0, **UNREAD)
    untrained = ClaimWeights({}, constants, {})
    checker = Checker(recipe.build(runtime), read_weights(recipe.folder), untrained, DEFAULT)
    learned, watched = (rows_of(part, checker, blanks, runtime) for part in (Part.TRAIN, Part.VALIDATION))
    weights = fit(learned, watched, runtime)
    judge.write_claim_weights(folder, with_reading(weights, checker, blanks, runtime) if reading else weights)


if __name__ == "__main__":
    main(Path(sys.argv[1]), reading="--reading" in sys.argv[2:])
