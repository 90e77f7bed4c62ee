"""What a pair scorer sees of a timeline."""

from __future__ import annotations

import numpy as np

from core.arrays import Float32Array
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.pairs.scorer import NO_ANNOTATORS, Need, PairContext, PairScorer


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
    """Checks that a scorer finds what it needs in every headline, as grouping wants all pairs.

    Some missing dates are no obstacle: each scorer says what it does without. None at all is one, as
    nothing would be left of what the scorer is for.
    """
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
