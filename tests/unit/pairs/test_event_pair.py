"""The default pair scorer: what it promises beyond the contract of all scorers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import headline_lab
from core.data.pair_sets.pair_file import read_pair_file
from core.errors import InputError, ModelUnavailableError
from core.models.encoders.e5_siamese import E5Siamese, trained_encoder
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.context import PairContext
from core.pairs.features.additive import probability
from core.pairs.file_scoring import score_file
from core.pairs.scorers.event_pair import EventPair
from core.pairs.scorers.pair_models import Siamese
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.text.timeline_reading import TimelineReading

SAME = (
    ("Ferry sinks off Greek island, 12 dead", "Twelve die as ferry goes down near Greece"),
    ("Zentralbank erhöht Leitzins auf 4 Prozent", "Central bank raises key rate to 4 percent"),
    ("В Токио произошло землетрясение", "Earthquake hits Tokyo"),
)
TEXTS = [text for pair in SAME for text in pair]
DAYS = np.array([18_000, 18_000, 18_000, 18_001, 18_000, np.nan])


@pytest.fixture(scope="module")
def context():
    return PairContext(TEXTS, DAYS, E5Siamese().build(Runtime(half=False)).encode(TEXTS))


def scores(given):
    left, right = (side.ravel() for side in np.mgrid[0 : len(given), 0 : len(given)])
    return EventPair().prepare(given, Runtime()).pairs(left, right).reshape(len(given), len(given))


@pytest.mark.slow
def test_two_reports_of_one_event_are_above_the_threshold_in_any_language_and_others_below(context):
    found, threshold = scores(context), EventPair().threshold
    own = np.arange(len(TEXTS)) // 2
    for left, right in zip(*np.triu_indices(len(TEXTS), 1), strict=True):
        assert (found[left, right] >= threshold) == (own[left] == own[right]), (TEXTS[left], TEXTS[right])


def test_a_score_depends_on_nothing_else_in_the_file(context):
    whole = scores(context)
    for rows in ([0, 1], [5, 2, 1, 4]):
        np.testing.assert_array_equal(scores(context.take(np.array(rows))), whole[np.ix_(rows, rows)])


def test_a_later_day_never_makes_one_event_likelier(context):
    two = context.take(np.array([0, 1]))
    apart = [
        scores(PairContext(two.texts, np.array([18_000.0, 18_000.0 + days]), two.vectors))[0, 1]
        for days in range(15)
    ]
    assert apart == sorted(apart, reverse=True)
    assert apart[4] < apart[0]


def test_parts_sum_up_to_the_score(context):
    found = scores(context)
    for left, right in ((0, 1), (2, 3), (1, 5)):
        parts = EventPair().parts(context, left, right, float(found[left, right]))
        total = np.array([sum(part.value for part in parts)], dtype=np.float32)
        assert probability(total)[0] == pytest.approx(found[left, right], abs=1e-4)


def test_a_trained_scorer_gets_the_vectors_that_it_was_trained_on():
    russian = ["Банк России повысил ставку", "ЦБ поднял ставку"]
    assert encoders.signature(encoder_of(TimelineReading(russian), AUTOMATIC, Siamese())) == Siamese().encoder
    assert isinstance(encoder_of(TimelineReading(russian), AUTOMATIC, EventPair()), E5Siamese)
    with pytest.raises(InputError, match="trained on vectors of e5_siamese"):
        encoder_of(TimelineReading(russian), "minilm.v1", EventPair())


def test_weights_of_another_model_are_refused():
    with pytest.raises(ModelUnavailableError):
        trained_encoder({"pooling.up.weight": torch.zeros(1)}, Runtime())
    with pytest.raises(ModelUnavailableError, match="no trained encoder"):
        E5Siamese(model="no such folder").build(Runtime())


@pytest.mark.slow
def test_forty_pairs_that_a_stranger_wrote():
    table = pd.read_csv(Path(__file__).with_name("forty_pairs.csv"))
    found = score_file(
        read_pair_file(Path(__file__).with_name("forty_pairs.csv"), labels=False), EventPair(), Runtime()
    )
    said, same = np.array(found.same_event) == 1, table["gold"].to_numpy() == 1
    assert said[same].sum() >= 18, "reports of one event in six languages"
    assert said[~same].sum() <= 10, "half of them differ in a place, a name, a result alone"


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([], "no pair"),
        (["ab"], "two headlines"),
        ([("a",)], "two headlines"),
        ([(1, 2)], "no text"),
        ([("a", "b", "c")], "two headlines"),
    ],
)
def test_python_says_what_a_pair_is(pairs, says):
    with pytest.raises(InputError, match=says):
        headline_lab.score_pairs(pairs)


def test_half_a_letter_is_no_obstacle() -> None:
    (row,) = headline_lab.score_pairs([("Storm\udc80 hits", "Storm")], scorer="levenshtein").itertuples()
    assert "\ufffd" in row.headline_a
    assert 0 < row.score < 1
