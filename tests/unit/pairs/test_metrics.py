"""The measures of pairs agree with scikit-learn and plain loops, and refuse what cannot be measured."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from core.errors import InputError
from core.pairs.metrics import PAIR_MEASURES, best_f1, best_threshold, pair_quality

SOME = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-6, 6).map(lambda k: k / 7)), min_size=2, max_size=60
)
BOTH = SOME.filter(lambda rows: len({label for label, _ in rows}) == 2)


def f1_at(labels, scores, threshold):
    called = [score >= threshold for score in scores]
    tp = sum(c and y for c, y in zip(called, labels, strict=True))
    fp = sum(c and not y for c, y in zip(called, labels, strict=True))
    return 2 * tp / (tp + fp + sum(labels))


@given(rows=BOTH)
def test_no_threshold_is_better_than_the_best(rows) -> None:
    labels, scores = zip(*rows, strict=True)
    best = f1_at(labels, scores, best_threshold(labels, scores))
    assert best == max(f1_at(labels, scores, score) for score in scores)
    assert best_f1(labels, scores) == pytest.approx(best)


LOW = np.float32(0.5)
HIGH = np.nextafter(LOW, np.float32(1))


@pytest.mark.parametrize(
    ("labels", "scores", "threshold"),
    [
        ([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9], 0.4),
        ([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6], 0.6),  # everything is let in
        ([0, 1], [LOW, HIGH], HIGH),  # no number lies between
    ],
)
def test_threshold_lies_in_the_middle_of_the_gap(labels, scores, threshold) -> None:
    assert best_threshold(labels, scores) == pytest.approx(float(threshold), abs=1e-9)


@pytest.mark.slow
@given(rows=BOTH, threshold=st.integers(-6, 6).map(lambda k: k / 7))
def test_measures_agree_with_scikit_learn(rows, threshold) -> None:
    labels, scores = (np.array(column) for column in zip(*rows, strict=True))
    quality = pair_quality(labels, scores, threshold)
    called = scores >= threshold
    tn, fp, fn, tp = metrics.confusion_matrix(labels, called, labels=[0, 1]).ravel()
    assert (quality.tp, quality.fp, quality.fn, quality.tn) == (tp, fp, fn, tn)
    assert quality.pairs == len(labels)
    expected = {
        "f1": metrics.f1_score(labels, called),
        "recall": metrics.recall_score(labels, called),
        "accuracy": metrics.accuracy_score(labels, called),
        "average_precision": metrics.average_precision_score(labels, scores),
        "roc_auc": metrics.roc_auc_score(labels, scores),
    }
    if called.any():
        expected["precision"] = metrics.precision_score(labels, called)
    for name, value in expected.items():
        assert quality[name].value == pytest.approx(value), name


def test_undefined_measures_say_why() -> None:
    none_alike = pair_quality([0, 0], [0.1, 0.2], 0.5)
    assert none_alike["accuracy"].value == 1.0
    for name in ("f1", "precision", "recall", "average_precision", "roc_auc"):
        assert none_alike[name].value is None
        assert none_alike[name].reason
    all_alike = pair_quality([1, 1], [0.1, 0.9], 0.5)
    assert all_alike["roc_auc"].value is None
    assert all_alike["roc_auc"].reason == "every pair is labelled the same event"
    assert all_alike["average_precision"].value == 1.0


def test_no_pairs_are_no_zero() -> None:
    empty = pair_quality([], [], 0.5)
    assert [score.value for score in empty.scores.values()] == [None] * len(PAIR_MEASURES)
    assert {score.reason for score in empty.scores.values()} == {"there are no labelled pairs"}


@pytest.mark.parametrize(
    ("labels", "scores", "says"),
    [
        ([0, 1], [0.5, float("nan")], "1 of 2 scores are not a number"),
        ([0, 2], [0.5, 0.6], "neither 0 nor 1"),
        ([0, -1], [0.5, 0.6], "neither 0 nor 1"),
        ([0, 1, 1], [0.5, 0.6], "3 labels and 2 scores"),
    ],
)
def test_what_cannot_be_measured_is_refused(labels, scores, says) -> None:
    with pytest.raises(InputError, match=says):
        pair_quality(labels, scores, 0.5)
    with pytest.raises(InputError, match=says):
        best_threshold(labels, scores)


@pytest.mark.parametrize("labels", [[], [0, 0], [1, 1]])
def test_one_class_gives_no_threshold(labels) -> None:
    with pytest.raises(InputError, match="A threshold cannot be chosen"):
        best_threshold(labels, [0.5] * len(labels))
