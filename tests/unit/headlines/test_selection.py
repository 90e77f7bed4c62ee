import dataclasses

import numpy as np
import pytest

from core.data.dialogue2021 import SelectionSet, Verdict
from core.headlines.selection import read_model, write_model
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import interval
from research.training.headlines.headline_selector import HeadlineSelectorTrainer
from research.training.headlines.selector_accuracy import measure, resampled_accuracy, worth

SUBJECTS = ["шторм", "банк", "мэр", "завод", "музей", "суд", "клуб", "театр"]
PER_PART = 30


def world(*, flipped=False):
    """Events of three headlines; people prefer the one that gives a number, or the other one."""
    texts, groups, pairs = [], [], []
    random = np.random.default_rng(5)
    plan = [("0525", Part.TRAIN), ("0525", Part.VALIDATION), ("0527", Part.TEST), ("0529", Part.TEST)]
    for file, part in plan:
        for event in range(PER_PART):
            subject = SUBJECTS[event % len(SUBJECTS)]
            start, number = len(texts), random.integers(2, 90)
            texts += [
                f"{subject} закрыл {number} дорог",
                f"{subject} закрыл городские дороги",
                f"городские дороги закрыл {subject}",
            ]
            groups += [len(groups) // 3] * 3
            for other in (1, 2):
                swap = bool(random.integers(2))
                sides = (start + other, start) if swap else (start, start + other)
                pairs.append((*sides, Verdict.RIGHT if swap != flipped else Verdict.LEFT, part, file))
            pairs.append((start + 1, start + 2, Verdict.DRAW if event % 2 else Verdict.BAD, part, file))
    left, right, verdicts, parts, files = zip(*pairs, strict=True)
    n = len(texts)
    return SelectionSet(
        name="world",
        texts=tuple(texts),
        urls=tuple(f"https://a.ru/{row}" for row in range(n)),
        days=np.full(n, 18_407.0),
        pseudo=np.ones(n, dtype=np.bool_),
        left=np.array(left),
        right=np.array(right),
        verdicts=verdicts,
        parts=parts,
        files=files,
        groups=np.array(groups),
        without_text=7,
    )


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    return Runtime(cache=tmp_path_factory.mktemp("cache"))


@pytest.mark.slow
@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("directions", [0, 3])
def test_it_learns_what_people_prefer(runtime, tmp_path, *, flipped, directions):
    given = world(flipped=flipped)
    how = HeadlineSelectorTrainer(trees=20, learning_rate=0.2, directions=directions)
    write_model(tmp_path / "model", how.learn(given, runtime))
    found = measure(given, runtime, selectors=["longest", f"catboost|model:{tmp_path / 'model'}"])
    floor, learned = found.rows[:2]
    value = learned.cells["test"].value
    assert value > 0.9
    if not flipped:  # the other way round the longest is the right one
        assert learned.gain.value > 0.5
        assert learned.gain.p < 0.05
    assert floor.gain is None
    assert found.pairs == {"validation": 75, "public": 75, "private": 75, "test": 150}
    assert "weights:" in learned.selector
    assert read_model(tmp_path / "model").directions.shape[1] == directions


def test_the_test_files_change_no_weight(runtime):
    given = world()
    rows = [row for row, part in enumerate(given.parts) if part is not Part.TEST]
    apart = dataclasses.replace(
        given,
        left=given.left[rows],
        right=given.right[rows],
        verdicts=tuple(given.verdicts[row] for row in rows),
        parts=tuple(given.parts[row] for row in rows),
        files=tuple(given.files[row] for row in rows),
    )
    how = HeadlineSelectorTrainer(trees=20, directions=2)
    one, other = how.learn(given, runtime), how.learn(apart, runtime)
    np.testing.assert_array_equal(one.trees.values, other.trees.values)
    np.testing.assert_array_equal(one.directions, other.directions)
    assert one.config == other.config


def test_a_selector_that_cannot_tell_says_so(runtime):
    row = measure(world(), runtime, selectors=["most_recent"]).rows[0]
    assert row.why_not.startswith("It cannot tell")
    assert row.cells == {}


LEFT, RIGHT, DRAW = Verdict.LEFT, Verdict.RIGHT, Verdict.DRAW


@pytest.mark.parametrize(
    ("said", "worths"), [(LEFT, [1, 0, 0.5]), (RIGHT, [0, 1, 0.5]), (DRAW, [0.5, 0.5, 1])]
)
def test_every_cell_of_the_papers_table(said, worths):
    """Section 4.1: what people said, and what left, right and a draw are worth then."""
    assert worth([said] * 3, [LEFT, RIGHT, DRAW]).tolist() == worths


def test_events_are_resampled_and_not_pairs():
    random = np.random.default_rng(1)
    events = np.repeat(np.arange(40), 10)
    # All pairs of an event have the same worth: ten pairs tell no more than one.
    values = np.repeat(random.integers(0, 2, 40).astype(np.float64), 10)
    low, high = interval(resampled_accuracy(values, events))
    assert (low, high) == pytest.approx(interval(resampled_accuracy(values[::10], events[::10])))
    assert low < values.mean() < high
