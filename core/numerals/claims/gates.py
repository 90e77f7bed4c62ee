"""What speaks for and against a claim, each by itself: value, unit, bound, words, holder, rival, derivation.

A gate looks at one part of a claim and gives a few numbers; 0 says that it has nothing to say. What they come
to together is decided by `core.numerals.claims.gates`.

Each part has trees of its own, grown one part after the other on what the parts before it leave open, so that
their sums add up to log-odds. A part says how far it speaks for or against a claim; none overrides another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from core import files
from core.arrays import FloatArray
from core.models.boosted_trees import (
    BoostedTrees,
    from_tables,
    named_tables,
    other_features,
    read_folder,
    read_once,
    tables_of,
)
from core.numerals.claims.changes import WAYS, ways_worked
from core.numerals.claims.claim import COUNTED, Claim, ClaimPlace, alike, are_pounds
from core.numerals.claims.sayings import counted_gate, holder_gate, overlap_gate, word_gate
from core.numerals.claims.words import BoundAgreement, agreement, step_of, stretch_of
from core.numerals.derivations.agreements import as_float
from core.numerals.derivations.features import SUPPORT_NAMES
from core.numerals.expressions.parse import Call, calls_of, used_leaves
from core.tensor_files import write_arrays
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

NOTHING: Final = -12.0  # stands for the logarithm of a share that is not there


def value_gate(claim: Claim) -> Sequence[float]:
    """Whether the article has the value, or one that it is a rounding, a slip or a wrong magnitude of."""
    numeral, article = claim.place.numeral, claim.place.article
    best_error, slip, scaled, sameamount = 1.0, 0.0, 0.0, 0.0
    step = numeral.factor / 10**numeral.decimals
    for other in article.numerals:
        if other.start < article.dateline or not alike(numeral, other) or not other.value:
            continue
        difference = abs(other.value - numeral.value)
        error = as_float(difference / max(other.value, numeral.value)) if numeral.value else 1.0
        best_error = min(best_error, error)
        slip = max(slip, float(0 < difference <= step))
        scaled = max(
            scaled,
            float(difference > 0 and _is_power_of_ten(other.value / numeral.value)) if numeral.value else 0.0,
        )
        sameamount = max(sameamount, float(difference > 0 and other.amount == numeral.amount))
    rounding = float(_rounding(claim))
    return (
        float(len(claim.equal)),
        float(len(claim.rounded)),
        best_error,
        slip,
        scaled,
        sameamount,
        rounding,
    )


def _is_power_of_ten(ratio: Fraction) -> bool:
    small, large = sorted((ratio.numerator, ratio.denominator))
    return small == 1 < large and str(large).rstrip("0") == "1"


def _rounding(claim: Claim) -> int:
    if claim.source is None:
        return 0
    numeral, other = claim.place.numeral, claim.place.article.numerals[claim.source]
    if numeral.value == other.value or claim.source in claim.rounded:
        return 1
    step = step_of(numeral)
    return 1 if abs(other.value - numeral.value) * 2 <= step else -1


def unit_gate(claim: Claim) -> Sequence[float]:
    """Whether units and kinds differ, for the source and for every number of that value.

    The strict one is 1 where both units are read and differ for every number of the article of that value.
    """
    numeral, article = claim.place.numeral, claim.place.article
    rows = claim.equal or claim.rounded or claim.place.sources
    others = [article.numerals[row] for row in rows]
    strict = float(bool(others) and all(_units_differ(numeral, other) for other in others))
    kinds = float(bool(others) and all(_kinds_differ(numeral, other) for other in others))
    source = None if claim.source is None else article.numerals[claim.source]
    own = 0.0 if source is None else _unit_sign(numeral, source)
    anywhere = float(bool(numeral.unit) and all(other.unit != numeral.unit for other in article.numerals))
    return (strict, kinds, own, anywhere)


def _units_differ(numeral: Numeral, other: Numeral) -> bool:
    if are_pounds(numeral, other):
        return False
    if numeral.unit and other.unit:
        return numeral.unit != other.unit
    return (numeral.kind is NumeralKind.MONEY) != (other.kind is NumeralKind.MONEY)


def _kinds_differ(numeral: Numeral, other: Numeral) -> bool:
    both = {numeral.kind, other.kind}
    return len(both) > 1 and not both <= COUNTED and not are_pounds(numeral, other)


def _unit_sign(numeral: Numeral, other: Numeral) -> float:
    if not numeral.unit or not other.unit:
        return 0.0
    return 1.0 if numeral.unit == other.unit or are_pounds(numeral, other) else -1.0


def bound_gate(claim: Claim) -> Sequence[float]:
    """Whether hedge or bound agree with the source, and with any number of the article of that kind."""
    place = claim.place
    numeral, article, headline = place.numeral, place.article, place.question.headline
    if claim.source is None:
        return (0.0, 0.0, 0.0, 0.0)
    other = article.numerals[claim.source]
    said, given = stretch_of(numeral, headline), stretch_of(other, article.text)
    own = (
        agreement(numeral, headline, other, article.text) if alike(numeral, other) else BoundAgreement.UNKNOWN
    )
    anywhere = max(
        (
            agreement(numeral, headline, article.numerals[row], article.text)
            for row in (*claim.equal, *claim.rounded)
        ),
        default=BoundAgreement.UNKNOWN,
    )
    hedged = float(numeral.approximation is not Approximation.EXACT)
    return (
        float(own),
        float(anywhere),
        hedged,
        float(other.approximation is not Approximation.EXACT) + 2 * float(said != given),
    )


def rival_gate(claim: Claim) -> Sequence[float]:
    """How the source compares with the best other number of its kind and unit put in its place."""
    place = claim.place
    article, numeral = place.article, place.numeral
    if not len(place.attachment.numerals):
        return (NOTHING, 0.0, 0.0, 0.0)
    logs = np.log(place.shares + 1e-6)
    same = {*claim.equal, *claim.rounded} or set(place.sources)
    own = max((float(logs[row]) for row in same), default=NOTHING)
    rivals = [
        float(logs[row])
        for row, one in enumerate(article.numerals)
        if row not in same
        and one.start >= article.dateline
        and one.value != numeral.value
        and one.approximation is not Approximation.VAGUE
        and alike(numeral, one)
    ]
    best = max(rivals, default=NOTHING)
    return (own, own - best, float(sum(one > own for one in rivals)), float(len(rivals)))


def exchange_gate(claim: Claim) -> Sequence[float]:
    """How much better the headline's numbers stood in each other's place, in log-shares; else 0."""
    place = claim.place
    worst, held = NOTHING, 0.0
    logs = np.log(place.shares + 1e-6) if len(place.attachment.numerals) else np.zeros(0)
    for other in claim.others:
        if not alike(place.numeral, other.numeral) or place.numeral.value == other.numeral.value:
            continue
        mine, yours = _rows(place), _rows(other)
        if not mine or not yours:
            continue
        theirs = np.log(other.shares + 1e-6)
        as_it_is = logs[list(mine)].max() + theirs[list(yours)].max()
        exchanged = logs[list(yours)].max() + theirs[list(mine)].max()
        worst = max(worst, float(exchanged - as_it_is))
        held = 1.0
    return (worst if held else 0.0, held)


def _rows(place: ClaimPlace) -> tuple[int, ...]:
    value = place.numeral.value
    rows = tuple(row for row, one in enumerate(place.article.numerals) if one.value == value)
    return rows or place.sources


def price_gate(claim: Claim) -> Sequence[float]:
    """What the likeliest derivation costs: steps, constants that the article lacks, unlike numbers."""
    place, article = claim.place, claim.place.article
    if not place.derivations:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    first = place.derivations[0]
    calls = [call.operator.name for call in calls_of(first.expression)]
    leaves = len(list(used_leaves(first.expression))) if isinstance(first.expression, Call) else 0
    constants = max(0, leaves - len(first.sources)) if len(first.sources) > 1 or leaves > 1 else 0
    used = [article.numerals[row] for row in first.sources]
    nouns = {one.counted for one in used} - {""}
    kinds = {one.kind for one in used}
    return (
        float(len(calls)),
        float(constants),
        float(len(used)),
        float(len(nouns) > 1),
        float(len(kinds) > 1),
        float(any(one.start < article.dateline for one in used)),
    )


def worked_gate(claim: Claim) -> Sequence[float]:
    """Which kinds of everyday arithmetic give the number; see `core.numerals.claims.changes`."""
    found = ways_worked(claim)
    return tuple(float(way in found) for way in WAYS)


GATES: Final[Mapping[str, tuple[Callable[[Claim], Sequence[float]], tuple[str, ...]]]] = MappingProxyType(
    {
        "value": (value_gate, ("equal", "rounded", "error", "slip", "scaled", "amount", "rounding")),
        "unit": (unit_gate, ("strict", "kinds", "source", "anywhere")),
        "bound": (bound_gate, ("source", "anywhere", "hedged", "differ")),
        "word": (
            word_gate,
            ("said", "sentence", "nearby", "opposite", "nearer", "flipped"),
        ),
        "overlap": (overlap_gate, ("sentence", "nearby", "around")),
        "holder": (
            holder_gate,
            (
                "names",
                "sentence",
                "before",
                "others",
                "fit",
                "fit_ahead",
                "early",
                "early_ahead",
                "often",
                "often_ahead",
                "near",
                "near_ahead",
                "instead",
            ),
        ),
        "counted": (counted_gate, ("same", "rivals", "sentence")),
        "rival": (rival_gate, ("share", "ahead", "rank", "rivals")),
        "exchange": (exchange_gate, ("gain", "pairs")),
        "worked": (worked_gate, tuple(WAYS)),
        "price": (price_gate, ("steps", "constants", "sources", "nouns", "kinds", "dateline")),
    }
)
"""Every gate with the names of its numbers."""
GATE_NAMES: Final = tuple(f"{gate}_{name}" for gate, (_, names) in GATES.items() for name in names)


def gate_features(claim: Claim) -> FloatArray:
    """What all gates say, float64 [len(GATE_NAMES)] in the order of `GATE_NAMES`."""
    return np.array([number for gate, _ in GATES.values() for number in gate(claim)], dtype=np.float64)


FOLDER: Final = files.ROOT / "models" / "numeral_claims"
ABOUT: Final = "claims.json"
TREES: Final = "claims.safetensors"
NAMES: Final = (*GATE_NAMES, *(f"support_{name}" for name in SUPPORT_NAMES))
"""Columns of the trees: what the gates say, and the features of the support of a number."""
PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "value": ("value_", "worked_", "price_", "support_"),
        "place": ("rival_", "exchange_", "counted_"),
        "unit": ("unit_",),
        "bound": ("bound_",),
        "word": ("word_", "overlap_"),
        "holder": ("holder_",),
    }
)
"""The parts of a claim, and the beginnings of the names of what each looks at."""
COLUMNS: Final = {
    part: [k for k, name in enumerate(NAMES) if name.startswith(begin)] for part, begin in PARTS.items()
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimConstants:
    """Numbers that were fitted or chosen on rows that no tree has learned from, but for `chance`."""

    slope: float  # of the line from the sum of the parts to log-odds on written headlines
    intercept: float
    supported: float  # log-odds from which a claim is green
    chance: float  # sum of "value" below which unlikely arithmetic asks for a look
    reread: tuple[float, float]  # slope and intercept of what the second reading adds


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    """What judges claims."""

    trees: Mapping[str, BoostedTrees]  # one ensemble for each of `PARTS`; higher sums speak for the claim
    constants: ClaimConstants
    met: Mapping[str, tuple[int, int]]  # by rule: false written headlines, and all, that met it

    def parts(self, rows: FloatArray) -> dict[str, FloatArray]:
        """What each part says of n claims, float64 [n] a part."""
        return {part: self.trees[part].predict(rows[:, COLUMNS[part]]) for part in PARTS}

    def log_odds(self, parts: Mapping[str, FloatArray]) -> FloatArray:
        """Log-odds that n claims are true, float64 [n]."""
        return np.asarray(
            self.constants.slope * np.sum(list(parts.values()), axis=0) + self.constants.intercept
        )


def measured(rule: str) -> str:
    """What a reason was worth on written headlines, a sentence."""
    false, count = read_claim_weights().met.get(rule, (0, 0))
    if not count:
        return "What this reason is worth was not counted."
    return f"Of {count:,} written headlines with this reason {false:,} were false."


def write_claim_weights(folder: Path, weights: ClaimWeights) -> None:
    """Writes claims.json and the trees."""
    files.make_folder(folder)
    about = {"constants": asdict(weights.constants), "met": dict(weights.met), "features": list(NAMES)}
    files.write(folder / ABOUT, (json.dumps(about, indent=2) + "\n").encode())
    tables = {
        key: table.astype(np.int16)
        if key.endswith(".columns")
        else table.astype(np.float32)
        if key.endswith(".values")
        else table
        for key, table in named_tables(dict(weights.trees)).items()
    }
    write_arrays(folder / TREES, tables)


def read_claim_weights(folder: Path = FOLDER) -> ClaimWeights:
    """The weights of a folder; of files that have not changed they are read once."""
    return read_once(folder, (ABOUT, TREES), _read)


@lru_cache(maxsize=2)
def _read(folder: Path, marks: tuple[str, ...]) -> ClaimWeights:
    about, tables = read_folder(folder, ABOUT, TREES)
    if tuple(about["features"]) != NAMES:
        raise other_features(folder)
    given: Mapping[str, Any] = about["constants"]
    constants = ClaimConstants(
        **{name: float(given[name]) for name in ("slope", "intercept", "supported", "chance")},
        reread=(float(given["reread"][0]), float(given["reread"][1])),
    )
    met = {rule: (int(false), int(count)) for rule, (false, count) in about["met"].items()}
    trees = {part: from_tables(tables_of(part, tables), len(COLUMNS[part])) for part in PARTS}
    return ClaimWeights(trees, constants, met)
