"""Annotators who grouped one timeline, against the others' merged groups."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from core.data.pair_sets.assembly import merge_annotators
from core.data.timelines.load import load, load_sample
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.people.agreement import group_agreement, merged_table, people_table, timelines_table, with_simulated
from tests.unit.data.pair_sets.test_builder import FIVE


def timeline_of(groups: np.ndarray, name: str = "five.csv") -> Timeline:
    head = ["headline", "date", *(f"annot_{at}_group" for at in range(1, groups.shape[1] + 1))]
    rows = [
        [f"Headline {row}", f"2024-01-{row % 28 + 1:02}", *("" if one < 0 else str(one) for one in line)]
        for row, line in enumerate(groups.tolist())
    ]
    return load("\n".join(map(",".join, [head, *rows])).encode(), name)


def test_each_is_compared_with_the_others_as_sklearn_does() -> None:
    found = group_agreement(timeline_of(FIVE))
    assert found.merged.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert (found.groups, found.positive_pairs, found.headlines) == (3, 7, 8)
    for at, person in enumerate(found.people):
        rest = np.delete(FIVE, at, axis=1)
        own = (FIVE[:, at] >= 0) & (rest >= 0).any(axis=1)
        others = merge_annotators(rest)[own]
        assert person.headlines == own.sum()
        for name, score in (("ami", adjusted_mutual_info_score), ("ari", adjusted_rand_score)):
            assert person.scores[name].value == pytest.approx(score(others, FIVE[own, at]), abs=1e-9)
    assert found.mean("ami") == pytest.approx(np.mean([one.scores["ami"].value for one in found.people]))


def test_headlines_that_people_left_out_count_for_nothing() -> None:
    """Four people who saw four headlines of six each and never disagree, and one who did nothing."""
    truth = [0, 0, 1, 1, 2, 2]
    seen = [(0, 1, 2, 3), (2, 3, 4, 5), (0, 1, 4, 5), (0, 2, 3, 4), ()]
    groups = np.array([[truth[row] if row in own else -1 for own in seen] for row in range(6)])
    found = group_agreement(timeline_of(groups))
    assert found.merged.tolist() == truth
    assert [person.name for person in found.people] == [f"annotator_{at}" for at in (1, 2, 3, 4)]
    assert [person.scores["ami"].value for person in found.people] == pytest.approx([1] * 4)
    assert found.alpha == pytest.approx(1)


def test_alpha_of_pairs_is_evalicas() -> None:
    import evalica

    answers = [
        [
            np.nan if min(FIVE[i, at], FIVE[j, at]) < 0 else float(FIVE[i, at] == FIVE[j, at])
            for i, j in combinations(range(8), 2)
        ]
        for at in range(5)
    ]
    expected = evalica.alpha(pd.DataFrame(answers), "nominal").alpha
    assert group_agreement(timeline_of(FIVE)).alpha == pytest.approx(expected, abs=1e-12)


def test_where_people_differ() -> None:
    divided = group_agreement(timeline_of(FIVE)).divided
    # 6 and 7: together for the two who grouped both, so nobody differs; 0: with 1 and 2, and on both they do.
    np.testing.assert_allclose(divided[[6, 7, 0]], [0, 0, 1])
    alone = np.array([[0, 0], [1, 1]])
    assert np.isnan(group_agreement(timeline_of(alone)).divided).all()


def test_one_person_has_nobody_to_agree_with() -> None:
    with pytest.raises(InputError, match="fewer than two annotators"):
        group_agreement(timeline_of(FIVE[:, :1]))


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_CANDIDATE_PAIRS", "10")
    with pytest.raises(InputError, match="more than 10 pairs"):
        group_agreement(timeline_of(FIVE))


def test_simulated_annotators_run_the_whole_procedure() -> None:
    timeline = load_sample("iss")
    five = with_simulated(timeline, 5, seed=1)
    assert "simulated" in five.name
    assert timeline.annotators == []
    assert with_simulated(timeline, 5, seed=1).fingerprint == five.fingerprint
    found = group_agreement(five)
    assert len(found.people) == 5
    assert 0.5 < (found.mean("ami") or 0) < 1
    table = timelines_table([found])
    assert table.rows[0][:5] == (five.name, 47, found.groups, found.positive_pairs, 5)
    assert len(people_table(found, found.people[:1]).below) == 1
    divided = [row[3].value or 0 for row in merged_table([five], [found], [found.merged]).rows]
    assert divided == sorted(divided, reverse=True)
    assert len(divided) == 47


@pytest.mark.parametrize("people", [1, 101])
def test_a_number_of_simulated_annotators_out_of_range(people: int) -> None:
    with pytest.raises(InputError, match="cannot be simulated"):
        with_simulated(load_sample("iss"), people)


def test_simulated_annotators_start_from_gold_groups() -> None:
    with pytest.raises(InputError, match="lacks gold groups"):
        with_simulated(timeline_of(FIVE), 5)
