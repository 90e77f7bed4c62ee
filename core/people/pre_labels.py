"""Pairs of a study, labelled by a scorer before people see them: suggested, and recorded as what they are."""

from dataclasses import replace
from typing import Final

import msgspec
import numpy as np

from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.errors import InputError
from core.pairs.scorer import PairScorer
from core.pairs.scoring import score_pairs
from core.people.questions import SAME_EVENT
from core.people.study import Purpose, Sees, Study
from core.people.study_material import pairs_task
from core.results.render import count_words
from core.runtime import Runtime

UNSURE: Final = 0.1  # a score this near to the threshold suggests nothing
_SHOWN: Final = frozenset({Purpose.CONTROL, Purpose.MAIN})  # of both, so that none tells the other


def pre_labelled(study: Study, scorer: PairScorer, runtime: Runtime) -> tuple[Study, str]:
    """The study with what a scorer suggests for its pairs, but those of training and exam; and a sentence."""
    if study.asks != SAME_EVENT.key:
        hint = f"Give one that asks for {SAME_EVENT.key}."
        raise InputError("A model labels pairs of headlines only: same event or not.", hint=hint)
    items = pairs_task(study).items
    texts, rows = [text for item in items for text in (item.left, item.right)], np.arange(len(items))
    nothing, part = np.full(len(texts), UNKNOWN), np.full(len(texts), "test")
    days, one, labels = (
        np.full(len(texts), np.nan),
        np.zeros(len(texts), dtype=np.int64),
        nothing[: len(rows)],
    )
    pairs = PairSet(study.title, texts, days, one, part, nothing, 2 * rows, 2 * rows + 1, labels)
    chosen = np.isin([item.use for item in items], list(_SHOWN))
    scored = score_pairs(pairs.with_headlines(np.repeat(chosen, 2)), scorer, runtime)
    scores = np.full(len(items), np.nan)
    scores[chosen] = scored.scores
    words = np.where(scores > scorer.threshold, "same", "different")
    words = np.where(np.abs(scores - scorer.threshold) >= UNSURE, words, "")
    both = zip(items, words.tolist(), strict=True)
    labelled = tuple(msgspec.structs.replace(item, suggested=word) for item, word in both)
    said = f"{int((words != '').sum()):,} of {count_words(int(chosen.sum()), 'pair has', 'pairs have')}"
    made = replace(study, pairs=labelled, sees=Sees.MODEL, suggested_by=scored.signature)
    return made, f"{said} a suggestion."
