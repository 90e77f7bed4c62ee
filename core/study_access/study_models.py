"""Models in a study: they suggest answers, learn from those of people, and say what to ask first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec
import numpy as np

from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.data.timelines.moments import parse
from core.errors import InputError
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.pairs.scorer import PairScorer
from core.pairs.scoring import score_pairs
from core.people.known_pairs import with_days
from core.people.questions import SAME_EVENT
from core.people.study import ASKED_FIRST, STUDIES, Purpose, Sees, Study, StudyPair
from core.people.study_material import pairs_task
from core.people.study_results import PairAnswers
from core.people.votes import consensus
from core.results.render import count_words
from core.runtime import Runtime

_LABELS: Final = {"same": SAME, "different": DIFFERENT}
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


def pair_set_of(items: Sequence[StudyPair], name: str) -> PairSet:
    """Pairs of a study as a pair set without labels."""
    moments = [[parse(day) for day in with_days(pair).days] for pair in items]
    days = [[each.when.timestamp() // 86_400 if each else np.nan for each in both] for both in moments]
    left, right = np.array(days).reshape(-1, 2).T
    sides = Side([pair.left for pair in items], left), Side([pair.right for pair in items], right)
    return from_pairs(name, *sides, labels=np.full(len(items), UNKNOWN), parts=["test"] * len(items))


def labelled_pairs(answers: PairAnswers) -> PairSet:
    """All pairs that the study asks about; labels are what most people answered, of ties none."""
    main = answers.task.pool(Purpose.MAIN)
    merged = consensus(answers.votes).labels if answers.votes.items else ()
    of_item = dict(zip(answers.votes.items, merged, strict=True))
    labels = [_LABELS.get(of_item.get(pair.name, ""), UNKNOWN) for pair in main]
    return replace(pair_set_of(main, answers.task.title), labels=np.array(labels, dtype=np.int64))


def ask_first(journal: Journal, study: Study, items: Sequence[str]) -> None:
    """Stores that pairs, by their ids, are asked in this order from now on; () for the study's own order."""
    journal.append(STUDIES + study.code, [NewEntry(kind=ASKED_FIRST, body={"items": [*items]})])
