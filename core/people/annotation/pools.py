"""The pairs that people vote on: those of a pair set, and pairs with known answers to train and test with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet
from core.data.pair_sets.sources.labelled import TelegramContestEnglish, TelegramContestRussian
from core.data.timelines.periods import written_day
from core.people.annotation.question import BETTER_HEADLINE, SAME_EVENT, Question
from core.people.annotation.voting import Item, Purpose, VotingTask, make_item

MOST_PAIRS: Final = 200
"""Pairs of a set that people vote on; more would each get few votes."""
TRAINING: Final = 6
EXAM: Final = 10


def voting_task(pairs: PairSet, question: Question) -> VotingTask:
    """The task of voting on the pairs of a set.

    Labels of the set are not looked at, but for the better headline only pairs are asked that are labelled
    as one event where any is: other pairs have no better headline.
    """
    rows = np.arange(len(pairs))
    if question is BETTER_HEADLINE and (pairs.labels == SAME).any():
        rows = np.flatnonzero(pairs.labels == SAME)
    main = {item.id: item for item in (_item(pairs, row) for row in rows.tolist())}
    drawn = sorted(main.values(), key=lambda item: item.id)[:MOST_PAIRS]
    return VotingTask(pairs.name, question, (*known_items(question, _language(pairs.texts)), *drawn))


@lru_cache(maxsize=4)
def known_items(question: Question, language: str) -> tuple[Item, ...]:
    """Pairs with known answers: training, exam and control pairs.

    They are those that trained and tested the annotators of Dialogue 2021, drawn anew, so that both answers
    are equally frequent. About the better headline only is known which pairs are about different events.
    """
    source = TelegramContestRussian() if language == "ru" else TelegramContestEnglish()
    pairs = source.load()
    order = sorted(range(len(pairs)), key=lambda row: _order(pairs, row))
    # Both answers stand in every part, and nobody can tell the parts apart by them.
    first, second = ([row for row in order if pairs.labels[row] == label] for label in (SAME, DIFFERENT))
    mixed = [row for both in zip(first, second, strict=False) for row in both]
    parts = [Purpose.TRAINING] * TRAINING + [Purpose.EXAM] * EXAM
    parts += [Purpose.CONTROL] * max(0, len(mixed) - len(parts))
    return tuple(
        _item(pairs, row, pool, _right(question, int(pairs.labels[row])))
        for row, pool in zip(mixed, parts, strict=False)
    )


def _right(question: Question, label: int) -> tuple[str, ...]:
    if question is SAME_EVENT:
        return ("same",) if label == SAME else ("different",)
    return ("left", "right", "draw") if label == SAME else ("bad",)


def _item(pairs: PairSet, row: int, pool: Purpose = Purpose.MAIN, right: Sequence[str] = ()) -> Item:
    ends = int(pairs.left[row]), int(pairs.right[row])
    days = [pairs.days[end] for end in ends]
    left, right_day = ("" if np.isnan(day) else _written(float(day)) for day in days)
    return make_item(pairs.texts[ends[0]], pairs.texts[ends[1]], (left, right_day), pool, right)


def _written(day: float) -> str:
    return written_day(np.datetime64(int(day), "D").astype(object))


def _order(pairs: PairSet, row: int) -> str:
    texts = (pairs.texts[int(pairs.left[row])], pairs.texts[int(pairs.right[row])])
    return hashlib.sha256("\x1f".join(texts).encode("utf-8", errors="surrogatepass")).hexdigest()


def _language(texts: Sequence[str]) -> str:
    russian = sum(any("а" <= sign <= "я" for sign in text.casefold()) for text in texts)
    return "ru" if 2 * russian > len(texts) else "en"
