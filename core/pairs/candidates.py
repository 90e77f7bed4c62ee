"""Which pairs are scored at all, and their scores: exact inside a time window, or from a cosine on."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from operator import getitem
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core import limits
from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.models.networks.precision import in_half
from core.pairs.context import PairContext
from core.pairs.scorer import Need, PairScorer, check_scores
from core.runtime import Runtime
from core.similarities import Similarities

if TYPE_CHECKING:
    import torch

FLOOR = 0.2
"""Least similarity that a sparse result keeps; absent pairs count as 0. Past a granularity of about 0.7
average linkage therefore joins a little less (on ISS pair F1 with the full matrix is 0.88 at 0.75)."""

_ROWS = 1_024
_COLUMNS = 4_096
_STEP = "Comparing headlines"


_Edges = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], Float32Array]
HALF_ERROR = 2.0**-8 + 2.0**-9 + 2.0**-12
"""Most by which a cosine of unit vectors may differ in bfloat16: products by 2^-8 (Cauchy and Schwarz), the
result by 2^-9 of itself; the last term is room for sums in float32 and for squares."""
SINGLE_ERROR = 1e-5  # the same in float32: sums of some hundred products in another order
_COSINES_AT_ONCE = 2_048  # their rows stay in the processor's cache: five times as fast as 16,384
_WIDTH = 256  # rows and columns of a product are a multiple of it, but at the end


def score_candidates(
    scorer: PairScorer, context: PairContext, runtime: Runtime, *, floor: float = FLOOR
) -> Similarities:
    """Scores every pair inside the scorer's window, exactly, in input order; the diagonal is 1."""
    # Headlines are sorted by day, so a window is a band of blocks; one without a date is compared with all,
    # and the directions of an asymmetric scorer are averaged. Past `limits.DENSE_HEADLINES` it is CSR from
    # `floor`.
    if scorer.scale.low < 0 or scorer.scale.high > 1:
        message = f"The scorer's scores run from {scorer.scale.low} to {scorer.scale.high}, not from 0 to 1."
        raise InputError(message, hint="Calibrate it before grouping with it.")
    check_needs(scorer, context)
    order: IntArray = np.argsort(context.days, kind="stable").astype(np.int64)
    blocks = _blocks(scorer, context.take(order), runtime)
    few = len(context) <= limits.DENSE_HEADLINES.value
    return _dense(blocks, order) if few else _sparse(blocks, order, floor)


def check_needs(scorer: PairScorer, context: PairContext) -> None:
    """Checks that every headline has what a scorer needs, as grouping wants all pairs; dates may miss."""
    total = len(context)
    if Need.DATES in scorer.needs and total and np.isnan(context.days).all():
        message = f"This scorer reads the dates, and none of the {total:,} headlines has one."
        hint = "Choose a scorer that reads headlines alone, or load a file with a column of dates."
        raise InputError(message, hint=hint)
    if Need.BODIES in scorer.needs:
        missing = total - sum(1 for body in context.bodies if body)
        if missing:
            raise InputError(
                f"This scorer reads the articles, and {missing:,} of {total:,} headlines come without one.",
                hint="Choose a scorer that reads headlines alone, or load a file with a column of bodies.",
            )
    if Need.ANNOTATORS in scorer.needs and not context.annotators.size and total:
        message = "This scorer takes people's groups, and the timeline has no annotator columns."
        hint = "Choose another scorer, or load a file with columns such as `annot_1_group`."
        raise InputError(message, hint=hint)


def tiles(days: FloatArray, window: float) -> list[tuple[slice, slice]]:
    total = len(days)
    dated = int(np.count_nonzero(~np.isnan(days)))
    tiling: list[tuple[slice, slice]] = []
    edges = [*range(0, dated, _ROWS), *range(dated, total, _ROWS), total]
    for start, stop in itertools.pairwise(edges):
        reach = total
        if start < dated:
            reach = int(np.searchsorted(days[:dated], days[stop - 1] + window, side="right"))
        spans = [(start, stop), (stop, reach)]
        if reach <= dated < total:
            spans.append((dated, total))
        ends = ((left, right) for first, right in spans for left in range(first, right, _COLUMNS))
        tiling += [(slice(start, stop), slice(left, min(left + _COLUMNS, right))) for left, right in ends]
    return tiling


def _blocks(
    scorer: PairScorer, context: PairContext, runtime: Runtime
) -> Iterator[tuple[slice, slice, Float32Array]]:
    prepared, days, window = scorer.prepare(context, runtime), context.days, scorer.window_days
    for rows, columns in runtime.track(tiles(days, window), _STEP):
        scores = prepared.block(rows, columns)
        sides = context.texts[rows], context.texts[columns]
        check_scores(scorer, scores, lambda *at, sides=sides: map(getitem, sides, at))
        if not scorer.scale.symmetric:
            scores = (scores + prepared.block(columns, rows).T) * np.float32(0.5)
        if rows == columns:
            upper = np.triu(scores, k=1)
            scores = upper + upper.T
        if days[columns.stop - 1] - days[rows.start] > window:  # false where a date is missing
            scores[np.abs(days[rows, None] - days[None, columns]) > window] = 0.0
        yield rows, columns, scores


def _dense(blocks: Iterable[tuple[slice, slice, Float32Array]], order: IntArray) -> Similarities:
    total = len(order)
    matrix = np.zeros((total, total), dtype=np.float32)
    in_order = bool(np.all(order == np.arange(total)))
    for rows, columns, scores in blocks:
        if in_order:
            matrix[rows, columns] = scores
            matrix[columns, rows] = scores.T
        else:
            matrix[np.ix_(order[rows], order[columns])] = scores
            matrix[np.ix_(order[columns], order[rows])] = scores.T
    np.fill_diagonal(matrix, 1.0)
    return Similarities(matrix)


def _sparse(
    blocks: Iterable[tuple[slice, slice, Float32Array]], order: IntArray, floor: float
) -> Similarities:
    from scipy import sparse

    def edges() -> Iterator[_Edges]:
        for rows, columns, scores in blocks:
            upper = np.triu(scores, k=1) if rows == columns else scores
            row, column = np.nonzero((upper >= floor) & (upper > 0))
            yield places[rows][row], places[columns][column], upper[row, column]

    total, places = len(order), order.astype(np.int32)
    left, right, value = _gathered(edges())
    half = sparse.csr_matrix((value, (left, right)), shape=(total, total))
    matrix = half + half.T + sparse.identity(total, dtype=np.float32, format="csr")
    matrix.sort_indices()
    return Similarities(sparse.csr_matrix(matrix))


def _gathered(edges: Iterable[_Edges]) -> _Edges:
    nothing = np.empty(0, np.int32)
    parts: list[Any] = [(nothing, nothing, np.empty(0, np.float32))]
    count, most = 0, limits.CANDIDATE_PAIRS.value
    for part in edges:
        count += len(part[0])
        if count > most:
            raise InputError(
                f"More than {most:,} pairs of headlines are alike enough to compare, too many for memory.",
                hint="Shorten the time window, use fewer headlines, or raise "
                f"{limits.CANDIDATE_PAIRS.variable}.",
            )
        parts.append(part)
    left, right, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return left, right, values


class Sieve:
    """Finds the pairs of rows whose cosine reaches a floor; nothing is approximated."""

    # Products in bfloat16 choose, with room for the greatest error; cosines are then computed in float32.

    def __init__(self, vectors: Float32Array, runtime: Runtime) -> None:
        import torch

        self._vectors = vectors
        half = in_half(runtime)
        self._error = HALF_ERROR if half else SINGLE_ERROR
        kind = torch.bfloat16 if half else torch.float32
        self._fast = torch.from_numpy(vectors).to(device=runtime.device, dtype=kind)

    def may_reach(self, rows: slice, columns: slice, floor: float) -> tuple[IntArray, IntArray]:
        """The pairs of two ranges of rows that could reach a least cosine: all that do, and a few more."""
        import torch

        with torch.inference_mode():
            # A few shapes only: for each, code is made that stays in memory.
            whole = self._fast[_widened(rows)] @ self._fast[_widened(columns)].T
            products = whole[: rows.stop - rows.start, : columns.stop - columns.start]
            left, right = _at_least(products, floor - self._error)
        return left + rows.start, right + columns.start

    def reach(self, left: IntArray, right: IntArray, floor: float) -> tuple[IntArray, IntArray, Float32Array]:
        """Those of some pairs that reach a least cosine, and their cosines in float32."""
        cosines = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _COSINES_AT_ONCE):
            part = slice(start, start + _COSINES_AT_ONCE)
            cosines[part] = np.einsum("md,md->m", self._vectors[left[part]], self._vectors[right[part]])
        near = cosines >= np.float32(floor)
        return left[near], right[near], cosines[near]


def _widened(part: slice) -> slice:
    return slice(part.start, part.start - (part.start - part.stop) // _WIDTH * _WIDTH)


def _at_least(products: torch.Tensor, least: float) -> tuple[IntArray, IntArray]:
    import torch

    if products.device.type != "cpu":
        left, right = torch.nonzero(products >= least, as_tuple=True)
        return left.cpu().numpy(), right.cpu().numpy()
    if products.dtype != torch.bfloat16 or least <= 0:
        reached = (products >= least).numpy()
    else:
        # Bits of positive bfloat16 numbers are in the order of the numbers, and negative ones are negative
        # as integers, too: numpy compares integers several times as fast.
        reached = products.view(torch.int16).numpy() >= np.int16(int(np.float32(least).view(np.int32)) >> 16)
    places, width = np.flatnonzero(reached), products.shape[1]
    return places // width, places % width
