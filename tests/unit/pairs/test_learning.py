"""What is learned from people's labels: a gain where there is one, and when more labels stop helping."""

import numpy as np
import pytest

from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.pairs.learning import evidence, learn, too_few
from core.runtime import Runtime
from core.statistics.logistic import logistic


def pairs_of(labels):
    m = len(labels)
    texts, nothing = [f"headline {row}" for row in range(2 * m)], np.full(2 * m, -1)
    where = np.zeros(2 * m, dtype=np.int64), np.full(2 * m, "test"), nothing
    sides = np.arange(m), np.arange(m, 2 * m)
    return PairSet("drawn", texts, np.full(2 * m, np.nan), *where, *sides, np.asarray(labels, dtype=np.int64))


def learned(draw, offset, labels, *signals):
    columns = np.column_stack([offset, np.ones(len(offset)), *signals, draw.normal(size=(len(offset), 5))])
    return learn(pairs_of(labels), columns, Runtime())


def test_a_signal_that_the_scorer_misses_is_learned_and_the_gain_excludes_zero():
    draw = np.random.default_rng(1)
    offset, signal = draw.normal(size=(2, 300))
    curve = learned(draw, offset, draw.random(300) < logistic(offset + 4 * signal), signal)
    assert curve.gain.low > 0.05
    counts = [count for count, _ in curve.steps]
    assert counts == [0, 48, 96, 144, 192, 240]
    assert curve.steps[-1][1].value - curve.steps[0][1].value == pytest.approx(curve.gain.value)
    assert all(share.low < share.value < share.high for _, share in curve.steps)


def test_what_the_scorer_knows_already_is_no_gain_and_more_labels_do_not_help():
    for seed in range(4):
        draw = np.random.default_rng(seed)
        offset = 3 * draw.normal(size=300)
        curve = learned(draw, offset, (offset > 0) ^ (draw.random(300) < 0.15))
        assert curve.gain.low <= 0
        assert not curve.more_help
        assert "More labels still help" not in curve.advice
        assert ("chance" in curve.gain_said) == (curve.gain.high >= 0)


def test_where_all_labels_are_met_untrained_nothing_is_to_be_gained_and_no_interval_is_said():
    offset = np.where(np.arange(200) % 2, 5.0, -5.0)
    curve = learned(np.random.default_rng(5), offset, offset > 0)
    assert curve.all_met
    assert "nothing is to be gained" in curve.gain_said
    assert "[" not in curve.gain_said


def test_where_much_is_still_to_be_learned_more_labels_help():
    draw = np.random.default_rng(2)
    signals, weights = draw.normal(size=(40, 250)), draw.normal(size=40)
    curve = learned(draw, np.zeros(250), weights @ signals > 0, *signals)
    assert curve.more_help
    assert "still help" in curve.advice


def test_pairs_without_a_label_get_a_chance_and_the_least_sure_comes_first():
    draw = np.random.default_rng(3)
    offset, signal = draw.normal(size=(2, 200))
    labels = np.where(np.arange(200) < 150, signal > 0, UNKNOWN)
    curve = learned(draw, 0 * offset, labels, signal)
    assert curve.steps[-1][0] == 120
    assert sorted(curve.unsure) == [*range(200)]
    assert np.abs(signal[curve.unsure[:10]]).max() < np.abs(signal[curve.unsure[-10:]]).min()


def test_too_few_labels_or_answers_all_alike_are_one_sentence():
    few, alike = [1] * 15 + [0] * 15, [1] * 90 + [0] * 5
    for labels in (few, alike):
        said = too_few(np.array(labels))
        assert said.count(".") == 1
        assert f"{sum(labels)} pairs are labelled same" in said
    assert not too_few(np.array([1] * 20 + [0] * 20 + [UNKNOWN]))


def test_evidence_is_that_of_the_default_scorer_with_its_threshold_at_zero():
    texts = ["Rocket lifts off from Florida", "Rocket launches from Florida", "Bakery opens in Lyon"]
    days, zeros = np.full(3, 20_000.0), np.zeros(3, dtype=np.int64)
    sides = np.array([0, 0]), np.array([1, 2]), np.array([UNKNOWN, UNKNOWN])
    pairs = PairSet("by hand", texts, days, zeros, np.full(3, "test"), np.full(3, -1), *sides)
    columns = evidence(pairs, Runtime())
    assert columns[0, 0] > 0 > columns[1, 0]
    assert len(columns) == 2
    assert np.isfinite(columns).all()
