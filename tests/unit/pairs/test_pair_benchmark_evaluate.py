"""What of a set is measured; a row chooses on training pairs, is measured on test pairs, and fails alone."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from core.pairs.file_scoring import default_scorer
from core.pairs.metrics import best_threshold
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.baselines import Levenshtein
from core.pairs.scorers.wrappers import Symmetric, WithTime
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.runtime import Runtime
from research.benchmark.pairs.evaluate import PairSettings, scores_of
from research.benchmark.pairs.rows import ROWS, row
from research.benchmark.pairs.run import evaluate_row
from research.benchmark.pairs.sets import POOL, measured, pool
from tests.unit.pairs.pair_worlds import world

SETTINGS = PairSettings(resamples=200)


def test_figures_are_scikit_learns_at_the_threshold_of_train(runtime):
    pairs = world()
    cell = evaluate_row(measured(pairs), row("levenshtein"), (), runtime, SETTINGS).cell
    train, test = pairs.part(Part.TRAIN), pairs.part(Part.TEST)
    threshold = best_threshold(train.labels, score_pairs(train, Levenshtein(), runtime).scores)
    scores = score_pairs(test, Levenshtein(), runtime).scores.astype(np.float64)
    assert (cell.threshold, cell.chosen_on, cell.tuned_pairs) == (threshold, "train", len(train))
    assert cell.figures["f1"].value == pytest.approx(metrics.f1_score(test.labels, scores >= threshold))
    assert cell.figures["average_precision"].value == pytest.approx(
        metrics.average_precision_score(test.labels, scores)
    )
    assert cell.figures["f1"].low < cell.figures["f1"].value < cell.figures["f1"].high
    validation = pairs.part(Part.VALIDATION)
    called = score_pairs(validation, Levenshtein(), runtime).scores >= threshold
    assert cell.figures["validation_f1"].value == pytest.approx(metrics.f1_score(validation.labels, called))


def test_what_ships_is_measured_as_the_command_decides(runtime):
    ships = pair_scorers.parse(default_scorer())
    (shown,) = [one for one in ROWS if one.signature and pair_scorers.parse(one.signature) == ships]
    pairs = world()
    test = pairs.part(Part.TEST)
    cell = evaluate_row(measured(pairs), shown, (), runtime, SETTINGS).cell
    scored = score_pairs(test, ships, runtime)
    assert cell.threshold == ships.threshold
    assert cell.figures["f1"].value == metrics.f1_score(test.labels, scored.scores >= ships.threshold)
    assert scored.signature in cell.signature


@pytest.mark.parametrize("key", ["levenshtein", "levenshtein_time", "time_only"])
def test_test_labels_change_no_choice(runtime, key):
    pairs = world()
    labels = np.where(pairs.pair_parts == Part.TEST, 1 - pairs.labels, pairs.labels)
    turned = replace(pairs, labels=labels)
    before, after = (evaluate_row(measured(one), row(key), (), runtime, SETTINGS) for one in (pairs, turned))
    assert (before.cell.threshold, before.scorer) == (after.cell.threshold, after.scorer)
    assert before.cell.figures["f1"].value != after.cell.figures["f1"].value


def test_a_set_without_training_pairs_takes_those_of_others(runtime):
    pairs = replace(world(), parts=np.full(len(world().texts), Part.TEST.value))
    both = replace(world(seed=4), name="other").part(Part.TRAIN, Part.VALIDATION)
    other, later = both.part(Part.TRAIN), both.part(Part.VALIDATION)
    cell = evaluate_row(measured(pairs), row("levenshtein"), [both], runtime, SETTINGS).cell
    scores = score_pairs(other, Levenshtein(), runtime).scores
    assert (cell.threshold, cell.chosen_on) == (best_threshold(other.labels, scores), "train of other")
    learned = replace(row("levenshtein"), supervised=True)
    cell = evaluate_row(measured(pairs), learned, [both], runtime, SETTINGS).cell
    scores = score_pairs(later, Levenshtein(), runtime).scores
    assert (cell.threshold, cell.chosen_on) == (best_threshold(later.labels, scores), "validation of other")
    alone = evaluate_row(measured(pairs), row("levenshtein"), (), runtime, SETTINGS).cell
    assert (alone.threshold, alone.chosen_on) == (Levenshtein().threshold, "the scorer's own")
    assert alone.figures["calibrated_error"].value is None


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("human", "This set has no groups made by people."),
        ("time_only", "This set has no dates."),
        ("cosine_time", "This set has no dates."),
        ("headline_swap", "This set has no articles."),
    ],
)
def test_a_row_without_what_it_needs_says_so(runtime, key, says):
    cell = evaluate_row(measured(world(dated=False)), row(key), (), runtime, SETTINGS).cell
    assert (cell.why_not, cell.figures) == (says, {})


def test_pairs_without_a_label_are_left_out_and_said():
    pairs = world()
    labels = pairs.labels.copy()
    labels[:4] = -1
    found = measured(replace(pairs, labels=labels))
    assert len(found.pairs) == len(pairs) - 4
    assert found.facts.notes == ("4 pairs without a label are left out.",)


def test_iss_never_chooses_a_threshold():
    assert not any(name.startswith("iss") for name in POOL)
    assert "iss" not in {pairs.name for pairs in pool()}
    assert all(Part.TEST.value not in pairs.parts for pairs in pool())


@pytest.mark.parametrize(
    "scorer",
    [
        Levenshtein(),
        WithTime(base="levenshtein", tau_days=3.0),
        Symmetric(base="levenshtein"),
        WithTime(base="with_time|base:(token_overlap)"),
    ],
)
def test_they_equal_the_scorers_own(scorer, tmp_path):
    pairs = world()
    days = pairs.days.copy()
    days[5] = np.nan
    pairs = replace(pairs, days=days)
    direct = score_pairs(pairs, scorer, Runtime())
    for _ in range(2):
        kept = scores_of(pairs, scorer, Runtime(cache=tmp_path))
        assert np.array_equal(kept.scores, direct.scores, equal_nan=True)
        assert kept.signature == direct.signature
        assert sum(kept.why_not.values()) == len(direct.why_not)
