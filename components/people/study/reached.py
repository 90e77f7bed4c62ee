"""What a study's answers show by now: how exact its agreement is, which difference, and what they lack."""

import math
from collections.abc import Iterator

import numpy as np

from components.opened.resources import cached
from core.errors import InputError
from core.people.agreement import alpha
from core.people.power import pilot
from core.people.ratings import Ratings
from core.people.votes import VoteTable
from core.results.number_forms import decimals, percent
from core.statistics.bootstrap import Figure
from core.statistics.simulated_studies import repeated
from core.statistics.study_size import needed

_needed = cached(needed, max_entries=64)
HALF, DIFFERENCE = 0.1, 0.1  # of an interval, and of two systems as a share of the maximum: what is aimed at


def agreement_reached(votes: VoteTable) -> str:
    """How wide the interval of alpha is, and how many more pairs make it so narrow as is aimed at."""
    items = int(((votes.codes >= 0).sum(axis=1) >= 2).sum())
    figure, form = alpha(votes) if items else Figure(None), decimals(2)
    low, high = figure.interval
    if low is None or high is None:
        return f"Alpha has no interval yet, from {items:,} pairs with two answers: it takes ten that differ."
    half = (high - low) / 2
    more = math.ceil(items * (half / HALF) ** 2) - items  # widths go with the root of the items
    aim = f"± {form(HALF)} takes about {more:,} more" if more > 0 else f"± {form(HALF)} is reached"
    said = f"Alpha is known to ± {form(half)}, from {items:,} pairs with two answers. {aim}."
    return f"{said} {figure.warning}".strip()


def differences_reached(ratings: Ratings) -> Iterator[str]:
    """For each question that gives points, which difference of the two best systems the answers show."""
    names, counted, form = ratings.task.systems, ratings.counted(), percent()
    for at, question in enumerate(ratings.form.questions):
        if (
            not question.scored
            or len(names) < 2
            or np.isnan(counted[:, at]).all(axis=(0, 1))[: len(names)].any()
        ):
            continue
        means = np.nanmean(counted[:, at, :, : len(names)], axis=(0, 1))
        best, other = (names[place] for place in np.argsort(-means, kind="stable")[:2].tolist())
        try:
            spread, articles, judges, finished = pilot(ratings, question.key, (best, other))
        except InputError as error:
            yield f"{question.label}: {error.message}"
            continue
        if finished is None:
            yield f"{question.label}: too few articles or judges to say what difference they show."
            continue
        ways = [
            ("articles", _needed(spread, DIFFERENCE, judges=judges)[0], articles),
            ("people", _needed(spread, DIFFERENCE, items=articles)[0], judges),
        ]
        lack = [f"about {wanted - here:,} more {what}" for what, wanted, here in ways if wanted]
        said = f"{question.label}: a difference of {best} and {other} shows from"
        said += f" {form(repeated([finished]).detectable())} % on."
        if any(wanted and wanted <= here for _, wanted, here in ways):
            yield f"{said} {form(DIFFERENCE)} % is reached."
        else:
            yield f"{said} {form(DIFFERENCE)} % takes {' or '.join(lack) or 'more articles and more people'}."
