import numpy as np
import pytest

from core.consistency.certificate import least_changes
from core.consistency.repairs import RepairInput, log_odds, repairs
from core.consistency.score_matrix import score_matrix
from core.consistency.studies.findings import examine
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.study import DEFAULT_REPAIR, repair_all, scorer_of, study
from core.consistency.studies.subject import StudySubject, open_headlines
from core.errors import InputError, UnknownNameError
from core.groups.quality import quality
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from tests.unit.pairs.pair_worlds import pair_set

LEVENSHTEIN = Scoring(scorer="levenshtein", threshold=0.45)


@pytest.fixture(scope="module")
def subject():
    return open_headlines("sample:iss")


@pytest.fixture(scope="module")
def scored(subject):
    return score_both_orders(subject, LEVENSHTEIN, Runtime())


def test_pairs_of_two_timelines_and_empty_headlines_are_not_compared():
    texts = ["A storm", "A storm hits", "A vote", "A vote held", ""]
    days = np.array([1.0, 2.0, np.nan, 40.0, 1.0])
    pairs = pair_set(texts, [0, 2], [1, 3], [1, 0], days=days, timelines=np.array([0, 0, 1, 1, 1]))
    matrix = score_both_orders(StudySubject(pairs, pairs.fingerprint), LEVENSHTEIN, Runtime()).scores
    assert matrix.pairs == 2
    assert matrix.scored[0, 1]
    assert matrix.scored[2, 3]


def test_scores_are_those_of_the_scorer_in_both_orders(subject, scored):
    from Levenshtein import ratio

    texts = subject.headlines.texts
    matrix = scored.scores
    for i, j in ((0, 1), (1, 0), (3, 40)):
        assert matrix.probabilities[i, j] == pytest.approx(ratio(texts[i], texts[j]), abs=1e-6)
    assert matrix.pairs == len(subject) * (len(subject) - 1) // 2
    assert matrix.threshold == 0.45
    assert "levenshtein.v1" in scored.signature
    assert "threshold:0.45" in scored.signature


def test_repairs_are_consistent_and_f1_is_that_of_the_groups(subject, scored):
    report = repair_all(scored, repairs.names(), Runtime(), resamples=50)
    assert report.census.two > 0
    for name, outcome in zip(repairs.names(), report.outcomes, strict=True):
        assert outcome.gold.f1.value is not None
        if repairs.parse(name).transitive:
            assert outcome.census.consistent_share == 1.0
            assert outcome.certificate.at_least <= outcome.certificate.changed
            assert outcome.repair.labels is not None
            measured = quality(outcome.repair.labels, subject.headlines.groups.tolist())["pair_f1"].value
            assert outcome.gold.f1.value == pytest.approx(measured)
    symmetric = report.outcomes[repairs.names().index("symmetric.v1")]
    assert symmetric.difference.interval == (0.0, 0.0)


def test_the_default_repair_is_the_smallest_and_its_number_of_changes_is_proved(scored):
    report = repair_all(scored, repairs.names(), Runtime(), resamples=10)
    certificates = {one.signature: one.certificate for one in report.outcomes if one.certificate is not None}
    default = certificates[f"{DEFAULT_REPAIR}.v1"]
    assert default.changed == min(one.changed for one in certificates.values())
    assert report.smallest_first[0].signature == f"{DEFAULT_REPAIR}.v1"
    assert default.changed == default.known
    assert {one.known for one in certificates.values()} == {default.known}
    assert max(one.gap for one in certificates.values()) > default.gap


def test_a_study_is_the_spread_over_its_checkpoints(subject):
    names = ("levenshtein|case_sensitive:false", "levenshtein")
    found = study(subject, names, Scoring(threshold=0.45), Runtime())
    singles = [
        examine(score_both_orders(subject, Scoring(scorer=name, threshold=0.45), Runtime())).census
        for name in names
    ]
    assert found.census["before"]["110"].mean == np.mean([single.two for single in singles])
    assert found.census["before"]["110"].deviation == pytest.approx(
        np.std([single.two for single in singles], ddof=1)
    )
    assert found.census["repaired"]["consistent_share"].values == (1.0, 1.0)
    assert found.flip_rate.values == (0.0, 0.0)
    with pytest.raises(InputError, match="checkpoints"):
        study(subject, [], Scoring(), Runtime())


def test_a_checkpoint_is_a_folder_with_a_pair_model_or_a_signature(tmp_path):
    from core.pairs.cross_encoder.tokens import PairModelConfig

    assert scorer_of("levenshtein").startswith("levenshtein.v1|")
    with pytest.raises(InputError, match=r"pair_model\.json"):
        scorer_of(str(tmp_path))
    (tmp_path / "model").mkdir()
    for time, name in (("concat", "finetuned_time.v1"), ("none", "finetuned.v1")):
        PairModelConfig(time=time).write(tmp_path / "model")
        recipe = pair_scorers.parse(scorer_of(str(tmp_path)))
        assert pair_scorers.name_of(recipe) == name
        assert f"model:{tmp_path / 'model'}" in scorer_of(str(tmp_path))


def test_what_cannot_be_opened_is_one_sentence(tmp_path):
    with pytest.raises(UnknownNameError, match="no file and no pair set"):
        open_headlines("nothing-of-this-name")
    with pytest.raises(InputError, match="no parts"):
        open_headlines("sample:iss", part="test")
    with pytest.raises(InputError, match="no part 'dev'"):
        open_headlines("hlgd_sample", part="dev")


@pytest.mark.parametrize(("leaves", "fewest"), [(3, 2), (4, 3), (5, 4)])
@pytest.mark.parametrize("exact_up_to", [0, 40])
def test_a_star_keeps_one_link(leaves, fewest, exact_up_to):
    links = np.zeros((leaves + 1, leaves + 1), dtype=np.bool_)
    links[0, 1:] = links[1:, 0] = True
    found = least_changes(links, ~np.eye(leaves + 1, dtype=np.bool_), Runtime(), exact_up_to=exact_up_to)
    assert found.known == fewest
    assert found.at_least <= fewest
    # The linear program halves every link of a star; rounding up closes the gap of three leaves alone.
    assert found.at_least == (fewest if exact_up_to or leaves == 3 else -(-leaves // 2))


def test_smoothed_triangles_join_a_doubtful_pair_and_nobody_whom_no_link_reaches():
    values = np.full((4, 4), 0.1, np.float32)
    values[0, 1:3] = values[1:3, 0] = 0.9
    values[1, 2] = values[2, 1] = 0.45
    scores = score_matrix(values, 0.5)
    smoothed = repairs.parse("triangle_smoothing.v1").repair(RepairInput(scores, None), Runtime())
    assert smoothed.labels is not None
    assert len(set(smoothed.labels[:3])) == 1
    assert smoothed.labels[3] not in smoothed.labels[:3]


@pytest.mark.parametrize(
    ("values", "threshold", "mask", "said"),
    [
        (np.zeros((2, 3)), 0.5, None, "square table"),
        (np.zeros(4), 0.5, None, "square table"),
        (np.zeros((2, 2)), 0.0, None, "threshold is 0.0"),
        (np.zeros((2, 2)), 1.1, None, "threshold is 1.1"),
        (np.zeros((2, 2)), 0.5, np.ones((3, 3), np.bool_), "The mask has shape"),
        (np.array([[0, 0.5, 2], [0.5, 0, -1], [2, -1, 0]]), 0.5, None,
         "headlines 0 and 2 is 2.0, not a number"),
    ],
)  # fmt: skip
def test_what_is_no_table_of_shares_is_refused(values, threshold, mask, said):
    with pytest.raises(InputError, match=said):
        score_matrix(values, threshold, mask=mask)


def test_a_score_at_the_threshold_links_and_a_sure_one_weighs_as_much_as_99_percent():
    values = np.array([[0, 0.5, 0], [0.5, 0, 1], [0, 1, 0]], np.float32)
    scores = score_matrix(values, 0.5)
    closed = repairs.parse("transitive_closure.v1").repair(RepairInput(scores, None), Runtime())
    assert closed.decisions.sum() == 6
    weights = log_odds(values, scores.scored, 0.5)
    assert weights[0] == pytest.approx([0, 0, -np.log(99)])
    assert weights[2] == pytest.approx([-np.log(99), np.log(99), 0])
