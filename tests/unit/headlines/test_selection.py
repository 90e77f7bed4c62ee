"""Training a selector, measuring selectors, and the suggestion of a group."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.selection_sets import SelectionSet, Verdict
from core.data.timelines.load import load
from core.events.cards import RUSSIAN_SELECTOR, SELECTOR, default_selector, suggestions
from core.events.grouping import Prepared, Settings, prepare, regroup
from core.headlines.selection import read_model, write_model
from core.headlines.selection_study import (
    HEAD,
    PAPER,
    as_markdown,
    best_margin,
    chosen,
    measure,
    resampled_accuracy,
    weighted_accuracy,
    worth,
)
from core.models.boosted_trees import from_catboost
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import holm, interval
from research.training.headlines.headline_selector import HeadlineSelectorTrainer

SUBJECTS = ["шторм", "банк", "мэр", "завод", "музей", "суд", "клуб", "театр"]
PER_PART = 30


def world(*, flipped: bool = False) -> SelectionSet:
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
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return Runtime(cache=tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("directions", [0, 3])
def test_it_learns_what_people_prefer(
    runtime: Runtime, tmp_path: Path, *, flipped: bool, directions: int
) -> None:
    given = world(flipped=flipped)
    how = HeadlineSelectorTrainer(trees=20, learning_rate=0.2, directions=directions)
    write_model(tmp_path / "model", how.learn(given, runtime))
    found = measure(given, runtime, selectors=["longest", f"catboost|model:{tmp_path / 'model'}"])
    floor, learned = found.rows[:2]
    value = learned.cells["test"].value
    assert value is not None
    assert value > 0.9
    if not flipped:  # the other way round the longest is the right one
        assert learned.gain is not None
        assert learned.gain.value > 0.5
        assert learned.gain.p < 0.05
    assert floor.gain is None
    assert found.pairs == {"validation": 75, "public": 75, "private": 75, "test": 150}
    assert "weights:" in learned.selector
    assert read_model(tmp_path / "model").directions.shape[1] == directions


def test_the_test_files_change_no_weight(runtime: Runtime) -> None:
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


def test_a_selector_that_cannot_tell_says_so(runtime: Runtime) -> None:
    row = measure(world(), runtime, selectors=["most_recent"]).rows[0]
    assert row.why_not.startswith("It cannot tell")
    assert row.cells == {}


def test_one_answer_to_every_pair_stands_in_the_table(runtime: Runtime) -> None:
    given = world()
    rows = {row.selector: row for row in measure(given, runtime, selectors=["medoid", "longest"]).rows}
    chosen = [given.verdicts[row] for row in given.pairs(files=("0527", "0529"))]
    left, frequent = rows["always the left one"], rows["most frequent answer"]
    worths = {Verdict.LEFT: 1.0, Verdict.DRAW: 0.5, Verdict.RIGHT: 0.0}
    counted = [worths[one] for one in chosen if one in worths]
    assert left.cells["test"].value == pytest.approx(np.mean(counted))
    validation = [given.verdicts[row] for row in given.pairs(parts=[Part.VALIDATION])]
    most = max(worths, key=validation.count)
    assert frequent.cells["test"].value == weighted_accuracy(chosen, [most] * len(chosen))
    tested = [row for row in rows.values() if row.gain]
    assert [row.corrected for row in tested] == holm([row.gain.p for row in tested])
    assert {row.family for row in tested} == {len(tested)}


def test_the_margin_is_the_best_on_validation_pairs() -> None:
    given = world()
    scores = np.array([1.0, 0.0, 0.02] * (len(given.texts) // 3))
    # Draws differ by 0.02, choices by 0.98 and 1.
    assert 0.02 <= best_margin(given, scores) < 0.98
    assert best_margin(given, -scores) >= 0.02


def test_tables_hold_every_row_and_the_papers(runtime: Runtime) -> None:
    found = measure(world(), runtime, selectors=["medoid", "longest", "most_recent"])
    text = as_markdown(found)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count(" | ") for line in table} == {len(HEAD) - 1}
    assert len(table) == 2 + 3 + 2 + len(PAPER)
    assert "pseudo-headlines" in text
    assert "81.1 ± 0.4" in text
    assert "nan" not in text.casefold()


def test_the_wording_selector_is_for_russian_read_by_its_encoder() -> None:
    assert default_selector("ru", "e5_small.v1") == RUSSIAN_SELECTOR
    assert default_selector("ru", "minilm.v1") == SELECTOR
    assert default_selector("ru", "use_multilingual.v1") == default_selector("en", "e5_small.v1") == SELECTOR


def test_a_suggestion_is_of_the_group_and_the_earliest_of_equals(iss: Prepared) -> None:
    grouping = regroup(iss)
    groups = [np.flatnonzero(grouping.ids == group).tolist() for group in np.unique(grouping.ids)]
    found = suggestions(iss, groups)
    assert all(best.row in rows for best, rows in zip(found, groups, strict=True))
    assert all(
        best.reason.startswith("The only headline.")
        for best, rows in zip(found, groups, strict=True)
        if len(rows) == 1
    )
    backwards = suggestions(iss, [rows[::-1] for rows in groups])
    assert found == backwards
    csv = b"headline,published\nStorm closes airport,2024-01-03\nStorm closes airport,2024-01-02\n"
    twice = prepare(load(csv, "a.csv"), Settings(), Runtime())
    (best,) = suggestions(twice, [[0, 1]])
    assert (best.row, best.reason) == (1, "All outlets have this wording.")


def test_the_tables_of_trees_say_what_catboost_says() -> None:
    from catboost import CatBoost, Pool

    random = np.random.default_rng(2)
    values = random.normal(size=(120, 5))
    groups = np.repeat(np.arange(40), 3)
    pairs = [(3 * g + int(values[3 * g, 1] < values[3 * g + 1, 1]), 3 * g + 2) for g in range(40)]
    pool = Pool(values, label=np.zeros(120), group_id=groups, pairs=pairs)
    settings = {"loss_function": "PairLogit", "iterations": 40, "depth": 4, "thread_count": 1}
    model = CatBoost({**settings, "logging_level": "Silent", "allow_writing_files": False}).fit(pool)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        model.save_model(str(path), format="json")
        trees = from_catboost(path)
    unseen = random.normal(size=(200, 5)) * 2
    np.testing.assert_allclose(trees.predict(unseen), model.predict(unseen), atol=1e-9)


LEFT, RIGHT, DRAW, BAD = Verdict.LEFT, Verdict.RIGHT, Verdict.DRAW, Verdict.BAD
TABLE = {
    (LEFT, LEFT): 1.0,
    (LEFT, RIGHT): 0.0,
    (LEFT, DRAW): 0.5,
    (RIGHT, LEFT): 0.0,
    (RIGHT, RIGHT): 1.0,
    (RIGHT, DRAW): 0.5,
    (DRAW, LEFT): 0.5,
    (DRAW, RIGHT): 0.5,
    (DRAW, DRAW): 1.0,
}
"""Table of section 4.1: what people said, what was chosen, what it is worth."""


@pytest.mark.parametrize(("pair", "value"), TABLE.items())
def test_every_cell_of_the_papers_table(pair: tuple[Verdict, Verdict], value: float) -> None:
    assert worth([pair[0]], [pair[1]]).tolist() == [value]


def test_a_worked_example_leaves_bad_pairs_out() -> None:
    said = [LEFT, RIGHT, DRAW, BAD, LEFT, RIGHT]
    system = [LEFT, LEFT, RIGHT, LEFT, DRAW, RIGHT]
    # 1 + 0 + 0.5 + (left out) + 0.5 + 1 of five.
    assert weighted_accuracy(said, system) == pytest.approx(3 / 5)
    assert np.isnan(worth(said, system)[3])


@given(st.lists(st.tuples(st.sampled_from(Verdict), st.sampled_from([LEFT, RIGHT, DRAW])), max_size=30))
def test_it_does_not_matter_which_headline_stands_left(pairs: list[tuple[Verdict, Verdict]]) -> None:
    said, system = [one for one, _ in pairs], [other for _, other in pairs]
    other_side = {LEFT: RIGHT, RIGHT: LEFT, DRAW: DRAW, BAD: BAD}
    mirrored = weighted_accuracy([other_side[one] for one in said], [other_side[one] for one in system])
    assert mirrored == weighted_accuracy(said, system)


def test_a_draw_is_chosen_up_to_the_margin() -> None:
    assert chosen(np.array([0.3, 0.1, 0.0, -0.1, -0.3]), 0.1) == [LEFT, DRAW, DRAW, DRAW, RIGHT]
    assert chosen(np.array([0.1, 0.0, -0.1]), 0.0) == [LEFT, DRAW, RIGHT]


def test_events_are_resampled_and_not_pairs() -> None:
    random = np.random.default_rng(1)
    events = np.repeat(np.arange(40), 10)
    # All pairs of an event have the same worth: ten pairs tell no more than one.
    values = np.repeat(random.integers(0, 2, 40).astype(np.float64), 10)
    low, high = interval(resampled_accuracy(values, events))
    assert (low, high) == pytest.approx(interval(resampled_accuracy(values[::10], events[::10])))
    assert low is not None
    assert high is not None
    assert low < values.mean() < high
