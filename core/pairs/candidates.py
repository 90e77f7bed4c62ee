"""Which pairs are scored at all, and their scores: exact inside the scorer's time window."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.pairs.scorer import PairContext, PairScorer, PreparedScorer, check_range
from core.pairs.sieve import Sieve
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    from scipy import sparse

FLOOR = 0.2
"""Least similarity that a sparse result keeps; absent pairs count as 0.

Past a granularity of about 0.7 average linkage therefore joins a little less than on the full
matrix (on ISS pair F1 between the two is 1.0 up to 0.70 and 0.88 at 0.75). A lower floor would mend
that and hold several times as many pairs."""

_ROWS = 1_024
_COLUMNS = 4_096
_STEP = "Comparing headlines"


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Headlines sorted by day, the undated last, and the blocks that cover all candidate pairs."""

    order: IntArray
    days: npt.NDArray[np.float64]
    window: float
    tiles: list[tuple[slice, slice]]


def score_candidates(
    scorer: PairScorer, context: PairContext, runtime: Runtime, *, floor: float = FLOOR
) -> Similarities:
    """Scores every pair inside the scorer's window, without approximation.

    Headlines are sorted by day, so that the pairs of a window are a band of blocks; a headline
    without a date is compared with all. An asymmetric scorer's two directions are averaged.

    Args:
        scorer: Its scale must lie inside 0 to 1.
        context: The n headlines, in any order.
        runtime: Progress is reported block by block.
        floor: Above `limits.DENSE_HEADLINES` headlines, least similarity that is kept.

    Returns:
        Similarities in input order, float32, symmetric, diagonal 1: a full [n, n] matrix up to
        `limits.DENSE_HEADLINES` headlines (pairs outside the window are 0), else CSR.

    Raises:
        InputError: The scorer's scale is not inside 0 to 1, a score is outside its scale, or the sparse
            result would hold more than `limits.CANDIDATE_PAIRS` pairs.
        Cancelled: The runtime's stop was set.
    """
    if scorer.scale.low < 0 or scorer.scale.high > 1:
        raise InputError(
            f"The scorer's scores run from {scorer.scale.low} to {scorer.scale.high}, not from 0 to 1.",
            hint="Calibrate it before grouping with it.",
        )
    order: IntArray = np.argsort(context.days, kind="stable").astype(np.int64)
    days = context.days[order]
    plan = _Plan(order, days, scorer.window_days, _tiles(days, scorer.window_days))
    prepared = scorer.prepare(context.reordered(order), runtime)
    if len(context) <= limits.DENSE_HEADLINES.value:
        return _dense(prepared, plan, runtime, scorer)
    return _sparse(prepared, plan, runtime, scorer, floor=floor)


def _tiles(days: npt.NDArray[np.float64], window: float) -> list[tuple[slice, slice]]:
    total = len(days)
    dated = int(np.count_nonzero(~np.isnan(days)))
    tiles: list[tuple[slice, slice]] = []
    edges = [*range(0, dated, _ROWS), *range(dated, total, _ROWS), total]
    for start, stop in itertools.pairwise(edges):
        reach = total
        if start < dated:
            reach = int(np.searchsorted(days[:dated], days[stop - 1] + window, side="right"))
        spans = [(start, stop), (stop, reach)]
        if reach <= dated < total:
            spans.append((dated, total))
        tiles += [
            (slice(start, stop), slice(left, min(left + _COLUMNS, right)))
            for left_end, right in spans
            for left in range(left_end, right, _COLUMNS)
        ]
    return tiles


def _tile(
    prepared: PreparedScorer, plan: _Plan, rows: slice, columns: slice, scorer: PairScorer
) -> Float32Array:
    scores = prepared.block(rows, columns)
    check_range(scores, scorer)
    if not scorer.scale.symmetric:
        scores = (scores + prepared.block(columns, rows).T) * np.float32(0.5)
    if rows == columns:
        upper = np.triu(scores, k=1)
        scores = upper + upper.T
    first, last = plan.days[rows.start], plan.days[columns.stop - 1]
    if last - first > plan.window:  # false where a date is missing
        apart = np.abs(plan.days[rows, None] - plan.days[None, columns])
        scores[apart > plan.window] = 0.0
    return scores


def _dense(prepared: PreparedScorer, plan: _Plan, runtime: Runtime, scorer: PairScorer) -> Similarities:
    total = len(plan.order)
    matrix = np.zeros((total, total), dtype=np.float32)
    in_order = bool(np.all(plan.order == np.arange(total)))
    for rows, columns in runtime.track(plan.tiles, _STEP):
        scores = _tile(prepared, plan, rows, columns, scorer)
        if in_order:
            matrix[rows, columns] = scores
            matrix[columns, rows] = scores.T
        else:
            matrix[np.ix_(plan.order[rows], plan.order[columns])] = scores
            matrix[np.ix_(plan.order[columns], plan.order[rows])] = scores.T
    np.fill_diagonal(matrix, 1.0)
    return Similarities(matrix)


def _sparse(
    prepared: PreparedScorer, plan: _Plan, runtime: Runtime, scorer: PairScorer, *, floor: float
) -> Similarities:
    from scipy import sparse

    total = len(plan.order)
    order = plan.order.astype(np.int32)
    lefts, rights, values = [order[:0]], [order[:0]], [np.empty(0, np.float32)]
    found = 0
    for rows, columns in runtime.track(plan.tiles, _STEP):
        scores = _tile(prepared, plan, rows, columns, scorer)
        if rows == columns:
            scores = np.triu(scores, k=1)
        row, column = np.nonzero((scores >= floor) & (scores > 0))
        found += len(row)
        _check_room(found)
        lefts.append(order[rows][row])
        rights.append(order[columns][column])
        values.append(scores[row, column])
    left, right, value = np.concatenate(lefts), np.concatenate(rights), np.concatenate(values)
    del lefts, rights, values
    half = sparse.csr_matrix((value, (left, right)), shape=(total, total))
    matrix = half + half.T + sparse.identity(total, dtype=np.float32, format="csr")
    matrix.sort_indices()
    return Similarities(sparse.csr_matrix(matrix))


def _check_room(found: int) -> None:
    most = limits.CANDIDATE_PAIRS.value
    if found > most:
        raise InputError(
            f"More than {most:,} pairs of headlines are alike enough to compare, too many for memory.",
            hint=f"Shorten the time window, use fewer headlines, or raise {limits.CANDIDATE_PAIRS.variable}.",
        )


def candidate_pairs(
    vectors: Float32Array,
    days: npt.NDArray[np.float64],
    *,
    window_days: float = 4.0,
    floor: float = 0.5,
    runtime: Runtime,
) -> sparse.csr_matrix:
    """Pairs of headlines near in time whose vectors are alike, for timelines too long for all pairs.

    Nothing is approximated. Where the machine multiplies bfloat16 in hardware, products in it choose the
    pairs that could reach the floor, with room for the greatest possible rounding error; their cosines are
    then computed in float32. The result is the same either way.

    Args:
        vectors: Unit vectors, float32 [n, d], in any order.
        days: Publication time in days, float64 [n]; a headline whose day is NaN is compared with all.
        window_days: Greatest difference in days, itself included.
        floor: Least cosine that is kept, above 0 and at most 1.
        runtime: Device, progress and stop; `half` allows bfloat16.

    Returns:
        Cosines as float32 CSR [n, n], each pair once, at (i, j) with i < j.

    Raises:
        InputError: The floor is not above 0, or more than `limits.CANDIDATE_PAIRS` pairs reach it.
        Cancelled: The runtime's stop was set.
    """
    from scipy import sparse

    if not 0 < floor <= 1:
        raise InputError(
            f"The floor of cosines is {floor}, not above 0 and at most 1.", hint="Give a number such as 0.5."
        )
    total = len(vectors)
    order: IntArray = np.argsort(days, kind="stable").astype(np.int64)
    ordered = days[order]
    sieve = Sieve(vectors[order], runtime)
    lefts, rights, values = [order[:0]], [order[:0]], [np.empty(0, np.float32)]
    found = 0
    for rows, columns in runtime.track(_tiles(ordered, window_days), _STEP):
        left, right = sieve.may_reach(rows, columns, floor)
        near = ~(np.abs(ordered[left] - ordered[right]) > window_days) & (left < right)
        left, right, value = sieve.reach(left[near], right[near], floor)
        found += len(left)
        _check_room(found)
        lefts.append(order[left])
        rights.append(order[right])
        values.append(value)
    left, right = np.concatenate(lefts), np.concatenate(rights)
    places = (np.minimum(left, right), np.maximum(left, right))
    matrix = sparse.csr_matrix((np.concatenate(values), places), shape=(total, total))
    matrix.sort_indices()
    return matrix
