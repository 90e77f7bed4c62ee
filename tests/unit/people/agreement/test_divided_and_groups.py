import numpy as np
import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from core.data.pair_sets.assembly import merge_annotators
from core.data.timelines.load import load, load_sample
from core.errors import InputError
from core.people.agreement import (
    companions,
    group_agreement,
    merged_table,
    people_table,
    timelines_table,
    with_model,
    with_simulated,
)
from tests.unit.data.pair_sets.test_builder import FIVE

# Three people: all put 0 and 1 together, two put 2 with them, and the third did not see 3.
PEOPLE = np.array([[1, 5, 0], [1, 5, 0], [1, 5, 1], [2, 6, -1]])


def test_who_put_a_headline_with_what():
    zero, one = companions(PEOPLE, 2, np.array([0, 1, 0, 2]))
    assert (zero.row, zero.together, zero.apart, zero.model) == (0, (0, 1), (2,), True)
    assert (one.row, one.model) == (1, False)
    assert companions(PEOPLE, 3) == ()


def test_the_share_of_people_on_the_models_side_counts_only_pairs_on_which_people_differ():
    sided = with_model(PEOPLE, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(sided, [2 / 3, 2 / 3, 2 / 3, np.nan])
    np.testing.assert_allclose(with_model(PEOPLE, np.arange(4))[:3], [1 / 3, 1 / 3, 1 / 3])


def timeline_of(groups, name="five.csv"):
    head = ["headline", "date", *(f"annot_{at}_group" for at in range(1, groups.shape[1] + 1))]
    rows = [
        [f"Headline {row}", f"2024-01-{row % 28 + 1:02}", *("" if one < 0 else str(one) for one in line)]
        for row, line in enumerate(groups.tolist())
    ]
    return load("\n".join(map(",".join, [head, *rows])).encode(), name)


def test_each_is_compared_with_the_others_as_sklearn_does():
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


def test_headlines_that_people_left_out_count_for_nothing():
    """Four people who saw four headlines of six each and never disagree, and one who did nothing."""
    truth = [0, 0, 1, 1, 2, 2]
    seen = [(0, 1, 2, 3), (2, 3, 4, 5), (0, 1, 4, 5), (0, 2, 3, 4), ()]
    groups = np.array([[truth[row] if row in own else -1 for own in seen] for row in range(6)])
    found = group_agreement(timeline_of(groups))
    assert found.merged.tolist() == truth
    assert [person.name for person in found.people] == [f"annotator_{at}" for at in (1, 2, 3, 4)]
    assert [person.scores["ami"].value for person in found.people] == pytest.approx([1] * 4)
    assert found.alpha == pytest.approx(1)


def test_one_person_has_nobody_to_agree_with():
    with pytest.raises(InputError, match="fewer than two annotators"):
        group_agreement(timeline_of(FIVE[:, :1]))


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CANDIDATE_PAIRS", "10")
    with pytest.raises(InputError, match="more than 10 pairs"):
        group_agreement(timeline_of(FIVE))


def test_simulated_annotators_run_the_whole_procedure():
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
