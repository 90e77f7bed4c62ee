import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from core.errors import Cancelled, CoreError, InputError
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from research.benchmark import results
from research.benchmark import results as saved
from research.benchmark.engine import BenchmarkPlan, Outcome, run_plan

Toys = results.Benchmark[results.BenchmarkSet, results.BenchmarkSystem, results.BenchmarkCell]
FILE = results.BenchmarkFile(Toys, "toy", "toys", "toys")


@dataclass(frozen=True, slots=True)
class Toy:
    facts: results.BenchmarkSet


@dataclass(frozen=True, slots=True)
class ToyPlan(BenchmarkPlan[Toys]):
    sets: Sequence[str] = ("one", "two")
    systems: Sequence[results.BenchmarkSystem] = (
        results.BenchmarkSystem(key="good", name="Good"),
        results.BenchmarkSystem(key="broken", name="Broken"),
        results.BenchmarkSystem(key="absent", name="Absent"),
    )
    resamples: int = 10
    fresh: bool = False
    data: str = "data"
    ran: list[str] = field(default_factory=list)

    table: type[Toys] = results.Benchmark

    def open(self, key: str, runtime: Runtime) -> Toy:
        if key == "gone":
            raise CoreError("It is gone.", hint="Look elsewhere.")
        return Toy(results.BenchmarkSet(key=key, name=key.title(), fingerprint=self.data, count=3))

    def closed(self, key: str, error: CoreError) -> results.BenchmarkSet:
        return results.BenchmarkSet(key=key, name=key, why_not=error.message)

    def depends_on(self, system: results.BenchmarkSystem, data: Toy, runtime: Runtime) -> Sequence[str]:
        return ()

    def measure(self, system: results.BenchmarkSystem, data: Toy, runtime: Runtime) -> Outcome:
        self.ran.append(f"{data.facts.key} {system.key}")
        if system.key == "broken":
            raise ZeroDivisionError
        if system.key == "absent":
            raise CoreError("It is not here.", hint="Fetch it.")
        figures = {"f1": Figure(0.5, low=0.4, high=0.6)}
        cell = results.BenchmarkCell(set=data.facts.key, system=system.key, figures=figures, count=3)
        return Outcome((cell, replace(cell, part="kind: x")), {"right": np.array([True, False])}, {"told": 1})

    def compare(self, data: Toy, outcomes: Mapping[str, Outcome]) -> Sequence[results.SystemComparison]:
        assert outcomes["good"].arrays["right"].tolist() == [True, False]
        return ()


@pytest.fixture
def runtime(tmp_path):
    return Runtime(cache=tmp_path / "cache")


def test_failures_are_reasons_and_stop_nothing(runtime):
    found = run_plan(ToyPlan(sets=("gone", "one")), runtime)
    assert found.set("gone").why_not == "It is gone."
    assert found.cell("one", "good").value("f1") == 0.5
    assert found.cell("one", "good", "kind: x") is not None
    assert found.cell("one", "absent").why_not == "It is not here. Fetch it."
    assert "ZeroDivisionError" in found.cell("one", "broken").why_not
    assert found.set("one").measured.endswith("seed:0 · resamples:10")


def test_a_finished_cell_is_stored_and_a_failed_one_is_not(runtime):
    first, again = ToyPlan(), ToyPlan()
    before = run_plan(first, runtime)
    assert run_plan(again, runtime).cells == before.cells
    assert again.ran == ["one broken", "one absent", "two broken", "two absent"]


@pytest.mark.parametrize(
    "changed",
    [
        {"data": "other"},
        {"resamples": 11},
        {"fresh": True},
        {"systems": (results.BenchmarkSystem(key="good", name="Good", signature="v2"),)},
    ],
    ids=str,
)
def test_what_a_cell_depends_on_measures_it_again(runtime, changed):
    run_plan(ToyPlan(), runtime)
    again = ToyPlan(**changed)
    run_plan(again, runtime)
    assert "one good" in again.ran


def test_a_run_that_was_stopped_resumes(runtime):
    stopping = ToyPlan()
    with pytest.raises(Cancelled):
        run_plan(stopping, runtime, on_outcome=lambda *_: len(stopping.ran) == 3 and runtime.stop.set())
    again = ToyPlan()
    run_plan(again, replace(runtime, stop=threading.Event()))
    assert "one good" not in again.ran
    assert "two good" in again.ran


def test_json_is_typed_and_a_newer_run_takes_the_place_of_its_sets(runtime):
    whole = run_plan(ToyPlan(), runtime)
    assert FILE.from_json(FILE.to_json(whole)) == whole
    for wrong in ("{}", "[]", '{"layout": 2}', FILE.to_json(whole).replace('"count": 3', '"count": "many"')):
        with pytest.raises(InputError, match="not a benchmark of toys"):
            FILE.from_json(wrong)
    newer = run_plan(ToyPlan(sets=("two",), systems=ToyPlan().systems[:1]), runtime)
    merged = whole.merged(newer)
    assert [one.key for one in merged.sets] == ["one", "two"]
    assert [one.system for one in merged.cells_of("two")] == ["good"]
    assert [one.key for one in merged.only("two").systems] == ["good"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user's cache, and a folder of tables that ship, which is empty."""
    monkeypatch.setenv("HEADLINE_LAB_CACHE", str(tmp_path / "user"))
    monkeypatch.setattr(saved, "SHIPPED", tmp_path)
    return tmp_path


def test_a_new_run_replaces_its_set_in_the_users_table(home, runtime):
    assert FILE.newest() is None
    first = run_plan(ToyPlan(), runtime)
    (home / "toy_benchmark-2026-01-02.json").write_text(FILE.to_json(first))
    empty = FILE.version()
    kept = FILE.keep(run_plan(ToyPlan(sets=("two",), resamples=20), runtime))
    assert FILE.newest() == kept
    assert FILE.version() != empty
    assert kept.set("one").measured.endswith("resamples:10")
    assert kept.set("two").measured.endswith("resamples:20")


def test_holm_is_over_what_is_shown_together():
    pairs = [("a", "b", 0.01), ("a", "c", 0.04), ("b", "c", 0.001)]
    given = [
        results.SystemComparison(
            set="s", one=one, other=other, measure="f1", difference=Figure(0.1, low=0.0, high=0.2, p=p)
        )
        for one, other, p in pairs
    ]
    found = results.corrected(given, lambda one: one.one == "a")
    assert [(one.corrected, one.family) for one in found] == [(0.02, 2), (0.04, 2), (None, 0)]
    turned = given[0].turned("b")
    assert (turned.difference.value, turned.difference.low, turned.difference.high) == (-0.1, -0.2, 0.0)
