"""Pairs of a study, labelled by a scorer before people see them: suggested, and recorded as what they are."""

from dataclasses import replace
from typing import Final

import msgspec
import numpy as np

from core.errors import InputError
from core.pairs.scorer import PairScorer
from core.pairs.scoring import score_pairs
from core.people.known_pairs import pair_set_of
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
    chosen = [item for item in items if item.use in _SHOWN]
    scored = score_pairs(pair_set_of(chosen, study.title), scorer, runtime)
    words = np.where(scored.scores > scorer.threshold, "same", "different")
    words = np.where(np.abs(scored.scores - scorer.threshold) >= UNSURE, words, "").tolist()
    said_of = {item.id: word for item, word in zip(chosen, words, strict=True)}
    labelled = tuple(msgspec.structs.replace(item, suggested=said_of.get(item.id, "")) for item in items)
    said = f"{sum(map(bool, words)):,} of {count_words(len(chosen), 'pair has', 'pairs have')}"
    made = replace(study, pairs=labelled, sees=Sees.MODEL, suggested_by=scored.signature)
    return made, f"{said} a suggestion."
