"""Pairs with right answers, for training, exam and control: a study's own, or those that ship."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from core.data.pair_sets.labelled import TelegramContestEnglish, TelegramContestRussian
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet
from core.data.timelines.periods import written_day
from core.digests import digest
from core.errors import InputError
from core.people.study import USUAL, Purpose, Study, StudyPair
from core.text.normalise import clean_line

LEARNED: Final = (Purpose.TRAINING, Purpose.EXAM)


def known_items(texts: Sequence[str], study: Study) -> tuple[StudyPair, ...]:
    """Training, exam and control pairs: a study's own, or some of Dialogue 2021 in the language of texts."""
    own = tuple(with_days(pair) for pair in study.pairs if pair.answer and pair.use != Purpose.MAIN)
    russian = sum(any("а" <= sign <= "я" for sign in text.casefold()) for text in texts)
    return own or shipped_pairs("ru" if 2 * russian > len(texts) else "en", study)


@lru_cache(maxsize=8)
def shipped_pairs(language: str, study: Study = USUAL) -> tuple[StudyPair, ...]:
    """Training, exam and control pairs, drawn from those of Dialogue 2021, half of each answer."""
    source = TelegramContestRussian() if language == "ru" else TelegramContestEnglish()
    return _with_uses(source.load(), study)


def known_pairs(pairs: PairSet, study: Study, uses: Sequence[str] = ()) -> tuple[StudyPair, ...]:
    """A table of right answers as a study's training, exam and control pairs; dealt out without `uses`."""
    if any(uses):
        return tuple(_used(pairs, row, clean_line(use).casefold()) for row, use in enumerate(uses))
    known = _with_uses(pairs, study)
    if len(known) < 3:
        said = "The right answers are too few or all alike."
        raise InputError(said, hint="Give at least two pairs labelled 1 (same event) and two labelled 0.")
    return known


def with_days(pair: StudyPair) -> StudyPair:
    return msgspec.structs.replace(pair, days=(*pair.days, "", "")[:2])


def pair_of(pairs: PairSet, row: int, use: Purpose = Purpose.MAIN, answer: str = "") -> StudyPair:
    sides = int(pairs.left[row]), int(pairs.right[row])
    days = [None if np.isnan(day := pairs.days[side]) else np.datetime64(int(day), "D") for side in sides]
    shown = tuple("" if day is None else written_day(day.astype(object)) for day in days)
    return StudyPair(use, pairs.texts[sides[0]], pairs.texts[sides[1]], answer, shown)


def _with_uses(pairs: PairSet, study: Study) -> tuple[StudyPair, ...]:
    sides = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    digests = [digest(pairs.texts[left], pairs.texts[right]) for left, right in sides]
    order = sorted(range(len(pairs)), key=digests.__getitem__)
    first, second = ([row for row in order if pairs.labels[row] == label] for label in (SAME, DIFFERENT))
    rows = [row for both in zip(first, second, strict=False) for row in both]
    training, exam = (min(most, len(rows) // 3) for most in (study.training, study.exam))
    uses = [Purpose.TRAINING] * training + [Purpose.EXAM] * exam
    uses += [Purpose.CONTROL] * (len(rows) - len(uses))
    answers = ("same" if pairs.labels[row] == SAME else "different" for row in rows)
    return tuple(pair_of(pairs, *known) for known in zip(rows, uses, answers, strict=True))


def _used(pairs: PairSet, row: int, use: str) -> StudyPair:
    answer = {SAME: "same", DIFFERENT: "different"}.get(int(pairs.labels[row]), "")
    known = use in (*LEARNED, Purpose.CONTROL)
    if known and answer:
        return pair_of(pairs, row, Purpose(use), answer)
    lacks = "no right answer" if known else f"the use {use[:40]!r}"
    said = f"The pair {pair_of(pairs, row).name[:80]!r} has {lacks}."
    raise InputError(said, hint="Give each pair its answer, and the use training, exam or control.")
