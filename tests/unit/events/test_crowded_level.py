"""The level of a timeline in which most pairs that are a little alike are of two events of one kind."""

import numpy as np
import pytest

from core.events import grouping
from core.groups.granularity import choose_granularity
from core.groups.grouper import GroupingInput, groupers
from core.groups.quality import codes_of, pair_counts
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from core.similarities import Similarities

EVENTS, REPORTS = 60, 4


def pair_f1_at_its_level(crowding):
    """Of events whose reports have .85 of each other, and `crowding` of all other pairs .25."""
    draw = np.random.default_rng(3)
    event = np.repeat(np.arange(EVENTS), REPORTS)
    n = len(event)
    alike = np.triu(draw.random((n, n)) < crowding, 1)
    matrix = np.where(alike | alike.T, 0.25, 0.0).astype(np.float32)
    matrix[event[:, None] == event] = 0.85
    np.fill_diagonal(matrix, 1)
    context = PairContext(
        [f"Report {row}" for row in range(n)], np.full(n, 2e4) + event / 60, np.empty((n, 0), np.float32)
    )
    similarities = Similarities(matrix)
    settings = grouping.Settings()
    hierarchy = groupers.parse(settings.method).fit(GroupingInput(similarities, context.vectors), Runtime())
    fade = pair_scorers.parse("event_trees").fade
    sampled = grouping._sampled(similarities, context)
    level = choose_granularity(
        hierarchy,
        similarities,
        *sampled,
        fade=lambda rows: fade(context.days[rows, None], context.days[None]),
    ).granularity
    both, grouped, wanted = pair_counts(hierarchy.cut(level), codes_of(event.tolist()))
    return 2 * both / (grouped + wanted)


@pytest.mark.parametrize("crowding", [0.0, 0.02, 0.3, 0.6])
def test_events_of_one_kind_stay_apart_however_many_there_are(crowding):
    assert pair_f1_at_its_level(crowding) > 0.95


def test_it_is_the_crowding_that_keeps_them_apart(monkeypatch):
    monkeypatch.setattr(grouping, "CROWDED", 1e9)
    assert pair_f1_at_its_level(0.6) < 0.5
