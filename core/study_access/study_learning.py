"""A study's answers as labels that a model learns from, and what is asked first since it did."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet
from core.journal.entries import NewEntry
from core.journal.journal import Journal
from core.people.known_pairs import pair_set_of
from core.people.study import ASKED_FIRST, STUDIES, Purpose, Study
from core.people.study_results import PairAnswers
from core.people.votes import consensus

_LABELS: Final = {"same": SAME, "different": DIFFERENT}


def labelled_pairs(answers: PairAnswers) -> PairSet:
    """All pairs that the study asks about; labels are what most people answered, of ties none."""
    main = answers.task.pool(Purpose.MAIN)
    merged = consensus(answers.votes).labels if answers.votes.items else ()
    of_item = dict(zip(answers.votes.items, merged, strict=True))
    labels = [_LABELS.get(of_item.get(pair.name, ""), UNKNOWN) for pair in main]
    return replace(pair_set_of(main, answers.task.title), labels=np.array(labels, dtype=np.int64))


def ask_first(journal: Journal, study: Study, answers: PairAnswers, order: Iterable[int]) -> None:
    """Stores from now on the order of the pairs that lack votes; () goes back to the study's own order."""
    main, votes = answers.task.pool(Purpose.MAIN), answers.votes
    given = dict(zip(votes.items, (votes.codes >= 0).sum(axis=1).tolist(), strict=True))
    items = [main[row].id for row in order if given.get(main[row].name, 0) < study.votes]
    journal.append(STUDIES + study.code, [NewEntry(kind=ASKED_FIRST, body={"items": items})])
