import numpy as np
import pytest
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from benchmarks.intervals import ANSWERS, alpha_counts
from core.data.pair_sets.annotated import merge_annotators
from core.data.timelines.load import load
from core.errors import InputError
from core.people.agreement import alpha, group_agreement, model_sides, raw_agreement, with_model
from core.people.agreement_tables import sides_table, votes_table
from core.people.vote_files import read_votes
from core.people.votes import METHODS, consensus, vote_table
from core.results.table_files import as_csv
from core.statistics.krippendorff import Scale, alpha_of, masi
from core.statistics.marked_words import read_places, token_f1, written_places
from tests.unit.data.pair_sets.test_builder import FIVE
from tests.unit.people.by_hand import rows_of

TOLOKA = "data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv"
PAIR = ("INPUT:first_url", "INPUT:second_url")


def wide(rows):
    head = ",".join(f"person_{at}" for at in range(1, rows[0].count(",") + 2))
    return read_votes("\n".join([head, *rows]).encode(), "votes.csv", person="person_*")


@pytest.mark.parametrize("scale", [each for each in Scale if each is not Scale.SETS])
def test_alpha_is_that_of_the_package_krippendorff(scale):
    """On random tables with gaps; answers 1, 2, 4 and 8 tell the scales apart."""
    import krippendorff

    draw = np.random.default_rng(19)
    for _ in range(25):
        given = draw.choice([1.0, 2.0, 4.0, 8.0], size=(draw.integers(3, 40), draw.integers(2, 6)))
        given[draw.random(given.shape) < 0.3] = np.nan
        if ((~np.isnan(given)).sum(axis=1) >= 2).sum() < 2:
            continue
        rows = [",".join("" if np.isnan(one) else f"{one:g}" for one in row) for row in given]
        theirs = krippendorff.alpha(reliability_data=given.T, level_of_measurement=scale.value)
        found = alpha(wide(rows), scale)
        assert found.value == pytest.approx(theirs, abs=1e-12)
        assert found.low is None or found.low <= theirs <= (found.high or 0)
        answers = (~np.isnan(given)).sum(axis=1)
        assert found.count == answers[answers > 1].sum()


@pytest.mark.parametrize("scale", [each for each in Scale if each is not Scale.SETS])
def test_the_interval_of_alpha_is_the_jackknifes_over_items_or_over_what_they_hang_on(scale):
    """Alpha without each item, and without each article of two items, is the package's on what is left."""
    import krippendorff
    from scipy.stats import t as student

    draw = np.random.default_rng(5)
    given = np.clip(draw.integers(1, 5, (24, 1)) + draw.integers(-1, 2, (24, 4)), 1, 5) * 1.0
    given[draw.random(given.shape) < 0.1] = np.nan

    def theirs(rows):
        return krippendorff.alpha(reliability_data=rows.T, level_of_measurement=scale.value)

    for units, unit in ((np.arange(24), "items"), (np.arange(24) // 2, "articles")):
        count, found = int(units.max()) + 1, alpha_of(given, scale, units=units, unit=unit)
        pseudo = [count * theirs(given) - (count - 1) * theirs(given[units != at]) for at in range(count)]
        half = student.ppf(0.975, count - 1) * np.std(pseudo, ddof=1) / np.sqrt(count)
        assert found.unit == unit
        assert found.high - found.low == pytest.approx(2 * half, rel=0.05)  # but for the skewness
        assert found.low < found.value < found.high


@pytest.mark.parametrize(("people", "items"), [(30, 10), (30, 40), (5, 20), (3, 50), (3, 15)])
def test_the_interval_of_alpha_holds_the_alpha_of_all_items_in_93_to_97_of_100_data_sets(people, items):
    covered, _ = alpha_counts(people, items, sets=1_000, name=next(iter(ANSWERS)))
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("people", [2, 3, 30])
def test_where_all_agree_the_interval_ends_at_1_and_shrinks_with_more_items(people):
    few, many = (
        alpha_of(np.repeat(np.arange(count) % 2.0, people).reshape(count, people), Scale.NOMINAL)
        for count in (10, 100)
    )
    assert (few.value, few.high, many.high) == (1.0, 1.0, 1.0)
    assert 0.5 < few.low < many.low < 1


def test_alpha_without_an_interval_says_why():
    one = np.zeros((20, 3))
    one[4, 0] = 1  # all other items have the same answer
    alike = np.tile([0.0, 1.0], (20, 1))
    for values in (one, alike, np.eye(9, 3)):
        found = alpha_of(values, Scale.NOMINAL)
        assert found.value is not None
        assert found.interval == (None, None)
        assert found.warning


@pytest.mark.parametrize(
    ("rows", "reason"),
    [(["1,", ",2"], "no item has two answers"), (["1,1", "1,1"], "all answers are the same")],
)
def test_no_alpha_says_why(rows, reason):
    found = alpha(wide(rows))
    assert found.value is None
    assert reason in found.reason


@pytest.mark.slow
def test_votes_of_the_shared_task_give_its_labels(shared):
    data = shared / "data/ru_news_dialogue2021"
    votes = read_votes((data / TOLOKA).read_bytes(), "answers.tsv", items=PAIR)
    assert (len(votes.items), len(votes.people), votes.count, votes.repeated) == (1745, 66, 8747, 3)
    assert alpha(votes).value == pytest.approx(0.7626, abs=5e-5)
    released = read_votes(
        (data / "data__clustering__ru_clustering_0529_urls_final_v2.tsv").read_bytes(),
        "labels.tsv",
        items=("first_url", "second_url"),
        person="dataset",
    )
    labels = dict(zip(released.items, (released.answers[code] for code in released.codes[:, 0]), strict=True))
    for method in ("majority", "dawid_skene"):
        ours = dict(zip(votes.items, consensus(votes, method, quorum=0.8).labels, strict=True))
        both = [item for item, label in ours.items() if label and item in labels]
        assert len(both) > 1_400
        assert all(ours[item] == labels[item] for item in both)


def test_a_row_a_vote_finds_usual_columns_and_counts_the_first_answer():
    rows = ["worker_id,pair,label", "ada,1,yes", "bo,1,no", "ada,1,no", "bo,2,", "ada,2,n/a", "ada,3,yes"]
    votes = read_votes("\n".join(rows).encode(), "v.csv")
    assert votes.people == ("ada", "bo")
    assert votes.items == ("1", "3")
    assert votes.answers == ("no", "yes")
    assert votes.codes.tolist() == [[1, 0], [1, -1]]
    assert votes.repeated == 1
    assert raw_agreement(votes) == 0.0


@pytest.mark.parametrize("scale", Scale)
def test_the_table_of_alpha_names_its_scale_in_files_too(scale):
    votes = read_votes(b"item,person,answer\n1,ada,2\n1,bo,2\n2,ada,1\n2,bo,3\n", "v.csv")
    assert (votes.people, votes.items) == (("ada", "bo"), ("1", "2"))
    (row,) = rows_of(as_csv(votes_table(votes, scale=scale)))
    assert row["scale"] == scale.value


@pytest.mark.parametrize(
    ("table", "given", "said"),
    [
        ("worker,label\n1,2", {}, "no column for the item"),
        ("worker,label,item\n1,,3", {}, "holds no answers"),
        ("worker,label,item\n1,2,3", {"person": "nobody"}, "no column 'nobody'"),
        ("worker,label,item\n" + "\n".join(f"1,a{n},{n}" for n in range(101)), {}, "101 different answers"),
    ],
)
def test_a_table_that_holds_no_votes_says_what_is_missing(table, given, said):
    with pytest.raises(InputError, match=said):
        read_votes(table.encode(), "votes.csv", **given)


def test_a_tie_and_a_missed_quorum_are_no_answer():
    votes = wide(["a,a,b,b", "a,a,a,b", "a,a,a,a"])
    found = consensus(votes, quorum=0.8)
    assert found.labels == ("", "", "a")
    assert found.decided == 1
    np.testing.assert_allclose(found.skills, 1.0)
    assert consensus(votes).labels == ("", "a", "a")
    np.testing.assert_allclose(consensus(votes).skills, [1, 1, 1, 0.5])


@pytest.mark.parametrize("method", METHODS)
def test_a_careless_person_is_found_and_outvoted(method):
    """Four careful people and one who always says yes: the item's answers are the careful ones'."""
    truth = ["yes", "no", "no", "yes", "no", "no", "yes", "no"] * 4
    found = consensus(wide([",".join([label] * 4 + ["yes"]) for label in truth]), method)
    assert list(found.labels) == truth
    assert found.skills.argmin() == 4


# Three people: all put 0 and 1 together, two put 2 with them, and the third did not see 3.
PEOPLE = np.array([[1, 5, 0], [1, 5, 0], [1, 5, 1], [2, 6, -1]])


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
        assert person["headlines"] == own.sum()
        for name, score in (("ami", adjusted_mutual_info_score), ("ari", adjusted_rand_score)):
            assert person[name].value == pytest.approx(score(others, FIVE[own, at]), abs=1e-9)
    assert found.means["ami"].value == pytest.approx(np.mean([one["ami"].value for one in found.people]))


def test_headlines_that_people_left_out_count_for_nothing():
    """Four people who saw four headlines of six each and never disagree, and one who did nothing."""
    truth = [0, 0, 1, 1, 2, 2]
    seen = [(0, 1, 2, 3), (2, 3, 4, 5), (0, 1, 4, 5), (0, 2, 3, 4), ()]
    groups = np.array([[truth[row] if row in own else -1 for own in seen] for row in range(6)])
    found = group_agreement(timeline_of(groups))
    assert found.merged.tolist() == truth
    assert [person["annotator"] for person in found.people] == [f"annotator_{at}" for at in (1, 2, 3, 4)]
    assert [person["ami"].value for person in found.people] == pytest.approx([1] * 4)
    assert found.alpha == pytest.approx(1)


def test_one_person_has_nobody_to_agree_with():
    with pytest.raises(InputError, match="fewer than two annotators"):
        group_agreement(timeline_of(FIVE[:, :1]))


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_CANDIDATE_PAIRS", "10")
    with pytest.raises(InputError, match="more than 10 pairs"):
        group_agreement(timeline_of(FIVE))


def test_of_two_annotators_it_is_said_with_whom_the_model_sides():
    """Ada joins 0, 1 and 2; Bob leaves 2 apart, and joins 3 and 4. The model sees 0 to 2 as Ada does."""
    two = np.array([[0, 0], [0, 0], [0, 1], [1, 2], [2, 2]])
    sides, share = model_sides(two, np.array([0, 0, 0, 1, 1]))
    assert sides.tolist() == [[1, 0], [1, 0], [2, 0], [0, 1], [0, 1]]
    assert (share.value, share.count) == (pytest.approx(2 / 3), 3)
    assert "Too few places for a reliable interval (2;" in share.warning
    table = sides_table(timeline_of(two), group_agreement(timeline_of(two)), np.array([0, 0, 0, 1, 1]))
    assert table.rows[0][:2] == ("Headline 2", 2)
    assert "differ on 3 pairs" in table.notes[0]
    assert "sides with annotator_1 on 2 (in percent 67" in table.notes[0]
    same, none = model_sides(two[:, [0, 0]], np.arange(5))
    assert (same.sum(), none.value) == (0, None)


def test_alpha_of_sets_is_that_of_krippendorff_with_the_masi_distance_of_nltk():
    """nltk writes two thirds as .67 and a third as .33; empty sets, which it cannot compare, are left out."""
    import krippendorff
    from nltk.metrics.distance import masi_distance

    def held(value):
        return {bit for bit in range(4) if int(value) >> bit & 1}

    def distance(one, other, **_):
        return np.vectorize(lambda a, b: masi_distance(held(a), held(b)))(one, other)

    sets = np.arange(1, 16, dtype=float)
    np.testing.assert_allclose(masi(sets), distance(sets[:, None], sets), atol=0.004)
    assert masi(np.array([0.0, 1.0])).tolist() == [[0, 1], [1, 0]]
    draw = np.random.default_rng(7)
    given = draw.integers(1, 16, size=(40, 3)).astype(float)
    given[:20] = given[:20, :1]  # on half of the items all say the same
    given[draw.random(given.shape) < 0.2] = np.nan
    theirs = krippendorff.alpha(reliability_data=given.T, level_of_measurement=distance)
    found = alpha_of(given, Scale.SETS)
    assert found.value == pytest.approx(theirs, abs=0.004)
    assert found.low < theirs < found.high
    rows = [
        (str(item), str(who), " + ".join(f"word {at}" for at in held(given[item, who])))
        for item, who in zip(*np.nonzero(~np.isnan(given)), strict=True)
    ]
    assert alpha(vote_table(rows, "sets"), Scale.SETS).value == pytest.approx(found.value)


def test_answers_of_several_are_read_as_files_have_them():
    votes = vote_table([("i", "a", "person + place"), ("i", "b", "place"), ("i", "c", "none")], "sets")
    (values,) = votes.values(Scale.SETS).astype(int).tolist()
    assert dict(zip(votes.people, values, strict=True)) == {"a": 3, "b": 2, "c": 0}
    many = vote_table([("i", "a", " + ".join(map(str, range(33))))], "sets")
    with pytest.raises(InputError, match="at most 32"):
        many.values(Scale.SETS)


def test_marked_words_agree_as_f1_of_scikit_learn_says():
    from sklearn.metrics import f1_score

    draw = np.random.default_rng(3)
    marked = draw.random((12, 3, 20)) < 0.4  # texts, people, words
    pairs = [(0, 1), (0, 2), (1, 2)]
    one, other = (np.concatenate([marked[:, pair[side]].ravel() for pair in pairs]) for side in (0, 1))
    places = [[[frozenset((np.flatnonzero(own) + 1).tolist()) for own in text]] for text in marked]
    found = token_f1(places, unit="articles")
    assert found.value == pytest.approx(f1_score(one, other))
    assert found.low < found.value < found.high
    for own in places[0][0]:
        assert read_places(written_places(own)) == own
    assert written_places({3, 4, 5, 8}) == "3-5 8"
    assert (written_places(()), read_places("none")) == ("none", frozenset())
    assert token_f1([[[frozenset(), frozenset()]]], unit="articles").value is None
