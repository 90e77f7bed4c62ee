"""What a scorer sees of a timeline, and what it is told when it needs more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from core.pairs.scorer import Need, PairScorer
from core.pairs.scoring import check_needs, pair_context

NO_VECTORS = np.empty((3, 0), dtype=np.float32)
PLAIN = b"headline,date\nA storm,2024-01-01\nThe storm,2024-01-02\nA vote,\n"
RICH = (
    b"headline,date,body,annot_1_group,annot_2_group\n"
    b"A storm,2024-01-01,It rained.,1,x\nThe storm,2024-01-02,,1,y\nA vote,2024-01-03,They voted.,2,\n"
)


@dataclass(frozen=True)
class Wants:
    needs: frozenset[Need]


def wants(need: Need) -> PairScorer:
    return cast(PairScorer, Wants(frozenset({need})))


def test_bodies_and_annotators_come_along() -> None:
    context = pair_context(load(RICH, "rich.csv"), NO_VECTORS)
    assert context.bodies == ["It rained.", "", "They voted."]
    np.testing.assert_array_equal(context.annotators, [[0, 0], [0, 1], [1, -1]])
    turned = context.reordered(np.array([2, 0, 1]))
    assert turned.bodies == ["They voted.", "It rained.", ""]
    np.testing.assert_array_equal(turned.annotators, [[1, -1], [0, 0], [0, 1]])


def test_missing_articles_are_counted() -> None:
    with pytest.raises(InputError, match=r"1 of 3 headlines come without one"):
        check_needs(wants(Need.BODIES), pair_context(load(RICH, "rich.csv"), NO_VECTORS))


def test_missing_annotators_are_named() -> None:
    with pytest.raises(InputError, match="no annotator columns"):
        check_needs(wants(Need.ANNOTATORS), pair_context(load(PLAIN, "plain.csv"), NO_VECTORS))


def test_a_missing_date_is_no_obstacle_to_grouping() -> None:
    check_needs(wants(Need.DATES), pair_context(load(PLAIN, "plain.csv"), NO_VECTORS))
