"""Which judge gets which articles, where a form goes to a fixed number of judges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.people.form import EvaluationForm
from core.people.ratings import Ratings, judge_key
from core.people.task import EvaluationTask


def sheet_rows(form: EvaluationForm, task: EvaluationTask) -> list[list[int]]:
    """The places of the articles of each sheet: so many cases each, the last with what is left.

    One sheet with all articles where everybody judges all.
    """
    rows = list(range(len(task.articles)))
    if not form.judges:
        return [rows]
    return [rows[start : start + form.cases] for start in range(0, len(rows), form.cases)] or [rows]


def judges_of(ratings: Ratings, sheets: Sequence[Sequence[int]]) -> list[int]:
    """How many judges have begun each sheet."""
    begun = np.asarray((~np.isnan(ratings.values)).any(axis=(1, 3)))
    return [int(begun[:, list(rows)].any(axis=1).sum()) for rows in sheets]


def sheet_for(form: EvaluationForm, ratings: Ratings, judge: str) -> int:
    """The sheet of a judge, from 0: the one that was begun, else the first that lacks judges.

    Where all have enough, the one with fewest. Two who sit down at the same moment may get one sheet, which
    then has a judge too many.
    """
    sheets = sheet_rows(form, ratings.task)
    keys = [judge_key(name) for name in ratings.judges]
    if judge_key(judge) in keys:
        given = ~np.isnan(ratings.values[keys.index(judge_key(judge))])
        begun = [at for at, rows in enumerate(sheets) if given[:, rows].any()]
        if begun:
            return begun[0]
    counts = judges_of(ratings, sheets)
    lacking = [at for at, count in enumerate(counts) if count < form.judges]
    return lacking[0] if lacking else int(np.argmin(counts))
